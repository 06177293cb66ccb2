/** The findings of `verify` about columns that order the values of a dimension. */
import t, { type Test } from 'tap'
import { executing, startRest } from '../rest/server.js'

const rows = (values: string) => `(SELECT * FROM (VALUES ${values}) t (size, place))`
const modelOf = (values: string, sortBy = 'Place') => ({
  name: 'shirts',
  dataObjects: {
    Shirts: {
      code: rows(values),
      columns: { Size: { code: 'size', abstractType: 'string' }, Place: { code: 'place', abstractType: 'int' } },
    },
  },
  dimensions: { Size: { dataObject: 'Shirts', column: 'Size', sortBy } },
})

async function verified(t: Test, values: string, sortBy?: string) {
  const server = await startRest(executing)
  t.teardown(() => server.close())
  const session = (await server.post('/v1/sessions')).body.session_id
  const loaded = await server.post(`/v1/sessions/${session}/models`, { model_json: modelOf(values, sortBy) })
  t.equal(loaded.status, 201, loaded.text)
  const { body } = await server.post(`/v1/sessions/${session}/models/${loaded.body.model_id}/verify`)
  return body
}

t.test('a value at several places is found', async (t) => {
  const body = await verified(t, "('S', 1), ('M', 2), ('M', 4), ('L', 3), ('L', NULL), (NULL, 7), (NULL, 8)")
  t.match(body.sorts, [{ dimension: 'Size', data_object: 'Shirts', sort_by: 'Place', values: 3, several: 1, examples: ['M'] }])
  t.match(
    body.findings.filter((f: { code: string }) => f.code === 'VERIFY_SORT_BY'),
    [
      {
        severity: 'warning',
        path: 'dimensions.Size.sortBy',
        message: /1 value of 'Size' has several values of 'Place'.*such as 'M'/,
      },
    ],
  )
})

t.test('one place for each value has no finding', async (t) => {
  const body = await verified(t, "('S', 1), ('S', 1), ('M', 2), ('L', 3), ('L', NULL)")
  t.match(body.sorts, [{ several: 0, examples: [] }])
  t.same(
    body.findings.filter((f: { code: string }) => f.code === 'VERIFY_SORT_BY'),
    [],
  )
})

t.test('a column that has one value for each of its values sorts a dimension without a finding', async (t) => {
  const body = await verified(t, "('S', 1), ('M', 2), ('M', 4)", 'Size')
  t.same(body.findings, [])
})
