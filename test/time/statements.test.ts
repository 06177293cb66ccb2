/** What statements of questions on time read: no calendar, and each range of a fact once. */
import t from 'tap'
import { duckdb } from '../../plugins/dialect-duckdb/src/index.js'
import { postgres } from '../../plugins/dialect-postgres/src/index.js'
import { compileFor, readModel } from '../support/compile.js'

const store = readModel(new URL('store.yaml', import.meta.url).pathname)
const compiled = (query: object) => compileFor(query, store, duckdb, new Date('2026-03-15T12:00:00Z'))
const where = [{ field: 'Date', op: 'between', value: ['2026-03-01', '2026-03-15'] }]
const readsOf = (sql: string): readonly string[] => [...sql.matchAll(/(?:FROM|JOIN) "(\w+)"(?!\.)/g)].map(([, name]) => name!)
const tablesOf = (sql: string): readonly string[] => readsOf(sql).filter((name) => TABLES.has(name))
const TABLES = new Set(['sales', 'refunds', 'plans', 'shops', 'customers', 'holidays'])

t.test('a month that two facts share has no join and no scan of its own', (t) => {
  for (const dimension of ['Month', 'Date:month', 'Year Number', 'Is Last of Month']) {
    const {
      sql,
      explain,
      data_objects: objects,
    } = compiled({
      select: { dimensions: [dimension], measures: ['Revenue', 'Refunded'] },
      where,
    })
    t.same(tablesOf(sql), ['sales', 'refunds'], dimension)
    t.same(explain().joins, [], dimension)
    t.notOk(objects.includes('Dates'), dimension)
  }
  t.end()
})

t.test('the calendar of a filter is none either: a period is one half-open range on the bare column', (t) => {
  const { sql } = compiled({ select: { measures: ['Revenue'] }, where })
  t.same(tablesOf(sql), ['sales'])
  t.match(sql, /WHERE "sales"."day" >= DATE '2026-03-01' AND "sales"."day" <= DATE '2026-03-15'/)
  t.end()
})

t.test('one number against last year reads two ranges of the fact, each once, and nothing else', (t) => {
  for (const measures of [['Revenue', 'Revenue Last Year', 'Growth'], ['Growth'], ['Growth until Now', 'Last Year until Now']]) {
    const { sql } = compiled({ select: { measures }, where })
    t.same(tablesOf(sql), ['sales', 'sales'], `${measures}`)
    const bounds = [...sql.matchAll(/"day" >= DATE '(.{10})'/g)].map(([, day]) => day)
    t.same(bounds.toSorted(), ['2025-03-01', '2026-03-01'], 'the times between are not read')
    t.equal(bounds.length, sql.split('WHERE').length - 1, 'no scan is without a range')
  }
  t.end()
})

t.test('an engine that reads a table row by row reads both ranges in one pass, also until now beside the plain number', (t) => {
  for (const measures of [
    ['Revenue', 'Revenue Last Year', 'Growth'],
    ['Revenue', 'Growth until Now', 'Last Year until Now'],
  ]) {
    for (const dimensions of [[], ['Shop']]) {
      const { sql } = compileFor({ select: { dimensions, measures }, where }, store, postgres, new Date('2026-03-10T12:00:00Z'))
      t.same(tablesOf(sql), dimensions.length > 0 ? ['sales', 'shops'] : ['sales'], `${measures}`)
      t.equal(sql.split('WHERE').length - 1, 1)
      t.match(sql, /"day" >= DATE '2026-03-01' AND .* OR .*"day" >= DATE '2025-03-01'/)
    }
  }
  t.end()
})

t.test('so do months against last year, however many values are shown', (t) => {
  const { sql } = compiled({
    select: { dimensions: ['Date:month'], measures: ['Revenue', 'Revenue Last Year', 'Growth'] },
    where,
  })
  t.same(tablesOf(sql), ['sales', 'sales'])
  t.match(sql, /"sales"."day" >= DATE '2025-03-01' AND "sales"."day" < DATE '2025-03-16'/)
  t.end()
})
