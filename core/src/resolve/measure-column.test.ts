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
