/**
 * A hundred thousand rows of eight columns through psycopg, from the service and from a real PostgreSQL in turns, after both have returned
 * equal rows. The time of a query for one row is measured separately and subtracted.
 */
import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { type Measurement, percentile } from './measurement.js'
import { type OrderColumn, type Orders, ourOrders, theirOrders } from './pgwire-orders.js'

const ROWS = 100_000
const ROUNDS = 25
const COLUMNS: readonly OrderColumn[] = ['Id', 'Country', 'Sales', 'Day', 'Price', 'Ratio', 'Paid', 'Sold']
const FORMATS = ['text', 'binary'] as const
const python = new URL('../interop/pgwire/.clients/python/bin/python', import.meta.url).pathname
const script = new URL('pgwire_psycopg.py', import.meta.url).pathname

/** Duration of each round in seconds. */
interface Taken {
  readonly whole: readonly number[]
  readonly question: readonly number[]
}
/** For each server, in the order of their names. */
type Times = Readonly<Record<(typeof FORMATS)[number], readonly [Taken, Taken]>>

/** If psycopg or PostgreSQL is not installed, prints the reason and measures nothing. */
export async function wireBench(): Promise<readonly Measurement[]> {
  if (!existsSync(python)) return skipped('psycopg is not installed; run sh test/interop/pgwire/install.sh')
  const theirs = await theirOrders(ROWS)
  if (typeof theirs === 'string') return skipped(theirs)
  const ours = await ourOrders({ rows: ROWS })
  try {
    const times = asked([ours, theirs])
    return FORMATS.map((format) => compared(format, times[format]))
  } finally {
    await ours.stop()
    await theirs.stop()
  }
}

function skipped(reason: string): [] {
  console.error(`wire: ${reason}`)
  return []
}

function asked(servers: readonly Orders[]): Times {
  const input = JSON.stringify({
    rounds: ROUNDS,
    servers: servers.map(({ port, database, select }) => {
      const sql = select(COLUMNS)
      return { port, database, sql, question: sql.replace(/LIMIT \d+$/, 'LIMIT 1') }
    }),
  })
  return JSON.parse(execFileSync(python, [script], { input, encoding: 'utf8', maxBuffer: 2 ** 26 })) as Times
}

/** The minimum of each, because other load on the machine only adds time. */
function compared(format: string, [own, other]: readonly [Taken, Taken]): Measurement {
  const note = `${rowsMs(own, 0).toFixed(0)} ms beside ${rowsMs(other, 0).toFixed(0)}; medians ${rowsMs(own, 0.5).toFixed(0)} and ${rowsMs(other, 0.5).toFixed(0)}`
  return {
    name: `100,000 rows of eight columns through psycopg, ${format}, beside PostgreSQL (least)`,
    value: rowsMs(own, 0) / rowsMs(other, 0),
    unit: '×',
    target: 1.3,
    better: 'less',
    note,
  }
}

/** Milliseconds of the rows without the overhead of a query, at this share of the sorted rounds. */
function rowsMs({ whole, question }: Taken, share: number): number {
  const at = (values: readonly number[]) =>
    percentile(
      values.toSorted((a, b) => a - b),
      share,
    )
  return 1000 * (at(whole) - at(question))
}
