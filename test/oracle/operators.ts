/** The result of each filter operator for a value: true, false or unknown. */
import { addPeriods, dayAfter, parseDay, parseMoment, type Reckoning, startOfDay, truncate } from './calendar.js'
import type { Json, OrMissing } from './model.js'
import { refuse } from './refusal.js'
import { compare, compareShown, type Day, Moment, not, or, parseDec, type Tri, type Value } from './values.js'
import type { Kind } from './world.js'
import { type Clocks, namedIn, wallOf } from './zones.js'

/** The time of a query, and the calendar settings of its model. */
export interface Now {
  /** Filters of the model do not use it. */
  readonly now: Date | undefined
  readonly reckoning: Reckoning & { readonly clocks: Clocks }
}

export type Test = (value: Value) => Tri

const SPELLINGS: Readonly<Record<string, string>> = {
  equals: 'eq', '=': 'eq', notequals: 'neq', '!=': 'neq', '<>': 'neq', '>': 'gt', '>=': 'gte', '<': 'lt', '<=': 'lte',
  inlist: 'in', notinlist: 'not_in', set: 'is_not_null', notset: 'is_null', notblank: 'not_blank', notcontains: 'not_contains',
  notlike: 'not_like', notregex: 'not_regex', notbetween: 'not_between',
} // biome-ignore format: a table

const NEGATIONS: Readonly<Record<string, string>> = {
  neq: 'eq', not_in: 'in', is_not_null: 'is_null', not_blank: 'blank', not_contains: 'contains', not_like: 'like',
  not_regex: 'regex', not_between: 'between',
} // biome-ignore format: a table

export const canonical = (spelling: string): string => SPELLINGS[spelling.toLowerCase()] ?? spelling.toLowerCase()

/** The operators that exclude; whether a value is there is never unknown. */
export const isNegative = (spelling: string): boolean =>
  canonical(spelling) === 'nonexists' ||
  (Object.hasOwn(NEGATIONS, canonical(spelling)) && !['is_not_null', 'not_blank'].includes(canonical(spelling)))

/** The test of a comparison as it is written. */
export function testOfFilter(
  { op, value, orMissing }: { readonly op: string; readonly value?: Json } & OrMissing,
  kind: Kind,
  time: Now,
): Test {
  const test = testOf(op, value, kind, time)
  if (!orMissing) return test
  if (!isNegative(op)) refuse('INVALID_FILTER_VALUE', `${op} with orMissing`)
  if ([value].flat().includes(null)) refuse('INVALID_FILTER_VALUE', 'orMissing beside null')
  return (v) => orUnknown(test(v))
}

/** What is unknown is kept. */
export const orUnknown = (truth: Tri): boolean => truth !== false

/** Every operator except `exists` and `nonexists`. Refuses a value that does not match the field's kind. */
export function testOf(spelling: string, value: Json | undefined, kind: Kind, time: Now): Test {
  const operator = canonical(spelling)
  const positive = NEGATIONS[operator]
  if (positive !== undefined) {
    const test = testOf(positive, value, kind, time)
    return (v) => not(test(v))
  }
  switch (operator) {
    case 'is_null':
      return (v) => v === null
    case 'blank':
      return (v) => v === null || (typeof v === 'string' && /^ *$/.test(v))
    case 'eq':
      return value === null ? (v) => v === null : equalTo(operand(value, kind, time))
    case 'in':
      return memberOf((value as readonly Json[]).map((item) => (item === null ? null : operand(item, kind, time))))
    case 'between': {
      const [low, high] = (value as readonly Json[]).map((item) => operand(item, kind, time))
      return strict((v) => above(v, low!, true) && below(v, high!, true))
    }
    case 'gt':
    case 'gte': {
      const low = operand(value, kind, time)
      return strict((v) => above(v, low, operator === 'gte'))
    }
    case 'lt':
    case 'lte': {
      const high = operand(value, kind, time)
      return strict((v) => below(v, high, operator === 'lte'))
    }
    case 'relative':
      return relative(value as unknown as Relative, kind, time)
    default:
      return textTest(operator, value)
  }
}

/** NULL gives unknown. */
const strict =
  (test: (v: Exclude<Value, null>) => boolean): Test =>
  (v) =>
    v === null ? null : test(v)

/** The value of a comparison: one value, or a whole day `[from, until)` if a date is compared with a timestamp. */
type Operand = Value | { readonly from: Moment; readonly until: Moment }

function operand(value: Json | undefined, kind: Kind, time: Now): Operand {
  const fit = fitting(value, kind, time)
  return fit === undefined || fit === null ? refuse('INVALID_FILTER_VALUE', `${JSON.stringify(value)} for a ${kind}`) : fit
}

function fitting(value: Json | undefined, kind: Kind, { reckoning }: Now): Operand | undefined {
  if (kind === 'string') return typeof value === 'string' ? value : undefined
  if (kind === 'boolean') return typeof value === 'boolean' ? value : undefined
  if (kind === 'int' || kind === 'decimal' || kind === 'float') return numeric(value, kind)
  if (typeof value !== 'string') return undefined
  const day = parseDay(value)
  if (kind === 'date') return day ?? midnight(value)
  if (day) return { from: startOfDay(day), until: startOfDay(dayAfter(day)) }
  const local = parseMoment(value)
  return local && new Moment(local.micros, local.micros, namedIn(reckoning.clocks.zone, local.micros))
}

/** The day that a timestamp begins. */
function midnight(value: string): Day | undefined {
  const moment = parseMoment(value)
  const day = moment && parseDay(value.slice(0, 10))
  return day && compareShown(startOfDay(day), moment) === 0 ? day : undefined
}

function numeric(value: Json | undefined, kind: Kind): Value | undefined {
  if (typeof value !== 'number' && typeof value !== 'string') return undefined
  const exact = parseDec(String(value))
  return kind === 'float' ? exact && Number(value) : exact
}

const isWhole = (o: Operand): o is { readonly from: Moment; readonly until: Moment } =>
  o !== null && typeof o === 'object' && 'until' in o
const equalTo = (o: Operand): Test => strict((v) => above(v, o, true) && below(v, o, true))

/** Instants are compared as instants if both are known; otherwise the displayed values are compared. */
function compareMeant(v: Value, o: Value): number {
  if (!(v instanceof Moment && o instanceof Moment)) return compare(v, o)
  return v.instant !== undefined && o.instant !== undefined ? v.instant - o.instant : compareShown(v, o)
}

function above(v: Value, o: Operand, including: boolean): boolean {
  if (isWhole(o)) return compareShown(v as Day | Moment, including ? o.from : o.until) >= 0
  const order = compareMeant(v, o)
  return including ? order >= 0 : order > 0
}

function below(v: Value, o: Operand, including: boolean): boolean {
  if (isWhole(o)) return compareShown(v as Day | Moment, including ? o.until : o.from) < 0
  const order = compareMeant(v, o)
  return including ? order <= 0 : order < 0
}

/** `in [a, null]` is `X in (a) OR X IS NULL`; without members it is false, even for NULL. */
function memberOf(members: readonly (Operand | null)[]): Test {
  const present = members.filter((m) => m !== null).map(equalTo)
  const orNull = members.includes(null)
  return (v) => or([...present.map((t) => t(v)), ...(orNull ? [v === null] : [])])
}

function textTest(operator: string, value: Json | undefined): Test {
  if (operator === 'like' && /(^|[^\\])(\\\\)*\\$/su.test(String(value)))
    refuse('INVALID_FILTER_VALUE', 'one backslash at the end escapes nothing')
  const test = textTests[operator] ?? refuse('INVALID_FILTER_OPERATOR', operator)
  return strict((v) => test(String(v), value as never))
}

/** Each letter in the simple lower case of Unicode, one for one; both small sigmas are one letter. */
const letters = (text: string): string =>
  Array.from(text, (c) => (c === '\u0130' ? 'i' : c.toLowerCase()))
    .join('')
    .replaceAll('\u03c2', '\u03c3')

const textTests: Readonly<Record<string, (text: string, value: never) => boolean>> = {
  contains: (t, v: string) => letters(t).includes(letters(v)),
  starts_with: (t, v: string) => letters(t).startsWith(letters(v)),
  ends_with: (t, v: string) => letters(t).endsWith(letters(v)),
  like: (t, v: string) => likePattern(v).test(t),
  regex: (t, v: string) => new RegExp(v, 'u').test(t),
  length_eq: (t, v: number) => Array.from(t).length === v,
  length_gt: (t, v: number) => Array.from(t).length > v,
  length_lt: (t, v: number) => Array.from(t).length < v,
}

/** SQL LIKE, case-sensitive, with backslash as the escape. */
function likePattern(pattern: string): RegExp {
  const source = pattern.replace(/\\(.)|([%_])|([^%_\\])/gsu, (_, escaped?: string, wild?: string, plain?: string) =>
    wild === undefined ? literal(escaped ?? plain ?? '') : wild === '%' ? '.*' : '.',
  )
  return new RegExp(`^${source}$`, 'su')
}
const literal = (c: string): string => c.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')

interface Relative {
  readonly unit: string
  readonly count: number
  readonly direction?: 'past' | 'future'
  readonly include_current?: boolean
}

/** `count` whole periods that end with (or just before) the current one, or start with (or just after) it. */
function relative(range: Relative, kind: Kind, { now, reckoning }: Now): Test {
  const current = truncate(range.unit, new Moment(wallOf(now!.getTime() * 1000, reckoning.clocks.zone)), reckoning) as
    | Day
    | Moment
  const inclusive = range.include_current !== false
  const past = range.direction !== 'future'
  const first = past ? (inclusive ? 1 - range.count : -range.count) : inclusive ? 0 : 1
  const [from, until] = [first, first + range.count].map((at) => addPeriods(range.unit, current, at, reckoning)) as [
    Day | Moment,
    Day | Moment,
  ]
  if (kind !== 'date' && kind !== 'timestamp') return refuse('INVALID_FILTER_OPERATOR', 'relative needs a time')
  return strict((v) => compareShown(v as Day | Moment, from) >= 0 && compareShown(v as Day | Moment, until) < 0)
}
