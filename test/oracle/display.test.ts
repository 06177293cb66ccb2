/** The declared type of a base is that of metrics over time and windows, by hand; formats are those of the answer's columns. */
import t from 'tap'
import { compileFor, loadText } from '../support/compile.js'
import { ask, by } from './asking.js'
import { compareCase } from './compare.js'
import { runOn } from './compiled.js'
import { openEngine } from './duckdb.js'
import type { ModelJson, Tables } from './model.js'

const revenue = { measure: 'revenue' }
const overTime = { type: 'period_over_period', expression: '{[revenue]}' }
const period = (comparison: string) => ({ timeDimension: 'month', offset: -1, comparison })
const model: ModelJson = {
  version: 1,
  name: 'displayed',
  dataObjects: {
    Sales: {
      code: 'sales',
      columns: {
        id: { code: 'id', abstractType: 'int', primaryKey: true },
        day: { code: 'on_day', abstractType: 'date' },
        amount: { code: 'amount', abstractType: 'float' },
      },
    },
  },
  dimensions: { month: { dataObject: 'Sales', column: 'day', timeGrain: 'month' } },
  measures: {
    revenue: { aggregation: 'sum', columns: [{ dataObject: 'Sales', column: 'amount' }], dataType: 'decimal(18, 1)' },
  },
  metrics: {
    before: { ...overTime, periodOverPeriod: period('previousValue') },
    change: { ...overTime, periodOverPeriod: period('difference') },
    ratio: { ...overTime, periodOverPeriod: period('ratio') },
    'to date': { type: 'cumulative', ...revenue, timeDimension: 'month' },
    'mean to date': { type: 'cumulative', ...revenue, timeDimension: 'month', cumulativeType: 'avg', dataType: 'decimal(18, 3)' },
    'months to date': { type: 'cumulative', ...revenue, timeDimension: 'month', cumulativeType: 'count' },
    lag: { type: 'window', ...revenue, windowFunction: 'lag', timeDimension: 'month' },
    rank: { type: 'window', ...revenue, windowFunction: 'rank' },
    'before that': { type: 'window', measure: 'before', windowFunction: 'lag', timeDimension: 'month' },
    // Reads the unrounded values.
    'ten times before': { expression: '{[before]} * 10' },
  },
}
const data: Tables = {
  Sales: [
    { id: 1, day: '2024-01-31', amount: 0.25 },
    { id: 2, day: '2024-02-29', amount: 0.5 },
    { id: 3, day: '2024-03-03', amount: 8 },
  ],
}

t.test('values like those of the base have its type, and counts, ranks and ratios have not', async (t) => {
  t.same(ask(by(['month'], ['revenue', 'before', 'change', 'to date', 'lag', 'before that']), model, data), [
    '2024-01-01 0.3 NULL NULL 0.3 NULL NULL',
    '2024-02-01 0.5 0.3 0.3 0.8 0.3 NULL',
    '2024-03-01 8.0 0.5 7.5 8.8 0.5 0.3',
  ])
  t.same(ask(by(['month'], ['ratio', 'mean to date', 'months to date', 'rank', 'ten times before']), model, data), [
    '2024-01-01 NULL 0.250 1 3 NULL',
    '2024-02-01 2 0.375 2 2 2.5',
    '2024-03-01 16 2.917 3 1 5',
  ])
})

t.test('the compiler gives the same', async (t) => {
  const engine = await openEngine()
  t.teardown(engine.close)
  for (const name of Object.keys(model.metrics!)) {
    const one = { model, data, query: by(['month'], ['revenue', name]) }
    t.equal((await compareCase(one, runOn(engine)))?.message, undefined, name)
  }
})

t.test('so is the format of the columns of an answer', async (t) => {
  const measures = { revenue: { ...model.measures!['revenue']!, format: '#,##0.0' } }
  const metrics = { ...model.metrics, change: { ...model.metrics!['change']!, format: '+0.00' } }
  const query = { select: { dimensions: ['month'], measures: ['before', 'change', 'ratio', 'before that', 'rank'] } }
  const { columns } = compileFor(query, loadText(JSON.stringify({ ...model, measures, metrics })))
  t.same(
    columns.map(({ name, type, format }) => [name, type.kind, format]),
    [
      ['month', 'date', undefined],
      ['before', 'decimal', '#,##0.0'],
      ['change', 'decimal', '+0.00'],
      ['ratio', 'float', undefined],
      ['before that', 'decimal', '#,##0.0'],
      ['rank', 'int', undefined],
    ],
  )
})
