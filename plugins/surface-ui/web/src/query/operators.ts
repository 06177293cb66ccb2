/** The comparisons for a type, with their labels and the kind of their operand. */
export type Takes = 'one' | 'many' | 'two' | 'span' | 'nothing'
export interface Operator {
  readonly op: string
  readonly says: string
  readonly takes: Takes
}

const o = (op: string, says: string, takes: Takes): Operator => ({ op, says, takes })

const PRESENCE = [o('is_null', 'is empty', 'nothing'), o('is_not_null', 'is not empty', 'nothing')]
const TEXT = [
  o('in', 'is one of', 'many'),
  o('not_in', 'is none of', 'many'),
  o('contains', 'contains', 'one'),
  o('not_contains', 'does not contain', 'one'),
  o('starts_with', 'starts with', 'one'),
  o('ends_with', 'ends with', 'one'),
  o('like', 'is like', 'one'),
  o('regex', 'matches', 'one'),
  ...PRESENCE,
]
const NUMBER = [
  o('eq', '=', 'one'),
  o('neq', '≠', 'one'),
  o('gt', '>', 'one'),
  o('gte', '≥', 'one'),
  o('lt', '<', 'one'),
  o('lte', '≤', 'one'),
  o('between', 'is between', 'two'),
  o('in', 'is one of', 'many'),
  o('not_in', 'is none of', 'many'),
  ...PRESENCE,
]
const TIME = [
  o('relative', 'is in the', 'span'),
  o('between', 'is between', 'two'),
  o('gte', 'is on or after', 'one'),
  o('lt', 'is before', 'one'),
  o('eq', 'is', 'one'),
  ...PRESENCE,
]
/** A time of day has no relative dates. */
const CLOCK = TIME.filter(({ takes }) => takes !== 'span')
/** Texts that are only compared as a whole. */
const WHOLE = TEXT.filter(({ takes }) => takes !== 'one')
const TRUTH = [o('eq', 'is', 'one'), ...PRESENCE]

export type Family = 'text' | 'whole' | 'number' | 'time' | 'clock' | 'truth'

export function familyOf(type: string | null | undefined): Family {
  if (/^(?:int|float|decimal|double|number)/.test(type ?? '')) return 'number'
  if (type === 'time') return 'clock'
  if (/^(?:date|time)/.test(type ?? '')) return 'time'
  if (type === 'json') return 'whole'
  return /^bool/.test(type ?? '') ? 'truth' : 'text'
}

const BY_FAMILY: Readonly<Record<Family, readonly Operator[]>> = {
  text: TEXT,
  whole: WHOLE,
  number: NUMBER,
  time: TIME,
  clock: CLOCK,
  truth: TRUTH,
}

/** The comparisons of a type, and also that of the query if it is not one of them. */
export function operatorsFor(family: Family, present?: string): readonly Operator[] {
  const offered = BY_FAMILY[family]
  if (present === undefined || offered.some(({ op }) => op === present)) return offered
  return [...offered, findOperator(present)]
}

export function findOperator(op: string): Operator {
  const all = [...TEXT, ...NUMBER, ...TIME]
  return all.find((each) => each.op === (ALIKE[op] ?? op)) ?? o(op, op, 'one')
}

/** Other spellings that queries use. */
const ALIKE: Readonly<Record<string, string>> = {
  equals: 'eq',
  '=': 'eq',
  notequals: 'neq',
  '!=': 'neq',
  inlist: 'in',
  notinlist: 'not_in',
  set: 'is_not_null',
  notset: 'is_null',
  '>': 'gt',
  '>=': 'gte',
  '<': 'lt',
  '<=': 'lte',
}
/** The spelling that the controls use. */
export const canonical = (op: string): string => ALIKE[op] ?? op
