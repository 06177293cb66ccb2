/** Settings of the Postgres wire on the stock server as `grainline serve` starts it. */
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import t from 'tap'
import { selfSigned } from '../host/certificate.js'
import { serve } from '../rest/serve.js'
import { shopModel } from '../rest/shop.js'
import { holds } from '../specification/holds.js'
import { ask, connectRaw, connectReady, errorOf, type RawClient, SSL_REQUEST, startup } from './raw-client.js'

t.setTimeout(600_000)

const endless = {
  version: 1,
  name: 'endless',
  dataObjects: {
    Pairs: {
      code: '(SELECT a.range AS n, b.range AS m FROM range(1000000) a CROSS JOIN range(1000000) b)',
      columns: { N: { code: 'n', abstractType: 'int' }, M: { code: 'm', abstractType: 'int' } },
    },
  },
  measures: { Highest: { aggregation: 'max', expression: '{[Pairs].[N]} + {[Pairs].[M]}' } },
}
const folder = t.testdir({ 'shop.yaml': JSON.stringify(shopModel), 'endless.yaml': JSON.stringify(endless) })
const BASE = {
  QUERY_EXECUTE: 'true',
  DUCKDB_DATABASE: ':memory:',
  PGWIRE_ENABLED: 'true',
  PGWIRE_PORT: '0',
  PGWIRE_CATALOG: 'off',
  MODEL_FILES: ['shop.yaml', 'endless.yaml'].map((name) => path.join(folder, name)).join(),
}

async function listening(settings: Record<string, string>) {
  const { process } = await serve({ ...BASE, ...settings }, folder)
  const [, host, port] = await process.shows(/postgres:\/\/([^:\s]+):(\d+)/)
  return { host, port: Number(port) }
}

/** The result for a client that connects: `in`, or the error. */
async function enter(port: number, from?: string) {
  const client = await connectRaw(port, from)
  client.send(startup({ user: 'x', database: 'shop' }))
  const heard = await client.until('Z')
  return { client, told: heard.at(-1)?.type === 'Z' ? 'in' : errorOf(heard) }
}

t.test('a served process limits the clients of the Postgres wire, their statements and their time', async (t) => {
  holds(t, 'pgwire.max-connections', 'pgwire.client-connections', 'pgwire.query-timeout', 'pgwire.auth-timeout')
  holds(t, 'setting.PGWIRE_HOST', 'setting.SQL_DEFAULT_LIMIT')
  const limits = {
    PGWIRE_HOST: '0.0.0.0',
    PGWIRE_MAX_CONNECTIONS: '3',
    PGWIRE_CLIENT_MAX_CONNECTIONS: '2',
    PGWIRE_QUERY_TIMEOUT_SECONDS: '4',
    PGWIRE_AUTH_TIMEOUT_SECONDS: '1',
    SQL_DEFAULT_LIMIT: '2',
  }
  const { host, port } = await listening(limits)
  t.equal(host, '0.0.0.0')
  const own = [await enter(port), await enter(port)]
  t.same(
    own.map(({ told }) => told),
    ['in', 'in'],
  )
  t.match((await enter(port)).told, { C: '53300', H: /PGWIRE_CLIENT_MAX_CONNECTIONS/ })
  const other = await enter(port, '127.0.0.2')
  t.equal(other.told, 'in')
  t.match((await enter(port, '127.0.0.3')).told, { C: '53300', H: /PGWIRE_MAX_CONNECTIONS/ })

  const { client } = own[0]!
  const sql = 'SELECT "Region", "Revenue" FROM shop'
  t.match(errorOf(await ask(client, sql)), { C: '54000', D: 'DEFAULT_LIMIT_EXCEEDED', H: /SQL_DEFAULT_LIMIT/ })
  t.equal(rowsIn(await ask(client, `${sql} LIMIT 3`)), 3, 'a limit of the client is never cut')
  for (const each of own) each.client.end()
  const slow = await enters(port)
  t.match(errorOf(await ask(slow, 'SELECT "Highest" FROM endless')), { C: '57014' })
  t.equal(rowsIn(await ask(slow, 'SELECT 1')), 1, 'and the client goes on')
  for (const each of [slow, other.client]) each.end()
  const silent = await connectRaw(port)
  t.ok((await silent.closed()) > 0, 'who says nothing is cut off')
})

t.test('a served process accepts TLS on the Postgres wire, with client certificates', async (t) => {
  holds(t, 'pgwire.tls')
  const [server, known, stranger] = [selfSigned(), selfSigned(), selfSigned()]
  const files = { 'server.crt': server.cert, 'server.key': server.key, 'clients.crt': known.cert }
  for (const [name, text] of Object.entries(files)) writeFileSync(path.join(folder, name), text)
  const { port } = await listening({
    PGWIRE_TLS_CERT: path.join(folder, 'server.crt'),
    PGWIRE_TLS_KEY: path.join(folder, 'server.key'),
    PGWIRE_TLS_CLIENT_CA: path.join(folder, 'clients.crt'),
  })
  const first = async (options: { readonly cert?: string; readonly key?: string }) => {
    const client = await connectRaw(port)
    client.send(SSL_REQUEST)
    t.equal((await client.bytes(1)).toString(), 'S')
    await client.encrypt(options).catch(() => {})
    client.send(startup({ user: 'x', database: 'shop' }))
    const heard = await client.next()
    client.end()
    return heard?.type
  }
  t.equal(await first(known), 'R', 'let in')
  for (const options of [{}, stranger]) t.not(await first(options), 'R', 'turned away')
})

const rowsIn = (messages: readonly { readonly type: string }[]): number => messages.filter(({ type }) => type === 'D').length

/** Connects a client as soon as a place is free. */
async function enters(port: number): Promise<RawClient> {
  for (;;) {
    const client = await connectReady(port, { database: 'endless' }).catch(() => undefined)
    if (client) return client
  }
}
