/** Sets of times, as ranges that include their start and exclude their end. */

/** Microseconds since 1970-01-01, of a local time or of UTC. */
export type Micros = bigint

/** `undefined` if there is no bound on that side. */
export interface Range {
  readonly from: Micros | undefined
  readonly to: Micros | undefined
}

/** In order, disjoint, and none of them empty. */
export type Ranges = readonly Range[]

export const ALL: Ranges = [{ from: undefined, to: undefined }]
export const before = (to: Micros): Ranges => [{ from: undefined, to }]
export const since = (from: Micros): Ranges => [{ from, to: undefined }]

export function union(a: Ranges, b: Ranges): Ranges {
  const joined: Range[] = []
  for (const range of [...a, ...b].toSorted(byStart)) {
    const last = joined.at(-1)
    if (!last || (last.to !== undefined && range.from !== undefined && range.from > last.to)) joined.push(range)
    else joined[joined.length - 1] = { from: last.from, to: later(last.to, range.to) }
  }
  return joined
}

export function complement(ranges: Ranges): Ranges {
  const gaps: Range[] = []
  let from: Micros | undefined
  let open = true
  for (const range of ranges) {
    if (range.from !== undefined) gaps.push({ from, to: range.from })
    from = range.to
    open = range.to !== undefined
  }
  return open ? [...gaps, { from, to: undefined }] : gaps
}

export const intersection = (a: Ranges, b: Ranges): Ranges => complement(union(complement(a), complement(b)))
export const difference = (a: Ranges, b: Ranges): Ranges => intersection(a, complement(b))
/** Whether every time of `b` is in `a`. */
export const includes = (a: Ranges, b: Ranges): boolean => difference(b, a).length === 0

/** Ranges that may be empty, adjacent and in any order. */
export const rangesOf = (parts: readonly { readonly from?: Micros | undefined; readonly to?: Micros | undefined }[]): Ranges =>
  parts
    .filter(({ from, to }) => from === undefined || to === undefined || from < to)
    .reduce<Ranges>((all, { from, to }) => union(all, [{ from, to }]), [])

function byStart(a: Range, b: Range): number {
  if (a.from === b.from) return 0
  if (a.from === undefined) return -1
  return b.from === undefined || a.from < b.from ? (b.from === undefined ? 1 : -1) : 1
}

const later = (a: Micros | undefined, b: Micros | undefined): Micros | undefined =>
  a === undefined || b === undefined ? undefined : a > b ? a : b
