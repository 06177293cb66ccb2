/** Why a rollup table is not read for an aggregate, and the field because of which. */
export interface Unread {
  readonly reason: UnreadReason
  readonly field: string
  readonly says: string
}

/** Each code with the section of docs/rollups.md that explains it. */
export type UnreadReason =
  | 'OTHER_BASE'
  | 'NEEDS_ROWS'
  | 'DIMENSION_MISSING'
  | 'GRAIN_TOO_COARSE'
  | 'RANGE_NOT_ALIGNED'
  | 'ROWS_MISSING'
  | 'NOT_ADDITIVE'

export const unread = (reason: UnreadReason, field: string, says: string): Unread => ({ reason, field, says })

export const isUnread = (found: object): found is Unread => 'reason' in found && 'says' in found

/** The values, or the first reason why there is none. */
export function allRead<T extends object>(found: readonly (T | Unread)[]): readonly T[] | Unread {
  const fault = found.find(isUnread)
  return fault ?? (found as readonly T[])
}

/** Those that are read. */
export const onlyRead = <T extends object>(found: readonly (T | Unread)[]): readonly T[] =>
  found.flatMap((one) => (isUnread(one) ? [] : [one as T]))
