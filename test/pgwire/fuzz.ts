/** Spoiled conversations by the thousand; `npm run load -- wire-fuzz` has a million messages. */
import net from 'node:net'
import { conversation } from './mutations.js'
import { ask, connectReady, rowsOf } from './raw-client.js'

export interface FuzzReport {
  /** Messages that were spoiled, and conversations that they were said in. */
  readonly messages: number
  readonly conversations: number
  /** Bytes sent and received. */
  readonly sent: number
  readonly received: number
  /** Conversations in which the server said that something was wrong. */
  readonly errors: number
  /** True when a client that behaves was served after all of it. */
  readonly alive: boolean
}

const AT_ONCE = 24
/** A server that does not hang up after the client has ended is stuck. */
const GRACE_MS = 120_000

/** At least `count` messages, said from an address of this machine. Rejects when the server does not hang up on somebody who has ended. */
export async function fuzz(port: number, seed: number, count: number, from = '127.0.0.1'): Promise<FuzzReport> {
  const total = { messages: 0, conversations: 0, sent: 0, received: 0, errors: 0 }
  const worker = async () => {
    while (total.messages < count) {
      const { bytes, messages } = conversation(seed * 1_000_003 + total.conversations++)
      total.messages += messages
      const answer = await say({ port, localAddress: from }, bytes)
      total.sent += bytes.length
      total.received += answer.length
      if (answer.includes('SERROR') || answer.includes('SFATAL')) total.errors++
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, worker))
  const client = await connectReady(port, { database: 'flights' })
  const alive = rowsOf(await ask(client, 'SELECT 1'))[0]?.[0] === '1'
  client.end()
  return { ...total, alive }
}

/** Says it, ends, and listens until the server hangs up. */
function say(where: { readonly port: number; readonly localAddress: string }, bytes: Buffer): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const heard: Buffer[] = []
    const socket = net.connect({ ...where, host: '127.0.0.1', allowHalfOpen: true }, () => socket.end(bytes))
    const stuck = setTimeout(() => reject(new Error(`no end to ${bytes.toString('base64')}`)), GRACE_MS)
    socket.on('data', (chunk) => heard.push(chunk))
    socket.on('end', () => socket.destroy())
    socket.on('error', () => socket.destroy())
    socket.on('close', () => {
      clearTimeout(stuck)
      resolve(Buffer.concat(heard))
    })
  })
}
