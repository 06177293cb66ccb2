/**
 * Half a million cases in batches: `node scripts/long-run.mjs`. ORACLE_SEED, ORACLE_CASES and ORACLE_LATER choose others; with `ORACLE_LATER=each`, the
 * kinds of all runs that `generate/later.ts` names take turns, with ORACLE_CASES of each. ORACLE_ENGINE chooses other engines than DuckDB: of several, such
 * as `duckdb,postgres`, each answers the same cases, which are generated and evaluated once. Every batch is a line of ORACLE_LOG (JSON: revision, engine,
 * seed, kinds, from, to, equal, unsaid, refused, faulty, seconds, processor, rate, faults; `unsaid` are those that the engine cannot say, `processor` the
 * seconds of this process); a run that was broken off continues after the last line of its engine, seed and kinds. ORACLE_FROM is for several runs of one seed
 * side by side, each to its own ORACLE_CASES, in one log. With ORACLE_POLICIES=true each case is asked under row policies of its own; with ORACLE_RULES=each it is also
 * asked without any rule for speed, and without each of those that change its statement, and `statements` counts these. Give both a log of their own. The last
 * lines are the sums of each kind.
 */
import { execFileSync } from 'node:child_process'
import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import { openEngineNamed } from '../interop/oracle-engines.js'
import { heldBy, oracleRun } from '../interop/suites.js'
import { type BatchResult, runBatch } from './batch.js'
import type { Run } from './compare.js'
import { runsOn, variantsOf } from './compiled.js'
import { type Engine, openEngine } from './duckdb.js'
import type { Case, generateCase } from './generate/case.js'
import { kindsNamed, type Later, laterKinds, namesOfKinds } from './generate/later.js'
import { askedCases } from './under-policies.js'

const seed = Number(process.env['ORACLE_SEED'] ?? Math.floor(Date.now() / 86_400_000))
const isEach = process.env['ORACLE_LATER'] === 'each'
const { asks, generate } = askedCases()
const asksRules = process.env['ORACLE_RULES'] === 'each'
const BATCH = isEach || asksRules ? 200 : 1000
const first = Number(process.env['ORACLE_FROM'] ?? 0)
const end = Number(process.env['ORACLE_CASES'] ?? 500_000)
const log = process.env['ORACLE_LOG'] ?? 'oracle-nightly.log'
const engines = (process.env['ORACLE_ENGINE'] ?? 'duckdb').split(',')
const revision = execFileSync('git', ['describe', '--always', '--dirty'], { encoding: 'utf8' }).trim()

interface Kinds {
  readonly name: string
  readonly later: readonly Later[]
}

/** Every kind at once, unless ORACLE_LATER selects some. */
const asked: readonly Kinds[] = isEach
  ? namesOfKinds().map((name) => ({ name, later: kindsNamed(name) }))
  : [{ name: process.env['ORACLE_LATER'] ?? 'all', later: laterKinds(process.env['ORACLE_LATER'] ?? 'all') }]

interface Line {
  /** Absent in older lines, which are DuckDB's. */
  readonly engine?: string
  readonly seed: number
  readonly kinds: string
  readonly from: number
  readonly to: number
  /** Whether each case was also asked without rules. */
  readonly rules?: 'each'
  readonly statements?: number
  readonly refused: number
  readonly faulty: readonly number[]
  readonly seconds: number
  readonly faults: readonly string[]
}

const known = existsSync(log) ? readFileSync(log, 'utf8').split('\n').filter(Boolean) : []
const lines = known.map((line) => JSON.parse(line) as Line)
const linesOf = (engine: string, { later }: Kinds): readonly Line[] =>
  lines.filter(
    (line) =>
      (line.engine ?? 'duckdb') === engine &&
      line.seed === seed &&
      line.kinds === later.join() &&
      (line.rules === 'each') === asksRules &&
      line.from >= first &&
      line.from < end,
  )

for (let from = first; from < end; from += BATCH) {
  const opened = new Map<string, Opened>()
  for (const kinds of asked) {
    const made = remembered((index) => generate(seed, index, kinds.later))
    for (const engine of engines) {
      if (linesOf(engine, kinds).some((line) => line.to >= from)) continue
      const on = opened.get(engine) ?? (await openNamed(engine))
      opened.set(engine, on)
      await ask(on, kinds, from, made)
    }
  }
  for (const { close } of opened.values()) await close()
}

const faults = asked.flatMap((kinds) => engines.flatMap((engine) => sumOf(engine, kinds)))
if (faults.length > 0) console.error(`${faults.length} faults, in ${log}`)
process.exitCode = faults.length > 0 ? 1 : 0

interface Opened {
  readonly engine: string
  /** A run of one batch, with the number of cases that the engine cannot say. */
  readonly start: () => {
    readonly run: Run
    readonly variants: (one: Case) => readonly Run[]
    readonly unsaid: () => number
  }
  readonly held: (later: readonly Later[]) => readonly Later[]
  readonly close: () => unknown
}

async function openNamed(engine: string): Promise<Opened> {
  if (engine === 'duckdb') {
    const opened = await openEngine()
    return { engine, start: () => runsOfDuckdb(opened), held: (later) => later, close: opened.close }
  }
  const opened = await openEngineNamed(engine)
  return { engine, start: () => oracleRun(opened, asks), held: (later) => heldBy(opened, later), close: opened.close }
}

function runsOfDuckdb(engine: Engine): ReturnType<Opened['start']> {
  const runWithout = runsOn(engine, asks)
  const variants = ({ model, query }: Case) =>
    variantsOf(model, query, asks).map(({ without, compiled }) => runWithout(without, { query, compiled }))
  return { run: runWithout(), variants, unsaid: () => 0 }
}

type Made = (index: number) => ReturnType<typeof generateCase>

/** Several engines have the same case, as long as they are asked for the same kinds. */
function remembered(make: Made): Made {
  const all = new Map<number, ReturnType<Made>>()
  return (index) => {
    const one = all.get(index) ?? make(index)
    all.set(index, one)
    return one
  }
}

async function ask({ engine, start, held }: Opened, kinds: Kinds, from: number, made: Made): Promise<void> {
  const { run, variants, unsaid } = start()
  const [started, used] = [Date.now(), process.cpuUsage()]
  const later = held(kinds.later)
  const count = Math.min(BATCH, end - from)
  const all = later.length === kinds.later.length
  const result = await runBatch(run, seed, {
    asks,
    from,
    count,
    later,
    toTheEnd: true,
    ...(asksRules && { variants }),
    made: all ? made : (index) => generate(seed, index, later),
  })
  for (const failure of result.failures) console.error(failure)
  const { user, system } = process.cpuUsage(used)
  const times = { seconds: (Date.now() - started) / 1000, processor: (user + system) / 1_000_000 }
  const line = lineOf({ engine, kinds, from }, result, unsaid(), times)
  appendFileSync(log, `${JSON.stringify(line)}\n`)
  lines.push(line)
  console.log(
    `${engine}, ${kinds.name}, seed ${seed}, cases ${from} to ${line.to}: ${line.refused} refused, ${result.rows} rows, ${line.faulty.length} differ, ${line.rate} cases/s`,
  )
}

interface Times {
  readonly seconds: number
  readonly processor: number
}

function lineOf(
  { engine, kinds, from }: { readonly engine: string; readonly kinds: Kinds; readonly from: number },
  { cases, answered, statements, faulty, failures }: BatchResult,
  unsaid: number,
  { seconds, processor }: Times,
) {
  return {
    ...{ revision, engine, seed, kinds: kinds.later.join(), from, to: from + cases - 1 },
    ...(asksRules && { rules: 'each' as const, statements }),
    ...{ equal: cases - faulty.length - unsaid, unsaid, refused: cases - answered, faulty },
    ...{ seconds, processor, rate: Math.round(cases / seconds), faults: failures },
  }
}

/** Prints how many cases of a kind there are in the log, and returns the reports of those that differ. */
function sumOf(engine: string, kinds: Kinds): readonly string[] {
  const found = linesOf(engine, kinds)
  const sum = (of: (line: Line) => number): number => found.reduce((n, line) => n + of(line), 0)
  const cases = sum(({ from, to }) => to - from + 1)
  const faulty = found.flatMap((line) => line.faulty)
  console.log(
    `${engine}, ${kinds.name}: seed ${seed}, ${cases} cases, ${asksRules ? `${sum((line) => line.statements ?? 0)} statements, ` : ''}${sum((line) => line.refused)} refused, ${faulty.length} differ${
      faulty.length > 0 ? ` (${faulty.slice(0, 20).join(', ')})` : ''
    }, ${(cases / sum((line) => line.seconds)).toFixed(1)} cases/s`,
  )
  return found.flatMap((line) => line.faults)
}
