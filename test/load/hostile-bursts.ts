/** Bursts that use up a budget on purpose, so that its error occurs: each from separate addresses, so that other clients keep their budgets. */
import { ask, connectReady } from '../pgwire/raw-client.js'
import { Client, type Reply } from './client.js'

export interface BurstTarget {
  readonly url: string
  readonly wire: number
  /** Addresses for the bursts; each counts as one client. */
  readonly from: readonly string[]
  readonly seen: (reply: Pick<Reply, 'status' | 'text'>) => void
  readonly over: () => boolean
}

/** More than an address may open per minute, and more than the limit of all sessions. */
const SESSIONS = 30
const MODELS = 40
const CONNECTIONS = 60
/** The pause between the starts of two bursts. */
const EVERY_MS = 10_000

type Send = (method: string, path: string, body?: unknown) => Promise<Pick<Reply, 'status' | 'text'>>

/** Runs one burst after the other until the end. */
export async function hostileBursts(target: BurstTarget): Promise<void> {
  const clients = target.from.map((address) => new Client(target.url, SESSIONS, address))
  const senders = clients.map((client) => sending(client, target.seen))
  const bursts = [sessions, models, long, slow, () => connections(target), () => unlimited(target)]
  for (let i = 0; !target.over(); i++) {
    const began = performance.now()
    await bursts[i % bursts.length]!(senders)
    while (!target.over() && performance.now() - began < EVERY_MS) await new Promise((resolve) => setTimeout(resolve, 100))
  }
  for (const client of clients) client.close()
}

const sending =
  (client: Client, seen: BurstTarget['seen']): Send =>
  async (method, path, body) => {
    const reply = await client.send(method, path, body === undefined ? undefined : JSON.stringify(body)).catch(() => undefined)
    if (reply?.complete) seen(reply)
    return reply ?? { status: 0, text: '' }
  }

async function opened(send: Send): Promise<string | undefined> {
  const { status, text } = await send('POST', '/v1/sessions', {})
  return status === 201 ? (JSON.parse(text) as { session_id: string }).session_id : undefined
}

/** Other clients hold most of the sessions most of the time. */
const TRIES = 5

/** Opens a session from the first address that may, works in it, and closes it. */
async function inSession(senders: readonly Send[], work: (send: Send, session: string) => Promise<unknown>): Promise<void> {
  for (const send of Array.from({ length: TRIES }, () => senders.toReversed()).flat()) {
    const session = await opened(send)
    if (session === undefined) {
      await new Promise((resolve) => setTimeout(resolve, 100))
      continue
    }
    await work(send, session)
    await send('DELETE', `/v1/sessions/${session}`)
    return
  }
}

async function sessions(senders: readonly Send[]): Promise<void> {
  const opening = senders.slice(0, 2).flatMap((send) => Array.from({ length: SESSIONS }, () => opened(send)))
  for (const session of await Promise.all(opening)) if (session) await senders[0]!('DELETE', `/v1/sessions/${session}`)
}

const models = (senders: readonly Send[]) =>
  inSession(senders, async (send, session) => {
    for (let i = 0; i < MODELS; i++) {
      const { status } = await send('POST', `/v1/sessions/${session}/models`, { model_json: wide(i) })
      if (status !== 201) return
    }
  })

const wide = (n: number) => ({
  name: `wide${n}`,
  dataObjects: {
    Wide: {
      code: 'wide',
      columns: Object.fromEntries(Array.from({ length: 3000 }, (_, i) => [`c${i}`, { code: `c${i}`, abstractType: 'int' }])),
    },
  },
})

/**
 * Parsing it takes more steps than COMPILE_MAX_STEPS of the hour. It uses the published model, because other clients hold most sessions and
 * most of the memory.
 */
const long = ([send]: readonly Send[]) =>
  send!('POST', '/v1/query/sql', {
    session_id: 'flights',
    query: { select: { dimensions: [{ expression: `concat({[Airline]}, '${'x'.repeat(LONG)}')`, as: 'Long' }] } },
  })

/** A quarter of it is counted as steps. More than 10,000 would make the statement too large for any limit. */
const LONG = 8000

const PAIRS = {
  dataObjects: {
    Pairs: {
      code: '(SELECT a.tailnum || b.tailnum AS pair FROM flights a CROSS JOIN flights b)',
      columns: { Pair: { code: 'pair', abstractType: 'string' } },
    },
  },
  dimensions: { Pair: { dataObject: 'Pairs', column: 'Pair' } },
  measures: { 'Pair Count': { aggregation: 'count', columns: [{ dataObject: 'Pairs', column: 'Pair' }] } },
}

/** Every address sends as many queries at once as it may, and each takes as long as it may. */
const slow = (senders: readonly Send[]) =>
  inSession(senders, async (send, session) => {
    await send('POST', `/v1/sessions/${session}/models`, { model_json: { name: 'pairs', ...PAIRS } })
    const question = (value: string) => ({
      session_id: session,
      query: { select: { dimensions: ['Pair'] }, where: [{ field: 'Pair', op: '=', value }], limit: 5 },
    })
    const asked = senders.flatMap((each, i) => ['a', 'b'].map((n) => each('POST', '/v1/query/execute', question(`${n}${i}`))))
    await Promise.all(asked)
  })

/** More connections of the Postgres wire than the limit. */
async function connections({ wire, seen, from }: BurstTarget): Promise<void> {
  const tried = await Promise.allSettled(
    Array.from({ length: CONNECTIONS }, () => connectReady(wire, { database: 'flights' }, from[0])),
  )
  for (const result of tried) {
    if (result.status === 'fulfilled') result.value.end()
    else seen({ status: 429, text: `"code":"${/53300/.test(String(result.reason)) ? 'WIRE_53300' : 'WIRE_CLOSED'}"` })
  }
}

/** A statement without a limit on the Postgres wire, which never truncates. */
async function unlimited({ wire, seen, from }: BurstTarget): Promise<void> {
  const client = await connectReady(wire, { database: 'flights' }, from[1]).catch(() => undefined)
  if (client === undefined) return
  const messages = await ask(client, 'SELECT "Tail Number", "Flight Count" FROM flights').catch(() => [])
  client.end()
  const refused = messages.find(({ type }) => type === 'E')?.body.toString('utf8') ?? ''
  if (refused.includes('SQL_DEFAULT_LIMIT')) seen({ status: 422, text: '"code":"DEFAULT_LIMIT_EXCEEDED"' })
}
