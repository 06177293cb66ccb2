/**
 * Joins of a first model that are declared a `foreignKey`: of keys that the database enforces, if the rows keep them now. The vendor of
 * these tests says so of all keys, over tables without constraints; the vendors of real ones have their own tests.
 */
import path from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import { silentLogger } from '@grainline/core'
import type { IntrospectedTable } from '@grainline/core/vendor'
import { duckdb } from '@grainline/dialect-duckdb'
import { duckdbVendor, planOf } from '@grainline/vendor-duckdb'
import t, { type Test } from 'tap'
import { databaseProbe, noProbe } from '../../core/src/cli/first-model/database-probe.js'
import { firstModel } from '../../core/src/cli/first-model/first-model.js'
import { builtInAggregates } from '../../core/src/model/functions/aggregates.js'
import { builtInFunctions } from '../../core/src/model/functions/catalogue.js'
import { comparedOf } from '../../core/src/model/join-term.js'
import { parseModelSync } from '../../core/src/model/load-model.js'

const catalogue = { functions: builtInFunctions, aggregates: builtInAggregates }

interface Keys {
  readonly primary?: readonly string[]
  /** Columns, target and its columns. */
  readonly foreign?: readonly (readonly [columns: readonly string[], target: string, targetColumns: readonly string[]])[]
  readonly enforced?: boolean
}

async function joinsOf(t: Test, sql: string, keys: Readonly<Record<string, Keys>>, probed = true) {
  const file = path.join(t.testdir(), 'shop.duckdb')
  const instance = await DuckDBInstance.create(file)
  const writer = await instance.connect()
  await writer.run(sql)
  writer.closeSync()
  instance.closeSync()
  const plan = planOf({ database: file }, { DUCKDB_DATABASE: undefined })
  const connection = await duckdbVendor(plan).connect({ logger: silentLogger, poolSize: 1 })
  const tables = ((await connection.introspect?.()) ?? []).map((table): IntrospectedTable => {
    const { primary = [], foreign = [], enforced = true } = keys[table.name] ?? {}
    const schema = table.schema ?? ''
    const foreignKeys = foreign.map(([columns, name, targetColumns]) => ({
      columns,
      target: { schema, name },
      targetColumns,
      enforced,
    }))
    return { ...table, primaryKey: primary, foreignKeys }
  })
  const probe = probed ? databaseProbe({ connection, dialect: duckdb, catalogue, now: new Date() }) : noProbe
  const { document } = await firstModel('shop', tables, probe)
  await connection.close()
  const { model, errors } = parseModelSync({ json: document })
  t.same(errors, [])
  return [...(model?.dataObjects.values() ?? [])]
    .flatMap(({ joins }) => joins)
    .map(
      ({ from, on, to, foreignKey }) => `${from}.${comparedOf(on, 'from').join('+')} → ${to}${foreignKey ? ', foreign key' : ''}`,
    )
}

const SHOP = `CREATE TABLE customers (id BIGINT, name VARCHAR); INSERT INTO customers VALUES (1, 'Ann'), (2, 'Bob');
  CREATE TABLE orders (id BIGINT, buyer BIGINT); INSERT INTO orders VALUES (1, 1), (2, NULL);`
const KEYS = { customers: { primary: ['id'] }, orders: { primary: ['id'], foreign: [[['buyer'], 'customers', ['id']]] } } as const

t.test('an enforced key that the rows keep', async (t) => {
  t.same(await joinsOf(t, SHOP, KEYS), ['Orders.Buyer → Customers, foreign key'])
})

t.test('not a key that the database only notes', async (t) => {
  t.same(await joinsOf(t, SHOP, { ...KEYS, orders: { ...KEYS.orders, enforced: false } }), ['Orders.Buyer → Customers'])
})

t.test('not a key that the rows break: a load had switched the checks off', async (t) => {
  t.same(await joinsOf(t, `${SHOP} INSERT INTO orders VALUES (3, 9)`, KEYS), ['Orders.Buyer → Customers'])
})

t.test('not without a look at the rows', async (t) => {
  t.same(await joinsOf(t, SHOP, KEYS, false), ['Orders.Buyer → Customers'])
})

t.test('a key of an empty table', async (t) => {
  t.same(await joinsOf(t, `${SHOP} DELETE FROM orders`, KEYS), ['Orders.Buyer → Customers, foreign key'])
})

t.test('not a key whose sides the model reads in two types', async (t) => {
  const texts = SHOP.replace('buyer BIGINT', 'buyer VARCHAR')
  t.same(await joinsOf(t, texts, KEYS), ['Orders.Buyer → Customers'])
})

t.test('keys in two roles and to the own table, each by its own rows', async (t) => {
  const sql = `CREATE TABLE staff (id BIGINT, boss BIGINT, mentor BIGINT); INSERT INTO staff VALUES (1, NULL, NULL), (2, 1, 9);
    CREATE TABLE teams (id BIGINT, lead BIGINT, deputy BIGINT); INSERT INTO teams VALUES (1, 1, 7)`
  const own = [
    [['boss'], 'staff', ['id']],
    [['mentor'], 'staff', ['id']],
  ] as const
  const roles = [
    [['lead'], 'staff', ['id']],
    [['deputy'], 'staff', ['id']],
  ] as const
  const found = await joinsOf(t, sql, { staff: { primary: ['id'], foreign: own }, teams: { primary: ['id'], foreign: roles } })
  t.same(found.filter((join) => join.startsWith('Teams')).toSorted(), [
    'Teams.Deputy → Deputy Staff',
    'Teams.Lead → Lead Staff, foreign key',
  ])
  t.same(found.filter((join) => join.startsWith('Lead Staff')).toSorted(), [
    'Lead Staff.Boss → Lead Boss Staff, foreign key',
    'Lead Staff.Mentor → Lead Mentor Staff',
  ])
})

t.test('a key of two columns, one of which may be NULL beside any value', async (t) => {
  const sql = `CREATE TABLE stock (shop BIGINT, item BIGINT); INSERT INTO stock VALUES (1, 1);
    CREATE TABLE sales (id BIGINT, shop BIGINT, item BIGINT); INSERT INTO sales VALUES (1, 1, 1), (2, 9, NULL), (3, NULL, 9)`
  const keys = {
    stock: { primary: ['shop', 'item'] },
    sales: { primary: ['id'], foreign: [[['shop', 'item'], 'stock', ['shop', 'item']]] },
  } as const
  t.same(await joinsOf(t, sql, keys), ['Sales.Shop+Item → Stock, foreign key'])
})

t.test('a key of which no type of a model reads a part is no join, and no key', async (t) => {
  const sql = `CREATE TABLE parts (maker BIGINT, code BLOB); INSERT INTO parts VALUES (1, 'a'), (1, 'b');
    CREATE TABLE uses (id BIGINT, maker BIGINT, code BLOB); INSERT INTO uses VALUES (1, 1, 'a')`
  const keys = {
    parts: { primary: ['maker', 'code'] },
    uses: { primary: ['id'], foreign: [[['maker', 'code'], 'parts', ['maker', 'code']]] },
  } as const
  t.same(await joinsOf(t, sql, keys), [])
})
