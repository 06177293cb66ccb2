import t from 'tap'
import { compileFor, loadText } from '../support/compile.js'

const model = loadText(`
version: 1
dataObjects:
  Sales:
    code: sales
    columns:
      Id: { code: id, abstractType: int, primaryKey: true }
      At: { code: at, abstractType: date }
      Seen: { code: seen, abstractType: date }
      N: { code: n, abstractType: int }
dimensions:
  At: { dataObject: Sales, column: At }
  Seen: { dataObject: Sales, column: Seen }
measures:
  Sum: { aggregation: sum, columns: [{ dataObject: Sales, column: N }] }
metrics:
  Running: { type: cumulative, measure: Sum, timeDimension: At }
  Before: { type: period_over_period, measure: Sum, periodOverPeriod: { timeDimension: At } }
`)

// If the month is summed over, both metrics run along the coalesced dimension; the other date in it is still not their time.
for (const metric of ['Running', 'Before'])
  t.test(`${metric} keeps the condition on another date at every level of subtotals`, (t) => {
    const { sql } = compileFor(
      {
        select: { dimensions: ['At:month', { coalesce: ['At', 'Seen'], as: 'Any' }], measures: [metric] },
        where: [{ field: 'Seen', op: 'gte', value: '2024-01-05' }],
        grouping: 'cube',
      },
      model,
    )
    t.equal(sql.split('"seen" >=').length, sql.split('FROM "sales"').length)
    t.end()
  })
