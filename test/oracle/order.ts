/** Order, ties, limit and offset of the rows of an answer. */
import type { PlainQueryJson } from './model.js'
import { compare, type Value } from './values.js'

export interface Sortable {
  /** The sort keys of an order field, by name or 1-based position. */
  readonly by: (field: string | number) => readonly Value[]
  /** The keys that break ties on a page, ascending. */
  readonly ties: readonly Value[]
}

interface SortKey {
  /** For each field of the order, then for ties, the values that are compared. */
  readonly values: readonly (readonly Value[])[]
}

/** The rows of the requested page, and for each a rank: rows of equal rank are in any order. */
export function page<T extends Sortable>(
  rows: readonly T[],
  query: PlainQueryJson,
): { readonly rows: readonly T[]; readonly ranks: readonly number[] } {
  const paged = query.limit !== undefined || query.offset !== undefined
  const order = query.order_by ?? []
  const keyed = rows.map((row): SortKey & { readonly row: T } => ({
    row,
    values: [...order.map((o) => row.by(o.field)), ...(paged ? row.ties.map((tie) => [tie]) : [])],
  }))
  const byKeys = (a: SortKey, b: SortKey): number => {
    for (let i = 0; i < a.values.length; i++) {
      for (const [at, value] of a.values[i]!.entries()) {
        const other = b.values[i]![at]!
        const difference = compareNullable(value, other, order[i]?.direction === 'desc', order[i]?.nulls === 'first')
        if (difference !== 0) return difference
      }
    }
    return 0
  }
  const sorted = keyed
    .sort(byKeys)
    .slice(query.offset ?? 0)
    .slice(0, query.limit ?? rows.length)
  let rank = 0
  const ranks = sorted.map((k, i) => (i > 0 && byKeys(sorted[i - 1]!, k) !== 0 ? ++rank : rank))
  return { rows: sorted.map((k) => k.row), ranks }
}

function compareNullable(a: Value, b: Value, descending: boolean, nullsFirst: boolean): number {
  if (a === null || b === null) return a === b ? 0 : (a === null) === nullsFirst ? -1 : 1
  return descending ? compare(b, a) : compare(a, b)
}
