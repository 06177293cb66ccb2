/** All attacks at once: models, queries, SQL, and bytes on every wire, while other clients run queries with known answers. */
import net from 'node:net'
import { connectFlightSql } from '@grainline/flight-sql'
import { fuzz as fuzzFlight } from '../flight/fuzz.js'
import { rowsOf as flightRows } from '../flight/rows-of.js'
import { fuzz as fuzzWire } from '../pgwire/fuzz.js'
import { ask, connectReady, rowsOf } from '../pgwire/raw-client.js'
import { mutateText, type Random, random } from '../rest/mutate.js'
import { shopModel } from '../rest/shop.js'
import { Client, type Reply } from './client.js'
import { type HostileRequest, hostileRequest, operationsOf } from './hostile.js'
import { hostileBursts } from './hostile-bursts.js'

export interface HostileTarget {
  readonly url: string
  readonly wire: number
  readonly flight: number
}

export interface HostilePlan {
  readonly seed: number
  /** Clients of each kind. */
  readonly clients: number
  /** Corrupted messages between two checks for the end. */
  readonly slice: number
  /** The pause of a client that behaves between two queries. */
  readonly pauseMs: number
  readonly over: () => boolean
  /** Addresses of the attackers over HTTP; each counts as one client. */
  readonly attackFrom?: readonly string[]
  /** If given, budgets are used up on purpose from these addresses. */
  readonly burstFrom?: readonly string[]
}

export interface HostileReport {
  readonly statuses: ReadonlyMap<number, number>
  /** How often each error was returned over HTTP. */
  readonly codes: ReadonlyMap<string, number>
  readonly messages: number
  /** Correct answers to the other clients. */
  readonly checked: number
  /** The reasons why these clients were asked to try again, with their numbers. */
  readonly busy: ReadonlyMap<string, number>
  /** How often the fuzz could not run its own query. */
  readonly crowded: number
}

const KNOWN = 'SELECT "Origin Code", "Flight Count" FROM flights ORDER BY 1'
const BUSY = new Set([429, 503, 504])

/** Rejects on a 500, on a wrong answer, and if a client that behaves is not served. The server publishes the flights. */
export async function hostileMix(
  target: HostileTarget,
  { seed, clients, slice, pauseMs, over, attackFrom, burstFrom }: HostilePlan,
): Promise<HostileReport> {
  const http = new Client(target.url, 2)
  const hostile = (attackFrom ?? [undefined]).map((address) => new Client(target.url, 2 * clients, address))
  const operations = operationsOf(await http.json('GET', '/openapi.json'))
  const seen = {
    statuses: new Map<number, number>(),
    codes: new Map<string, number>(),
    messages: 0,
    checked: 0,
    crowded: 0,
    busy: new Map<string, number>(),
  }
  let ids: Record<string, string> = {}

  const note = ({ status, text }: Pick<Reply, 'status' | 'text'>) => {
    count(seen.statuses, status)
    const code = status >= 400 ? codeIn(text) : undefined
    if (code) count(seen.codes, code)
    if (status === 500) throw new Error(text.slice(0, 500))
  }
  let sent = 0
  async function send({ method, path, body, headers }: HostileRequest): Promise<void> {
    note(await hostile[sent++ % hostile.length]!.send(method, path, body, headers).catch(brokenOff))
  }

  const attackers: Readonly<Record<string, (next: Random, round: number) => Promise<void>>> = {
    async requests(next) {
      if (next() < 0.02) ids = await freshIds(hostile[0]!, ids)
      await send(next() < 0.9 ? hostileRequest(operations, ids, next) : giant(ids, next))
    },
    statements: (next) =>
      send({
        method: 'POST',
        path: '/v1/sessions/flights/query/semantic-ql',
        headers: {},
        body: JSON.stringify({ sql: statement(next) }),
      }),
    async bytes(next) {
      const localAddress = attackFrom?.[seen.messages % attackFrom.length]
      await sayBytes(
        { port: Number(new URL(target.url).port), ...(localAddress !== undefined && { localAddress }) },
        spoiledRequest(next),
      )
      seen.messages++
    },
  }
  const attack = async (name: string, index: number): Promise<void> => {
    const next = random(seed * 1009 + index * 31 + name.length)
    for (let round = 0; !over(); round++) await attackers[name]!(next, round)
  }
  const wires = async (fuzz: typeof fuzzWire | typeof fuzzFlight, port: number): Promise<void> => {
    for (let part = 0; !over(); part++) {
      // It needs a SELECT at its start and end, for which it may have to try again; the observing clients check the server.
      const { messages, alive } = await fuzz(port, seed + part, slice, attackFrom?.[part % attackFrom.length]).catch(unlessBusy)
      if (!alive) seen.crowded++
      seen.messages += messages
    }
  }
  const known = await knownAnswers(target, http, (why) => {
    count(seen.busy, why)
    return undefined
  })
  const watch = async (look: () => Promise<string | undefined>, right: string): Promise<void> => {
    do {
      const answer = await look()
      if (answer === undefined) continue
      if (answer !== right) throw new Error(`an answer changed: ${answer.slice(0, 300)}`)
      seen.checked++
    } while (!over() && (await pause(pauseMs)))
  }
  const rights = await Promise.all(known.looks.map(atRest))
  const watching = known.looks.map((look, i) => watch(look, rights[i] ?? ''))
  const attacking = Object.keys(attackers).flatMap((name) => Array.from({ length: clients }, (_, i) => attack(name, i)))
  try {
    const bursts = burstFrom ? [hostileBursts({ ...target, from: burstFrom, seen: note, over })] : []
    const fuzzing = [wires(fuzzWire, target.wire), wires(fuzzFlight, target.flight)]
    await Promise.all([...watching, ...attacking, ...bursts, ...fuzzing])
  } finally {
    known.close()
    for (const client of hostile) client.close()
    http.close()
  }
  return seen
}

/** A reset may overtake the header of the answer that it aborts. */
function brokenOff(error: unknown): Pick<Reply, 'status' | 'text' | 'complete'> {
  if ((error as { readonly code?: unknown }).code !== 'ECONNRESET') throw error
  return { status: 0, text: '', complete: false }
}

const unlessBusy = (error: unknown) => {
  // Either the Postgres wire has its maximum of connections, or it cannot tell the reason any more.
  const full = /not let in: .*(53300|57014|\[\])/.test(String(error))
  if (!full && !isBusy(error)) throw error
  return { messages: 0, alive: false }
}

/** The gRPC statuses of a time-out, a used-up budget and an unavailable server. */
const isBusy = (error: unknown): boolean => [4, 8, 14].includes(Number((error as { readonly code?: unknown }).code))

const count = <K>(counts: Map<K, number>, key: K): void => void counts.set(key, (counts.get(key) ?? 0) + 1)

const pause = (ms: number) => new Promise<true>((resolve) => setTimeout(() => resolve(true), ms))

/** Before the attacks; a machine with other load may need several tries. */
async function atRest(look: () => Promise<string | undefined>): Promise<string> {
  for (;;) {
    const answer = await look()
    if (answer !== undefined) return answer
  }
}

const codeIn = (text: string): string | undefined => /"code":"(\w+)"/.exec(text)?.[1]
const rowsIn = (text: string): string | undefined => /"rows":(\[\[.*\]\])/s.exec(text)?.[1]

/** The same query on every surface; `undefined` if the server asks to try again. */
async function knownAnswers(target: HostileTarget, http: Client, busy: (why: string) => undefined) {
  const wire = await connectReady(target.wire, { database: 'flights' })
  const flight = await connectFlightSql({ host: '127.0.0.1', port: target.flight })
  const overHttp = async () => {
    const asked = http.send('POST', '/v1/sessions/flights/query/semantic-ql', JSON.stringify({ sql: KNOWN }))
    const { status, text, complete } = await asked.catch(brokenOff)
    // An answer that times out in the middle of its rows resets its connection.
    if (BUSY.has(status) || !complete) return busy(`HTTP ${complete ? (codeIn(text) ?? status) : 'cut'}`)
    return status === 200 ? (rowsIn(text) ?? text) : `${status} ${text}`
  }
  const overWire = async () => {
    const messages = await ask(wire, KNOWN)
    const refused = messages.find(({ type }) => type === 'E')?.body.toString('utf8')
    const [, state] = /C(53300|57014)/.exec(refused ?? '') ?? []
    if (state !== undefined) return busy(`wire ${state}`)
    if (refused !== undefined) return refused
    return JSON.stringify(rowsOf(messages))
  }
  const overFlight = async () => {
    try {
      return JSON.stringify(await flightRows(await flight.query(KNOWN)), (_, value) =>
        typeof value === 'bigint' ? String(value) : value,
      )
    } catch (error) {
      if (isBusy(error)) return busy(`Flight ${(error as { readonly code?: unknown }).code}`)
      throw error
    }
  }
  return {
    looks: [overHttp, overWire, overFlight],
    close: () => {
      wire.end()
      flight.close()
    },
  }
}

async function freshIds(client: Client, before: Record<string, string>): Promise<Record<string, string>> {
  const opened = await client.send('POST', '/v1/sessions', '{}')
  if (opened.status !== 201) return before
  const { session_id = '' } = JSON.parse(opened.text) as { session_id?: string }
  const loaded = await client.send('POST', `/v1/sessions/${session_id}/models`, JSON.stringify({ model_json: shopModel }))
  const { model_id = '' } = JSON.parse(loaded.text || '{}') as { model_id?: string }
  return { session_id, model_id, name: 'Region', page: 'query' }
}

/** Large models, valid and invalid ones. */
function giant(ids: Readonly<Record<string, string>>, next: Random): HostileRequest {
  const size = Math.floor(next() * 20_000)
  const columns = Object.fromEntries(
    Array.from({ length: Math.min(size, 9000) }, (_, i) => [`c${i}`, { code: 'c', abstractType: 'int' }]),
  )
  const objects = Object.fromEntries(Array.from({ length: 5 }, (_, i) => [`O${i}`, { code: `t${i}`, columns }]))
  const list = { field: 'Sale Id', op: 'in', value: Array.from({ length: size * 5 }, (_, i) => i) }
  const bodies: readonly (readonly [path: string, body: unknown])[] = [
    [`/v1/sessions/${ids.session_id}/models`, { model_json: { name: `m${size}`, dataObjects: objects } }],
    [`/v1/sessions/${ids.session_id}/models`, { model_json: { ...shopModel, metrics: chain(size >> 3), examples: [] } }],
    ['/v1/query/sql', { session_id: ids.session_id, query: { select: { measures: [`M${(size >> 3) - 1}`] } } }],
    [
      '/v1/oneshot/batch',
      { queries: Array.from({ length: size >> 7 }, () => ({ query: { select: { measures: ['Revenue'] } } })) },
    ],
    ['/v1/query/execute', { session_id: 'flights', query: { select: { dimensions: [growing(size)] }, limit: 5 } }],
    ['/v1/query/execute', { session_id: 'flights', query: { select: { fields: ['Flights.Tail Number'] }, limit: size } }],
    ['/v1/validate', { model_json: columns }],
    ['/v1/validate', columns],
    ['/v1/query/sql', { session_id: ids.session_id, query: { select: { measures: ['Revenue'] }, where: [list] } }],
    ['/v1/query/semantic-ql', { session_id: ids.session_id, sql: `SELECT ${'"Region",'.repeat(size)} "Region" FROM shop` }],
    ['/v1/query/sql', { query: columns }],
  ]
  const [path, body] = bodies[Math.floor(next() * bodies.length)]!
  return { method: 'POST', path, body: JSON.stringify(body), headers: {} }
}

/** Each metric refers to the previous one. */
const chain = (length: number) =>
  Object.fromEntries(
    Array.from({ length }, (_, i) => [
      `M${i}`,
      { type: 'derived', expression: i === 0 ? '{[Revenue]} + 1' : `{[M${i - 1}]} + 1` },
    ]),
  )
const growing = (size: number) => ({ expression: `length(lpad({[Airline]}, ${size * 1000}, 'x'))`, as: 'long' })

const LEAF = '(SELECT "Origin Code" AS code, "Destination Code" AS d, "Flight Count" AS n FROM flights) AS t'
const doubled = (depth: number): string =>
  depth === 0 ? LEAF : `(SELECT code || code AS code, d, n FROM ${doubled(depth - 1)}) AS d${depth}`
const STATEMENTS = [
  KNOWN,
  `SELECT max(length(code)) FROM ${doubled(20)}`,
  `SELECT max(length(replace(code, 'J', lpad(d, 9000, 'x')))) FROM ${LEAF}`,
  `SELECT string_agg(lpad(code, 9000, 'x'), ',') FROM ${LEAF}`,
  `SELECT count(*) FROM ${LEAF} CROSS JOIN (SELECT "Destination Code" AS e FROM flights) AS u CROSS JOIN (SELECT "Destination Code" AS f FROM flights) AS v CROSS JOIN (SELECT "Destination Code" AS g FROM flights) AS w WHERE e || f || g = d`,
  `SELECT "Tail Number", "Flight Count" FROM flights WHERE "Origin Code" IN ('JFK', 'x') ORDER BY 2 DESC LIMIT 100`,
  `SELECT regexp_replace(code, '(a|b|c)*', '\\1\\1\\1', 'g') FROM ${LEAF}`,
  'SELECT "Flight Count" FROM flights; DROP TABLE flights',
  'SELECT "Tail Number", "Flight Count" FROM flights',
  'SELECT "Tail Number", "Destination Code", "Flight Count" FROM flights LIMIT 50000',
]

function statement(next: Random): string {
  const text = STATEMENTS[Math.floor(next() * STATEMENTS.length)]!
  return next() < 0.5 ? text : mutateText(text, next)
}

function spoiledRequest(next: Random): Buffer {
  const body = JSON.stringify({ sql: KNOWN })
  const text = `POST /v1/query/semantic-ql HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`
  const bytes = Buffer.from(next() < 0.5 ? mutateText(text, next) : text)
  for (let i = Math.floor(next() * 8); i > 0; i--) bytes[Math.floor(next() * bytes.length)] = Math.floor(next() * 256)
  return bytes.subarray(0, next() < 0.3 ? Math.floor(next() * bytes.length) : bytes.length)
}

/** Sends it, ends the stream, and reads until the server closes the connection, or for a moment if the server waits for more. */
function sayBytes(where: { readonly port: number; readonly localAddress?: string }, bytes: Buffer): Promise<void> {
  return new Promise((resolve) => {
    const socket = net.connect({ ...where, host: '127.0.0.1' }, () => socket.end(bytes))
    const enough = setTimeout(() => socket.destroy(), 500)
    socket.resume()
    socket.on('error', () => socket.destroy())
    socket.on('close', () => {
      clearTimeout(enough)
      resolve()
    })
  })
}
