/** `grainline init`: a first model of a live database is valid and answers queries. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import { main } from '@grainline/core/cli'
import t from 'tap'
import { parse } from 'yaml'
import { streamsThatKeep } from '../support/streams-that-keep.js'

const folder = mkdtempSync('/tmp/grainline-init-')
t.teardown(() => rmSync(folder, { recursive: true }))
const database = path.join(folder, 'shop.duckdb')
const instance = await DuckDBInstance.create(database)
const connection = await instance.connect()
await connection.run(`
  CREATE TABLE customers (id BIGINT PRIMARY KEY, full_name VARCHAR NOT NULL, since DATE, vip BOOLEAN);
  COMMENT ON TABLE customers IS 'Who buys'; COMMENT ON COLUMN customers.since IS 'First order';
  CREATE TABLE orders (id BIGINT PRIMARY KEY, buyer BIGINT REFERENCES customers (id), payer BIGINT REFERENCES customers (id), total DECIMAL(10,2));
  INSERT INTO customers VALUES (1, 'Ana', '2024-01-01', TRUE), (2, 'Bob', NULL, FALSE);
  INSERT INTO orders VALUES (1, 1, 2, 10.50), (2, 1, NULL, 4.50), (3, 2, 2, 1.00)`)
connection.closeSync()
instance.closeSync()

const defaultConfig = path.resolve(import.meta.dirname, '../../config/default.yaml')
async function command(...args: string[]) {
  const { stdout, stderr, written } = streamsThatKeep()
  const env = { DB_VENDOR: 'duckdb', DUCKDB_DATABASE: database }
  return { code: await main(args, { stdout, stderr, cwd: folder, env, defaultConfig }), ...written() }
}

t.test('tables, keys, foreign keys, types and comments become a model', async (t) => {
  const { code, out, err } = await command('init', '--name', 'shop', '--output', 'shop.yaml')
  t.same([code, out, err], [0, 'shop.yaml: 2 tables\n', ''])
  const model = parse(readFileSync(path.join(folder, 'shop.yaml'), 'utf8')) as Record<string, never>
  // Two foreign keys refer to the customers, in two roles.
  const customers = {
    code: 'customers',
    schema: 'main',
    description: 'Who buys',
    columns: {
      Id: { code: 'id', abstractType: 'int', primaryKey: true },
      'Full Name': { code: 'full_name', abstractType: 'string' },
      Since: { code: 'since', abstractType: 'date', description: 'First order' },
      Vip: { code: 'vip', abstractType: 'boolean' },
    },
  }
  t.same(model['dataObjects'], {
    Orders: {
      code: 'orders',
      schema: 'main',
      columns: {
        Id: { code: 'id', abstractType: 'int', primaryKey: true },
        Buyer: { code: 'buyer', abstractType: 'int' },
        Payer: { code: 'payer', abstractType: 'int' },
        Total: { code: 'total', abstractType: 'float', sqlType: 'decimal(10,2)' },
      },
      joins: [
        { joinType: 'many-to-one', joinTo: 'Buyer Customers', columnsFrom: ['Buyer'], columnsTo: ['Id'] },
        { joinType: 'many-to-one', joinTo: 'Payer Customers', columnsFrom: ['Payer'], columnsTo: ['Id'] },
      ],
    },
    // The rows of the table are counted once.
    'Buyer Customers': { ...customers, countLabel: 'Customers Count' },
    'Payer Customers': { ...customers, countable: false },
  })
  t.same(Object.keys(model['measures']!), ['Order Total'])
})

t.test('the model is valid and answers queries', async (t) => {
  t.equal((await command('validate', 'shop.yaml')).code, 0)
  const query = JSON.stringify({ select: { dimensions: ['Buyer Customer Full Name'], measures: ['Order Total'] } })
  const { code, out } = await command('execute', 'shop.yaml', '--query', query, '--format', 'json')
  t.equal(code, 0)
  t.match(out, /Ana.*15\.00/s)
})

t.test('an existing file is not overwritten', async (t) => {
  const { code, err } = await command('init', '--output', 'shop.yaml')
  t.equal(code, 1)
  t.match(err, /exists already/)
})

t.test('a database whose plugin cannot list tables is refused by name, with the advice to write a model by hand', async (t) => {
  const cwd = t.testdir({
    'mute.mjs': `import { definePlugin } from '@grainline/core'
      const connection = { close: async () => {} }
      const vendor = { name: 'mute', dialect: 'duckdb', connect: async () => connection }
      export default definePlugin({ name: 'mute', host: '*', setup: (host) => host.vendors.register(vendor) })`,
    'config.yaml': "plugins: ['@grainline/dialect-duckdb', ./mute.mjs]\nsettings: { DB_VENDOR: mute, QUERY_EXECUTE: true }\n",
  })
  const { stdout, stderr, written } = streamsThatKeep()
  const code = await main(['init', '--config', 'config.yaml'], { stdout, stderr, cwd, env: {} })
  t.match(
    { code, ...written() },
    { code: 1, err: /UNSUPPORTED_FEATURE: 'mute' cannot list the tables of its database; write the model by hand/ },
  )
  const byHand = 'dataObjects: { Sales: { code: sales, columns: { Id: { code: id, abstractType: int, primaryKey: true } } } }\n'
  writeFileSync(path.join(cwd, 'model.yaml'), byHand)
  t.equal(await main(['validate', 'model.yaml', '--config', 'config.yaml'], { stdout, stderr, cwd, env: {} }), 0, written().err)
})
