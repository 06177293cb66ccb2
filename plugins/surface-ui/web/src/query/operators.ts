/** The comparisons for a type, with their labels and the kind of their operand. */
import { OPERATORS } from './operator-table.js'

type Name = keyof typeof OPERATORS
export type Takes = (typeof OPERATORS)[Name]['takes']
export interface Operator {
  readonly op: string
  readonly says: string
  readonly takes: Takes
  /** Whether it can keep the rows without a value, which it leaves out by itself. */
  readonly canKeepMissing: boolean
}

const named = (op: Name): Operator => {
  const { says, takes } = OPERATORS[op]
  return { op, says, takes, canKeepMissing: 'negative' in OPERATORS[op] && takes !== 'none' && takes !== 'subquery' }
}
/** With another label, which is shorter for a type. */
const as = (op: Name, says: string): Operator => ({ ...named(op), says })

const PRESENCE = [named('is_null'), named('is_not_null')]
const TEXT = [
  ...[named('in'), named('not_in'), named('contains'), named('not_contains'), named('starts_with'), named('ends_with')],
  ...[named('like'), named('regex')],
  ...PRESENCE,
]
const NUMBER = [
  ...[as('eq', '='), as('neq', '≠'), as('gt', '>'), as('gte', '≥'), as('lt', '<'), as('lte', '≤')],
  ...[named('between'), named('in'), named('not_in')],
  ...PRESENCE,
]
const TIME = [
  ...[named('between'), named('relative'), as('gte', 'is on or after'), as('lt', 'is before'), named('eq')],
  ...PRESENCE,
]
/** A time of day has no relative dates. */
const CLOCK = TIME.filter(({ takes }) => takes !== 'relative')
/** Texts that are only compared as a whole. */
const WHOLE = TEXT.filter(({ takes }) => takes !== 'one')
const TRUTH = [named('eq'), ...PRESENCE]

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

/** An operator by any of its spellings, with the label that the controls show. */
export function findOperator(spelling: string): Operator {
  const op = canonical(spelling)
  const shown = [...TEXT, ...NUMBER, ...TIME].find((each) => each.op === op)
  return shown ?? (isName(op) ? named(op) : { op, says: op, takes: 'one', canKeepMissing: false })
}

const isName = (op: string): op is Name => Object.hasOwn(OPERATORS, op)

const NAMES: ReadonlyMap<string, string> = new Map(
  Object.entries(OPERATORS).flatMap(([name, { spellings }]) => spellings.map((spelling) => [spelling, name] as const)),
)
/** The spelling that the controls use. */
export const canonical = (op: string): string => NAMES.get(op.toLowerCase()) ?? op
