/** A date of a fact that joins two calendars, one without a table: gaps have the columns of both. The rows are found by hand. */
import { readFileSync } from 'node:fs'
import t from 'tap'
import { duckdb } from '../../plugins/dialect-duckdb/src/index.js'
import { database } from '../compile/database.js'
import { compileFor, loadText, refusalOf } from '../support/compile.js'

const text = (name: string): string => readFileSync(new URL(name, import.meta.url).pathname, 'utf8')
const bookYear = 'dimensions:\n  Book Year: { dataObject: Holidays, column: Year }\n'
const store = loadText(text('store.yaml').replace('dimensions:\n', bookYear))
const { rows } = await database(text('store.sql'))
const asked = (query: object) => rows(compileFor(query, store, duckdb, new Date('2026-03-15T12:00:00Z')).sql)
const where = [{ field: 'Date', op: 'between', value: ['2025-08-09', '2025-08-11'] }]

t.test('the columns of both calendars follow from a period without rows', async (t) => {
  for (const [a, b] of [
    ['Year Number', 'Book Year'],
    ['Book Year', 'Year Number'],
  ] as const) {
    const query = {
      select: { dimensions: ['Date:day', a, b], measures: ['Orders'] },
      where,
      fill_gaps: 'range',
      order_by: [{ field: 1 }],
    }
    t.same(await asked(query), [
      ['2025-08-09', '2025', '2025', '3'],
      ['2025-08-10', '2025', '2025', '0'],
      ['2025-08-11', '2025', '2025', '0'],
    ])
  }
  const months = {
    select: { dimensions: ['Date:month', 'Book Year', 'Year Number'], measures: ['Orders'] },
    where: [{ field: 'Date', op: 'between', value: ['2026-11-01', '2027-01-31'] }],
    fill_gaps: 'range',
    order_by: [{ field: 1 }],
  }
  t.same(await asked(months), [
    ['2026-11-01', '2026', '2026', '0'],
    ['2026-12-01', '2026', '2026', '0'],
    ['2027-01-01', null, '2027', '0'],
  ])
})

t.test('attributes of two calendars together leave no days that one table knows', (t) => {
  const attributes = [
    { field: 'Is Holiday', op: '=', value: false },
    { field: 'Weekday', op: '<', value: 5 },
  ]
  const query = {
    select: { dimensions: ['Date:day'], measures: ['Orders'] },
    where: [...where, ...attributes],
    fill_gaps: 'range',
  }
  t.match(refusalOf(query, store), {
    code: 'TIME_FILTER_NOT_A_RANGE',
    message: /'Is Holiday' and 'Weekday' are of two calendars/,
    path: 'where[2]',
  })
  t.end()
})
