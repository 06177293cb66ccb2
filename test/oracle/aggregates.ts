/** The result of an aggregation over the values of a group. */
import { groupBy } from './group-by.js'
import { refuse } from './refusal.js'
import { add, compare, Dec, decText, divide, int, keyOf, keyOfAll, multiply, toDouble, type Value } from './values.js'

/** The inputs of one base row: one value per argument, none for a row count. */
export type Inputs = readonly Value[]

export interface Aggregation {
  readonly name: string
  readonly distinct: boolean
  readonly delimiter: string
  /** Order of `listagg` by another value of the row (the last input), if requested. */
  readonly orderedBy?: { readonly descending: boolean }
  /** The fraction of `percentile`. */
  readonly fraction?: number
  /** Directions of the values that order `first` and `last`: they come after the input, and the key of the row comes after them. */
  readonly sortedBy?: readonly boolean[]
}

/** Aggregations to which a row with a weight contributes a fraction; with DISTINCT none does. */
const WEIGHED = ['sum', 'count', 'count_if', 'avg']
export const isWeighed = ({ name, distinct }: Pick<Aggregation, 'name' | 'distinct'>): boolean =>
  !distinct && WEIGHED.includes(name)

/** Like `aggregate`, for rows with weights; a row whose weight is NULL contributes nothing. */
export function aggregateWeighed({ name }: Aggregation, rows: readonly Inputs[], weights: readonly Value[]): Value {
  const weighed = rows.map((inputs, i) => ({ inputs, weight: weights[i]! })).filter((r) => r.weight !== null)
  const total = (values: readonly Value[]): Value => (values.length === 0 ? null : values.reduce(add))
  const present = weighed.filter((r) => (name === 'count_if' ? r.inputs[0] === true : !r.inputs.includes(null)))
  const weight = total(present.map((r) => r.weight))
  if (name === 'count' || name === 'count_if') return weight ?? int(0)
  const sum = total(present.map((r) => multiply(r.inputs[0]!, r.weight)))
  return name === 'sum' ? sum : divide(sum, weight)
}

const ALIASES: Readonly<Record<string, string>> = { stddev: 'stddev_samp', variance: 'var_samp' }
export const canonicalAggregation = (name: string): string => ALIASES[name] ?? name

const COUNTS = ['count', 'count_if', 'count_distinct', 'approx_count_distinct']
export const isCount = (name: string): boolean => COUNTS.includes(name)

/** Aggregations whose result is a double for any input. */
export const computesInDouble = (name: string): boolean => /^(avg|median|percentile|stddev|var|corr|covar|regr)/.test(name)

export function aggregate(aggregation: Aggregation, rows: readonly Inputs[]): Value {
  const name = canonicalAggregation(aggregation.name)
  if (isCount(name)) return counted(name, countOf(aggregation, name, rows))
  if (name === 'listagg') return listed(aggregation, rows)
  if (name === 'first' || name === 'last') return picked(name, aggregation.sortedBy ?? [], rows)
  const present = rows.filter((r) => !r.includes(null))
  const used = aggregation.distinct ? distinctBy(present, keyOfAll) : present
  if (used.length === 0) return null
  if (used[0]!.length === 2)
    return paired(
      name,
      used.map(([y, x]) => [double(y!), double(x!)] as const),
    )
  return single(
    aggregation,
    used.map(([v]) => v!),
  )
}

/** Engines count many values with a sketch, which may have an error of a few. */
const counted = (name: string, count: number): Dec =>
  name === 'approx_count_distinct' ? new Dec(BigInt(count), 0, { double: count, within: Math.max(2, 0.5 * count) }) : int(count)

function countOf({ distinct }: Aggregation, name: string, rows: readonly Inputs[]): number {
  const present = rows.filter((r) => !r.includes(null))
  if (name === 'count_if') return present.filter(([holds]) => holds === true).length
  return distinct || name.endsWith('count_distinct') ? distinctBy(present, keyOfAll).length : present.length
}

function distinctBy<T>(items: readonly T[], key: (item: T) => string): T[] {
  return [...new Map(items.map((i) => [key(i), i])).values()]
}

const double = (v: Value): number => toDouble(v as Dec | number)

function single(aggregation: Aggregation, values: readonly Value[]): Value {
  const name = canonicalAggregation(aggregation.name)
  const sorted = [...values].sort(compare)
  switch (name) {
    case 'sum':
      return values.reduce(add)
    case 'avg':
      return divide(values.reduce(add), int(values.length))
    case 'min':
    case 'any_value':
      return sorted[0]!
    case 'max':
      return sorted.at(-1)!
    case 'mode':
      return mostFrequent(sorted)
    case 'median':
      return percentile(sorted.map(double), 0.5)
    case 'percentile':
      return percentile(sorted.map(double), aggregation.fraction!)
    case 'bool_and':
      return !values.includes(false)
    case 'bool_or':
      return values.includes(true)
    default:
      return spread(name, values.map(double))
  }
}

/** The smallest of the most frequent values. */
function mostFrequent(sorted: readonly Value[]): Value {
  const groups = [...groupBy(sorted, keyOf).values()]
  const most = Math.max(...groups.map((g) => g.length))
  return groups.find((g) => g.length === most)![0]!
}

/** Interpolated between the two values at the fraction. */
function percentile(sorted: readonly number[], fraction: number): number {
  const at = (sorted.length - 1) * fraction
  const part = at - Math.floor(at)
  const [low, high] = [sorted[Math.floor(at)]!, sorted[Math.ceil(at)]!]
  return part === 0 || low === high ? low : low * (1 - part) + high * part
}

const sumOf = (numbers: readonly number[]): number => numbers.reduce((a, b) => a + b, 0)
const meanOf = (numbers: readonly number[]): number => sumOf(numbers) / numbers.length

/** Σ (x − mean x)(y − mean y), exactly 0 if one side is constant. */
function coSpread(xs: readonly number[], ys: readonly number[]): number {
  if (![...xs, ...ys].every(Number.isFinite)) return Number.NaN
  if (new Set(xs).size === 1 || new Set(ys).size === 1) return 0
  const [mx, my] = [meanOf(xs), meanOf(ys)]
  return sumOf(xs.map((x, i) => (x - mx) * (ys[i]! - my)))
}

function spread(name: string, values: readonly number[]): Value {
  const total = coSpread(values, values)
  const freedom = name.endsWith('_samp') ? values.length - 1 : values.length
  if (freedom === 0) return null
  if (name === 'var_pop' || name === 'var_samp') return total / freedom
  if (name === 'stddev_pop' || name === 'stddev_samp') return Math.sqrt(total / freedom)
  return refuse('UNSUPPORTED_AGGREGATION', name)
}

/** Pairs are (y, x): the dependent value first. */
function paired(name: string, pairs: readonly (readonly [number, number])[]): Value {
  const [ys, xs] = [pairs.map((p) => p[0]), pairs.map((p) => p[1])]
  const [xy, xx, yy] = [coSpread(xs, ys), coSpread(xs, xs), coSpread(ys, ys)]
  switch (name) {
    case 'covar_pop':
      return xy / pairs.length
    case 'covar_samp':
      return pairs.length < 2 ? null : xy / (pairs.length - 1)
    case 'corr':
      return xx === 0 || yy === 0 ? null : xy / Math.sqrt(xx * yy)
    case 'regr_slope':
      return xx === 0 ? null : xy / xx
    case 'regr_intercept':
      return xx === 0 ? null : meanOf(ys) - (xy / xx) * meanOf(xs)
    default:
      return refuse('UNSUPPORTED_AGGREGATION', name)
  }
}

/** The input of the first or last row by its order, then its key, then the input itself. */
function picked(name: string, descending: readonly boolean[], rows: readonly Inputs[]): Value {
  const present = rows.filter((r) => !r.slice(0, 1 + descending.length).includes(null))
  const sorted = present.toSorted(([a, ...left], [b, ...right]) => {
    const orders = left.map((v, i) => (descending[i] ? -1 : 1) * nullsLast(v, right[i]!, 1))
    return [...orders, compare(a!, b!)].find((d) => d !== 0) ?? 0
  })
  return sorted.at(name === 'first' ? 0 : -1)?.[0] ?? null
}

/** The texts in order, joined; NULLs are left out, and the result is NULL if nothing is left. */
function listed({ distinct, delimiter, orderedBy }: Aggregation, rows: readonly Inputs[]): Value {
  const present = rows.filter(([text]) => text !== null)
  const used = distinct ? distinctBy(present, ([text]) => keyOf(text!)) : [...present]
  const byText = (a: Inputs, b: Inputs): number => compare(a[0]!, b[0]!)
  const sign = orderedBy?.descending ? -1 : 1
  used.sort((a, b) => (orderedBy ? sign * nullsLast(a[1]!, b[1]!, sign) : 0) || byText(a, b))
  return used.length === 0 ? null : used.map(([text]) => textOf(text!)).join(delimiter)
}

function nullsLast(a: Value, b: Value, sign: number): number {
  if (a === null || b === null) return a === b ? 0 : a === null ? sign : -sign
  return compare(a, b)
}

const textOf = (v: Value): string =>
  typeof v === 'string' ? v : v !== null && typeof v === 'object' && 'scale' in v ? decText(v) : String(v)
