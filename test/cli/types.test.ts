/** `grainline types`: how the database stores the columns, in a file that is read where no database is connected. */
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import { main } from '@grainline/core/cli'
import t from 'tap'
import { ownFolderWithin } from '../support/own-folder.js'
import { streamsThatKeep } from '../support/streams-that-keep.js'

const MODEL = `
version: 1.0
name: Sales
dataObjects:
  Sales:
    code: sales
    columns:
      Id: { code: id, abstractType: int, primaryKey: true }
      Client: { code: client, abstractType: string }
      Amount: { code: amount, abstractType: float }
dimensions:
  Client: { dataObject: Sales, column: Client }
measures:
  Amount: { columns: [{ dataObject: Sales, column: Amount }], resultType: float, aggregation: sum }
`

/** A database without tables, as that of CI. */
const alone = `plugins:
  - '@grainline/dialect-duckdb'
  - '@grainline/dialect-trino'
  - '@grainline/vendor-duckdb'
  - '@grainline/surface-rest'
`
const connected = `plugins:
  - '@grainline/dialect-duckdb'
  - use: '@grainline/vendor-duckdb'
    with: { database: ./sales.duckdb }
  - '@grainline/surface-rest'
`

const cwd = ownFolderWithin(t, { 'sales.yaml': MODEL, 'alone.yaml': alone, 'connected.yaml': connected })
const file = (name: string) => path.join(cwd, name)
const types = file('sales.types.json')

async function run(
  config: string,
  ...args: string[]
): Promise<{ readonly code: number; readonly out: string; readonly err: string }> {
  const { stdout, stderr, written } = streamsThatKeep()
  const code = await main([...args, '--config', config], { stdout, stderr, cwd, env: {} })
  return { code, ...written() }
}

async function inDatabase(sql: string): Promise<void> {
  const instance = await DuckDBInstance.create(file('sales.duckdb'))
  const connection = await instance.connect()
  await connection.run(sql)
  connection.closeSync()
  instance.closeSync()
}

const QUESTION = ['sales.yaml', '-d', 'Client', '-m', 'Amount', '--dialect', 'duckdb']
const compiled = (config: string, ...flags: string[]) => run(config, 'compile', ...QUESTION, ...flags)

t.test('without a database and without a file, declarations are believed, and the answer says of which columns', async (t) => {
  const { code, out, err } = await compiled('alone.yaml')
  t.equal(code, 0)
  t.notMatch(out, /CAST\("sales"/)
  t.match(err, /believes the declared types of 'Sales\.Amount', 'Sales\.Client'/)
  t.equal(err.match(/TYPES_NOT_CHECKED/g)?.length, 1)
})

t.test('COMPILE_UNKNOWN_TYPES=cast casts every column, and believes none', async (t) => {
  const { stdout, stderr, written } = streamsThatKeep()
  const io = { stdout, stderr, cwd, env: { COMPILE_UNKNOWN_TYPES: 'cast' } }
  t.equal(await main(['compile', ...QUESTION, '--config', 'alone.yaml'], io), 0)
  const { out, err } = written()
  t.match(out, 'CAST("sales"."client" AS VARCHAR)')
  t.match(out, 'CAST("sales"."amount" AS DOUBLE)')
  t.notMatch(err, 'TYPES_NOT_CHECKED')
})

t.test(
  'types shows them, and --write writes the file with which a compilation alone gives the SQL of the database',
  async (t) => {
    await inDatabase('CREATE TABLE sales (id INTEGER, client UUID, amount DECIMAL(10, 2))')
    t.match(await run('connected.yaml', 'types', 'sales.yaml'), { code: 0, out: /Client\s.*string\s.*UUID/ })
    t.match(await run('connected.yaml', 'types', 'sales.yaml', '--write'), {
      code: 0,
      out: /sales\.types\.json: 3 columns of duckdb/,
    })
    t.same(JSON.parse(readFileSync(types, 'utf8')), {
      duckdb: { Sales: { id: 'INTEGER', client: 'UUID', amount: 'DECIMAL(10,2)' } },
    })
    const there = await compiled('connected.yaml')
    t.match(there.out, 'CAST("sales"."client" AS VARCHAR)')
    const here = await compiled('alone.yaml')
    t.equal(here.out, there.out)
    t.notMatch(here.err, 'TYPES_NOT_CHECKED')
    const other = await run('alone.yaml', 'compile', ...QUESTION.slice(0, -1), 'trino')
    t.match(other.err, 'TYPES_NOT_CHECKED', 'the file says nothing about another dialect')
  },
)

t.test('a stale file is named: when the model has other columns, and when the database has', async (t) => {
  const bare = MODEL.replace('      Amount: { code', '      Day: { code: day, abstractType: date }\n      Amount: { code')
  writeFileSync(file('sales.yaml'), bare)
  const validated = await run('alone.yaml', 'validate', 'sales.yaml')
  t.match(validated, { code: 0, out: /TYPES_FILE_STALE.*sales\.types\.json is stale for duckdb: it lacks 'Sales\.Day'/ })
  await inDatabase('ALTER TABLE sales ADD COLUMN day DATE; ALTER TABLE sales ALTER amount TYPE DOUBLE')
  const stale = await run('connected.yaml', 'types', 'sales.yaml')
  t.match(stale, { code: 1, err: /sales\.types\.json is stale: .*'Sales\.Day', and of 1 more; write it again with --write/ })
  t.match(await run('connected.yaml', 'types', 'sales.yaml', '--write'), { code: 0 })
  t.match(await run('connected.yaml', 'types', 'sales.yaml'), { code: 0, err: '' })
  t.notMatch((await run('alone.yaml', 'validate', 'sales.yaml')).out, 'TYPES_FILE_STALE')
})

t.test('a broken file is refused, and removing it and writing it again works', async (t) => {
  writeFileSync(types, '{"duckdb": {"Sales": ["id"]}}')
  const { code, err } = await compiled('alone.yaml')
  t.equal(code, 1)
  t.match(err, /TYPES_FILE_INVALID.*sales\.types\.json.*lists no types/)
  rmSync(types)
  t.match(await run('connected.yaml', 'types', 'sales.yaml', '--write'), { code: 0 })
  t.match(await compiled('alone.yaml'), { code: 0 })
})
