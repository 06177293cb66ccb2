import type { LogicalPlan, Lookup } from './logical-plan.js'

/** Rows, and the values that are looked up for them one after another. */
export interface LookupChain {
  readonly rows: LogicalPlan
  readonly lookups: readonly Lookup[]
}

export function chainOf(plan: LogicalPlan): LookupChain {
  if (plan.kind !== 'lookup') return { rows: plan, lookups: [] }
  const { rows, lookups } = chainOf(plan.input)
  return { rows, lookups: [...lookups, plan] }
}

/** The plan of these rows with what is looked up for them. */
export const lookedUpFor = (rows: LogicalPlan, lookups: readonly Lookup[]): LogicalPlan =>
  lookups.reduce<LogicalPlan>((input, lookup) => ({ ...lookup, input }), rows)

/** A value by keys of the row of the same names, of which NULLs are equal. */
export const isByOwnKeys = ({ keys, isInner }: Lookup): boolean =>
  !isInner &&
  keys.every(({ own, theirs, nullSafe }) => nullSafe && own.kind === 'column' && own.table === '' && own.name === theirs)
