/** How much a test does for a change, and how much in the long run (`npm run long`). */

const isLong = process.env['TEST_LONG'] === 'true'

/** Chooses the part of a large set; scripts/run-tests.mjs takes it from the commit and prints it. */
export const PART = Number(process.env['TEST_PART'] ?? 0)

export const amount = <T>(ofAChange: T, ofTheLongRun: T): T => (isLong ? ofTheLongRun : ofAChange)

/**
 * The numbers of generated cases: one of `parts` parts of what a change asks, another one for another commit, or all of the long run, or those that the
 * variable `wanted` asks for.
 */
export function caseNumbers(wanted: string, parts: number, ofAChange: number, ofTheLongRun: number): readonly number[] {
  const given = process.env[wanted]
  const all = Array.from({ length: Number(given ?? amount(ofAChange, ofTheLongRun)) }, (_, number) => number)
  return given === undefined ? oneIn(parts, all) : all
}

/** One of `count` parts of the items, another one for another commit; all items in the long run. */
export const oneIn = <T>(count: number, items: readonly T[]): readonly T[] =>
  isLong ? items : items.filter((_, at) => at % count === PART % count)
