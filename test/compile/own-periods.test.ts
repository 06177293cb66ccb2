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
    calendar: { key: Day, periods: { Term: 'own: 1', Place: 'own: 1_of_own: 2', School Year: 'own: 2', Era Place: 'own: 2_of_own: 4', Era: 'own: 4', Is Exam: 'own: 3', Week Year: week_year } }
    columns:
      Day: { code: day, abstractType: date, primaryKey: true }
      Term: { code: term, abstractType: string }
      Place: { code: place, abstractType: int }
      School Year: { code: school_year, abstractType: string }
      Era: { code: era, abstractType: string }
      Era Place: { code: era_place, abstractType: string }
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
  A School Year Before: { type: period_over_period, measure: Amount, periodOverPeriod: { timeDimension: Sold, offsetGrain: School Year } }
  A School Year Later: { type: period_over_period, measure: Amount, periodOverPeriod: { timeDimension: Sold, offsetGrain: School Year, offset: 1 } }
  There and Back: { type: period_over_period, measure: A School Year Later, periodOverPeriod: { timeDimension: Sold, offsetGrain: School Year } }
  An Era Before: { type: period_over_period, measure: Amount, periodOverPeriod: { timeDimension: Sold, offsetGrain: Era } }
  An Exam Before: { type: period_over_period, measure: Amount, periodOverPeriod: { timeDimension: Sold, offsetGrain: Is Exam } }
  So Far a School Year Before: { type: period_over_period, measure: So Far, periodOverPeriod: { timeDimension: Sold, offsetGrain: School Year } }
  A Term before a School Year: { type: period_over_period, measure: A School Year Before, periodOverPeriod: { timeDimension: Sold, offsetGrain: Term } }
  Rank: { type: window, windowFunction: rank, measure: Amount }
  Place a School Year Before: { type: period_over_period, measure: Rank, periodOverPeriod: { timeDimension: Sold, offsetGrain: School Year } }
  Running School Years: { type: cumulative, measure: A School Year Before, timeDimension: Sold, cumulativeType: sum }
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
   SELECT CAST(day AS DATE) AS day, term, place, school_year, CASE WHEN term IS NOT NULL THEN 'one' END AS era, school_year AS era_place, term = 'Act' AS is_exam, isoyear(day)::int AS week_year
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

/** By the table alone: the amount of the term that has the same place in the school year before. */
const BEFORE = `WITH of_term AS (SELECT d.term, d.place, d.school_year, sum(s.amount) AS amount FROM days d LEFT JOIN sales s ON s.sold = d.day GROUP BY ALL),
  years AS (SELECT school_year, row_number() OVER (ORDER BY min(day)) AS n FROM days WHERE school_year IS NOT NULL GROUP BY 1)
  SELECT a.term, a.amount, b.amount FROM of_term a LEFT JOIN years y USING (school_year) LEFT JOIN years z ON z.n = y.n - 1
  LEFT JOIN of_term b ON b.school_year = z.school_year AND b.place = a.place`

t.test('a term a school year before is that with the same place', async (t) => {
  const byHand = (await rows(BEFORE)).map((row) => row.map(String).join(' ')).toSorted()
  t.same(byHand, ['Act null null', 'Easter 16 null', 'Lent 3 null', 'Trinity 8 3', 'null 100 null'])
  t.same(await ask(['Term'], ['Amount', 'A School Year Before'], { fill_gaps: true }), byHand)
  const compare = { time: 'Sold', unit: 'School Year', show: ['previousValue'] }
  t.same(await ask(['Term'], ['Amount'], { compare, fill_gaps: true }), byHand)
  const places = await ask(['School Year', 'Place'], ['A School Year Before', 'A Term Before'])
  t.same(places, ['A 1 3 null', 'A 2 null 8', 'B 1 null null', 'null null null null'], 'beside a term before')
  const inYear = { where: [{ field: 'School Year', op: '=', value: 'A' }] }
  t.same(await ask(['Term'], ['A School Year Before', 'So Far'], inYear), ['Easter null 27', 'Trinity 3 11'])
})

t.test('each shop that had sales in the term a school year before has a row', async (t) => {
  t.same(await ask(['Term', 'Shop'], ['Amount', 'A School Year Before']), [
    'Easter s 16 null',
    'Lent n 1 null',
    'Lent s 2 null',
    'Trinity n 8 1',
    'Trinity s null 2',
    'null n 100 null',
  ])
})

t.test('subtotals by the longer periods count these', async (t) => {
  const found = await ask(['School Year', 'Term'], ['A School Year Before'], { grouping: 'rollup' })
  const inYear = found.filter((row) => row.startsWith('A'))
  t.same(inYear, ['A Easter null false false', 'A Trinity 3 false false', 'A null 3 false true'])
})

t.test('a school year later, and a comparison of comparisons by school years', async (t) => {
  t.same(await ask(['Term'], ['A School Year Later']), ['Easter null', 'Lent 8', 'Trinity null', 'null null'])
  t.same(await ask(['Term'], ['There and Back']), ['Easter 16', 'Lent 3', 'Trinity 8', 'null null'])
})

t.test('places in places in longer periods', async (t) => {
  // One era has both school years, and none is before it.
  t.same(await ask(['Term'], ['An Era Before']), ['Easter null', 'Lent null', 'Trinity null', 'null null'])
  const { sql } = compiled(['Term'], ['An Era Before'])
  t.match(sql, /DENSE_RANK\(\) OVER \(ORDER BY "days"\."place"[^,]*, "days"\."era_place"/)
})

t.test('what needs periods in two units in one row is refused, with what to do', async (t) => {
  for (const metric of ['So Far a School Year Before', 'A Term before a School Year', 'Running School Years'])
    t.throws(() => compiled(['Term'], [metric]), {
      code: 'INVALID_METRIC',
      message: /is a part of a metric that counts periods of 'Term' in another unit/,
      details: { hint: 'select both, or give both the same offsetGrain' },
    })
})

t.test('what depends on other rows is not moved by longer periods', async (t) => {
  t.throws(() => compiled(['Term'], ['Place a School Year Before'], { fill_gaps: true }), {
    code: 'INVALID_METRIC',
    message: /'Rank' depends on other rows/,
    details: { hint: "select 'Rank', or compare what it is made of" },
  })
})

t.test('without a column that says the places, the advice is to declare it', async (t) => {
  t.throws(() => compiled(['Term'], ['An Exam Before']), {
    code: 'INVALID_METRIC',
    message: /whose places in these no column of 'Days' says/,
    details: { hint: "declare the column that says them with 'own: 1_of_own: 3', or select 'Is Exam'" },
  })
  t.throws(() => compiled(['Term'], ['A Year Before']), { code: 'INVALID_METRIC', details: { hint: /offsetGrain: School Year/ } })
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

t.test('beside months, a term is a group, and what counts terms is refused', async (t) => {
  t.same(await ask(['Sold:month', 'Term'], ['Before', 'So Far']), [
    '2024-12-01 Lent null 1',
    '2025-01-01 Easter null 16',
    '2025-01-01 Lent 1 3',
    '2025-01-01 Trinity null 8',
    '2025-01-01 null null 100',
  ])
  t.throws(() => compiled(['Sold:month', 'Term'], ['A Term Before']), {
    code: 'INVALID_METRIC',
    message: /counts periods of 'Term', and the query shows 'Sold:month'/,
    details: { hint: "select 'Term' in place of other periods" },
  })
})

t.test('years of weeks are periods', async (t) => {
  // 30 December 2024 is in the first week of 2025.
  t.same(await ask(['Week Year'], ['Amount', 'Before', 'So Far']), ['2024 1 null 1', '2025 126 1 127'])
})
