/** The query of which a rollup table holds the answer. */
import t from 'tap'
import { tables } from '../../../test/support/rollups.js'
import { builtInFunctions } from '../model/functions/catalogue.js'
import { plainCondition, rollupBuild } from './rollup-build.js'

const of = (name: string) => rollupBuild(tables.rollups.get(name)!, tables, builtInFunctions)

t.test('a column for each dimension, for the rows, and for each value', async (t) => {
  const { keys, columns, query, model, rowSets } = of('Daily')
  t.same(columns.slice(0, keys.length), keys)
  t.equal(query.select.measures.length, columns.length - keys.length)
  t.match(rowSets[0], { code: 'row_count', filters: [] })
  t.ok(query.select.measures.every((name) => model.measures.has(name)))
  t.equal(model.rollups.size, 0)
  t.equal(of('Daily'), of('Daily'), 'what is found about a model is kept by it')
})

t.test('a condition is the same wherever it is written', async (t) => {
  const filter = {
    kind: 'leaf',
    column: { kind: 'column', object: 'Orders', column: 'Status' },
    operator: 'eq',
    values: ['x'],
    path: 'here',
  } as const
  t.same(plainCondition({ kind: 'group', logic: 'or', negated: false, filters: [filter] }), {
    kind: 'group',
    logic: 'or',
    negated: false,
    filters: [{ ...filter, path: '' }],
  })
})
