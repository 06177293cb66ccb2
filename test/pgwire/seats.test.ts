/** One client leaves connections of the Postgres wire for the others. */
import { type Logger, silentLogger } from '@grainline/core'
import t from 'tap'
import { holds } from '../specification/holds.js'
import {
  ask,
  connectRaw,
  connectReady,
  cstring,
  errorOf,
  int32,
  message,
  packet,
  query,
  type RawClient,
  rowsOf,
  startup,
} from './raw-client.js'
import { startPgwire } from './server.js'

const KEYS = ['ann', 'bob'].map((name) => `${name}_0123456789abcdef0123456789abcdef0123`)
const [ANN = '', BOB = ''] = KEYS
const small = { plugins: [] as never[], settings: { QUERY_EXECUTE: false, PGWIRE_CATALOG: 'off' } }
const OTHER = '127.0.0.2'

/** What a client that connects sends, and the last answer that it gets. */
async function enter(port: number, { from, key }: { readonly from?: string; readonly key?: string } = {}) {
  const client = await connectRaw(port, from)
  client.send(startup({ user: 'x', database: 'flights' }))
  if (key !== undefined) {
    await client.next()
    client.send(message('p', cstring(key)))
  }
  const heard = await client.until('Z')
  return { client, told: heard.at(-1)?.type === 'Z' ? 'in' : errorOf(heard) }
}

/** Connects a client as soon as a place is free. */
async function enters(port: number, from?: string): Promise<RawClient> {
  for (;;) {
    const client = await connectReady(port, {}, from).catch(() => undefined)
    if (client) return client
  }
}

const refused = { S: 'FATAL', C: '53300', H: /PGWIRE_CLIENT_MAX_CONNECTIONS/ }

t.test('one address can use all connections while no other one connects, then three quarters of them', async (t) => {
  holds(t, 'pgwire.client-connections')
  const open = await startPgwire({ ...small, settings: { ...small.settings, PGWIRE_MAX_CONNECTIONS: 4 } })
  t.teardown(() => open.close())
  const own = []
  for (let i = 0; i < 4; i++) own.push(await enter(open.port))
  t.same(
    own.map(({ told }) => told),
    ['in', 'in', 'in', 'in'],
  )
  t.match((await enter(open.port, { from: OTHER })).told, { C: '53300', H: /PGWIRE_MAX_CONNECTIONS/ })
  own[0]!.client.end()
  const other = await enters(open.port, OTHER)
  t.same(rowsOf(await ask(other, 'SELECT 1')), [['1']], 'a seat that is left is free')
  t.match((await enter(open.port)).told, { C: '53300', H: /PGWIRE_MAX_CONNECTIONS/ })
  other.end()
  t.match(await toldWhenLeft(open.port), refused, 'the last place is kept for the other one')
  t.same(rowsOf(await ask(await enters(open.port, OTHER), 'SELECT 1')), [['1']])
})

/** The answer to a client as soon as the server has noticed that a connection was closed. */
async function toldWhenLeft(port: number): Promise<unknown> {
  for (;;) {
    const { told } = await enter(port)
    if (told === 'in' || !/PGWIRE_MAX_CONNECTIONS/.test(JSON.stringify(told))) return told
  }
}

t.test('a client that disconnects at once after a catalogue query frees its place before the query runs', async (t) => {
  const starts: string[] = []
  const info = (_: object, text?: string) => void (text?.includes('catalogue is ready') && starts.push(text))
  const logger: Logger = { ...silentLogger, info, child: () => logger }
  const settings = { QUERY_EXECUTE: false, PGWIRE_MAX_CONNECTIONS: 1 }
  const open = await startPgwire({ plugins: [], settings, logger })
  t.teardown(() => open.close())
  const ENDLESS = 'SELECT count(*) FROM pg_class a, pg_attribute b, pg_attribute c, pg_proc d WHERE a.relname <> c.attname'
  const hasty = await connectRaw(open.port)
  // When the client ends, the first statement may be running or not; the second begins after that.
  hasty.socket.end(Buffer.concat([startup({ user: 'x', database: 'flights' }), query(ENDLESS), query(ENDLESS)]))
  const next = await enters(open.port)
  t.same(rowsOf(await ask(next, "SELECT datname FROM pg_database WHERE datname = 'flights'")), [['flights']])
  t.equal(starts.length, 1, 'a look that was stopped half-way would have taken the catalogue with it')
  next.end()
})

t.test('silent connections count against the limit, too', async (t) => {
  const open = await startPgwire({ ...small, settings: { ...small.settings, PGWIRE_MAX_CONNECTIONS: 4 } })
  t.teardown(() => open.close())
  for (let i = 0; i < 40; i++) await connectRaw(open.port)
  t.equal((await enter(open.port, { from: OTHER })).told, 'in')
})

t.test('a client without access can send cancel requests, also while another opens connections constantly', async (t) => {
  const settings = { ...small.settings, PGWIRE_MAX_CONNECTIONS: 4, PGWIRE_CLIENT_MAX_CONNECTIONS: 1 }
  const open = await startPgwire({ ...small, settings })
  t.teardown(() => open.close())
  for (let i = 0; i < 100; i++) await connectRaw(open.port, OTHER)
  t.equal((await enter(open.port)).told, 'in')
  const canceller = await connectRaw(open.port)
  canceller.send(packet(80877102, int32(1), int32(2)))
  t.same(await canceller.until('E'), [], 'it is read to its end, and closed without a message')
  t.match((await enter(open.port)).told, refused)
})

t.test('a key is one client at every address, and many keys can share an address', async (t) => {
  const settings = {
    ...small.settings,
    AUTH_MODE: 'api_key',
    API_KEYS: KEYS,
    PGWIRE_AUTH_MODE: 'password',
    PGWIRE_MAX_CONNECTIONS: 8,
    PGWIRE_CLIENT_MAX_CONNECTIONS: 2,
  }
  const open = await startPgwire({ ...small, settings })
  t.teardown(() => open.close())
  const told = []
  for (const at of [{ key: ANN }, { key: ANN, from: OTHER }, { key: BOB }, { key: BOB }])
    told.push((await enter(open.port, at)).told)
  t.same(told, ['in', 'in', 'in', 'in'])
  t.match((await enter(open.port, { key: ANN, from: '127.0.0.3' })).told, refused)
})
