/** Compiles generated queries with one mutant after another. Where the SQL of one changes, DuckDB runs it, and the oracle says whether its answer is right. */
import { parentPort, workerData } from 'node:worker_threads'
import { duckdb } from '../../plugins/dialect-duckdb/src/index.js'
import { compareCase } from '../oracle/compare.js'
import { compileQuery, NOW, parseModelJson, runOn } from '../oracle/compiled.js'
import { openEngine } from '../oracle/duckdb.js'
import type { Outcome } from '../oracle/evaluate.js'
import { type Case, generateCase } from '../oracle/generate/case.js'
import { kindsNamed } from '../oracle/generate/later.js'
import { physicalOf } from '../oracle/storage.js'

/** Per mutant: the queries that are compiled, and the statements that run. */
const [MOST_COMPILED, MOST_RUN] = [80, 20]
const { seed = 1, count = 150 } = (workerData ?? {}) as { readonly seed?: number; readonly count?: number }
const KINDS = [
  'the basic language',
  'every kind of metric',
  'several ways and bridge tables',
  'facts of the same objects',
  'compared periods',
  'the order of values',
  'joins over time',
  'funnels',
  'facts around a calendar',
  'parameters',
  'ranges of time',
] as const

interface Known extends Case {
  readonly name: string
  readonly expected: Outcome
  readonly reached: ReadonlySet<number>
  readonly sql: string
}

const engine = await openEngine()
const acts = Reflect.get(globalThis, '__acts')
const cases = KINDS.flatMap((kinds) => {
  const later = kindsNamed(kinds)
  return Array.from({ length: count }, (_, index): Known => {
    const one = generateCase(seed, index, later)
    const reached = new Set<number>()
    Object.assign(globalThis, { __acts: (mutant: number) => reached.add(mutant) === undefined })
    const sql = sqlOf(one)
    Object.assign(globalThis, { __acts: acts })
    return { ...one, name: `${kinds} ${index}`, reached, sql }
  })
})

parentPort?.on('message', async (mutant: number) => {
  Object.assign(globalThis, { __mutant: mutant })
  const reaching = cases.filter(({ reached }) => reached.has(mutant)).slice(0, MOST_COMPILED)
  const changed = reaching.filter((one) => sqlOf(one) !== one.sql)
  let killer: string | undefined
  for (const one of changed.slice(0, MOST_RUN)) {
    const fault = await compareCase(one, runOn(engine), one.expected)
    if (fault) killer = one.name
    if (fault) break
  }
  Object.assign(globalThis, { __mutant: -1 })
  parentPort?.postMessage({ mutant, killer, note: `${reaching.length} queries reach it, ${changed.length} statements change` })
})
parentPort?.postMessage({ ready: cases.length })

function sqlOf({ model, query }: Case): string {
  try {
    return compileQuery(query, parseModelJson(model), NOW, physicalOf(model, duckdb)).sql
  } catch (error) {
    return String(error)
  }
}
