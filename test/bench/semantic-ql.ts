import path from 'node:path'
import { createHost } from '@grainline/core'
import { type Measurement, percentile } from './measurement.js'

const root = path.resolve(import.meta.dirname, '../..')
const WARM_UP = 60
const ROUNDS = 400
const words = (limit: number) =>
  `SELECT "Origin Airport", date_trunc('month', "Scheduled At") AS month, SUM("Flight Count") AS n, "Cancellation Rate" FROM flights
   WHERE "Airline" LIKE 'U%' AND "Date" BETWEEN '2013-02-01' AND '2013-06-30' GROUP BY 1, 2 ORDER BY n DESC LIMIT ${limit}`
const object = (limit: number) => ({
  select: { dimensions: ['Origin Airport', 'Scheduled At:month'], measures: ['Flight Count', 'Cancellation Rate'] },
  where: [
    { field: 'Airline', op: 'like', value: 'U%' },
    { field: 'Date', op: 'between', value: ['2013-02-01', '2013-06-30'] },
  ],
  order_by: [{ field: 'Flight Count', direction: 'desc' }],
  limit,
})

/** A statement of SQL compared with the equivalent query object, sent to the service in turns: new ones, and one that was compiled before. */
export async function semanticQlBench(): Promise<readonly Measurement[]> {
  const preload = [{ session: 'flights', model: 'examples/flights/model.yaml' }]
  const host = await createHost(
    { base: root, plugins: ['@grainline/dialect-duckdb', '@grainline/semantic-ql'], preload },
    { environment: { process: {}, dotenv: {} } },
  )
  await host.start()
  try {
    const target = {}
    const sql = (limit: number) => host.service.compileSql({ asker: undefined, target, sql: words(limit) })
    const query = (limit: number) => host.service.compile({ asker: undefined, target, query: object(limit) })
    if ((await sql(7)).sql !== (await query(7)).sql) throw new Error('the statement is not the query')
    const cold = await inTurns(sql, query, (round) => 1000 + round)
    const cached = await inTurns(sql, query, () => 7)
    return [...besides('new', 2, cold), ...besides('again', 0.05, cached)]
  } finally {
    await host.close()
  }
}

interface Turns {
  readonly ours: readonly number[]
  readonly query: readonly number[]
}

/** Milliseconds of each, sorted. A limit that was not used before makes a query that no cache contains. */
async function inTurns(
  ours: (limit: number) => Promise<unknown>,
  query: (limit: number) => Promise<unknown>,
  limitOf: (round: number) => number,
): Promise<Turns> {
  const taken = { ours: [] as number[], query: [] as number[] }
  for (let round = 0; round < WARM_UP + ROUNDS; round++) {
    const started = performance.now()
    await ours(limitOf(2 * round))
    const between = performance.now()
    await query(limitOf(2 * round + 1))
    if (round < WARM_UP) continue
    taken.ours.push(between - started)
    taken.query.push(performance.now() - between)
  }
  const ascending = (values: readonly number[]) => values.toSorted((a, b) => a - b)
  return { ours: ascending(taken.ours), query: ascending(taken.query) }
}

function besides(word: string, target: number, { ours, query }: Turns): readonly Measurement[] {
  // The fastest tenth, which other programs have disturbed least.
  const [mine, other] = [percentile(ours, 0.1), percentile(query, 0.1)]
  const note = `the query itself ${other.toFixed(2)} ms, × ${(mine / other).toFixed(1)}; median ${percentile(ours, 0.5).toFixed(2)}`
  return [{ name: `compile a statement of SQL, ${word} (p10)`, value: mine, unit: 'ms', target, better: 'less', note }]
}
