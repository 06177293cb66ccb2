/** How much a test does for a change, and how much in the long run (`npm run long`). */

const isLong = process.env['TEST_LONG'] === 'true'

/** Chooses the part of a large set; scripts/run-tests.mjs takes it from the commit and prints it. */
export const PART = Number(process.env['TEST_PART'] ?? 0)

export const amount = <T>(ofAChange: T, ofTheLongRun: T): T => (isLong ? ofTheLongRun : ofAChange)

/** So many generated cases in turn have the same model and rows (test/oracle/generate/case.ts), which take longer to generate and load than a query to answer. */
export const CASES_OF_A_MODEL = 4

/**
 * The numbers of generated cases: one of `parts` parts of what a change asks, another one for another commit, or all of the long run, or those that the
 * variable `wanted` asks for. A part has whole models.
 */
export function caseNumbers(wanted: string, parts: number, ofAChange: number, ofTheLongRun: number): readonly number[] {
  const given = process.env[wanted]
  const all = Array.from({ length: Number(given ?? amount(ofAChange, ofTheLongRun)) }, (_, number) => number)
  return isLong || given !== undefined
    ? all
    : all.filter((number) => Math.floor(number / CASES_OF_A_MODEL) % parts === PART % parts)
}

/**
 * One of `count` parts of the items, another one for another commit; all items in the long run. Where each part of one set is to meet each part of another, the
 * second set takes another number of the commit.
 */
export const oneIn = <T>(count: number, items: readonly T[], part = PART): readonly T[] =>
  isLong ? items : items.filter((_, at) => at % count === part % count)
