/**
 * Spoiled conversations by the thousand. By itself: `node --conditions=@grainline/source --import tsx test/pgwire/fuzz.ts 1000000 [seed]`
 * starts a service and prints figures.
 */
import net from 'node:net'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { conversation } from './mutations.js'
import { ask, connectReady, rowsOf } from './raw-client.js'

export interface FuzzReport {
  readonly conversations: number
  /** Bytes sent and received. */
  readonly sent: number
  readonly received: number
  /** Conversations in which the server said that something was wrong. */
  readonly errors: number
  /** True when a client that behaves was served after all of it. */
  readonly alive: boolean
  /** Longest turn of the event loop, in milliseconds. */
  readonly stall: number
}

const AT_ONCE = 24
/** A server that does not hang up after the client has ended is stuck. */
const PATIENCE_MS = 20_000

export async function fuzz(port: number, seed: number, count: number): Promise<FuzzReport> {
  const total = { conversations: 0, sent: 0, received: 0, errors: 0 }
  const delay = monitorEventLoopDelay({ resolution: 10 })
  delay.enable()
  let next = 0
  const worker = async () => {
    while (next < count) {
      const bytes = conversation(seed * 1_000_003 + next++)
      const answer = await say(port, bytes)
      total.conversations++
      total.sent += bytes.length
      total.received += answer.length
      if (answer.includes('SERROR') || answer.includes('SFATAL')) total.errors++
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, worker))
  delay.disable()
  const client = await connectReady(port, { database: 'flights' })
  const alive = rowsOf(await ask(client, 'SELECT 1'))[0]?.[0] === '1'
  client.end()
  return { ...total, alive, stall: delay.max / 1e6 }
}

/** Says it, ends, and listens until the server hangs up. */
function say(port: number, bytes: Buffer): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const heard: Buffer[] = []
    const socket = net.connect({ port, host: '127.0.0.1', allowHalfOpen: true }, () => socket.end(bytes))
    const stuck = setTimeout(() => reject(new Error(`no end to ${bytes.toString('base64')}`)), PATIENCE_MS)
    socket.on('data', (chunk) => heard.push(chunk))
    socket.on('end', () => socket.destroy())
    socket.on('error', () => socket.destroy())
    socket.on('close', () => {
      clearTimeout(stuck)
      resolve(Buffer.concat(heard))
    })
  })
}

if (process.argv[1] === import.meta.filename) {
  const { startPgwire } = await import('./server.js')
  const server = await startPgwire({ settings: { PGWIRE_CATALOG: 'off' } })
  const memory = () => Math.round(process.memoryUsage().rss / 1024 / 1024)
  const before = memory()
  const began = performance.now()
  const report = await fuzz(server.port, Number(process.argv[3] ?? 1), Number(process.argv[2] ?? 1_000_000))
  console.log({ ...report, seconds: Math.round((performance.now() - began) / 1000), memoryBefore: before, memoryAfter: memory() })
  await server.close()
}
