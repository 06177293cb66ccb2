/** `compare` of a query: the metrics of a model that declares them, for all measures of the question. */
import { readFileSync } from 'node:fs'
import t from 'tap'
import { GrainlineError } from '../../core/src/errors.js'
import { duckdb } from '../../plugins/dialect-duckdb/src/index.js'
import { compileFor, loadText, readModel } from '../support/compile.js'

const path = new URL('store.yaml', import.meta.url).pathname
const store = readModel(path)
const NOW = new Date('2026-03-15T12:00:00Z')
const where = [{ field: 'Date', op: 'between', value: ['2026-03-01', '2026-03-31'] }]
const compiled = (query: object) => compileFor(query, store, duckdb, NOW)

/** The store with a metric for each column. */
function declared(of: string, shown: Readonly<Record<string, string>>, offset: string) {
  const metrics = Object.entries(shown).map(
    ([suffix, comparison]) =>
      `  ${of} ${suffix}: { type: period_over_period, measure: ${of}, periodOverPeriod: { timeDimension: Date, comparison: ${comparison}, ${offset} } }`,
  )
  return loadText(`${readFileSync(path, 'utf8').trimEnd()}\n${metrics.join('\n')}\n`)
}

t.test('it is the metrics that a model would declare, at every level', async (t) => {
  const both = { before: 'previousValue', change: 'percentChange' }
  const cases = [
    { select: { measures: ['Revenue'] } },
    { select: { dimensions: ['Shop'], measures: ['Revenue'] }, having: [{ field: 'Revenue before', op: 'gt', value: 1 }] },
    {
      select: { dimensions: ['Region', 'Date:month'], measures: ['Revenue'] },
      grouping: 'rollup',
      order_by: [{ field: 'Revenue change' }],
    },
    { select: { dimensions: ['Shop'], measures: ['Revenue'] }, top: { dimension: 'Shop', by: 'Revenue change', n: 2 } },
  ]
  for (const one of cases) {
    for (const [compare, offset] of [
      [{ unit: 'year' }, 'offsetGrain: year'],
      [{ unit: 'month', count: 2 }, 'offset: -2, offsetGrain: month'],
      [{ unit: 'year', until_now: true }, 'offsetGrain: year, untilNow: true'],
    ] as const) {
      const made = compiled({ ...one, where, compare: { time: 'Date', ...compare } })
      const model = declared('Revenue', both, offset)
      const names = ['Revenue', 'Revenue before', 'Revenue change']
      const written = compileFor({ ...one, where, select: { ...one.select, measures: names } }, model, duckdb, NOW)
      t.equal(made.sql, written.sql)
      t.same(made.columns, written.columns)
      t.same(made.timeRanges, written.timeRanges)
    }
  }
})

t.test('it adds the columns that are shown, for each measure, after those of the question', async (t) => {
  const names = (query: object) => compiled({ where, ...query }).columns.map(({ name }) => name)
  const select = { measures: ['Revenue', 'Net', 'Growth'] }
  const compare = { time: 'Date', unit: 'range', show: ['difference', 'ratio'] }
  t.same(names({ select, compare }), [
    ...['Revenue', 'Net', 'Growth'],
    ...['Revenue difference', 'Revenue ratio', 'Net difference', 'Net ratio'],
  ])
  const all = { time: 'Date', unit: 'year', show: ['previousValue', 'percentChange', 'percentchange'] }
  t.same(names({ select: { measures: ['Revenue'] }, compare: all }), ['Revenue', 'Revenue before', 'Revenue change'])
  const change = compiled({ where, select: { measures: ['Revenue'] }, compare: { time: 'Date', unit: 'year' } }).columns.at(-1)
  t.match(change, { name: 'Revenue change', format: '0.0%' })
  t.same(names({ select: { measures: ['Revenue'] } }), ['Revenue'], 'another question sees none')
})

t.test('the times that are compared are said for each column', async (t) => {
  const { timeRanges } = compiled({ where, select: { measures: ['Revenue'] }, compare: { time: 'date', unit: 'range' } })
  t.match(timeRanges, [
    { metric: 'Revenue before', from: '2026-03-01', to: '2026-03-31', compared: { from: '2026-01-29', to: '2026-02-28' } },
    { metric: 'Revenue change' },
  ])
})

t.test('what cannot be compared is refused, with the path', async (t) => {
  const refusal = (query: object): string => {
    try {
      return compiled({ select: { measures: ['Revenue'] }, where, ...query }).sql
    } catch (error) {
      if (!(error instanceof GrainlineError)) throw error
      return `${error.code} ${error.path}: ${error.message}`
    }
  }
  t.match(refusal({ compare: { time: 'Dat', unit: 'year' } }), /^UNKNOWN_DIMENSION compare\.time: .*'Dat'/)
  t.match(refusal({ compare: { time: 'Shop', unit: 'year' } }), /^TIME_GRAIN_ON_NON_TEMPORAL compare\.time/)
  t.match(refusal({ compare: { time: 'Date', unit: 'years' } }), /^INVALID_QUERY compare\.unit: .*years/)
  t.match(refusal({ compare: { time: 'Date', unit: 'year', count: 0 } }), /^INVALID_QUERY compare\.count/)
  t.match(refusal({ compare: { time: 'Date', unit: 'year', show: ['growth'] } }), /^INVALID_QUERY compare\.show\[0\]/)
  t.match(refusal({ compare: { unit: 'year' } }), /^INVALID_QUERY compare\.time/)
  t.match(
    refusal({ select: { measures: ['Growth'] }, compare: { time: 'Date', unit: 'year' } }),
    /^INVALID_QUERY compare: .*nothing to compare/,
  )
  t.match(
    refusal({ select: { fields: ['Sales.Id'] }, compare: { time: 'Date', unit: 'year' } }),
    /^INVALID_QUERY compare: .*raw rows/,
  )
  t.match(refusal({ where: [], compare: { time: 'Date', unit: 'year' } }), /^TIME_RANGE_REQUIRED compare/)
  const months = { dimensions: ['Date:month'], measures: ['Revenue'] }
  t.match(refusal({ select: months, compare: { time: 'Date', unit: 'range' } }), /^\w+ compare/)
})
