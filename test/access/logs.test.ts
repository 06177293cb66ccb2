/** The log of a served process under attack: no key, token or name in base64, no value of a removed row, and no line that a client wrote. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import { connectFlightSql } from '@grainline/flight-sql'
import pg from 'pg'
import t, { type Test } from 'tap'
import { rowsOf } from '../flight/rows-of.js'
import { start } from '../host/process.js'
import { amount, oneIn } from '../support/amount.js'
import { KEYS, KEYS_FILE, MODEL, TABLES } from './shop.js'

const CONFIG = `plugins:
  - '@grainline/dialect-duckdb'
  - { use: '@grainline/vendor-duckdb', with: { database: shop.duckdb, readOnly: true } }
  - '@grainline/evaluator-duckdb'
  - '@grainline/semantic-ql'
  - '@grainline/surface-rest'
  - '@grainline/surface-pgwire'
  - '@grainline/surface-flight'
  - '@grainline/mcp'
`
const FORGED = '\n[00:00:00.000] ERROR: forged\r\n{"level":"error","msg":"forged"}\u001b[2J\u2028'
const WRONG = 'svc_pat_wrong_0123456789abcdef0123456789abcdef'
const NORA = { name: `nora${FORGED}`, roles: ['sales'], attributes: { regions: ['North', `x${FORGED}`] } }
const named = (who: object): string => Buffer.from(JSON.stringify(who)).toString('base64')

async function folder(t: Test): Promise<string> {
  const cwd = await mkdtemp(join(tmpdir(), 'grainline-logs-'))
  t.teardown(() => rm(cwd, { recursive: true }))
  const instance = await DuckDBInstance.create(join(cwd, 'shop.duckdb'))
  const connection = await instance.connect()
  for (const table of TABLES) await connection.run(table)
  connection.closeSync()
  instance.closeSync()
  for (const [name, text] of Object.entries({ 'shop.yaml': MODEL, 'keys.yaml': KEYS_FILE, 'config.yaml': CONFIG }))
    await writeFile(join(cwd, name), text)
  return cwd
}

async function overHttp(address: string): Promise<void> {
  const bodies = [
    { query: { select: { dimensions: ['Customer'], measures: ['Revenue'] } } },
    { query: { select: { measures: [`Revenue${FORGED}`] } } },
    { query: { select: { dimensions: ['Zip No'] }, where: [{ field: 'Customer', op: '=', value: FORGED }] } },
    {
      query: {
        select: {
          dimensions: [{ as: `p${FORGED}`, expression: `cast(concat({Region}, '${FORGED}') as int)` }],
          measures: ['Revenue'],
        },
      },
    },
    { sql: `SELECT "Revenue" AS "${FORGED}" FROM shop WHERE "Customer" = '${FORGED}'` },
  ]
  const credentials: readonly Record<string, string>[] = [
    { 'x-api-key': KEYS.north },
    { 'x-api-key': KEYS.south },
    { authorization: `Bearer ${KEYS.north}` },
    { authorization: `Basic ${Buffer.from(`x:${KEYS.north}`).toString('base64')}` },
    { 'x-api-key': WRONG },
    { authorization: `Bearer ${WRONG}` },
    { 'x-api-key': KEYS.app, 'x-on-behalf-of': named(NORA) },
    { 'x-api-key': KEYS.app, 'x-on-behalf-of': named({ ...NORA, roles: [`r${FORGED}`] }) },
    { 'x-api-key': KEYS.north, 'x-on-behalf-of': named(NORA) },
  ]
  for (const headers of credentials)
    for (const body of bodies) {
      const path = 'sql' in body ? 'semantic-ql' : 'execute'
      const url = `${address}/v1/query/${path}?receipt=true&key=${WRONG}&access_token=${WRONG}`
      await (
        await fetch(url, {
          method: 'POST',
          headers: { 'content-type': 'application/json', ...headers },
          body: JSON.stringify(body),
        })
      ).text()
    }
  for (const path of [
    `/v1/sessions/${encodeURIComponent(FORGED)}`,
    `/v1/values/${encodeURIComponent(FORGED)}`,
    `/${encodeURIComponent(FORGED)}`,
  ])
    await (await fetch(address + path, { headers: { 'x-api-key': KEYS.north, 'x-request-id': 'a\tb' } })).text()
}

async function overWires({ wire, flight }: { readonly wire: number; readonly flight: number }): Promise<void> {
  const clients = [
    { user: `u${FORGED.replaceAll('\0', '')}`, password: KEYS.north, database: 'shop' },
    { user: 'u', password: WRONG, database: 'shop' },
    { user: 'u', password: KEYS.south, database: `shop${FORGED}` },
    { user: 'u', password: KEYS.app, database: 'shop', options: `-c grainline.on_behalf_of=${named(NORA)}` },
  ]
  for (const given of clients) {
    const client = new pg.Client({ host: '127.0.0.1', port: wire, application_name: FORGED, ...given })
    client.on('error', () => {})
    await client.connect().then(
      async () => {
        for (const text of [`SELECT "Zip No" FROM shop`, `SELECT "${FORGED}" FROM shop`, `SET application_name = '${FORGED}'`])
          await client.query(text).catch(() => {})
        await client.end()
      },
      () => {},
    )
  }
  for (const token of [KEYS.south, WRONG]) {
    const client = await connectFlightSql({ host: '127.0.0.1', port: flight, credentials: { token } })
    for (const text of ['SELECT "Zip No" FROM shop', `SELECT "${FORGED}" FROM shop`])
      await client.query(text).then(rowsOf, () => {})
    client.close()
  }
}

for (const LOG_FORMAT of amount(oneIn(2, ['console', 'json']), ['console', 'json']))
  t.test(`with LOG_FORMAT=${LOG_FORMAT}`, async (t) => {
    const cwd = await folder(t)
    const { shows, stdout, stderr, signal, ended } = start(t, ['serve', '--config', 'config.yaml'], {
      cwd,
      env: {
        ...{ PORT: '0', PGWIRE_PORT: '0', FLIGHT_PORT: '0', PGWIRE_ENABLED: 'true', FLIGHT_ENABLED: 'true' },
        ...{ PGWIRE_HOST: '127.0.0.1', FLIGHT_HOST: '127.0.0.1', PGWIRE_AUTH_MODE: 'password' },
        ...{ AUTH_MODE: 'api_key', API_KEYS_FILE: 'keys.yaml', MODEL_DIR: cwd, MODEL_FILES: 'shop.yaml', QUERY_EXECUTE: 'true' },
        ...{ LOG_LEVEL: 'TRACE', LOG_FORMAT },
      },
    })
    const [, address = ''] = await shows(/READY (http:\S+)/)
    const [, wire] = await shows(/postgres:\/\/127\.0\.0\.1:(\d+)/)
    const [, flight] = await shows(/grpc:\/\/127\.0\.0\.1:(\d+)/)
    await overHttp(address)
    await overWires({ wire: Number(wire), flight: Number(flight) })
    signal('SIGTERM')
    await ended
    const said = stdout() + stderr()
    const lines = said.split('\n').filter((line) => line !== '')
    t.ok(lines.length > 40, `${lines.length} lines`)
    const secrets = [...Object.values(KEYS), WRONG]
    for (const secret of secrets) t.notOk(said.includes(secret), 'no key')
    t.notOk(said.includes(named(NORA).slice(0, 24)), 'and nobody in base64')
    t.notMatch(said, /Ann & Co|Bob Ltd|Lost/, 'no value of a row')
    const isOwn =
      LOG_FORMAT === 'json' ? isJson : (line: string) => /^(\[\d\d:\d\d:\d\d\.\d{3}\] [A-Z]+: | {4}|READY )/.test(line)
    for (const line of stdout().split('\n')) t.ok(line === '' || isOwn(line), 'a line of the server')
    // JSON may contain a line separator, which ends no line of it.
    for (const control of LOG_FORMAT === 'json' ? ['\r', '\u001b'] : ['\r', '\u001b', '\u2028'])
      t.notOk(said.includes(control), `character ${control.codePointAt(0)}`)
    t.notMatch(said, /^\[00:00:00\.000\]|^\{"level":"error","msg":"forged"/m)
  })

function isJson(line: string): boolean {
  if (line.startsWith('READY ')) return true
  try {
    return typeof JSON.parse(line) === 'object'
  } catch {
    return false
  }
}
