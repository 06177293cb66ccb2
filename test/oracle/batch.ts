/** Many generated cases against one engine; the first faults are made small and reported. */
import { compareCase, type Mismatch, type Run } from './compare.js'
import { type Case, generateCase } from './generate/case.js'
import { type Later, laterKinds } from './generate/later.js'
import { report } from './report.js'
import { shrink } from './shrink.js'

export interface BatchResult {
  readonly cases: number
  readonly answered: number
  readonly rows: number
  /** How often each code was expected. */
  readonly refusals: Readonly<Record<string, number>>
  readonly failures: readonly string[]
}

export interface Batch {
  readonly from: number
  readonly count: number
  /** Kinds beyond the straight language. */
  readonly later?: readonly Later[]
  /** Faults after which it ends. */
  readonly most?: number
}

export async function runBatch(
  run: Run,
  seed: number,
  { from, count, later = laterKinds(), most = 3 }: Batch,
): Promise<BatchResult> {
  const failures: string[] = []
  const refusals: Record<string, number> = {}
  let [answered, rows, cases] = [0, 0, 0]
  for (let index = from; index < from + count && failures.length < most; index++) {
    cases++
    const { expected, ...one } = generateCase(seed, index, later)
    if ('refused' in expected) refusals[expected.refused] = (refusals[expected.refused] ?? 0) + 1
    else [answered, rows] = [answered + 1, rows + expected.rows.length]
    const mismatch = await compareCase(one, run, expected)
    if (mismatch && mismatch.kind !== 'unplanned')
      failures.push(await smallReport(`ORACLE_SEED=${seed} case ${index}`, one, mismatch, run))
  }
  return { cases, answered, rows, refusals, failures }
}

/** The case, made small, as text. */
export async function smallReport(title: string, one: Case, { kind, message }: Mismatch, run: Run): Promise<string> {
  const sameFault = (m: Mismatch | undefined): boolean =>
    m?.kind === kind && (kind === 'rows' || kind === 'order' || alike(m.message) === alike(message))
  const small = await shrink(one, async (smaller) => sameFault(await mismatchOf(smaller, run)))
  return report(title, small, (await mismatchOf(small, run))!)
}

/** Undefined also where taking something away left no case that the oracle can read. */
async function mismatchOf(one: Case, run: Run): Promise<Mismatch | undefined> {
  try {
    return await compareCase(one, run)
  } catch {
    return undefined
  }
}

/** Messages without names and numbers, so that shrinking may change these. */
const alike = (message: string): string => message.replace(/["'][^"']*["']|\d+/g, '').slice(0, 60)
