/**
 * Every question of the corpus, and with it every feature of the language, under policies: over rows, and over others that differ only where policies remove
 * them. The removed rows have the first and the last values of all, and other numbers; some are gone, some are new.
 */
import { DuckDBInstance } from '@duckdb/node-api'
import t, { type Test } from 'tap'
import { boundBy as rightsOf, viewFor } from '../../core/src/model/restrict.js'
import type { SemanticModel } from '../../core/src/model/semantic-model.js'
import { dataSql, modelText, readQuestions } from '../corpus/corpus.js'
import { amount, oneIn } from '../support/amount.js'
import { difference } from '../support/answers.js'
import { loadText } from '../support/compile.js'
import { boundBy, compiled, leftOrders, RULES, type Rule, said } from './corpus-rules.js'

/** Other values of removed rows: those that come first and last in any order, and numbers that change each sum. */
const CHANGED: Readonly<Record<string, string>> = {
  regions: "name = 'AAA'",
  stores: "name = 'zzz', opened = DATE '1901-01-01', area = 1000000",
  customers: "name = 'AAA', email = 'zzz', signed_up = DATE '2090-01-01', vip = NULL, credit = 1e9",
  loyalty: "points = -1, level = 'zzz'",
  orders:
    "freight = 99999, ordered_on = DATE '1990-05-05', placed_at = TIMESTAMP '2031-01-01 00:00:00', billing_id = 3, shipping_id = 3",
  'order items': '"Qty" = 1000000, unit_price = 0.01, discount = 0.9, product_id = 7',
  payments: "amount = -7, method = 'AAA'",
  returns: "amount = 12345, returned_on = DATE '1990-01-01', product_id = 7",
  visits: "seconds = 1e6, page = 'AAA', started_at = TIMESTAMP WITH TIME ZONE '2035-01-01 00:00:00+00', bot = FALSE",
  shipments: `cost = 9999, carrier = 'AAA', parcels = '[{"kind": "AAA", "weight": 900, "labels": ["zzz"]}]'`,
}

const ADDED: Readonly<Record<string, string>> = {
  regions: "(90, 'zzz')",
  customers: "(90, 'zzz', 'AAA', 90, DATE '1900-01-01', TRUE, -1e9)",
  stores: "(90, 'AAA', 90, DATE '2090-01-01', -5)",
  loyalty: "(90, 1, 'AAA')",
  orders:
    "(200, 90, 90, 1, 2, 'AAA', DATE '2040-01-01', TIMESTAMP '1990-01-01 00:00:00', -5), (201, 90, 1, 2, 1, NULL, DATE '2025-02-01', NULL, 1)",
  'order items': '(200, 1, 7, 3, 500.00, 0.5), (201, 1, 1, NULL, 1.00, NULL)',
  payments: "(90, 200, 'zzz', 1e6)",
  returns: "(90, 90, 1, DATE '2040-01-01', 1e6)",
  visits: "(90, 90, TIMESTAMP WITH TIME ZONE '2025-03-30 00:40:00+00', 'zzz', 5, FALSE)",
  shipments: "(90, 90, 'zzz', 1, '[]')",
}

async function connected(t: { readonly teardown: (end: () => void) => unknown }, statements: readonly string[] = []) {
  const connection = await (await DuckDBInstance.create(':memory:')).connect()
  t.teardown(() => connection.closeSync())
  await connection.run("SET TimeZone = 'UTC'")
  await connection.run(dataSql())
  for (const statement of statements) await connection.run(statement)
  return connection
}

function elsewhere(rule: Rule): readonly string[] {
  const statements = Object.entries(rule.left).flatMap(([table, isLeft]) => {
    const isRemoved = `(${isLeft}) IS NOT TRUE`
    const [changed, added] = [CHANGED[table], ADDED[table]]
    return [
      `UPDATE "${table}" SET ${changed} WHERE ${isRemoved}`,
      `DELETE FROM "${table}" WHERE ${isRemoved} AND rowid % 3 = 0`,
      `INSERT INTO "${table}" VALUES ${added}`,
    ]
  })
  return [leftOrders(rule), ...statements]
}

const open = loadText(modelText())

for (const [name, rule] of Object.entries(RULES))
  t.test(`policies on ${name}`, async (t) => sameAnswers(t, boundBy(rule, open), elsewhere(rule)))

/** Columns of numbers, texts and days, of which others are computed, and one by which rows are joined and put in order. */
const HIDE = ['Orders.Freight', 'Orders.Ordered On', 'Customers.Name', 'Customers.Credit', 'Items.Discount', 'Visits.Seconds']
const OTHER_VALUES = [
  "UPDATE orders SET freight = id * 1000 - 3, ordered_on = DATE '1990-01-01' + CAST(id % 4 AS INTEGER)",
  "UPDATE customers SET name = 'zzz' || id, credit = -id * 1e6",
  'UPDATE "order items" SET discount = 0.9 - line * 0.1',
  'UPDATE visits SET seconds = 1e6 - id',
]

t.test('hidden columns', async (t) => {
  const text = `${modelText()}\naccess: { fields: [{ hide: ${JSON.stringify(HIDE)} }] }\n`
  const model = loadText(text)
  const rights = { name: 'ann', roles: [], attributes: {} }
  const view = viewFor(
    model,
    rightsOf(model.access!, rights, () => '2025-06-15'),
    'secret',
    new Map(),
  )
  await sameAnswers(t, view, OTHER_VALUES, amount(3, 10))
})

/** Each question that the model answers has one answer over the data and over the changed data, and to others mostly two. */
async function sameAnswers(t: Test, model: SemanticModel, changes: readonly string[], least = amount(18, 50)): Promise<void> {
  const [here, there] = [await connected(t), await connected(t, changes)]
  const onBoth = async (sql: string, ordered: boolean): Promise<string | undefined> => {
    const [one, other] = [await said(here, sql), await said(there, sql)]
    if (typeof one === 'string' || typeof other === 'string')
      return one === other ? undefined : `${String(one)} and ${String(other)}`
    return difference(one, other, ordered)
  }
  let [asked, different] = [0, 0]
  for (const { name, query, ordered = false } of oneIn(6, readQuestions())) {
    const whole = compiled(query, open)
    if (whole !== undefined && (await onBoth(whole, ordered)) !== undefined) different++
    const sql = compiled(query, model)
    if (sql === undefined) continue
    asked++
    t.equal(await onBoth(sql, ordered), undefined, name)
  }
  t.ok(asked > least && different > least / 2, `${asked} questions; to others ${different} have two answers`)
}
