/** How much a test does for a change, and how much in the long run (`npm run long`). */

const isLong = process.env['TEST_LONG'] === 'true'

/** Chooses the part of a large set; scripts/run-tests.mjs takes it from the commit and prints it. */
export const PART = Number(process.env['TEST_PART'] ?? 0)

export const amount = <T>(ofAChange: T, ofTheLongRun: T): T => (isLong ? ofTheLongRun : ofAChange)

/** One of `count` parts of the items, another one for another commit; all items in the long run. */
export const oneIn = <T>(count: number, items: readonly T[]): readonly T[] =>
  isLong ? items : items.filter((_, at) => at % count === PART % count)
