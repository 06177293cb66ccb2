/** Periods that only a table of days knows are counted by their numbers (decision 482). */
import { builtInAggregates, builtInFunctions, compile, GrainlineError, parseQuery } from '@grainline/core'
import { parseModelSync } from '@grainline/core/unstable'
import { duckdb } from '@grainline/dialect-duckdb'
import t from 'tap'
import { database } from './database.js'

const text = `
version: 1
dataObjects:
  Days:
    code: days
    calendar: { key: Day, periods: { Term: 'own: 1', Place: 'own: 1_of_own: 2', School Year: 'own: 2', Is Exam: 'own: 3', Week Year: week_year } }
    columns:
      Day: { code: day, abstractType: date, primaryKey: true }
      Term: { code: term, abstractType: string }
      Place: { code: place, abstractType: int }
      School Year: { code: school_year, abstractType: string }
      Is Exam: { code: is_exam, abstractType: boolean }
      Week Year: { code: week_year, abstractType: int }
  Sales:
    code: sales
    columns:
      Id: { code: id, abstractType: int, primaryKey: true }
      Sold: { code: sold, abstractType: date }
      Shop: { code: shop, abstractType: string }
      Amount: { code: amount, abstractType: int }
    joins:
      - { joinType: many-to-one, joinTo: Days, columnsFrom: [Sold], columnsTo: [Day] }
dimensions:
  Sold: { dataObject: Sales, column: Sold }
  Shop: { dataObject: Sales, column: Shop }
  Term: { dataObject: Days, column: Term }
  Place: { dataObject: Days, column: Place }
  School Year: { dataObject: Days, column: School Year }
  Is Exam: { dataObject: Days, column: Is Exam }
  Week Year: { dataObject: Days, column: Week Year }
measures:
  Amount: { aggregation: sum, columns: [{ dataObject: Sales, column: Amount }] }
metrics:
  Before: { type: period_over_period, measure: Amount, periodOverPeriod: { timeDimension: Sold } }
  A Term Before: { type: period_over_period, measure: Amount, periodOverPeriod: { timeDimension: Sold, offsetGrain: Term } }
  A Year Before: { type: period_over_period, measure: Amount, periodOverPeriod: { timeDimension: Sold, offsetGrain: year } }
  Two: { type: cumulative, measure: Amount, timeDimension: Sold, window: 2 }
  So Far: { type: cumulative, measure: Amount, timeDimension: Sold }
  Year to Date: { type: cumulative, measure: Amount, timeDimension: Sold, grainToDate: year }
  Seven Days: { type: cumulative, measure: Amount, timeDimension: Sold, window: 7, windowGrain: day }
  So Far until Now: { type: cumulative, measure: Amount, timeDimension: Sold, untilNow: true }
`
const { model, errors } = parseModelSync({ text })
// The names of terms are not in the order of time, and three days are in none.
const { rows } = await database(
  `CREATE TABLE days AS
   SELECT CAST(day AS DATE) AS day, term, place, school_year, term = 'Act' AS is_exam, isoyear(day)::int AS week_year
   FROM range(DATE '2024-12-23', DATE '2025-02-01', INTERVAL 1 DAY) AS every(day)
   LEFT JOIN (VALUES ('Lent', 1, 'B', DATE '2024-12-23', DATE '2025-01-05'), ('Act', 2, 'B', DATE '2025-01-09', DATE '2025-01-10'),
     ('Trinity', 1, 'A', DATE '2025-01-11', DATE '2025-01-25'), ('Easter', 2, 'A', DATE '2025-01-26', DATE '2025-01-31'))
     AS terms(term, place, school_year, first_day, last_day) ON day BETWEEN first_day AND last_day`,
  'CREATE TABLE sales (id INT, sold DATE, shop VARCHAR, amount INT)',
  `INSERT INTO sales VALUES (1, '2024-12-24', 'n', 1), (2, '2025-01-02', 's', 2), (3, '2025-01-07', 'n', 100), (4, '2025-01-25', 'n', 8), (5, '2025-01-31', 's', 16)`,
)
const context = {
  dialect: duckdb,
  functions: builtInFunctions,
  aggregates: builtInAggregates,
  now: new Date(0),
  storedTypes: 'declared',
} as const

type Asked = Parameters<typeof parseQuery>[0] & object
const compiled = (dimensions: readonly string[], measures: readonly string[], more: Asked = {}) =>
  compile(parseQuery({ select: { dimensions, measures }, ...more }), model!, context)
const ask = async (dimensions: readonly string[], measures: readonly string[], more: Asked = {}): Promise<readonly string[]> =>
  (await rows(compiled(dimensions, measures, more).sql)).map((row) => row.map(String).join(' ')).toSorted()
const refusal = (dimensions: readonly string[], measures: readonly string[], more: Asked = {}): string => {
  try {
    return compiled(dimensions, measures, more).sql
  } catch (error) {
    return error instanceof GrainlineError ? error.code : String(error)
  }
}

t.test('the model has no faults', async (t) => t.same(errors, []))

t.test('terms are counted in the order of their first days, and a day in none is in no running value', async (t) => {
  t.same(await ask(['Term'], ['Amount', 'Before', 'Two', 'So Far']), [
    'Easter 16 8 24 27',
    'Lent 3 null 3 3',
    'Trinity 8 null 8 11',
    'null 100 null null null',
  ])
  t.same(await ask(['School Year', 'Place'], ['Two']), ['A 1 8', 'A 2 24', 'B 1 3', 'null null null'])
  t.same(await ask(['School Year'], ['Before']), ['A 3', 'B null', 'null null'])
})

t.test('a term without rows is a gap, with what follows from it', async (t) => {
  t.same(await ask(['Term', 'School Year'], ['Amount', 'Before'], { fill_gaps: true }), [
    'Act B null 3',
    'Easter A 16 8',
    'Lent B 3 null',
    'Trinity A 8 null',
    'null null 100 null',
  ])
})

t.test('subtotals by longer periods have their gaps', async (t) => {
  const gaps = { fill_gaps: true, grouping: { sets: [['Term', 'School Year'], ['School Year']] } }
  const { sql } = compiled(['Term', 'School Year'], ['Amount'], gaps)
  t.match(sql.match(/MIN\("[^"]+"\."(period of [^"]+)"\) AS "first"/g), [/period of Term/, /period of School Year/])
  t.ok((await ask(['Term', 'School Year'], ['Amount'], gaps)).includes('Act B null false false'), 'a term between others')
})

t.test('totals of what is shown have each longer period once, gaps included', async (t) => {
  const shown = { fill_gaps: 'range', grouping: { sets: 'cube', of: 'shown' } }
  const found = await ask(['School Year', 'Place'], ['Amount'], shown)
  t.same(
    found.filter((row) => row.endsWith('false true')),
    ['A null 24 false true', 'B null 3 false true', 'null null 100 false true'],
  )
})

t.test('the period before is not cut off by a filter, and neither is a window', async (t) => {
  const easter = { where: [{ field: 'Term', op: '=', value: 'Easter' }] }
  t.same(await ask(['Term'], ['Amount', 'A Term Before', 'So Far'], easter), ['Easter 16 8 27'])
  const since = { where: [{ field: 'Sold', op: '>=', value: '2025-01-30' }] }
  t.same(await ask(['Term'], ['Before', 'Two'], since), ['Easter 8 24'])
  t.same(
    compiled(['Term'], ['Before'], since).warnings.map(({ code }) => code),
    ['PARTIAL_PERIOD'],
    'the whole term before',
  )
  const until = { where: [{ field: 'Sold', op: '<', value: '2025-01-31' }] }
  t.same(await ask(['Term'], ['So Far'], until), ['Lent 3', 'Trinity 11', 'null null'], 'nothing after the last day')
})

t.test('a query compares by such periods', async (t) => {
  const compare = { time: 'Sold', unit: 'Term', show: ['previousValue'] }
  t.same(
    await ask(['Term'], ['Amount'], { compare, fill_gaps: true }),
    await ask(['Term'], ['Amount', 'A Term Before'], { fill_gaps: true }),
  )
  t.same(await ask(['School Year'], ['Amount'], { compare: { ...compare, unit: 'School Year' } }), [
    'A 24 3',
    'B 3 null',
    'null 100 null',
  ])
  t.equal(refusal(['School Year'], ['Amount'], { compare }), 'INVALID_METRIC', 'terms by school year')
  t.throws(() => compiled(['Term'], ['Amount'], { compare: { ...compare, unit: 'Trem' } }), {
    code: 'INVALID_QUERY',
    message: /did you mean 'Term'/,
  })
})

t.test('a boolean names its period by true', async (t) => {
  t.same(await ask(['Is Exam'], ['Before', 'So Far']), ['false null null', 'null null null'])
})

t.test('subtotals by a longer period count its periods, and the total none', async (t) => {
  const found = await ask(['School Year', 'Term'], ['Before'], { grouping: 'rollup' })
  t.ok(found.includes('A null 3 false true'), 'the school year before')
  t.ok(found.includes('null null null true true'), 'the total')
})

t.test('an offset by the periods of the rows has no value in subtotals by longer ones', async (t) => {
  const rollup = { grouping: 'rollup', where: [{ field: 'Sold', op: '>=', value: '2024-12-23' }] }
  const found = await ask(['School Year', 'Term'], ['A Term Before'], rollup)
  t.ok(found.includes('A Easter 8 false false'), 'the term before')
  t.ok(found.includes('A null null false true'), 'a school year')
  const codes = compiled(['School Year', 'Term'], ['A Term Before'], rollup).warnings.map(({ code }) => code)
  t.ok(codes.includes('NO_VALUE_FOR_TOTAL'))
})

t.test('what counts in another unit is refused', async (t) => {
  for (const metric of ['A Year Before', 'Year to Date', 'Seven Days', 'So Far until Now'])
    t.equal(refusal(['Term'], [metric]), 'INVALID_METRIC', metric)
  t.equal(refusal(['School Year'], ['A Term Before']), 'INVALID_METRIC', 'terms by school year')
  t.equal(refusal(['Sold:month'], ['A Term Before']), 'INVALID_METRIC', 'terms by month')
  t.equal(refusal(['Shop'], ['A Term Before']), 'WINDOW_GRAIN_REQUIRED')
  const range = { fill_gaps: 'range', where: [{ field: 'Sold', op: '>=', value: '2025-01-30' }] }
  t.equal(refusal(['Term'], ['Amount', 'Before'], range), 'TIME_FILTER_NOT_A_RANGE')
})

t.test('beside the date, such columns are ordinary ones', async (t) => {
  t.same(await ask(['Sold:year', 'Term'], ['Year to Date']), [
    '2024-01-01 Lent 1',
    '2025-01-01 Easter 16',
    '2025-01-01 Lent 2',
    '2025-01-01 Trinity 8',
    '2025-01-01 null 100',
  ])
})

t.test('years of weeks are periods', async (t) => {
  // 30 December 2024 is in the first week of 2025.
  t.same(await ask(['Week Year'], ['Amount', 'Before', 'So Far']), ['2024 1 null 1', '2025 126 1 127'])
})
