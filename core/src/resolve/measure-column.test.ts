/** The value of a measure for a row to which nothing belongs. */
import t from 'tap'
import { compileFor } from '../../../test/support/compile.js'
import { shopWith } from '../../../test/support/models.js'

const made = (expression: string) => {
  const model = shopWith({
    dataObjects: { Customers: { columns: { Made: { measure: 'Kept' } } } },
    dimensions: { Made: { dataObject: 'Customers', column: 'Made' } },
    metrics: { Kept: { expression } },
  })
  return compileFor({ select: { dimensions: ['Made'], measures: ['Customer Count'] } }, model).sql
}

t.test('what is NULL in each branch is NULL', async (t) => {
  const sql = made('CASE WHEN {[Sales]} > {[Returned]} THEN {[Sales]} ELSE {[Returned]} END')
  t.notMatch(sql, /NULL > NULL/)
  t.notMatch(sql, /"key_1" IS NULL/)
})

t.test('a NULL among other values has its type', async (t) => {
  const sql = made('CASE WHEN {[Sales]} IS NULL THEN {[Order Count]} ELSE {[Sales]} END')
  const [missing = ''] = /"key_1" IS NULL THEN CASE[\s\S]*?END/.exec(sql) ?? []
  t.match(missing, /CAST\(NULL AS .* IS NULL THEN 0/)
  t.notMatch(missing, /WHEN NULL|ELSE NULL/)
})

for (const [expression, isNull] of [
  ['-{[Sales]}', true],
  ['CASE WHEN {[Sales]} > 1 THEN {[Sales]} END', true],
  ['CASE WHEN {[Sales]} > 1 THEN {[Order Count]} END', false],
  ['{[Sales]} > 1 AND {[Returned]} > 1', true],
  ['{[Sales]} > 1 OR {[Order Count]} > 1', false],
] as const)
  t.test(`over no rows, ${expression} is ${isNull ? '' : 'not '}NULL always`, async (t) => {
    const sql = made(expression)
    ;(isNull ? t.notMatch : t.match).call(t, sql, /"key_1" IS NULL/)
  })

t.test('a total is the same for a row to which nothing belongs', async (t) => {
  const model = shopWith({
    dataObjects: { Customers: { columns: { Total: { measure: 'Sales of All' } } } },
    dimensions: { Total: { dataObject: 'Customers', column: 'Total' } },
  })
  t.notMatch(compileFor({ select: { dimensions: ['Total'], measures: ['Customer Count'] } }, model).sql, /CASE WHEN/)
})
