/** What every vendor shows on a server, beside the suite of the core. */
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { type ConformanceValue, type DataType, INT, type Value, type VendorConnection } from '@grainline/core'
import type { Test } from 'tap'

export const value = (sql: string, type: DataType, wanted: Value): ConformanceValue => ({
  sql: `SELECT ${sql} AS v`,
  type,
  value: wanted,
})
export const nullOf = (sql: string, type: DataType): ConformanceValue => value(`CAST(NULL AS ${sql})`, type, null)

export const NUMBER = [{ name: 'n', type: INT, role: 'field' }] as const

/** How many rows a statement of one number has; `each` is told after every batch. */
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
  /** So many rows are asked for before, until the driver has what it keeps. */
  readonly warm?: number
}

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void

/** What is held after all that is unreachable is gone: what the collector has not come to yet says nothing of an answer that is kept. */
function held(): number {
  collect()
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}

const MOST_HELD = 40 * 2 ** 20

/** A million rows may not hold more memory than a few batches, as the driver cuts them. */
export const streamsInConstantMemory = (
  t: Test,
  open: Open,
  rows: (count: number) => string,
  { warm = 1_000_000 }: Stream = {},
): void =>
  void t.test('a million rows pass through in constant memory', async (t) => {
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

export interface CancelledOn {
  readonly open: Open
  /** A statement that runs far longer than the test, with a number by which it is found. */
  readonly endless: (mark: number) => string
  /** How many statements with that number run, as the server itself says. */
  readonly running: (mark: number) => Promise<number>
}

/** The statement that is given up is stopped, and no other; closing stops all. */
export const cancelsInTheDatabase = (t: Test, { open, endless, running }: CancelledOn): void =>
  void t.test('a cancelled statement is gone from the server, not just from here', async (t) => {
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

/** How many run once they are as many as are wanted, or after five seconds. */
export async function until(running: CancelledOn['running'], mark: number, wanted: number): Promise<number> {
  for (let tries = 0; tries < 100 && (await running(mark)) !== wanted; tries++) await new Promise((r) => setTimeout(r, 50))
  return running(mark)
}

/** Every connection of the pool answers. */
export async function isHealthy(t: Pick<Test, 'equal'>, connection: VendorConnection, one: string): Promise<void> {
  for (let i = 0; i < 4; i++) t.equal(await count(connection, one), 1)
}
