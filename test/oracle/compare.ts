/** Compares the answer of an engine with that of the oracle. */
import { evaluate, type Outcome } from './evaluate.js'
import type { Case } from './generate/case.js'
import type { ModelJson, QueryJson, Tables } from './model.js'
import { Dec, decText, keyOf, keyOfAll, show, toDouble, type Value } from './values.js'

export interface Ran {
  readonly columns: readonly string[]
  readonly rows: readonly (readonly Value[])[]
  readonly sql?: string
}
export interface Refused {
  readonly refused: string
  readonly why?: string
  readonly sql?: string
}

/** Compiles and executes one query over the given rows; an error of the engine is thrown. */
export type Run = (model: ModelJson, tables: Tables, query: QueryJson) => Promise<Ran | Refused>

export interface Mismatch {
  /** The kind of fault; reduction keeps it. */
  readonly kind: 'rows' | 'columns' | 'order' | 'refusal' | 'crash'
  readonly message: string
  readonly sql: string
  readonly expected: string
  readonly actual: string
}

/** Undefined if the engine and the oracle agree. */
export async function compareCase(
  one: Case,
  run: Run,
  expected: Outcome = evaluate(one.model, one.data, one.query),
): Promise<Mismatch | undefined> {
  let actual: Ran | Refused
  try {
    actual = await run(one.model, one.data, one.query)
  } catch (error) {
    return { kind: 'crash', message: String(error), sql: sqlOf(error), expected: shown(expected), actual: 'an error' }
  }
  const fault = faultOf(expected, actual, one)
  return fault && { ...fault, sql: actual.sql ?? '', expected: shown(expected), actual: shown(actual) }
}

const sqlOf = (error: unknown): string => (error instanceof Error && 'sql' in error ? String(error.sql) : '')

function faultOf(expected: Outcome, actual: Ran | Refused, one: Case): Pick<Mismatch, 'kind' | 'message'> | undefined {
  if ('refused' in expected || 'refused' in actual) return refusalFault(expected, actual, one)
  if (keyOfAll(expected.columns) !== keyOfAll(actual.columns))
    return { kind: 'columns', message: `columns ${actual.columns.join(', ')}` }
  if (expected.rows.length !== actual.rows.length)
    return { kind: 'rows', message: `${actual.rows.length} rows for ${expected.rows.length}` }
  return rankFault(expected.rows, expected.ranks, actual.rows)
}

/** If several rules refuse, any of their codes is correct; but both sides must refuse. */
function refusalFault(expected: Outcome, actual: Ran | Refused, one: Case): Pick<Mismatch, 'kind' | 'message'> | undefined {
  // A range that is moved for rows without a time is not evaluated.
  const isEmpty = !('refused' in expected) && expected.rows.every((row) => row.every((value) => value === null))
  if (isEmpty && REFUSED_WITH_ROWS.has((actual as Refused).refused)) return undefined
  if (!('refused' in expected))
    return { kind: 'refusal', message: `refused with ${(actual as Refused).refused}: ${(actual as Refused).why ?? ''}` }
  if (!('refused' in actual)) return { kind: 'refusal', message: `answered, for ${expected.refused}` }
  if (isRefusedWith(expected.codes, actual.refused) || isRefusedToo(one, actual.refused)) return undefined
  return { kind: 'refusal', message: `refused with ${actual.refused} for ${expected.refused}: ${actual.why ?? ''}` }
}

const isRefusedWith = (codes: readonly string[], code: string): boolean =>
  codes.includes(code) || (REFUSED_EARLY.has(code) && codes.some((one) => REFUSED_EARLY.has(one)))

/** Whether the oracle refuses the query with this code after some of its parts are removed: then both refusals apply. */
function isRefusedToo({ model, data, query }: Case, code: string): boolean {
  const { select, ...parts } = query
  return subsets(Object.entries(parts)).some((kept) => {
    const rest = evaluate(model, data, { select, ...Object.fromEntries(kept) })
    return 'refused' in rest && isRefusedWith(rest.codes, code)
  })
}

const subsets = <T>([first, ...rest]: readonly T[]): readonly (readonly T[])[] =>
  first === undefined ? [[]] : subsets(rest).flatMap((others) => [others, [first, ...others]])

/** What the oracle finds only in a range that it reads: data that are coarser, or a time that the rows of the measure do not reach. */
const REFUSED_WITH_ROWS: ReadonlySet<string> = new Set(['FINER_THAN_DATA', 'NO_JOIN_PATH'])

const JOIN_CODES: ReadonlySet<string> = new Set([
  'AMBIGUOUS_JOIN',
  'NO_JOIN_PATH',
  'KEY_REQUIRED',
  'ANCHOR_REQUIRED',
  'FILTER_APPLIES_TO_NOTHING',
  'FILTER_NOT_APPLICABLE',
  'FILTER_THROUGH_BRIDGE',
  'FINER_THAN_DATA',
])
/** The errors that the oracle finds before it looks for paths. */
const REFUSED_EARLY: ReadonlySet<string> = new Set([
  ...JOIN_CODES,
  'GRAIN_NOT_SUBSET',
  'TIME_DIMENSION_NOT_SELECTED',
  'TIME_FILTER_NOT_SEPARABLE',
  'TIME_FILTER_NOT_A_RANGE',
  'TIME_RANGE_REQUIRED',
  'WINDOW_GRAIN_REQUIRED',
  'INVALID_METRIC',
  'INVALID_FILTER_OPERATOR',
])

/** Tied rows are compared in any order. */
function rankFault(
  expected: readonly (readonly Value[])[],
  ranks: readonly number[],
  actual: readonly (readonly Value[])[],
): Pick<Mismatch, 'kind' | 'message'> | undefined {
  const everything = ranks.map(() => 0)
  if (!sameInRanks(expected, everything, actual)) return { kind: 'rows', message: 'other rows' }
  return sameInRanks(expected, ranks, actual) ? undefined : { kind: 'order', message: 'the same rows in another order' }
}

function sameInRanks(
  expected: readonly (readonly Value[])[],
  ranks: readonly number[],
  actual: readonly (readonly Value[])[],
): boolean {
  let start = 0
  while (start < expected.length) {
    const end = ranks.lastIndexOf(ranks[start]!) + 1
    if (!sameBag(expected.slice(start, end), actual.slice(start, end))) return false
    start = end
  }
  return true
}

function sameBag(expected: readonly (readonly Value[])[], actual: readonly (readonly Value[])[]): boolean {
  const left = [...actual]
  return expected.every((row) => {
    const at = left.findIndex((other) => row.every((v, i) => sameValue(v, other[i] as Value)))
    if (at >= 0) left.splice(at, 1)
    return at >= 0
  })
}

/** Exact numbers are compared exactly, doubles to 1e-9 relative; an exact number is never equal to a double. */
export function sameValue(expected: Value, actual: Value): boolean {
  if (typeof expected === 'number') return typeof actual === 'number' && close(expected, actual)
  if (!(expected instanceof Dec) || !(actual instanceof Dec) || expected.near === undefined)
    return keyOf(expected) === keyOf(actual)
  const { double, within } = expected.near
  return keyOf(expected) === keyOf(actual) || Math.abs(toDouble(actual) - double) <= within
}

const close = (a: number, b: number): boolean => {
  if (!Number.isFinite(a) || !Number.isFinite(b)) return a === b || (Number.isNaN(a) && Number.isNaN(b))
  return Math.abs(a - b) <= 1e-9 * Math.max(1, Math.abs(a), Math.abs(b))
}

function shown(outcome: Outcome | Ran | Refused): string {
  if ('refused' in outcome) return `refused: ${outcome.refused}${'why' in outcome ? ` (${outcome.why})` : ''}`
  return [outcome.columns.join(' | '), ...outcome.rows.slice(0, 40).map((r) => r.map(shownValue).join(' | '))].join('\n')
}
const shownValue = (v: Value): string => (v instanceof Dec ? decText(v) : typeof v === 'number' ? `${v}e` : show(v))
