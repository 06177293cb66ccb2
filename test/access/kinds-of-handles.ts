/** Every kind of thing that a server hands out and takes again, as a table: how a principal gets one, and how any principal uses it. */
import { connectFlightSql, flight, sql } from '@grainline/flight-sql'
import pg from 'pg'
import { parameterBatch } from '../../packages/flight-sql/src/client/parameter-batch.js'
import {
  ask,
  bind,
  connectRaw,
  errorOf,
  execute,
  parse,
  type RawClient,
  rowsOf,
  scram,
  startup,
  sync,
  typesOf,
} from '../pgwire/raw-client.js'
import type { Json } from '../rest/server.js'
import { alike } from './doors.js'
import { acted, bytesRead, ofHandle, openedBy } from './flight-handles.js'
import { KEYS } from './shop.js'
import type { TriedServer } from './whole-server.js'

/** Who asks: a key, and whom it acts for. */
export interface Asker {
  readonly key: keyof typeof KEYS
  readonly as?: Readonly<Record<string, unknown>>
}

interface Kind<Held> {
  /** `fresh` is a number that makes the question one that was not asked before. */
  readonly get: (server: TriedServer, asker: Asker, fresh: number) => Promise<Held>
  /** The answer to a principal who uses it. */
  readonly use: (server: TriedServer, asker: Asker, held: Held) => Promise<string>
  /** The answer to every other principal. Without it, they get the answer for one that they have opened. */
  readonly refusal?: RegExp
  /** It is of a connection that several people share, each of whom acts for a principal. */
  readonly isShared?: boolean
  /** It has ended before anybody uses it, also for who made it. */
  readonly isEnded?: boolean
}

/** What two principals are told, in turn: the one who has it, the other with it, and the other with one that they have opened. */
export interface Trial {
  readonly owner: readonly string[]
  readonly other: readonly string[]
  readonly own: string
}

export interface Handle {
  readonly refusal: RegExp | undefined
  readonly isShared: boolean
  readonly isEnded: boolean
  /** If it is warm, who has it has used it before. */
  readonly tried: (server: TriedServer, askers: readonly [Asker, Asker], fresh: number, isWarm: boolean) => Promise<Trial>
}

const handle = <Held>({ get, use, refusal, isShared = false, isEnded = false }: Kind<Held>): Handle => ({
  refusal,
  isShared,
  isEnded,
  async tried(server, [owner, other], fresh, isWarm) {
    const held = await get(server, owner, fresh)
    const before = isWarm ? [await use(server, owner, held)] : []
    const cold = await use(server, other, held)
    // A principal who may open none has none.
    const own = await get(server, other, fresh).then(
      (theirs) => use(server, other, theirs),
      (error: Error) => `refused: ${error.message}`,
    )
    const warm = await use(server, other, held)
    return { owner: [...before, await use(server, owner, held)], other: [cold, warm], own }
  },
})

const named = (principal: object): string => Buffer.from(JSON.stringify(principal)).toString('base64')
const headersOf = ({ key, as }: Asker) => ({ 'x-api-key': KEYS[key], ...(as && { 'x-on-behalf-of': named(as) }) })

/** The rows of a question are as many whatever the limit is. */
const questionOf = (fresh: number) => ({
  select: { dimensions: ['Customer'], measures: ['Revenue'] },
  order_by: [{ field: 'Customer' }],
  limit: 1000 + fresh,
})
const statementOf = (fresh: number): string => `SELECT "Customer", "Revenue" FROM shop ORDER BY 1 LIMIT ${1000 + fresh}`

async function http({ app }: TriedServer, asker: Asker, request: { readonly url: string; readonly [name: string]: unknown }) {
  const headers = { ...headersOf(asker), ...(request['headers'] as object) }
  const answer = await app.inject({ ...request, headers })
  const text = alike(answer.payload).replace(/"(?:cached|cached_at)":\w+,?/g, '')
  return {
    status: answer.statusCode,
    headers: answer.headers,
    text: `${answer.statusCode} ${text}`,
    body: parsed(answer.payload),
  }
}

function parsed(text: string): Json {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const asking = async (server: TriedServer, asker: Asker, payload: object): Promise<string> =>
  (await http(server, asker, { method: 'POST', url: '/v1/query/execute', payload })).text

/** Rows that look alike, so that it does not matter how many of them were read before. */
const rowsWanted = (fresh: number): string => `SELECT "Customers"."Region" FROM shop LIMIT ${1000 + fresh}`

/** A connection to the Postgres wire, whose errors are their code and message. */
async function onWire({ port }: TriedServer, { key, as }: Asker) {
  const options = as && `-c grainline.on_behalf_of=${named(as)}`
  const login = { host: '127.0.0.1', port, user: key, password: KEYS[key], database: 'shop' }
  const client = new pg.Client({ ...login, ...(options && { options }) })
  client.on('error', () => undefined)
  await client.connect()
  return client
}

const said = (client: pg.Client, asked: string | { readonly name: string; readonly text: string }): Promise<string> =>
  client.query<unknown[]>({ ...(typeof asked === 'string' ? { text: asked } : asked), rowMode: 'array' }).then(
    ({ rows }) => JSON.stringify(rows),
    (error: Error & { code?: string }) => `${error.code} ${error.message}`,
  )

/** What a principal is told on another connection, which knows nothing of this one. */
async function apart(server: TriedServer, asker: Asker, asked: string | { readonly name: string; readonly text: string }) {
  const client = await onWire(server, asker)
  const text = await said(client, asked)
  await client.end()
  return text
}

/** A connection of the application, on which each transaction is of one principal. */
interface Shared {
  readonly client: pg.Client
  readonly fresh: number
}

async function within<T>({ client }: Shared, { as }: Asker, work: () => Promise<T>): Promise<T> {
  await client.query('BEGIN')
  await client.query(`SET LOCAL grainline.on_behalf_of = '${named(as ?? {})}'`)
  const done = await work()
  await client.query('COMMIT')
  return done
}

/** Something of a connection: how it is made, and how it is used there. */
function ofConnection(
  make: (fresh: number) => string | { readonly name: string; readonly text: string },
  use: (fresh: number) => string | { readonly name: string; readonly text: string },
  more: Pick<Kind<Shared>, 'refusal' | 'isEnded'> = {},
): Kind<Shared> {
  return {
    isShared: true,
    ...more,
    async get(server, asker, fresh) {
      const client = await onWire(server, { key: 'app' })
      server.after(() => client.end())
      await within({ client, fresh }, asker, () => said(client, make(fresh)))
      return { client, fresh }
    },
    use: async (_server, asker, shared) => within(shared, asker, () => said(shared.client, use(shared.fresh))),
  }
}

/** The same with messages that a test sends one by one. */
async function rawWithin<T>(client: RawClient, { as }: Asker, work: () => Promise<T>): Promise<T> {
  for (const text of ['BEGIN', `SET LOCAL grainline.on_behalf_of = '${named(as ?? {})}'`]) await ask(client, text)
  const done = await work()
  await ask(client, 'COMMIT')
  return done
}

async function rawOnWire({ port }: TriedServer, { key, as }: Asker): Promise<RawClient> {
  const client = await connectRaw(port)
  const options = as && `-c grainline.on_behalf_of=${named(as)}`
  client.send(startup({ user: key, database: 'shop', ...(options && { options }) }))
  await client.next()
  await scram(client, KEYS[key])
  await client.until('Z')
  return client
}

/** Something of a connection that no other connection has. */
interface Own {
  readonly asker: Asker
  readonly client: pg.Client
}
const sameAsker = (one: Asker, other: Asker): boolean => JSON.stringify(one) === JSON.stringify(other)

function ofOwnConnection(make: (fresh: number) => string, use: string, refusal: RegExp): Kind<Own> {
  return {
    refusal,
    async get(server, asker, fresh) {
      const client = await onWire(server, asker)
      server.after(() => client.end())
      await client.query(make(fresh))
      return { asker, client }
    },
    use: (server, asker, { asker: owner, client }) => (sameAsker(asker, owner) ? said(client, use) : apart(server, asker, use)),
  }
}

/** A client of Flight SQL; what it is refused is the message. */
async function overFlight<T>(
  { flightPort }: TriedServer,
  { key, as }: Asker,
  work: (client: Awaited<ReturnType<typeof connectFlightSql>>) => Promise<T>,
  headers: Readonly<Record<string, string>> = {},
): Promise<T | string> {
  const given = { ...headers, ...(as && { 'x-on-behalf-of': named(as) }) }
  const client = await connectFlightSql({
    host: '127.0.0.1',
    port: flightPort,
    credentials: { token: KEYS[key] },
    headers: given,
  })
  try {
    return await work(client)
  } catch (error) {
    return `refused: ${error instanceof Error ? error.message : error}`
  } finally {
    client.close()
  }
}
/** A session of a principal, until the end of the trial. */
async function session(server: TriedServer, asker: Asker): Promise<string> {
  const { body } = await http(server, asker, { method: 'POST', url: '/v1/sessions', payload: {} })
  const id = String(body.session_id)
  server.after(() => http(server, asker, { method: 'DELETE', url: `/v1/sessions/${id}` }))
  return id
}

type Opened = Awaited<ReturnType<typeof openedBy>>
const opened = async (server: TriedServer, asker: Asker, fresh: number): Promise<Opened> => {
  const got = await overFlight(server, asker, (client) => openedBy(client, statementOf(fresh)))
  if (typeof got === 'string') throw new Error(got)
  return got
}
const text = (bytes: Uint8Array): string => alike(Buffer.from(bytes).toString('latin1'))
const NOT_YOURS = /refused:.*(?:another|other) (?:principal|client|key)|PERMISSION_DENIED/

const page = { headers: { prefer: 'odata.maxpagesize=1' } }

export const HANDLES = {
  'a session': handle<string>({
    refusal: /^404 .*SESSION_NOT_FOUND/,
    get: session,
    use: async (server, asker, id) => (await http(server, asker, { url: `/v1/sessions/${id}` })).text,
  }),
  'a session, as the page has it': handle<string>({
    refusal: /^404 .*SESSION_NOT_FOUND/,
    get: session,
    use: async (server, asker, id) =>
      (await http(server, asker, { url: `/ui/api/v1/sessions/${id}/models`, headers: { 'x-grainline-ui': '1' } })).text,
  }),
  'a model': handle({
    get: async (server, asker, fresh) => {
      const { body } = await http(server, asker, { url: '/v1/sessions/shop/models' })
      return { session_id: 'shop', model_id: body[0].model_id, query: questionOf(fresh) }
    },
    use: asking,
  }),
  'a tag of an answer': handle({
    get: async (server, asker) => {
      const kept = new Map<string, { readonly etag: string; readonly text: string }>()
      for (const url of server.tagged) {
        const { headers, text } = await http(server, asker, { url })
        kept.set(url, { etag: String(headers['etag'] ?? ''), text })
      }
      return kept
    },
    // As a cache between them shows it: what it has is shown if the server says that nothing has changed.
    use: async (server, asker, kept) => {
      const shown: string[] = []
      for (const [url, { etag, text: before }] of kept) {
        const { status, text } = await http(server, asker, { url, headers: { 'if-none-match': etag } })
        shown.push(`${url} ${status === 304 ? before : text}`)
      }
      return shown.join('\n')
    },
  }),
  'a page of rows': handle({
    get: async (server, asker, fresh) => {
      const url = `/odata/shop/shop?$select=Customer,Revenue&$orderby=Customer&$top=${1000 + fresh}`
      const { body } = await http(server, asker, { url, ...page })
      // Who is refused the first page knows how the others are named.
      return String(body['@odata.nextLink'] ?? `${url}&$skiptoken=1`).replace(/^https?:\/\/[^/]+/, '')
    },
    use: async (server, asker, url) => (await http(server, asker, { url, ...page })).text,
  }),
  'an answer that is kept': handle({
    get: async (server, asker, fresh) => {
      const payload = { query: questionOf(fresh) }
      await asking(server, asker, payload)
      return payload
    },
    use: asking,
  }),
  'a run that goes on': handle({
    get: async (server, asker, fresh) => {
      const payload = { query: questionOf(fresh) }
      return { payload, running: asking(server, asker, payload) }
    },
    use: async (server, asker, { payload, running }) => {
      const [own] = await Promise.all([asking(server, asker, payload), running])
      return own
    },
  }),
  'a connection to the database': handle({
    get: async (server, asker, fresh) => {
      const client = await rawOnWire(server, asker)
      client.send(parse(`SELECT "Orders"."Id" FROM shop LIMIT ${1000 + fresh}`), bind(), execute(1), sync())
      await client.until('Z')
      client.end()
      return statementOf(fresh)
    },
    use: apart,
  }),
  'a prepared statement': handle(
    ofConnection(
      (fresh) => ({ name: 'kept', text: statementOf(fresh) }),
      (fresh) => ({ name: 'kept', text: statementOf(fresh) }),
    ),
  ),
  'a prepared statement of SQL': handle(
    ofConnection(
      (fresh) => `PREPARE kept AS ${statementOf(fresh)}`,
      () => 'EXECUTE kept',
    ),
  ),
  'a prepared statement of another connection': handle(
    ofOwnConnection((fresh) => `PREPARE kept AS ${statementOf(fresh)}`, 'EXECUTE kept', /^26000 /),
  ),
  'a cursor that is held': handle(
    ofConnection(
      (fresh) => `DECLARE kept CURSOR WITH HOLD FOR ${rowsWanted(fresh)}`,
      () => 'FETCH 1 FROM kept',
      { refusal: /^42501 / },
    ),
  ),
  'a cursor of another connection': handle(
    ofOwnConnection((fresh) => `DECLARE kept CURSOR WITH HOLD FOR ${rowsWanted(fresh)}`, 'FETCH 1 FROM kept', /^34000 /),
  ),
  'a temporary table': handle(
    ofOwnConnection(() => 'CREATE TEMPORARY TABLE kept AS SELECT 42 AS a', 'SELECT * FROM kept', /^42P01 /),
  ),
  'a setting of a transaction': handle(
    ofConnection(
      () => "SET LOCAL timezone = 'Asia/Tokyo'",
      () => 'SHOW timezone',
      { isEnded: true },
    ),
  ),
  'a setting of another connection': handle(ofOwnConnection(() => "SET timezone = 'Asia/Tokyo'", 'SHOW timezone', /"UTC"/)),
  'a savepoint': handle(
    ofConnection(
      () => 'SAVEPOINT kept',
      () => 'ROLLBACK TO kept',
      { isEnded: true },
    ),
  ),
  'a portal': handle<{ readonly asker: Asker; readonly client: RawClient }>({
    refusal: /^34000/,
    async get(server, asker, fresh) {
      const client = await rawOnWire(server, asker)
      server.after(async () => client.end())
      await ask(client, 'BEGIN')
      client.send(parse(rowsWanted(fresh)), bind({ portal: 'kept' }), execute(1, 'kept'), sync())
      await client.until('Z')
      return { asker, client }
    },
    async use(server, asker, { asker: owner, client }) {
      const own = sameAsker(asker, owner) ? client : await rawOnWire(server, asker)
      own.send(execute(1, 'kept'), sync())
      const answer = await own.until('Z')
      if (own !== client) own.end()
      return typesOf(answer).includes('E') ? `${errorOf(answer).C}` : JSON.stringify(rowsOf(answer))
    },
  }),
  'a portal of a transaction that is over': handle<{ readonly client: RawClient }>({
    isShared: true,
    isEnded: true,
    async get(server, asker, fresh) {
      const client = await rawOnWire(server, { key: 'app' })
      server.after(async () => client.end())
      await rawWithin(client, asker, async () => {
        client.send(parse(rowsWanted(fresh)), bind({ portal: 'kept' }), execute(1, 'kept'), sync())
        await client.until('Z')
      })
      return { client }
    },
    use: async (_server, asker, { client }) =>
      rawWithin(client, asker, async () => {
        client.send(execute(1, 'kept'), sync())
        return `${errorOf(await client.until('Z')).C}`
      }),
  }),
  'a ticket': handle({
    refusal: NOT_YOURS,
    get: async (server, asker, fresh) => (await opened(server, asker, fresh)).ticket,
    use: async (server, asker, ticket) => overFlight(server, asker, async (client) => text(await bytesRead(client, ticket))),
  }),
  'a renewed ticket': handle({
    refusal: NOT_YOURS,
    get: async (server, asker, fresh) => (await opened(server, asker, fresh)).endpoint,
    use: async (server, asker, endpoint) =>
      overFlight(server, asker, async (client) => {
        const { answer } = await acted(client, 'RenewFlightEndpoint', flight.renewFlightEndpointRequest.encode({ endpoint }))
        const { ticket } = flight.flightEndpoint.decode(answer)
        return text(await bytesRead(client, ticket!.ticket!))
      }),
  }),
  'a query to cancel': handle({
    refusal: NOT_YOURS,
    get: async (server, asker, fresh) => (await opened(server, asker, fresh)).info,
    use: async (server, asker, info) =>
      overFlight(server, asker, async (client) =>
        text((await acted(client, 'CancelFlightInfo', flight.cancelFlightInfoRequest.encode({ info }))).answer),
      ),
  }),
  'a prepared statement of Flight SQL': handle({
    refusal: NOT_YOURS,
    get: async (server, asker, fresh) => (await opened(server, asker, fresh)).handle,
    use: async (server, asker, given) =>
      overFlight(server, asker, async (client) => text(await bytesRead(client, ofHandle(given)))),
  }),
  'a prepared statement with its values': handle({
    refusal: NOT_YOURS,
    get: async (server, asker, fresh) => {
      const query = `SELECT "Customer", "Revenue" FROM shop WHERE "Customer" <> ? ORDER BY 1 LIMIT ${1000 + fresh}`
      const bound = await overFlight(server, asker, async (client) => {
        const { parameterSchema } = await client.prepare(query)
        const { handle: plain } = await openedBy(client, query)
        const descriptor = { type: flight.DESCRIPTOR_CMD, cmd: ofHandle(plain) }
        const [answer] = await client.calls.put(await parameterBatch(descriptor, parameterSchema, ['nobody']))
        const { appMetadata } = flight.putResult.decode(answer!)
        return sql.doPutPreparedStatementResult.decode(appMetadata!).preparedStatementHandle!
      })
      if (typeof bound === 'string') throw new Error(bound)
      return bound
    },
    use: async (server, asker, given) =>
      overFlight(server, asker, async (client) => text(await bytesRead(client, ofHandle(given)))),
  }),
  'a cookie of Flight SQL': handle<string>({
    get: async (server, asker) => {
      const sessionOptions = new Map([['catalog', { stringValue: 'shop' }]])
      const got = await overFlight(server, asker, async (client) => {
        const body = flight.setSessionOptionsRequest.encode({ sessionOptions })
        return (await acted(client, 'SetSessionOptions', body)).cookie
      })
      return got
    },
    use: async (server, asker, cookie) =>
      overFlight(
        server,
        asker,
        async (client) => text(await bytesRead(client, (await openedBy(client, statementOf(0))).ticket)),
        {
          cookie,
        },
      ),
  }),
} as const
