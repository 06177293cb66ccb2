/** What clients do wrong with a connection, and what a server under attack is measured by. */
import type { Watched, WatchedServer } from '../load/server.js'
import { type Attempt, bestAttempt } from '../longest-turn.js'
import { connections, type Raw, request } from './raw.js'

/** As many as fit in one read of a socket. */
export const MANY = 1400

/** The server after the best of some attempts. */
export const attacked = (server: Pick<WatchedServer, 'watch'>, attack: () => Promise<void>): Promise<Attempt<Watched>> =>
  bestAttempt(async () => {
    await server.watch()
    await attack()
    const result = await server.watch()
    return { result, turn: result.ownStallMs }
  })

const POST = ['Content-Type: application/json', 'Accept: application/json, text/event-stream']

/** Beginnings of requests to these paths; without their ends a server waits. */
export const unfinished = (get: string, post: string): Readonly<Record<string, string>> => ({
  nothing: '',
  'half a header': `GET ${get} HTTP/1.1\r\nHost: loc`,
  'headers without an end': `GET ${get} HTTP/1.1\r\nHost: localhost\r\n${'X-A: b\r\n'.repeat(100)}`,
  'headers without a body': request('POST', post, [...POST, 'Content-Length: 100']),
  'half a body': `${request('POST', post, [...POST, 'Content-Length: 100'])}{"metadata":`,
  'chunks without an end': `${request('POST', post, [...POST, 'Transfer-Encoding: chunked'])}${'1\r\n{\r\n'.repeat(500)}`,
  'an upgrade to a websocket': request('GET', get, [
    'Connection: Upgrade',
    'Upgrade: websocket',
    'Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==',
    'Sec-WebSocket-Version: 13',
  ]),
  'an upgrade to HTTP/2': request('GET', get, ['Connection: Upgrade, HTTP2-Settings', 'Upgrade: h2c', 'HTTP2-Settings: AAA']),
  'the preface of HTTP/2': 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
  'the start of TLS': '\x16\x03\x01\x02\x00\x01\x00',
  'an answered request': request('GET', get),
  'more answers than are read': request('GET', get).repeat(MANY),
})

/** Three connections for each of these texts: one is open, one has closed its sending side, one is reset. */
export async function leaveUnfinished(port: number, texts: Readonly<Record<string, string>>, ask: () => Promise<unknown>) {
  for (const bytes of Object.values(texts)) {
    const [, half, gone] = await connections(3, port, bytes)
    half!.socket.end()
    await ask()
    gone!.socket.resetAndDestroy()
  }
}

/** The 99th percentile of the time of this many requests, one after the other. */
export async function p99Of(ask: () => Promise<unknown>, count = 200): Promise<number> {
  const times: number[] = []
  for (let i = 0; i < count; i++) {
    const began = performance.now()
    await ask()
    times.push(performance.now() - began)
  }
  return times.sort((a, b) => a - b)[Math.floor(count * 0.99)]!
}

/** How often slower the slowest percent of `ask` is while `attack` is repeated: the best of some attempts, because other processes run, too. */
export async function slowdownBy(attack: () => Promise<unknown>, ask: () => Promise<unknown>): Promise<number> {
  let best = Number.POSITIVE_INFINITY
  for (let i = 0; i < 10 && best >= MOST_SLOWDOWN; i++) {
    const calm = await p99Of(ask)
    let over = false
    const attacking = (async () => {
      while (!over) await attack()
    })()
    best = Math.min(best, (await p99Of(ask)) / calm)
    over = true
    await attacking
  }
  return best
}

/** The p99 of a busy machine varies. Before requests were handled in turn, it was 30 s. */
export const MOST_SLOWDOWN = 100

/** More than a server can look after in one turn. */
const CLOSED_TOGETHER = 900

/** Opens many connections that send these bytes, and closes all of them while the server is stopped, so that it finds them closed in one turn. */
export async function closeAtOnce(
  server: Pick<WatchedServer, 'kill'>,
  port: number,
  bytes: string | Uint8Array,
  { from, ask }: { readonly from: string; readonly ask: () => Promise<unknown> },
): Promise<number> {
  const opened: Raw[] = []
  while (opened.length < CLOSED_TOGETHER) {
    opened.push(...(await connections(100, port, bytes, { from })))
    // The server accepts them before its queue is full, and reads what they have sent.
    await ask()
  }
  server.kill('SIGSTOP')
  try {
    for (const [i, { socket }] of opened.entries()) {
      if (i % 2 === 0) socket.destroy()
      else socket.resetAndDestroy()
    }
  } finally {
    server.kill('SIGCONT')
  }
  await ask()
  return opened.length
}
