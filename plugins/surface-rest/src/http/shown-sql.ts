import { GrainlineError } from '@grainline/core'

/** For routes that show nothing but SQL and plans: what is compiled, unless access rules bind the caller. */
export function shownSql<T extends { readonly withheld: boolean }>(compiled: T): T {
  if (!compiled.withheld) return compiled
  throw new GrainlineError('SQL_WITHHELD', 'Access rules of the model bind you, so its SQL and plans are not shown')
}
