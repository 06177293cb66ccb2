/** Totals of what is shown: only the rows behind the detail rows that the answer shows. */
import type { Condition } from './conditions.js'
import type { Asked } from './fields.js'
import type { FilterJson, LeafJson, QueryJson } from './model.js'
import { refuse } from './refusal.js'
import { keyOfAll, type Value } from './values.js'

/** Detail rows, as values of these dimensions. */
export interface Shown {
  readonly asked: readonly Asked[]
  readonly tuples: readonly (readonly Value[])[]
}

export const isOfShown = (grouping: QueryJson['grouping']): boolean => typeof grouping === 'object' && grouping.of === 'shown'

export const shownConjunct = (shown: Shown): LeafJson => ({ field: '', op: 'shown', shown })

export const isShown = (filter: FilterJson | undefined): boolean =>
  filter !== undefined && !('logic' in filter) && filter.shown !== undefined

/** The detail rows as far as these dimensions say them; undefined if nothing is left to say. */
export function onlyBy({ asked, tuples }: Shown, kept: (one: Asked) => boolean): LeafJson | undefined {
  const at = asked.flatMap((one, i) => (kept(one) ? [i] : []))
  if (at.length === asked.length) return shownConjunct({ asked, tuples })
  return at.length === 0
    ? undefined
    : shownConjunct({ asked: at.map((i) => asked[i]!), tuples: tuples.map((tuple) => at.map((i) => tuple[i]!)) })
}

export function shownCondition({ asked, tuples }: Shown, home: string): Condition {
  const fields = asked.map((one) => one.at(home))
  const known = new Set(tuples.map(keyOfAll))
  const starts = fields.map((_, i) => fields.slice(0, i).reduce((n, { roles }) => n + roles.length, 0))
  return {
    roles: fields.flatMap(({ roles }) => roles),
    readable: fields.every(({ roles }) => roles.length > 0),
    holds: (rows) =>
      known.has(keyOfAll(fields.map((field, i) => field.value(rows.slice(starts[i], starts[i]! + field.roles.length))))),
  }
}

export const refuseUnshown = (home: string): never => refuse('NO_JOIN_PATH', `what is shown, from ${home}`)
