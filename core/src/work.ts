/**
 * A budget for synchronous work. Work is counted in steps and not in time, so that the same query is refused or answered on every machine;
 * a step takes about a microsecond.
 */
import { fail } from './errors.js'

/** The steps of the current work. Nothing else runs meanwhile, because counted work is synchronous. */
let left = Number.POSITIVE_INFINITY

/** Runs `work`, which must be synchronous. Throws `COMPILE_BUDGET` if it takes more than `steps`. */
export function withinSteps<T>(steps: number, work: () => T): T {
  const outer = left
  left = Math.min(outer, steps)
  const given = left
  try {
    return work()
  } finally {
    // Without an outer budget there is none again. Infinity minus Infinity is NaN, and no budget would ever run out after it.
    left = Number.isFinite(outer) ? outer - (given - left) : outer
  }
}

/** Counts steps of the current work. */
export function spend(steps = 1): void {
  left -= steps
  if (left < 0)
    fail('COMPILE_BUDGET', 'Compiling takes more steps than COMPILE_MAX_STEPS allows', {
      hint: 'Ask for less at once, or build the metric on fewer others; the operator may raise COMPILE_MAX_STEPS.',
    })
}
