/** A filter on the time of one fact ends no times of another one: by hand, by the oracle, and by the compiler with DuckDB. */
import t from 'tap'
import { compareCase } from './compare.js'
import { runOn } from './compiled.js'
import { openEngine } from './duckdb.js'
import { evaluate } from './evaluate.js'
import type { ModelJson, ObjectJson, QueryJson } from './model.js'
import { show } from './values.js'

const fact = (code: string): ObjectJson => ({
  code,
  columns: { id: { code: 'id', abstractType: 'int', primaryKey: true }, day: { code: 'd', abstractType: 'date' } },
  joins: [{ joinType: 'many-to-one', joinTo: 'Dates', columnsFrom: ['day'], columnsTo: ['day'] }],
})
const count = (dataObject: string) => ({ aggregation: 'count', columns: [{ dataObject, column: 'id' }] })
const toDate = (measure: string) => ({ type: 'cumulative', measure, timeDimension: 'day', grainToDate: 'quarter' }) as const
const model: ModelJson = {
  version: 1,
  name: 'facts',
  dataObjects: {
    Dates: {
      code: 'dates',
      calendar: { key: 'day', periods: {} },
      columns: { day: { code: 'd', abstractType: 'date', primaryKey: true } },
    },
    Sales: fact('sales'),
    Returns: fact('returns'),
  },
  dimensions: {
    day: { dataObject: 'Dates', column: 'day', resultType: 'date' },
    sold: { dataObject: 'Sales', column: 'day', resultType: 'date' },
  },
  measures: { sales: count('Sales'), returns: count('Returns') },
  metrics: { 'sold to date': toDate('sales'), 'returned to date': toDate('returns') },
}
const days = ['2024-12-05', '2025-01-05', '2025-02-05', '2025-03-05']
const rows = days.map((day, i) => ({ id: i + 1, day }))
const data = { Dates: days.map((day) => ({ day })), Sales: rows, Returns: rows }

const engine = await openEngine()
t.teardown(engine.close)
const run = runOn(engine)

/** The total of the sales and the returns of a quarter up to the end of the times. */
async function totalOf(field: string): Promise<readonly string[]> {
  const query: QueryJson = {
    select: { dimensions: ['day:month'], measures: ['sold to date', 'returned to date'] },
    where: [{ field, op: 'lt', value: '2025-03-01' }],
    grouping: { sets: [['day:month'], []] },
  }
  const mismatch = await compareCase({ model, data, query }, run)
  t.equal(mismatch, undefined, `${mismatch?.message}\n${mismatch?.sql}`)
  const outcome = evaluate(model, data, query)
  const all = 'refused' in outcome ? [[outcome.refused]] : outcome.rows.map((row) => row.map(show))
  return all.filter((row) => row.at(-1) === 'true').map((row) => row.join(' '))
}

t.test('a value to date without its time needs an end of the times of its own fact', async (t) => {
  t.same(await totalOf('day'), ['NULL 2 2 true'], 'January and February')
  t.same(await totalOf('sold'), ['NULL 2 NULL true'], 'the returns have no end: not all of them')
})
