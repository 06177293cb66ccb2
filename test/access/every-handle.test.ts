/**
 * Two principals, cold and warm, with everything that a server hands out and takes again. What that is comes from the lists of the server itself: the parts of
 * its paths, what its answers have, the statements and messages of the Postgres wire, what Flight SQL seals, and what is kept in a store. A new one fails here
 * until it has a kind.
 */
import { connectFlightSql, flight } from '@grainline/flight-sql'
import type { InjectOptions } from 'fastify'
import t, { type Test } from 'tap'
import type { Purpose } from '../../plugins/surface-flight/src/access/sealer.js'
import { flightDefinition } from '../../plugins/surface-flight/src/server/flight-service.js'
import type { Statement } from '../../plugins/surface-pgwire/src/statements/statement.js'
import type { BACKEND } from '../../plugins/surface-pgwire/src/wire/codes.js'
import { oneIn } from '../support/amount.js'
import { watchedStore } from '../support/watched-store.js'
import { everyDoor, requestsOf } from './doors.js'
import { type Asker, HANDLES, type Handle } from './kinds-of-handles.js'
import { KEYS } from './shop.js'
import { type TriedServer, type WholeServer, wholeServer } from './whole-server.js'

/** The kind of a handle, or why it is none. */
type Of = keyof typeof HANDLES | { readonly none: string }
const none = (why: string): Of => ({ none: why })
const NAME = none('a name of the model, of a page or of an example, which a view has or has not')
const SAYS = none('says something of the answer, and no request takes it')
const AT_ONCE = none('is answered at once, and leaves nothing')

const IN_PATHS: Readonly<Record<string, Of>> = {
  session_id: 'a session',
  model_id: 'a model',
  feed: 'a page of rows',
  set: 'a page of rows',
  name: NAME,
  page: NAME,
  '*': 'a session, as the page has it',
}

const HEADERS: Readonly<Record<string, Of>> = {
  etag: 'a tag of an answer',
  location: none('the address of the page'),
  ...Object.fromEntries(
    [
      ...['x-request-id', 'cache-control', 'content-type', 'content-length', 'date', 'connection', 'content-security-policy'],
      ...['server-timing', 'x-grainline-timezone', 'x-grainline-truncated', 'x-grainline-cached', 'x-grainline-warnings'],
      ...['vary', 'content-encoding', 'transfer-encoding', 'odata-version', 'allow', 'x-content-type-options'],
      ...['referrer-policy', 'x-accel-buffering', 'www-authenticate', 'retry-after'],
    ].map((name) => [name, SAYS]),
  ),
}

/** Values that cannot be guessed, addresses, and fields that are named as such values are. */
const IN_BODIES: Readonly<Record<string, Of>> = {
  session_id: 'a session',
  model_id: 'a model',
  '@odata.nextLink': 'a page of rows',
  '@odata.context': 'a page of rows',
  url: 'a page of rows',
  version: 'a tag of an answer',
  uri: NAME,
  id: none('what the client itself calls a question of a batch'),
  ...Object.fromEntries(['request_id', 'name', '$id', 'path', 'RowKey'].map((name) => [name, SAYS])),
}

const STATEMENTS: Readonly<Record<Statement['kind'], Of>> = {
  select: 'an answer that is kept',
  begin: 'a portal of a transaction that is over',
  commit: 'a portal of a transaction that is over',
  rollback: 'a savepoint',
  savepoint: 'a savepoint',
  release: 'a savepoint',
  'rollback-to': 'a savepoint',
  set: 'a setting of a transaction',
  'set-modes': 'a setting of a transaction',
  reset: 'a setting of another connection',
  show: 'a setting of another connection',
  prepare: 'a prepared statement of SQL',
  execute: 'a prepared statement of SQL',
  deallocate: 'a prepared statement of another connection',
  declare: 'a cursor that is held',
  fetch: 'a cursor of another connection',
  close: 'a cursor of another connection',
  copy: AT_ONCE,
  discard: AT_ONCE,
  temporary: 'a temporary table',
  nothing: AT_ONCE,
}

const MESSAGES: Readonly<Record<keyof typeof BACKEND, Of>> = {
  parseComplete: 'a prepared statement',
  bindComplete: 'a portal',
  portalSuspended: 'a portal',
  closeComplete: AT_ONCE,
  commandComplete: AT_ONCE,
  dataRow: 'a connection to the database',
  errorResponse: SAYS,
  copyOutResponse: AT_ONCE,
  emptyQueryResponse: AT_ONCE,
  backendKeyData: none('cancels the statements of its connection: handles.test.ts'),
  noticeResponse: SAYS,
  authentication: none('proves who a caller is'),
  parameterStatus: 'a setting of another connection',
  rowDescription: SAYS,
  readyForQuery: SAYS,
  copyDone: AT_ONCE,
  copyData: AT_ONCE,
  noData: SAYS,
  parameterDescription: SAYS,
  negotiateProtocolVersion: SAYS,
}

const SEALED: Readonly<Record<Purpose, Of>> = {
  ticket: 'a ticket',
  statement: 'a prepared statement of Flight SQL',
  session: 'a cookie of Flight SQL',
  token: none('a credential: who has it is the principal'),
}

const CALLS: Readonly<Record<string, Of>> = {
  Handshake: none('gives a credential'),
  ListFlights: NAME,
  GetFlightInfo: 'a ticket',
  PollFlightInfo: 'a ticket',
  GetSchema: 'a prepared statement of Flight SQL',
  DoGet: 'a ticket',
  DoPut: 'a prepared statement with its values',
  DoExchange: AT_ONCE,
  DoAction: 'a prepared statement of Flight SQL',
  ListActions: NAME,
}

const ACTIONS: Readonly<Record<string, Of>> = {
  CreatePreparedStatement: 'a prepared statement of Flight SQL',
  ClosePreparedStatement: none('the server has nothing of it that could be closed'),
  CancelFlightInfo: 'a query to cancel',
  CancelQuery: 'a query to cancel',
  RenewFlightEndpoint: 'a renewed ticket',
  SetSessionOptions: 'a cookie of Flight SQL',
  GetSessionOptions: 'a cookie of Flight SQL',
  CloseSession: none('takes the cookie away from who asks'),
}

/** By the beginnings of keys. */
const IN_STORES: Readonly<Record<string, Of>> = {
  answer: 'an answer that is kept',
  mark: none('says when a table has changed, to the server alone'),
}

/** Kinds that no list has. */
const BETWEEN: readonly Of[] = ['a run that goes on']

const LISTS = { IN_PATHS, HEADERS, IN_BODIES, STATEMENTS, MESSAGES, SEALED, CALLS, ACTIONS, IN_STORES }

const region = (name: string) => ({
  roles: name === 'South' ? ['sales', 'manager'] : ['sales'],
  attributes: { regions: [name] },
})
const NORA: Asker = { key: 'app', as: { name: 'nora', ...region('North') } }
/** Who has a handle, and who else uses it: with other rights, with the same, of the same name, and the sender itself. */
const PAIRS: readonly (readonly [Asker, Asker])[] = [
  [{ key: 'north' }, { key: 'south' }],
  [{ key: 'south' }, { key: 'north' }],
  [{ key: 'north' }, { key: 'also' }],
  [NORA, { key: 'app', as: { name: 'nora', ...region('South') } }],
  [{ key: 'app', as: { name: 'sven', ...region('South') } }, NORA],
  [NORA, { key: 'app', as: { name: 'nina', ...region('North') } }],
  [NORA, { key: 'app' }],
]
const seesNorth = ({ key, as }: Asker): boolean => /north|also/i.test(`${key} ${JSON.stringify(as)}`)
const nameOf = ({ key, as }: Asker): string => (as ? `${as['name']} of the ${seesNorth({ key, as }) ? 'north' : 'south'}` : key)

/** Every kind with every pair that may have it, cold and warm. */
const TRIALS = Object.entries<Handle>(HANDLES).flatMap(([name, handle]) =>
  PAIRS.filter(([owner, other]) => !handle.isShared || (owner.as !== undefined && other.as !== undefined)).flatMap((pair) =>
    [false, true].map((isWarm) => ({ name, handle, pair, isWarm })),
  ),
)

const asked = new Set(oneIn(5, TRIALS))

async function tryHandle(
  t: Test,
  server: Omit<TriedServer, 'after'>,
  { name, handle, pair, isWarm }: (typeof TRIALS)[number],
  fresh: number,
) {
  const [owner, other] = pair
  const what = `${name} of ${nameOf(owner)}, ${isWarm ? 'warm' : 'cold'}, used by ${nameOf(other)}`
  const opened: (() => Promise<unknown>)[] = []
  const seen = await handle.tried({ ...server, after: (close) => opened.push(close) }, pair, fresh, isWarm)
  for (const close of opened) await close()
  const { refusal } = handle
  for (const text of seen.other)
    if (refusal) t.match(text, refusal, what)
    else t.same(text, seen.own, what)
  t.same(new Set(seen.owner), new Set([seen.owner[0]]), `${what}: who has it is told the same before and after`)
  if (refusal && !handle.isEnded) t.notMatch(seen.owner[0], refusal, `${what}: who has it is not refused`)
  for (const [who, texts] of [
    [owner, seen.owner],
    [other, [...seen.other, seen.own]],
  ] as const)
    t.notMatch(texts.join('\n'), seesNorth(who) ? /Bob|South/ : /Ann|North/, `${what}: ${nameOf(who)} sees nothing of others`)
}

/** What the server says of itself, and what it hands out at each of its doors. */
async function handedOut({ app, routes, flightPort }: WholeServer) {
  const [headers, names, tagged] = [new Set<string>(), new Set<string>(), new Map<string, string>()]
  const inject = async (request: InjectOptions) => {
    const answer = await app.inject(request)
    for (const header of Object.keys(answer.headers)) headers.add(header)
    const url = String(request.url)
    const route = url.replace(/\?.*/, '')
    if (request.method === 'GET' && answer.headers['etag'] !== undefined && !tagged.has(route)) tagged.set(route, url)
    for (const name of handlesIn(parsed(/^data: (.*)$/m.exec(answer.payload)?.[1] ?? answer.payload))) names.add(name)
    return answer
  }
  const heard: typeof app = Object.create(app, { inject: { value: inject } })
  const asked = new Map<string, number>()
  for (const { door, request } of requestsOf({ routes }, {}, ({ url }) => !/:session_id\/./.test(url))) {
    const before = asked.get(door) ?? 0
    asked.set(door, before + 1)
    if (before < 3) await heard.inject({ ...request, headers: { 'x-api-key': KEYS.north, ...request.headers } })
  }
  await everyDoor({ app: heard, routes }, 'north', ({ url }) => url.startsWith('/mcp/'))
  const client = await connectFlightSql({ host: '127.0.0.1', port: flightPort, credentials: { token: KEYS.north } })
  const actions = new Set<string>()
  for await (const action of client.calls.stream('ListActions', Buffer.alloc(0)))
    actions.add(flight.actionType.decode(action as Buffer).type ?? '')
  client.close()
  return {
    tagged: [...tagged.values()],
    IN_PATHS: new Set(routes.flatMap(({ url }) => (url.match(/:\w+|\*/g) ?? []).map((part) => part.replace(':', '')))),
    HEADERS: headers,
    IN_BODIES: names,
    CALLS: new Set(Object.keys(flightDefinition)),
    ACTIONS: actions,
  }
}

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The names of fields whose value cannot be guessed or is a whole address, or that are named as such a value is. */
function handlesIn(value: unknown, name = ''): readonly string[] {
  if (Array.isArray(value)) return value.flatMap((one) => handlesIn(one, name))
  if (typeof value === 'object' && value !== null) return Object.entries(value).flatMap(([inner, held]) => handlesIn(held, inner))
  const isHandle =
    typeof value === 'string' &&
    (/^(?=.*\d)[\w+/=-]{8,}$/.test(value) ||
      /^\w+:\/\/\S+$/.test(value) ||
      /(?:\b|_)(?:id|token|link|etag|hash|cursor|handle|ticket|key)$|(?:Id|Token|Link|Hash|Cursor|Handle|Ticket)$/.test(name))
  return isHandle ? [name] : []
}

t.test('each handle, by two principals, cold and warm', async (t) => {
  const { plugin, written } = watchedStore()
  const whole = await wholeServer(t, plugin)
  const { tagged, ...given } = await handedOut(whole)
  const server = { ...whole, tagged }
  const begun = new Set([...written.keys()].map((key) => key.split('/', 1)[0] ?? ''))
  for (const [list, names] of Object.entries({ ...given, IN_STORES: begun }))
    t.same(
      [...names].filter((name) => !Object.hasOwn(LISTS[list as keyof typeof LISTS], name)),
      [],
      `${list}: what is new needs a kind`,
    )
  t.ok(tagged.length > 10, `${tagged.length} addresses with a tag`)
  const used = new Set([...Object.values(LISTS).flatMap((list) => Object.values<Of>(list)), ...BETWEEN])
  t.same([...used].filter((of) => typeof of === 'string').sort(), Object.keys(HANDLES).sort(), 'no kind is forgotten')
  // Each kind is asked for some of its trials.
  for (const [i, trial] of TRIALS.entries()) if (asked.has(trial)) await tryHandle(t, server, trial, i + 1)
})
