/** Runs many generated cases on one engine; the first faults are reduced and reported. */
import { compareCase, type Mismatch, type Run } from './compare.js'
import { type Asks, asEverybody } from './compiled.js'
import { type Case, generateCase } from './generate/case.js'
import { type Later, laterKinds } from './generate/later.js'
import { report } from './report.js'
import { shrink } from './shrink.js'

export interface BatchResult {
  readonly cases: number
  readonly answered: number
  readonly rows: number
  /** How many statements were compared, with those of the variants. */
  readonly statements: number
  /** How often each code was expected. */
  readonly refusals: Readonly<Record<string, number>>
  /** The cases that differ; the first of them are reported. */
  readonly faulty: readonly number[]
  readonly failures: readonly string[]
}

export interface Batch {
  readonly from: number
  readonly count: number
  /** Kinds beyond the basic language. */
  readonly later?: readonly Later[]
  /** Called with every case that has an answer. */
  readonly seen?: (one: Case) => void
  /** Other runs of a case that has an answer, which must give the same one. */
  readonly variants?: ((one: Case) => readonly Run[]) | undefined
  /** Continues after the first faults, which are the only ones that are reduced and reported. */
  readonly toTheEnd?: boolean
  /** The cases, if they are generated already. */
  readonly made?: (index: number) => ReturnType<typeof generateCase>
  /** For whom the cases are asked. */
  readonly asks?: Asks
}

/** The number of reported faults. */
const REPORTED = 3

export async function runBatch(
  run: Run,
  seed: number,
  {
    from,
    count,
    later = laterKinds(),
    toTheEnd = false,
    seen,
    variants,
    made = (index) => generateCase(seed, index, later),
    asks,
  }: Batch,
): Promise<BatchResult> {
  const failures: string[] = []
  const refusals: Record<string, number> = {}
  const faulty: number[] = []
  let [answered, rows, cases, statements] = [0, 0, 0, 0]
  const check = async (index: number, { expected, ...one }: ReturnType<typeof generateCase>): Promise<void> => {
    for (const each of [run, ...(variants && !('refused' in expected) ? variants(one) : [])]) {
      statements++
      const mismatch = await compareCase(one, each, expected)
      if (!mismatch) continue
      if (faulty.push(index) <= REPORTED)
        failures.push(await smallReport(`ORACLE_SEED=${seed} case ${index}`, one, mismatch, each, asks))
      return
    }
  }
  let checking = Promise.resolve()
  for (let index = from; index < from + count && (toTheEnd || failures.length < REPORTED); index++) {
    cases++
    const one = generated(seed, index, made)
    if (typeof one === 'string') {
      // Not a fault of the engine: the oracle has no answer to its own query.
      if (faulty.push(index) <= REPORTED) failures.push(one)
      continue
    }
    if ('refused' in one.expected) refusals[one.expected.refused] = (refusals[one.expected.refused] ?? 0) + 1
    else {
      ;[answered, rows] = [answered + 1, rows + one.expected.rows.length]
      seen?.(one)
    }
    // The engine works on one case while the next one is generated.
    await checking
    checking = check(index, one)
  }
  await checking
  return { cases, answered, rows, statements, refusals, faulty, failures }
}

/** The case, or why there is none. */
function generated(seed: number, index: number, made: NonNullable<Batch['made']>): ReturnType<typeof generateCase> | string {
  try {
    return made(index)
  } catch (error) {
    return `── ORACLE_SEED=${seed} case ${index} ── oracle: ${error instanceof Error ? error.stack : error}`
  }
}

/** The reduced case, as text. */
export async function smallReport(
  title: string,
  one: Case,
  mismatch: Mismatch,
  run: Run,
  { answerTo, conditionsOf = () => [] }: Asks = asEverybody,
): Promise<string> {
  const mismatchOf = async (smaller: Case): Promise<Mismatch | undefined> => {
    try {
      return await compareCase(smaller, run, answerTo(smaller.model, smaller.data, smaller.query))
    } catch {
      // The oracle cannot evaluate this reduced case.
      return undefined
    }
  }
  const { kind, message } = mismatch
  const sameFault = (m: Mismatch | undefined): boolean =>
    m?.kind === kind && (kind === 'rows' || kind === 'order' || alike(m.message) === alike(message))
  const small = await shrink(one, async (smaller) => sameFault(await mismatchOf(smaller)))
  const conditions = conditionsOf(small.query).map((one) => `\npolicy: ${JSON.stringify(one)}`)
  return report(title + conditions.join(''), small, (await mismatchOf(small)) ?? mismatch)
}

/** Messages without names and numbers, because reduction may change these. */
const alike = (message: string): string => message.replace(/["'][^"']*["']|\d+/g, '').slice(0, 60)
