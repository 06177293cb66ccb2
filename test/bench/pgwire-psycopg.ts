/**
 * A hundred thousand rows of eight columns through psycopg, from the service and from a real PostgreSQL in turns, after both have given equal rows.
 * The question itself is asked apart, for one row. `node --conditions=@grainline/source --import tsx test/bench/pgwire-psycopg.ts`
 */
import { execFileSync } from 'node:child_process'
import { percentile } from './measurement.js'
import type { OrderColumn, Orders } from './pgwire-orders.js'

process.env.ROWS ??= '100000'
const { ourOrders, theirOrders } = await import('./pgwire-orders.js')

const ROUNDS = Number(process.env.ROUNDS ?? 25)
const COLUMNS: readonly OrderColumn[] = ['Id', 'Country', 'Sales', 'Day', 'Price', 'Ratio', 'Paid', 'Sold']
const python = new URL('../interop/pgwire/.clients/python/bin/python', import.meta.url).pathname
const script = new URL('pgwire_psycopg.py', import.meta.url).pathname

type Times = Record<'text' | 'binary', readonly Record<'whole' | 'question', readonly number[]>[]>

const ours = await ourOrders()
const theirs = await theirOrders()
if (typeof theirs === 'string') console.log(`no PostgreSQL to compare with: ${theirs}`)
else {
  const times = asked([ours, theirs])
  for (const kind of ['text', 'binary'] as const) {
    const [own, other] = times[kind]
    if (own && other) console.log(`${kind}: ${said('least', 0, [own, other])}; ${said('median', 0.5, [own, other])}`)
  }
  await theirs.stop()
}
await ours.stop()

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

/** Milliseconds of ours and theirs, the question taken off, and their ratio. */
function said(name: string, at: number, both: Times['text']): string {
  const [own, other] = both.map(({ whole, question }) => 1000 * (place(whole, at) - place(question, at)))
  return `${name} ${own!.toFixed(0)} ms, PostgreSQL ${other!.toFixed(0)} ms, ${(own! / other!).toFixed(2)} ×`
}

function place(values: readonly number[], at: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return percentile(sorted, at)
}
