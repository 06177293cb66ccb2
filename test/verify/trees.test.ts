/** The findings of `verify` about tables in which rows name their parents. */
import t, { type Test } from 'tap'
import { executing, startRest } from '../rest/server.js'

const modelOf = (values: string, maxDepth = 64) => ({
  name: 'nodes',
  dataObjects: {
    Nodes: {
      code: `(SELECT * FROM (VALUES ${values}) t (id, up))`,
      columns: { Id: { code: 'id', abstractType: 'string', primaryKey: true }, Up: { code: 'up', abstractType: 'string' } },
    },
    Tree: { closure: { dataObject: 'Nodes', key: 'Id', parent: 'Up', maxDepth } },
  },
})

async function verified(t: Test, values: string, maxDepth?: number) {
  const server = await startRest(executing)
  t.teardown(() => server.close())
  const session = (await server.post('/v1/sessions')).body.session_id
  const loaded = await server.post(`/v1/sessions/${session}/models`, { model_json: modelOf(values, maxDepth) })
  t.equal(loaded.status, 201, loaded.text)
  const { body } = await server.post(`/v1/sessions/${session}/models/${loaded.body.model_id}/verify`)
  return body
}

t.test('circles and parents that are no rows are found', async (t) => {
  const body = await verified(t, "('a', NULL), ('b', 'a'), ('s', 's'), ('o', 'gone'), ('x', 'y'), ('y', 'x'), ('z', 'y')")
  const tree = { name: 'Tree', data_object: 'Nodes', key: 'Id', parent: 'Up', rows: 7, deepest: 2 }
  t.match(body.trees, [{ ...tree, missing_parents: 1, examples: ['gone'], without_root: 3, circle_examples: ['x', 'y', 'z'] }])
  t.match(body.findings, [
    {
      code: 'VERIFY_CIRCLE',
      severity: 'error',
      path: 'dataObjects.Tree.closure.parent',
      message: /3 rows of 'Nodes' are on a circle/,
    },
    { code: 'VERIFY_ORPHANS', severity: 'warning', message: /1 value of 'Up' of 'Nodes' is the key of no row, such as 'gone'/ },
  ])
})

t.test('a tree has no finding', async (t) => {
  const body = await verified(t, "('a', NULL), ('b', 'a'), ('s', 's'), ('c', 'b')")
  t.match(body.trees, [{ rows: 4, deepest: 2, missing_parents: 0, examples: [], without_root: 0, circle_examples: [] }])
  t.same(body.findings, [])
})

t.test('a tree that is too deep is a finding', async (t) => {
  const body = await verified(t, "('a', NULL), ('b', 'a'), ('c', 'b')", 1)
  t.same(body.trees, [])
  t.match(body.findings, [
    {
      code: 'TREE_TOO_DEEP',
      path: 'dataObjects.Tree.closure',
      message: 'A row of a tree is further below another than 1 steps, the maxDepth of its closure',
    },
  ])
})
