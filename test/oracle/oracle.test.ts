/**
 * The compiler with DuckDB gives the answers of the oracle. ORACLE_SEED and ORACLE_CASES select other cases: from ten thousand of a kind
 * on, every two features that can be combined must be combined in some of them. `scripts/long-run.mjs` runs half a million.
 */
import t from 'tap'
import { amount, oneIn, PART } from '../support/amount.js'
import { runBatch } from './batch.js'
import { runOn } from './compiled.js'
import { openEngine } from './duckdb.js'
import { kindsNamed } from './generate/later.js'
import { missingPairs, pairCounter } from './pairs.js'

const seed = Number(process.env['ORACLE_SEED'] ?? 20260115)
const given = process.env['ORACLE_CASES']
const all = Number(given ?? amount(60, 2000))
/** A change asks one of two halves of 120 cases of a kind. */
const half = given === undefined ? amount((PART >> 2) % 2, 0) : 0
const PAIRS_MEET = 10_000

const basic = [
  { kinds: 'the basic language', count: all },
  { kinds: 'every kind of metric', count: all },
] as const
/** Of these, a change asks one in four. */
const further = [
  { kinds: 'several ways and bridge tables', count: Math.ceil(all / 4) },
  { kinds: 'facts of the same objects', count: Math.ceil(all / 2) },
  { kinds: 'compared periods', count: Math.ceil(all / 2) },
  { kinds: 'the order of values', count: Math.ceil(all / 2) },
  { kinds: 'joins over time', count: Math.ceil(all / 2) },
  { kinds: 'funnels', count: Math.ceil(all / 2) },
  // Many conditions on a calendar are no range, and refused by name.
  { kinds: 'facts around a calendar', count: Math.ceil(all / 2), least: amount(0.4, 0.6) },
  { kinds: 'fiscal and retail years around a calendar', count: Math.ceil(all / 3), least: amount(0.4, 0.6) },
  { kinds: 'parameters', count: Math.ceil(all / 2) },
  { kinds: 'measures as columns', count: Math.ceil(all / 2) },
  { kinds: 'existence', count: Math.ceil(all / 2) },
  { kinds: 'windows as columns', count: Math.ceil(all / 2) },
  { kinds: 'ranges of time', count: Math.ceil(all / 2) },
  { kinds: 'missing values', count: Math.ceil(all / 2) },
  { kinds: 'views', count: Math.ceil(all / 2) },
  { kinds: 'coarse data', count: Math.ceil(all / 3), least: amount(0.4, 0.5) },
  { kinds: 'coarse data around a calendar', count: Math.ceil(all / 3), least: amount(0.2, 0.3) },
  { kinds: 'totals of what is shown', count: Math.ceil(all / 3) },
  { kinds: 'totals of what is shown around a calendar', count: Math.ceil(all / 3) },
] as const
for (const { kinds, count, ...rest } of [...basic, ...(given === undefined ? oneIn(4, further) : further)]) {
  // Thirty questions are few.
  const least = 'least' in rest ? rest.least : amount(0.5, 0.6)
  t.test(`${count} generated queries of ${kinds} have the answers of the oracle (ORACLE_SEED=${seed})`, async (t) => {
    const engine = await openEngine()
    t.teardown(engine.close)
    const later = kindsNamed(kinds)
    const { counts, see } = pairCounter()
    const { answered, rows, refusals, failures } = await runBatch(runOn(engine), seed, {
      from: half * count,
      count,
      later,
      seen: see,
    })
    t.comment(`${answered} answered with ${rows} rows; refused: ${JSON.stringify(refusals)}`)
    for (const failure of failures) t.fail(failure)
    t.ok(failures.length > 0 || answered > count * least, 'most questions have an answer')
    if (count >= PAIRS_MEET && kinds === 'every kind of metric')
      t.same(missingPairs(counts, later), [], 'every two features have met')
  })
}
