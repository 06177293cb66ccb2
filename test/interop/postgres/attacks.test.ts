/**
 * What the model of a client does to a pooled connection of PostgreSQL must not affect other clients: the second of the attacks that once
 * succeeded.
 */
import { mkdtempSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import t from 'tap'
import { attackerOf } from '../../attacks/attacker.js'
import { startVictim } from '../../attacks/victim.js'
import { Client } from '../../load/client.js'
import { sourceFile, startWatched } from '../../load/server.js'
import { orSkip } from '../or-skip.js'
import { openPostgres } from './open.js'

t.setTimeout(300_000)

const TABLES = `
  CREATE TABLE sales (n INT); INSERT INTO sales VALUES (10), (20);
  CREATE SCHEMA old; CREATE TABLE old.sales (n INT); INSERT INTO old.sales VALUES (999);
  CREATE SEQUENCE counter`

const SHOP = {
  version: 1,
  name: 'shop',
  settings: { defaultDialect: 'postgres' },
  dataObjects: { Sales: { code: 'sales', columns: { N: { code: 'n', abstractType: 'int', numClass: 'additive' } } } },
  measures: { Revenue: { aggregation: 'sum', columns: [{ dataObject: 'Sales', column: 'N' }] } },
}

const calling = (call: string) => ({
  version: 1,
  name: 'calling',
  settings: { defaultDialect: 'postgres' },
  dataObjects: { Things: { code: `(SELECT CAST(${call} AS TEXT) AS v)`, columns: { V: { code: 'v', abstractType: 'string' } } } },
  dimensions: { V: { dataObject: 'Things', column: 'V' } },
})
const SETTINGS = [
  "set_config('search_path', 'old', false)",
  "set_config('default_transaction_read_only', 'off', false)",
  "set_config('TimeZone', 'Asia/Tokyo', false)",
  "set_config('statement_timeout', '1', false)",
]
const SEQUENCE = "nextval('counter')"
/** PostgreSQL allows it in a read-only transaction up to its version 16; it is rolled back with the transaction. */
const OBJECT = "lo_from_bytea(0, 'x')"
const FUNCTIONS = ['set_config', 'nextval', 'lo_from_bytea']

await orSkip(
  t,
  openPostgres,
  ({ close }) => close(),
  async ({ client, socket }) => {
    await client.query(TABLES)

    async function served(more: Readonly<Record<string, string>>) {
      const folder = mkdtempSync(path.join(os.tmpdir(), 'grainline-attacks-'))
      const model = path.join(folder, 'shop.yaml')
      writeFileSync(model, JSON.stringify(SHOP))
      const plugins = [
        ...['dialect-postgres', 'semantic-ql', 'surface-rest'].map(sourceFile),
        { use: sourceFile('vendor-postgres'), with: { host: socket, user: 'postgres', database: 'postgres' } },
      ]
      const config = JSON.stringify({ plugins, preload: [{ session: 'shop', model }] })
      const server = await startWatched({ MODEL_SQL: 'allow', DB_VENDOR: 'postgres', DB_POOL_SIZE: '2', ...more }, config)
      const http = new Client(server.url, 1)
      const query = { select: { measures: ['Revenue'] } }
      const victim = await startVictim({
        async revenue() {
          const { status, text } = await http.send('POST', '/v1/query/execute', JSON.stringify({ session_id: 'shop', query }), {
            accept: 'text/csv',
          })
          return `${status} ${text}`
        },
      })
      const attacker = attackerOf({ url: server.url })
      t.teardown(async () => {
        await victim.stop()
        http.close()
        attacker.close()
        server.kill('SIGTERM')
        await server.ended
      })
      return { victim, attacker }
    }

    t.test('functions with effects are refused', async (t) => {
      const { victim, attacker } = await served({})
      await attacker.inSession(async (session) => {
        for (const call of [...SETTINGS, SEQUENCE, OBJECT]) {
          const heard = await attacker.post(`/v1/sessions/${session}/models`, { model_json: calling(call) })
          t.match(heard, /^422 .*MODEL_SQL_DENIED/, call)
        }
      })
      await victim.round()
      t.same(victim.wrong(), [])
    })

    t.test('if the operator lists them, they leave no state on a connection, and nothing is written', async (t) => {
      const { victim, attacker } = await served({ MODEL_FUNCTIONS: FUNCTIONS.join(',') })
      const run = (call: string) =>
        attacker.inSession(
          (session_id) => attacker.post('/v1/query/execute', { session_id, query: { select: { dimensions: ['V'] } } }),
          calling(call),
        )
      for (const call of SETTINGS) {
        // As often as there are connections, and more.
        for (let i = 0; i < 4; i++) t.match(await run(call), /^200 /, call)
        t.match(await run(SEQUENCE), /^[45]\d\d .*read-only/, `a sequence after ${call}`)
        await run(OBJECT)
        await victim.round()
        t.same(victim.wrong(), [], `${victim.right()} answers after ${call}`)
      }
      const text = 'SELECT is_called, (SELECT count(*) FROM pg_largeobject_metadata) FROM counter'
      t.same((await client.query({ text, rowMode: 'array' })).rows, [['f', '0']])
    })
  },
)
