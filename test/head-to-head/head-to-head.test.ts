import { DuckDBInstance } from '@duckdb/node-api'
import t from 'tap'
import { data, model as document, questions, totals } from '../oracle/head-to-head.js'
import { type Answer, ask, type Cell, difference } from '../support/answers.js'
import { compileFor, loadText } from '../support/compile.js'

const model = loadText(JSON.stringify(document))
const connection = await (await DuckDBInstance.create(':memory:')).connect()
t.teardown(() => connection.closeSync())

await connection.run(`
  CREATE TABLE customers (id BIGINT PRIMARY KEY, region VARCHAR, credit DECIMAL(10, 2));
  CREATE TABLE orders (id BIGINT PRIMARY KEY, customer_id BIGINT, status VARCHAR, amount DECIMAL(10, 2), ordered_at DATE);
  CREATE TABLE products (id BIGINT PRIMARY KEY, title VARCHAR);
  CREATE TABLE items (id BIGINT PRIMARY KEY, order_id BIGINT, product_id BIGINT, qty BIGINT);
  CREATE TABLE returns (id BIGINT PRIMARY KEY, customer_id BIGINT, refund DECIMAL(10, 2))`)
for (const [object, rows] of Object.entries(data)) {
  for (const row of rows) {
    const columns = Object.keys(row).join(', ')
    await connection.run(
      `INSERT INTO ${object.toLowerCase()} (${columns}) VALUES (${Object.values(row).map(literal).join(', ')})`,
    )
  }
}

for (const { name, query, columns, rows } of [...questions, totals]) {
  t.test(name, async (t) => {
    const wanted = { columns, rows: rows.map((row) => row.map(cellOf)) }
    t.equal(difference(await answer(query), wanted, query.order_by !== undefined), undefined)
  })
}

t.test('the total amount is the same alone and with the quantity of its items', async (t) => {
  const alone = await answer({ select: { measures: ['amount'] } })
  const beside = await answer({ select: { measures: ['amount', 'qty'] } })
  t.same(alone.rows, [['1059.2']])
  t.same(
    beside.rows.map(([amount]) => [amount]),
    alone.rows,
  )
})

for (const dimension of ['region', 'status', 'item qty', 'product']) {
  t.test(`no measure by ${dimension} changes when another measure is selected with it`, async (t) => {
    const measures = ['amount', 'qty', 'buyers', 'credit']
    const together = await answer({ select: { dimensions: [dimension], measures } })
    for (const [place, measure] of measures.entries()) {
      const alone = await answer({ select: { dimensions: [dimension], measures: [measure] } })
      const beside = new Map(together.rows.map((row) => [row[0], row[place + 1]]))
      t.ok(alone.rows.length > 0)
      for (const [group, value] of alone.rows) t.equal(beside.get(group ?? null), value, `${measure} of ${group}`)
    }
  })
}

for (const [dimension, measure] of [
  ['region', 'amount'],
  ['status', 'amount'],
  ['ordered:month', 'amount'],
  ['region', 'refund'],
  ['product', 'qty'],
  ['region', 'credit'],
] as const) {
  t.test(`the groups of ${measure} by ${dimension} add up to its total, the NULL group included`, async (t) => {
    const groups = await answer({ select: { dimensions: [dimension], measures: [measure] } })
    const total = await answer({ select: { measures: [measure] } })
    const cents = (cell: Cell | undefined): number => Math.round(Number(cell ?? 0) * 100)
    t.ok(groups.rows.length > 1)
    t.equal(
      groups.rows.reduce((sum, row) => sum + cents(row[1]), 0),
      cents(total.rows[0]?.[0]),
    )
  })
}

function answer(query: unknown): Promise<Answer> {
  return ask(connection, compileFor(query, model).sql)
}

function literal(value: unknown): string {
  return value === null ? 'NULL' : `'${String(value)}'`
}

/** Parses the notation of the expected values: `"EU"`, `600.60`, `NULL`. */
function cellOf(shown: string): Cell {
  if (shown === 'NULL') return null
  return shown.startsWith('"')
    ? (JSON.parse(shown) as string)
    : shown.replace(/\.?0+$/, (zeros) => (shown.includes('.') ? '' : zeros))
}
