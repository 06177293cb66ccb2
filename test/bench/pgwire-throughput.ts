/**
 * A million rows of five columns over the Postgres wire, against a real PostgreSQL with the same rows, turn by turn in one run over the same
 * loopback; before that, that both send the same bytes. `node --conditions=@grainline/source --import tsx test/bench/pgwire-throughput.ts`
 */
import { createHash } from 'node:crypto'
import { bind, describe, execute, parse, query, sync } from '../pgwire/raw-client.js'
import { type Drained, drain } from './drain.js'
import { percentile } from './measurement.js'
import { type OrderColumn, type Orders, ourOrders, theirOrders } from './pgwire-orders.js'

const ROWS = 1_000_000
const ROUNDS = Number(process.env.ROUNDS ?? 7)
const WARM = 4

const simple = (sql: string) => query(sql)
const extended = (sql: string) => Buffer.concat([parse(sql), bind({ formats: [1] }), describe('P'), execute(), sync()])
const copyText = (sql: string) => query(`COPY (${sql}) TO STDOUT`)
const copyBinary = (sql: string) => query(`COPY (${sql}) TO STDOUT (FORMAT binary)`)

const usual: readonly OrderColumn[] = ['Id', 'Country', 'Sales', 'Day', 'Price']
const long: readonly OrderColumn[] = ['Id', 'Country', 'Ratio', 'Day', 'Price']
const kinds: readonly (readonly [string, (sql: string) => Buffer, readonly OrderColumn[]])[] = [
  ['text, simple protocol', simple, usual],
  ['binary, extended protocol', extended, usual],
  ['COPY, text', copyText, usual],
  ['COPY, binary', copyBinary, usual],
  ['text, doubles of 17 digits', simple, long],
]

const ours = await ourOrders({ rows: ROWS })
const theirs = await theirOrders(ROWS)
if (typeof theirs === 'string') console.log(`no PostgreSQL to compare with: ${theirs}`)

for (const [name, say, columns] of kinds) {
  const ask = (server: Orders, keep: boolean) => drain(server, say(server.select(columns)), ROWS, keep)
  if (typeof theirs === 'string') {
    const each: Drained[] = []
    for (let round = 0; round < ROUNDS; round++) each.push(await ask(ours, false))
    console.log(`${name}: ${said(each)}`)
    continue
  }
  const [mine, other] = [await ask(ours, true), await ask(theirs, true)]
  if (rowsHash(mine.received) !== rowsHash(other.received)) throw new Error(`${name}: the rows differ from PostgreSQL's`)
  // By now, everything is compiled and loaded that happens on first use.
  for (let round = 0; round < WARM; round++) await ask(ours, false)
  const [a, b]: [Drained[], Drained[]] = [[], []]
  for (let round = 0; round < ROUNDS; round++) {
    a.push(await ask(ours, false))
    b.push(await ask(theirs, false))
  }
  console.log(`${name}: ${said(a)}; PostgreSQL ${said(b)}; throughput ${(best(b) / best(a)).toFixed(2)} of it at best,`)
  console.log(`  ${(median(b) / median(a)).toFixed(2)} in the median`)
}
await ours.stop()
if (typeof theirs !== 'string') await theirs.stop()

function times(each: readonly Drained[]): number[] {
  return each.map(({ ms }) => ms).toSorted((x, y) => x - y)
}
function best(each: readonly Drained[]): number {
  return times(each)[0]!
}
function median(each: readonly Drained[]): number {
  return percentile(times(each), 0.5)
}
function said(each: readonly Drained[]): string {
  const processor = Math.min(...each.map(({ processorMs }) => processorMs))
  const rate = ((ROWS / best(each)) * 1000).toExponential(2)
  return `best ${best(each).toFixed(0)} ms, median ${median(each).toFixed(0)} ms, ${rate} rows/s, processors ${processor.toFixed(0)} ms`
}

/** The rows alone, because the row descriptions contain the ids of tables, which differ. */
function rowsHash(received: readonly Buffer[]): string {
  const bytes = Buffer.concat(received)
  const hash = createHash('sha256')
  for (let at = 0; at + 5 <= bytes.length; ) {
    const end = at + 1 + bytes.readUInt32BE(at + 1)
    if (bytes[at] === 0x44 || bytes[at] === 0x64) hash.update(bytes.subarray(at, end))
    at = end
  }
  return hash.digest('hex')
}
