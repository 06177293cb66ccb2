/** An application with one key asks for its users on every surface: with their rights, and never with more than its own. */
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connectFlightSql } from '@grainline/flight-sql'
import pg from 'pg'
import t from 'tap'
import { onBehalfOf } from '../../core/src/auth/on-behalf-of.js'
import { endsWhen, type Principal } from '../../core/src/auth/principal.js'
import { rowsOf as flightRowsOf } from '../flight/rows-of.js'
import { connectRaw, errorOf, rowsOf, ask as say, scram, startup } from '../pgwire/raw-client.js'
import { servedShop } from './served.js'
import { KEYS } from './shop.js'
import { served } from './wire-served.js'

const APP_KEY = KEYS.app
const total = { select: { measures: ['Revenue'] } }
const named = (principal: unknown): string => Buffer.from(JSON.stringify(principal)).toString('base64')
const NORTH = { name: 'nora', roles: ['sales'], attributes: { regions: ['North'] } }

t.test('a principal has what is named, and nothing of the sender', async (t) => {
  const sender: Principal = {
    id: 'app',
    name: 'app',
    roles: ['impersonate', 'sales', 'admin'],
    attributes: { regions: ['South'] },
    models: ['shop', 'stock'],
  }
  const as = (given: object) => onBehalfOf(sender, named(given))
  t.equal(onBehalfOf(sender, undefined), sender)
  t.match(as(NORTH), {
    name: 'nora',
    roles: ['sales'],
    attributes: { regions: ['North'] },
    models: ['shop', 'stock'],
    sender: 'app',
  })
  t.same(as({ name: 'nora' }).attributes, {})
  t.same(as({ name: 'nora' }).roles, [])
  t.same(as({ name: 'nora', models: ['stock', 'people'] }).models, ['stock'])
  t.equal(as(NORTH).administrator, false)
  t.equal(as(NORTH).id, as(NORTH).id)
  t.not(as(NORTH).id, as({ ...NORTH, attributes: {} }).id, 'other rights are another principal')
  const refused: readonly (readonly [given: string, why: RegExp])[] = [
    ['', /not the base64 of one JSON object/],
    ['{}', /not the base64/],
    [`${named({ name: 'a1' })}, ${named(NORTH)}`, /not the base64/],
    [`${named({ name: 'a1' })}${named(NORTH)}`, /not the base64/],
    [named([]), /not the base64/],
    [named({}), /no 'name'/],
    [named({ name: 'key:1' }), /'key:'/],
    [named({ ...NORTH, role: 'admin' }), /unknown key 'role'; did you mean 'roles'/],
    [named({ ...NORTH, roles: 'sales' }), /not a list of texts/],
    [named({ ...NORTH, roles: ['admin'] }), /role 'admin'/],
    [named({ ...NORTH, roles: ['impersonate'] }), /role 'impersonate'/],
    [named({ ...NORTH, roles: ['auditor'] }), /lacks the role 'auditor'/],
    [named({ ...NORTH, models: 'shop' }), /'models'/],
    [named({ ...NORTH, attributes: { regions: { a: 1 } } }), /attribute 'regions'/],
    [named({ ...NORTH, attributes: { regions: Array(10_001).fill('x') } }), /at most 10000 values/],
  ]
  for (const [given, message] of refused) t.throws(() => onBehalfOf(sender, given), { code: 'ON_BEHALF_REFUSED', message })
  for (const roles of [undefined, [], ['admin'], ['sales']])
    t.throws(() => onBehalfOf({ ...sender, roles }, named(NORTH)), {
      code: 'ON_BEHALF_REFUSED',
      message: /lacks the role 'impersonate'/,
    })
  let isEnded = false
  const ending = { ...sender }
  endsWhen(ending, () => isEnded)
  const acting = onBehalfOf(ending, named(NORTH))
  const { viewOf } = await import('../../core/src/service/view-of.js')
  const model = (await import('../support/compile.js')).loadText(
    'version: 1\ndataObjects: { Items: { code: items, columns: { Id: { code: id, abstractType: int } } } }',
  )
  t.ok(viewOf(model, acting, new Date(0)))
  isEnded = true
  t.throws(() => viewOf(model, acting, new Date(0)), { code: 'AUTH_INVALID' }, 'it ends with its sender')
})

t.test('over REST and MCP a header names the principal, and the audit file has both names', async (t) => {
  const dir = await mkdtemp(join(tmpdir(), 'grainline-behalf-'))
  t.teardown(() => rm(dir, { recursive: true }))
  const file = join(dir, 'audit.jsonl')
  const { app, post } = await servedShop(t, { plugins: ['@grainline/mcp'], settings: { AUDIT_FILE: file } })
  const ask = (who: object, key = APP_KEY, more: object = {}) =>
    app.inject({
      method: 'POST',
      url: '/v1/query/execute',
      headers: { 'x-api-key': key, 'x-on-behalf-of': named(who) },
      payload: { query: total },
      ...more,
    })
  t.match((await ask(NORTH)).json(), { rows: [[30]], sql: null })
  t.match((await ask({ ...NORTH, attributes: { regions: 'South' } })).json(), { rows: [[100]] })
  t.match((await ask({ name: 'nobody' })).json(), { code: 'ACCESS_ATTRIBUTE_MISSING' })
  t.match((await ask({ ...NORTH, roles: ['auditor'] })).json(), { code: 'ON_BEHALF_REFUSED' })
  const twice = { 'x-api-key': APP_KEY, 'x-on-behalf-of': `${named({ ...NORTH, name: 'nor' })}, ${named({ name: 'sven' })}` }
  t.match(
    (await ask(NORTH, APP_KEY, { headers: twice })).json(),
    { code: 'ON_BEHALF_REFUSED' },
    'a header that a client sent and a proxy added to names nobody',
  )
  t.match((await ask(NORTH, KEYS.ops)).json(), { code: 'ON_BEHALF_REFUSED' }, 'not even an administrator')
  t.equal((await ask(NORTH, APP_KEY, { url: '/v1/verify' })).statusCode, 403)
  const listed = await app.inject({
    url: '/v1/mcp',
    method: 'POST',
    headers: {
      'x-api-key': APP_KEY,
      'x-on-behalf-of': named(NORTH),
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    },
    payload: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'query', arguments: { measures: ['Revenue'] } } },
  })
  t.match(listed.payload, /"rows":\[\["30"\]\]/)
  t.equal((await post('north', '/v1/query/execute', { query: total })).status, 200)
  const lines = (await readFile(file, 'utf8'))
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  t.match(lines[0], { principal: 'app', on_behalf_of: 'nora' })
  t.match(lines.at(-1), { principal: 'north' })
  t.notOk('on_behalf_of' in lines.at(-1))
})

t.test('a session is for the principal that opened it, and not for the same name with other rights', async (t) => {
  const { app } = await servedShop(t)
  const as = (who: object) => ({ 'x-api-key': APP_KEY, 'x-on-behalf-of': named(who) })
  const opened = await app.inject({ method: 'POST', url: '/v1/sessions', headers: as(NORTH), payload: {} })
  const url = `/v1/sessions/${opened.json().session_id}`
  t.equal((await app.inject({ url, headers: as(NORTH) })).statusCode, 200)
  for (const other of [
    { ...NORTH, attributes: {} },
    { ...NORTH, name: 'norb' },
  ])
    t.equal((await app.inject({ url, headers: as(other) })).statusCode, 404)
  t.equal((await app.inject({ url, headers: { 'x-api-key': APP_KEY } })).statusCode, 404, 'nor for the sender')
})

t.test('on the Postgres wire an option of the login names the principal, and SET is refused', async (t) => {
  const { port } = await served(t)
  const connect = async (who: object | undefined, password = APP_KEY) => {
    const options = who && `-c grainline.on_behalf_of=${named(who)}`
    const client = new pg.Client({
      host: '127.0.0.1',
      port,
      user: 'app',
      password,
      database: 'shop',
      ...(options && { options }),
    })
    await client.connect()
    t.teardown(() => client.end())
    return (text: string) => client.query({ text, rowMode: 'array' }).then(({ rows }) => rows)
  }
  const north = await connect(NORTH)
  t.same(await north('SELECT "Revenue" FROM shop'), [['30']])
  const south = await connect({ ...NORTH, attributes: { regions: ['South'] } })
  t.same(await south('SELECT "Revenue" FROM shop'), [['100']])
  await t.rejects(north(`SET grainline.on_behalf_of = '${named(NORTH)}'`), { code: '42501' })
  await t.rejects(north(`SET LOCAL grainline.on_behalf_of = '${named(NORTH)}'`), { code: '25P01' })
  await north('BEGIN')
  await t.rejects(north(`SET LOCAL grainline.on_behalf_of = '${named(NORTH)}'`), { code: '28000' })
  await north('ROLLBACK')
  t.same(await north('SELECT "Revenue" FROM shop'), [['30']])
  await t.rejects(connect({ ...NORTH, roles: ['auditor'] }), { code: '28000' })
  await t.rejects(connect(NORTH, KEYS.north), { code: '28000' })
})

t.test('each setting of a login may name the principal, in any case of its letters, and only one of them', async (t) => {
  const { port } = await served(t)
  const login = async (given: Readonly<Record<string, string>>) => {
    const client = await connectRaw(port)
    t.teardown(() => client.end())
    client.send(startup({ user: 'app', database: 'shop', ...given }))
    await client.next()
    const last = await scram(client, APP_KEY)
    if (last?.type === 'E') return { client, code: errorOf([last]).C }
    await client.until('Z')
    return { client, code: 'in' }
  }
  const SOUTH = named({ ...NORTH, attributes: { regions: ['South'] } })
  const option = (value: string, name = 'grainline.on_behalf_of') => `-c ${name}=${value}`
  for (const given of [
    { 'grainline.on_behalf_of': SOUTH },
    { 'Grainline.On_Behalf_Of': SOUTH },
    { options: option(SOUTH, 'GRAINLINE.on-behalf-of') },
  ]) {
    const { client, code } = await login(given)
    const how = Object.keys(given).join()
    t.equal(code, 'in', how)
    t.same(rowsOf(await say(client, 'SELECT "Revenue" FROM shop')), [['100']], how)
    await say(client, 'BEGIN')
    t.equal(errorOf(await say(client, `SET LOCAL grainline.on_behalf_of = '${named(NORTH)}'`)).C, '28000', 'and for all its time')
  }
  const refused: readonly Readonly<Record<string, string>>[] = [
    { 'grainline.on_behalf_of': '' },
    { 'grainline.on_behalf_of': named({ ...NORTH, roles: ['auditor'] }) },
    { options: option(named({ ...NORTH, roles: ['auditor'] }), 'Grainline.on_behalf_of') },
    { options: `${option(SOUTH)} ${option(named(NORTH))}` },
    { 'grainline.on_behalf_of': SOUTH, options: option(SOUTH) },
  ]
  for (const given of refused) t.equal((await login(given)).code, '28000', JSON.stringify(given).slice(0, 60))
})

t.test('within a transaction SET LOCAL names the principal, for a pooler whose connections serve everybody', async (t) => {
  const { port } = await served(t)
  const client = new pg.Client({ host: '127.0.0.1', port, user: 'app', password: APP_KEY, database: 'shop' })
  await client.connect()
  t.teardown(() => client.end())
  const ask = (text: string) => client.query({ text, rowMode: 'array' }).then(({ rows }) => rows)
  const setting = (who: object) => `SET LOCAL grainline.on_behalf_of = '${named(who)}'`
  const SOUTH = { ...NORTH, name: 'sven', attributes: { regions: ['South'] } }
  const revenue = 'SELECT "Revenue" FROM shop'
  const own = /Access rules|regions/i
  await t.rejects(ask(revenue), own, 'the key itself has no rights')
  for (const [who, wanted] of [
    [NORTH, '30'],
    [SOUTH, '100'],
    [NORTH, '30'],
  ] as const) {
    await ask('BEGIN')
    await ask(setting(who))
    t.same(await ask(revenue), [[wanted]])
    t.same(
      await client.query({ name: 'kept', text: 'SELECT "Revenue" FROM shop LIMIT 5', rowMode: 'array' }).then(({ rows }) => rows),
      [[wanted]],
    )
    await ask('COMMIT')
    await t.rejects(ask(revenue), own, 'after the transaction it is the key again')
  }

  await ask('BEGIN')
  await ask(`SELECT set_config('grainline.on_behalf_of', '${named(SOUTH)}', true)`)
  t.same(await ask(revenue), [['100']], 'by the function, too')
  await ask('SAVEPOINT a')
  for (const change of [setting(NORTH), 'RESET grainline.on_behalf_of', `SET grainline.on_behalf_of = '${named(NORTH)}'`]) {
    await t.rejects(ask(change), { code: '42501' }, change.slice(0, 20))
    await ask('ROLLBACK TO a')
  }
  await t.rejects(ask('CREATE TEMPORARY TABLE kept (a int)'), { code: '0A000' })
  await ask('ROLLBACK TO a')
  await ask('RESET ALL')
  t.same(await ask(revenue), [['100']], 'nobody becomes the key by resetting')
  await ask('DECLARE held CURSOR WITH HOLD FOR SELECT "Customer" FROM shop')
  t.same(await ask('FETCH 1 FROM held'), [['Bob Ltd']])
  await ask('COMMIT')
  await t.rejects(ask('FETCH 1 FROM held'), { code: '42501' }, 'a cursor is for the principal that opened it')

  for (const wrong of [{ ...NORTH, roles: ['auditor'] }, { ...NORTH, roles: ['admin'] }, { attributes: {} }]) {
    await ask('BEGIN')
    await t.rejects(ask(setting(wrong)), { code: '28000' })
    await t.rejects(ask(revenue), { code: '25P02' })
    await ask('ROLLBACK')
  }
  await t.rejects(ask(setting(NORTH)), { code: '25P01' }, 'without a transaction')
})

t.test('over Flight SQL a header of the calls names the principal, and a ticket is for it alone', async (t) => {
  const { flightPort } = await served(t)
  const connect = (who: object) =>
    connectFlightSql({
      host: '127.0.0.1',
      port: flightPort,
      credentials: { token: APP_KEY },
      headers: { 'x-on-behalf-of': named(who) },
    })
  const [north, south] = [await connect(NORTH), await connect({ ...NORTH, attributes: { regions: ['South'] } })]
  t.teardown(() => [north, south].map((client) => client.close()))
  const revenue = async (client: typeof north) =>
    JSON.stringify(await flightRowsOf(await client.query('SELECT "Revenue" FROM shop')), plain)
  t.match(await revenue(north), /30/)
  t.match(await revenue(south), /100/)
  await t.rejects(async () => revenue(await connect({ ...NORTH, roles: ['auditor'] })), { message: /lacks the role 'auditor'/ })
  for (const value of ['', `${named({ ...NORTH, name: 'nor' })}, ${named(NORTH)}`]) {
    const headers = { 'x-on-behalf-of': value }
    await t.rejects(
      connectFlightSql({ host: '127.0.0.1', port: flightPort, credentials: { token: APP_KEY }, headers }).then(revenue),
      { message: /not the base64 of one JSON object/ },
      'a header without a value, and one that is there twice',
    )
  }
})

const plain = (_: string, value: unknown) => (typeof value === 'bigint' ? String(value) : value)
