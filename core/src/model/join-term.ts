import type { TimeGrain } from './grain.js'

/**
 * One of the comparisons by which a join matches rows: a row of the side `from` matches one of the side `to` if all of them are true. `C` is what is compared:
 * names of columns in a model, expressions in a plan.
 */
export type Term<C> = Equal<C> | Within<C> | AsOf<C>

export interface Equal<C> {
  readonly kind: 'equal'
  readonly from: C
  readonly to: C
}

/** A value of one side is in the interval of a row of the other. */
export interface Within<C> {
  readonly kind: 'within'
  /** The side that has the interval. */
  readonly interval: Side
  readonly value: C
  readonly start: End<C>
  readonly end: End<C>
  /** How values of other types are compared with the interval; without it, they are compared as they are. */
  readonly reading?: PeriodReading
}

/** A time is read as its day in the zone, or in that of the data; an interval of times holds on a day at one of its moments. */
export interface PeriodReading {
  readonly zone: string | undefined
  readonly holds: 'start' | 'end' | 'any'
}

/** A value of one side finds one row of the other: the last at or before it, or the first at or after it. */
export interface AsOf<C> {
  readonly kind: 'as-of'
  /** The side of which a row is found. */
  readonly found: Side
  readonly value: C
  readonly at: C
  readonly direction: 'backward' | 'forward'
  /** How far from the value the row may be; at any distance without it. */
  readonly within: { readonly count: number; readonly unit: TimeGrain } | undefined
  /** Of rows of one time, the one in which these are greatest is found. */
  readonly ties: readonly C[]
  /** The zone in which a time is read as its day. */
  readonly zone: string | undefined
}

export type Side = 'from' | 'to'

export interface End<C> {
  readonly at: C
  readonly isIncluded: boolean
  /** Whether a NULL is no bound; otherwise no value is in an interval with it. */
  readonly isOpen: boolean
}

/**
 * The equalities of a join that has no other term. Only then do its columns say how many rows match, or which row: all reasoning by keys and foreign keys
 * asks this function, and leaves other joins alone.
 */
export function equalityOf<C>(on: readonly (Term<C> | { readonly kind: 'holds' })[]): readonly Equal<C>[] | undefined {
  const equal = equalTerms(on)
  return equal.length > 0 && equal.length === on.length ? equal : undefined
}

/** The equalities among the terms. */
export const equalTerms = <C>(on: readonly (Term<C> | { readonly kind: 'holds' })[]): readonly Equal<C>[] =>
  on.filter((term) => term.kind === 'equal')

/** The equal columns of both sides, one by one. */
export const equalColumns = <C>(
  on: readonly Term<C>[],
): { readonly columnsFrom: readonly C[]; readonly columnsTo: readonly C[] } => ({
  columnsFrom: equalTerms(on).map(({ from }) => from),
  columnsTo: equalTerms(on).map(({ to }) => to),
})

/** Everything of one side that is compared. */
export function comparedOf<C>(on: readonly Term<C>[], side: Side): readonly C[] {
  const compared: C[] = []
  for (const term of on) {
    if (term.kind === 'equal') compared.push(term[side])
    else if (term.kind === 'as-of') compared.push(term.found === side ? term.at : term.value)
    else if (term.interval === side) compared.push(term.start.at, term.end.at)
    else compared.push(term.value)
  }
  return compared
}

/** Something of the side `to` that is NULL in no row that matches; `undefined` if every column of it may be NULL. */
export function neverNullIn<C>(on: readonly Term<C>[]): C | undefined {
  const [equal] = equalTerms(on)
  if (equal) return equal.to
  const held = on.flatMap((term) => {
    if (term.kind === 'equal') return []
    if (term.kind === 'as-of') return [term.found === 'to' ? term.at : term.value]
    if (term.interval === 'from') return [term.value]
    return [term.start, term.end].filter(({ isOpen }) => !isOpen).map(({ at }) => at)
  })
  return held[0]
}

/** Equality of the columns of two sides, one by one; a column without a partner is left out. */
export const pairwiseEqual = (columnsFrom: readonly string[], columnsTo: readonly string[]): readonly Equal<string>[] =>
  columnsFrom.flatMap((from, i) => {
    const to = columnsTo[i]
    return to === undefined ? [] : [{ kind: 'equal' as const, from, to }]
  })

/** The same terms for the opposite direction. */
export const turned = <C>(on: readonly Term<C>[]): readonly Term<C>[] => on.map((term) => turnedTerm(term))

function turnedTerm<C>(term: Term<C>): Term<C> {
  switch (term.kind) {
    case 'equal':
      return { kind: 'equal', from: term.to, to: term.from }
    case 'within':
      return { ...term, interval: otherSide(term.interval) }
    case 'as-of':
      return { ...term, found: otherSide(term.found) }
  }
}

const otherSide = (side: Side): Side => (side === 'from' ? 'to' : 'from')

/** The term by which rows find one row of the other side; `undefined` if they are compared one by one. */
export const asOfOf = <C>(on: readonly (Term<C> | { readonly kind: 'holds' })[]): AsOf<C> | undefined =>
  on.find((term) => term.kind === 'as-of')

/** The term with what each side compares mapped. */
export function mapTerm<C, D>(term: Term<C>, { from, to }: { readonly [S in Side]: (one: C) => D }): Term<D> {
  if (term.kind === 'equal') return { kind: 'equal', from: from(term.from), to: to(term.to) }
  if (term.kind === 'as-of') {
    const [ofFound, ofValue] = term.found === 'from' ? [from, to] : [to, from]
    return { ...term, value: ofValue(term.value), at: ofFound(term.at), ties: term.ties.map(ofFound) }
  }
  const [ofInterval, ofValue] = term.interval === 'from' ? [from, to] : [to, from]
  const end = ({ at, ...rest }: End<C>): End<D> => ({ ...rest, at: ofInterval(at) })
  return { ...term, value: ofValue(term.value), start: end(term.start), end: end(term.end) }
}
