/** Tests of every vendor on a server, beside the suite of the core. */
import { setTimeout as wait } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import type { DataType } from '@grainline/core'
import { type ConformanceTrace, type ConformanceValue, vendorConformance } from '@grainline/core/testing'
import {
  BOOLEAN,
  DATE,
  decimal,
  FLOAT,
  INT,
  JSON_TYPE,
  STRING,
  TIME,
  TIMESTAMP,
  TIMESTAMP_TZ,
  type Value,
  type VendorConnection,
} from '@grainline/core/vendor'
import type { Test } from 'tap'

export const value = (sql: string, type: DataType, wanted: Value): ConformanceValue => ({
  sql: `SELECT ${sql} AS v`,
  type,
  value: wanted,
})

const TYPES = {
  string: STRING,
  boolean: BOOLEAN,
  int: INT,
  float: FLOAT,
  decimal: decimal(10, 2),
  date: DATE,
  time: TIME,
  timestamp: TIMESTAMP,
  timestamp_tz: TIMESTAMP_TZ,
  json: JSON_TYPE,
}

/** NULL of each type, by the type name of the server. */
export const nullsOf = (names: Readonly<Partial<Record<keyof typeof TYPES, string>>>): readonly ConformanceValue[] =>
  Object.entries(names).map(([kind, name]) => value(`CAST(NULL AS ${name})`, TYPES[kind as keyof typeof TYPES], null))

export const NUMBER = [{ name: 'n', type: INT, role: 'field' }] as const

/** The number of rows of a statement of one number; `each` is called after every batch. */
export async function count(connection: VendorConnection, sql: string, each: (rows: number) => void = () => {}): Promise<number> {
  let rows = 0
  for await (const batch of connection.query(sql, { schema: NUMBER })) {
    rows += batch.rowCount
    each(rows)
  }
  return rows
}

type Open = () => Promise<VendorConnection>

interface Stream {
  /** So many rows are read before, until the driver has allocated its buffers. */
  readonly warm?: number
}

export interface VendorOnServer extends CancelledOn, Stream {
  /** So many numbers, from 0 on. */
  readonly numbers: (count: number) => string
  /** Fails after many of its rows. */
  readonly failsLate: string
  readonly values: readonly ConformanceValue[]
  /** State that a statement can leave in its session. Some vendors have no session, or no SQL that changes one. */
  readonly traces?: readonly ConformanceTrace[]
  /** False for a server that is older than EXPLAIN. */
  readonly explains?: boolean
}

/** Tests of every vendor: the suite of the core, a million rows in constant memory, and statements that are stopped on the server. */
export function vendorOn(t: Test, { numbers, failsLate, values, traces = [], explains = true, ...on }: VendorOnServer): void {
  vendorConformance(t, {
    connect: () => on.open(),
    explains,
    sql: { rows: (count) => numbers(count), endless: on.endless(0), failsLate, values, traces },
  })
  streamsInConstantMemory(t, on.open, numbers, on)
  cancelsInTheDatabase(t, on)
}

interface Mortal {
  readonly open: Open
  readonly server: { readonly kill: () => Promise<void>; readonly start: () => Promise<void> }
  /** A statement of one row. */
  readonly one: string
  /** A statement with more rows than are in transit when the first arrive. */
  readonly many: string
  /** The message of the error within the answer, if the driver reports the cause. */
  readonly message?: RegExp
}

export const outlivesItsServer = (t: Test, { open, server, one, many, message }: Mortal): void =>
  void t.test('a server that stops within an answer is one clear error, and the pool is usable after the restart', async (t) => {
    const connection = await open()
    t.teardown(() => connection.close())
    t.equal(await count(connection, one), 1)
    let killed: Promise<void> | undefined
    const broken = count(connection, many, () => {
      killed ??= server.kill()
    })
    await t.rejects(broken, { code: 'DATABASE_ERROR', ...(message && { message }) })
    await killed
    await t.rejects(count(connection, one), { code: 'DATABASE_ERROR', message: LOST })
    await server.start()
    await isHealthy(t, connection, one)
  })

/** The error of a vendor for an unreachable server. */
export const LOST = /lost or refused/

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void

/** The memory after garbage collection, so that unreachable objects do not count. */
function held(): number {
  collect()
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}

const MOST_HELD = 40 * 2 ** 20

/** A million rows may not occupy more memory than a few batches, as the driver splits them. */
const streamsInConstantMemory = (t: Test, open: Open, rows: (count: number) => string, { warm = 1_000_000 }: Stream = {}): void =>
  void t.test('a million rows are streamed in constant memory', async (t) => {
    const connection = await open()
    t.teardown(() => connection.close())
    await count(connection, rows(warm))
    let most = 0
    let next = 0
    const before = held()
    const found = await count(connection, rows(1_000_000), (rows) => {
      if (rows < next) return
      next += 100_000
      most = Math.max(most, held() - before)
    })
    t.equal(found, 1_000_000)
    t.ok(most < MOST_HELD, `${Math.round(most / 2 ** 20)} MB more at most`)
  })

interface CancelledOn {
  readonly open: Open
  /** A statement that runs far longer than the test, with a number that identifies it. */
  readonly endless: (mark: number) => string
  /** How many statements with that number run, according to the server. */
  readonly running: (mark: number) => Promise<number>
}

/** The abandoned statement is stopped, and no other; closing stops all. */
const cancelsInTheDatabase = (t: Test, { open, endless, running }: CancelledOn): void =>
  void t.test('a cancelled statement stops on the server, too', async (t) => {
    const connection = await open()
    t.teardown(() => connection.close())
    const abort = new AbortController()
    const doomed = connection.query(endless(71), { schema: NUMBER, signal: abort.signal })[Symbol.asyncIterator]().next()
    const other = count(connection, endless(72))
    t.equal(await until(running, 71, 1), 1)
    t.equal(await until(running, 72, 1), 1)
    abort.abort(new Error('enough'))
    await t.rejects(doomed, { message: 'enough' })
    t.equal(await until(running, 71, 0), 0)
    t.equal(await running(72), 1, 'the other one still runs')
    const refused = t.rejects(other, { code: 'QUERY_CANCELLED' })
    await connection.close()
    await refused
    t.equal(await until(running, 72, 0), 0)
  })

/** Waits until the wanted number of statements run; on a busy machine only the time limit of the test ends this. */
export async function until(running: CancelledOn['running'], mark: number, wanted: number): Promise<number> {
  for (;;) {
    const found = await running(mark)
    if (found === wanted) return found
    await wait(50)
  }
}

/** Every connection of the pool answers. */
export async function isHealthy(t: Pick<Test, 'equal'>, connection: VendorConnection, one: string): Promise<void> {
  for (let i = 0; i < 4; i++) t.equal(await count(connection, one), 1)
}
