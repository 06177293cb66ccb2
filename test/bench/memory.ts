/** Memory of the server at rest, and after sessions that came and went on a database of a million rows. */
import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { aMillionOrders, sessions } from '../load/sessions.js'
import type { Measurement } from './measurement.js'
import { processorMs } from './processor-time.js'
import { builtStart, isBuilt, type StartedServer } from './server.js'

const SECONDS = 30
const MB = 1024 * 1024

export async function memoryBench(): Promise<readonly Measurement[]> {
  return [...(isBuilt() ? [await atRest()] : []), await afterSessions()]
}

async function atRest(): Promise<Measurement> {
  const server = await builtStart()
  const idle = await idleBytes(server)
  await server.stop()
  return { name: 'resident after the start, the demo', value: idle / MB, unit: 'MB', target: 110, better: 'less' }
}

async function afterSessions(): Promise<Measurement> {
  const { resident, peak, questions } = await sessions(SECONDS, aMillionOrders())
  const note = `${questions.toLocaleString('en-US')} questions in ${SECONDS} s${peak === undefined ? '' : `, at most ${(peak / MB).toFixed(0)} MB`}`
  return {
    name: 'resident after sessions on a million rows',
    value: resident / MB,
    unit: 'MB',
    target: 400,
    better: 'less',
    note,
  }
}

/** Once what it does after listening is done. NaN where the system does not tell. */
async function idleBytes({ pid }: StartedServer): Promise<number> {
  for (let before = Number.NEGATIVE_INFINITY; ; ) {
    const spent = processorMs(pid)
    if (!(spent - before > QUIET_MS)) return residentBytes(pid)
    before = spent
    await sleep(500)
  }
}

/** A server at rest takes less than this in half a second. */
const QUIET_MS = 5

function residentBytes(pid: number): number {
  try {
    return 1024 * Number(/^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1])
  } catch {
    return Number.NaN
  }
}
