/** Thousands of corrupted conversations; `npm run load -- wire-fuzz` sends a million messages. */
import net from 'node:net'
import { conversation } from './mutations.js'
import { ask, connectReady, rowsOf } from './raw-client.js'

export interface FuzzReport {
  /** The number of corrupted messages, and of the conversations that carried them. */
  readonly messages: number
  readonly conversations: number
  /** Bytes sent and received. */
  readonly sent: number
  readonly received: number
  /** Conversations in which the server returned an error. */
  readonly errors: number
  /** True if a client that behaves was served after all of it. */
  readonly alive: boolean
}

const AT_ONCE = 24
/** A server that does not close the connection after the client has ended is stuck. */
const GRACE_MS = 120_000

/**
 * Sends at least `count` messages from an address of this machine. Rejects if the server does not close a connection that the client has
 * ended.
 */
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

/** Sends it, ends the stream, and reads until the server closes the connection. */
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
