/** A client that reads an answer and discards it. */
import net from 'node:net'
import { startup } from '../pgwire/raw-client.js'
import type { Orders } from './pgwire-orders.js'
import { processorMs } from './processor-time.js'

export interface Drained {
  readonly ms: number
  /** Processor time of the server's process. */
  readonly processorMs: number
  /** The answer, if the caller wants it. */
  readonly received: readonly Buffer[]
}

type Answering = Pick<Orders, 'port' | 'database' | 'processOf'>

/** From the query to ReadyForQuery. */
export async function drain(server: Answering, said: Buffer, rows: number, keep = false): Promise<Drained> {
  const socket = net.connect(server.port, '127.0.0.1')
  const received: Buffer[] = []
  let asked: { readonly at: number; readonly pid: number; readonly processor: number } | undefined
  let tail = Buffer.alloc(0)
  try {
    return await new Promise<Drained>((resolve, reject) => {
      socket.on('error', reject)
      socket.on('connect', () => socket.write(startup({ user: 'postgres', database: server.database })))
      socket.on('data', (chunk) => {
        if (asked && keep) received.push(Buffer.from(chunk))
        tail = Buffer.concat([tail, chunk.subarray(-TAIL)]).subarray(-TAIL)
        if (!tail.subarray(-6, -1).equals(READY)) return
        if (asked === undefined) {
          const pid = server.processOf(chunk.readInt32BE(chunk.lastIndexOf(KEY) + KEY.length))
          asked = { at: performance.now(), pid, processor: processorMs(pid) }
          socket.write(said)
          return
        }
        const ms = performance.now() - asked.at
        if (!tail.includes(`${rows}`)) return reject(new Error(`no answer: ${tail.toString('latin1')}`))
        resolve({ ms, processorMs: processorMs(asked.pid) - asked.processor, received })
      })
    })
  } finally {
    socket.destroy()
  }
}

const TAIL = 64
/** The bytes of ReadyForQuery and BackendKeyData that are always the same. */
const READY = Buffer.from('Z\0\0\0\x05', 'latin1')
const KEY = Buffer.from('K\0\0\0\x0c', 'latin1')
