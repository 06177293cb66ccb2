/** The portable functions (docs/reference/functions.md): one meaning on every engine. Dialects define their SQL; a plugin may add more. */
import {
  asDecimal,
  BOOLEAN,
  commonType,
  DATE,
  type DataType,
  decimal,
  FLOAT,
  INT,
  MAX_PRECISION,
  STRING,
  TIMESTAMP,
} from '../data-type.js'
import type { FunctionSpec } from './function-spec.js'

export const TIME_UNITS = ['year', 'quarter', 'month', 'week', 'day', 'hour', 'minute', 'second'] as const

type Result = FunctionSpec['result']
const always =
  (type: DataType): Result =>
  () =>
    type
const first: Result = (args) => args[0] ?? STRING
const common: Result = (args) => commonType(args)
/** Finer than a day: units that a date does not have. */
const CLOCK_UNITS: ReadonlySet<string | undefined> = new Set(['hour', 'minute', 'second'])
const onClock = (type: DataType | undefined): DataType => (type === undefined || type.kind === 'date' ? TIMESTAMP : type)
/** `day` and coarser units give dates everywhere. */
const truncated: Result = (args, unit) => (CLOCK_UNITS.has(unit) ? onClock(args[1]) : DATE)
const moved: Result = (args, unit) => (CLOCK_UNITS.has(unit) ? onClock(args[2]) : (args[2] ?? DATE))

/** An integer of the input's own family. */
const whole: Result = ([type = FLOAT]) => {
  if (type.kind !== 'decimal') return type
  return decimal(Math.min(MAX_PRECISION, type.precision - type.scale + 1), 0)
}
const rounded: Result = (args) => (args.length > 1 ? first(args) : whole(args))
const quotient: Result = (args) => {
  const type = commonType(args)
  return type.kind === 'decimal' ? decimal(MAX_PRECISION, 0) : type
}
const remainder: Result = (args) => {
  const type = commonType(args)
  return type.kind === 'decimal' ? decimal(MAX_PRECISION, asDecimal(type).scale) : type
}

const specs = [
  {
    name: 'substring',
    arity: [2, 3],
    takes: ['text', 'whole'],
    result: always(STRING),
    meaning: 'the part of a text from a 1-based character position on, at most a given number of characters long',
  },
  {
    name: 'concat',
    arity: [1, Infinity],
    takes: ['as text'],
    result: always(STRING),
    meaning: 'the texts one after another; NULL if any of them is NULL',
  },
  {
    name: 'upper',
    arity: [1, 1],
    takes: ['text'],
    result: always(STRING),
    meaning: 'the text in upper case, letter by letter: ß has none',
  },
  {
    name: 'lower',
    arity: [1, 1],
    takes: ['text'],
    result: always(STRING),
    meaning: 'the text in lower case, letter by letter; ς becomes σ, so that texts that differ only in case are equal',
  },
  { name: 'trim', arity: [1, 1], takes: ['text'], result: always(STRING), meaning: 'the text without white space at both ends' },
  {
    name: 'ltrim',
    arity: [1, 1],
    takes: ['text'],
    result: always(STRING),
    meaning: 'the text without white space at its beginning',
  },
  { name: 'rtrim', arity: [1, 1], takes: ['text'], result: always(STRING), meaning: 'the text without white space at its end' },
  { name: 'length', arity: [1, 1], takes: ['text'], result: always(INT), meaning: 'the number of characters, not bytes' },
  {
    name: 'replace',
    arity: [3, 3],
    takes: ['text'],
    result: always(STRING),
    meaning: 'the text with every occurrence of the second argument replaced by the third',
  },
  {
    name: 'position',
    arity: [2, 2],
    takes: ['text'],
    result: always(INT),
    meaning: 'where the first text begins in the second, counted from 1; 0 when absent',
  },
  {
    name: 'split_part',
    arity: [3, 3],
    takes: ['text', 'text', 'whole'],
    result: always(STRING),
    meaning: 'the n-th part, counted from 1, of a text cut at a delimiter; the empty text past the end',
  },
  {
    name: 'lpad',
    arity: [3, 3],
    takes: ['text', 'number', 'text'],
    result: always(STRING),
    meaning: 'the text filled up on the left to a length; a longer text is cut to it',
  },
  {
    name: 'rpad',
    arity: [3, 3],
    takes: ['text', 'number', 'text'],
    result: always(STRING),
    meaning: 'the text filled up on the right to a length; a longer text is cut to it',
  },
  {
    name: 'starts_with',
    arity: [2, 2],
    takes: ['text'],
    result: always(BOOLEAN),
    meaning: 'whether the text begins with another, case-sensitively',
  },
  {
    name: 'ends_with',
    arity: [2, 2],
    takes: ['text'],
    result: always(BOOLEAN),
    meaning: 'whether the text ends with another, case-sensitively',
  },
  { name: 'abs', arity: [1, 1], takes: ['number'], result: first, meaning: 'the absolute value' },
  { name: 'sign', arity: [1, 1], takes: ['number'], result: always(INT), meaning: '-1, 0 or 1' },
  { name: 'floor', arity: [1, 1], takes: ['number'], result: whole, meaning: 'the greatest whole number that is not greater' },
  { name: 'ceil', arity: [1, 1], takes: ['number'], result: whole, meaning: 'the least whole number that is not less' },
  {
    name: 'sqrt',
    arity: [1, 1],
    takes: ['number'],
    result: always(FLOAT),
    meaning: 'the square root; NULL of a negative number',
  },
  { name: 'ln', arity: [1, 1], takes: ['number'], result: always(FLOAT), meaning: 'the natural logarithm; NULL unless positive' },
  { name: 'exp', arity: [1, 1], takes: ['number'], result: always(FLOAT), meaning: 'e to this power' },
  {
    name: 'power',
    arity: [2, 2],
    takes: ['number'],
    result: always(FLOAT),
    meaning: 'the first number to the power of the second; NULL outside its domain',
  },
  {
    name: 'round',
    arity: [1, 2],
    takes: ['number', 'whole'],
    result: rounded,
    meaning: 'rounded to n decimal places (0), ties away from zero',
  },
  {
    name: 'trunc',
    arity: [1, 2],
    takes: ['number', 'whole'],
    result: rounded,
    meaning: 'cut to n decimal places (0), toward zero',
  },
  {
    name: 'mod',
    arity: [2, 2],
    takes: ['number'],
    result: remainder,
    meaning: 'the remainder, with the sign of the dividend; NULL when the divisor is 0',
  },
  {
    name: 'div',
    arity: [2, 2],
    takes: ['number'],
    result: quotient,
    meaning: 'integer division toward zero; NULL when the divisor is 0',
  },
  {
    name: 'log',
    arity: [2, 2],
    takes: ['number'],
    result: always(FLOAT),
    meaning: 'the logarithm of the second number to the base of the first; NULL outside its domain',
  },
  { name: 'coalesce', arity: [1, Infinity], takes: ['alike'], result: common, meaning: 'the first argument that is not NULL' },
  {
    name: 'nullif',
    arity: [2, 2],
    takes: ['comparable'],
    result: first,
    meaning: 'the first argument, or NULL when it equals the second',
  },
  {
    name: 'greatest',
    arity: [1, Infinity],
    takes: ['comparable'],
    result: common,
    meaning: 'the greatest argument; NULL if any is NULL',
  },
  {
    name: 'least',
    arity: [1, Infinity],
    takes: ['comparable'],
    result: common,
    meaning: 'the least argument; NULL if any is NULL',
  },
  {
    name: 'date_trunc',
    arity: [2, 2],
    takes: ['unit', 'moment'],
    takesUnit: true,
    result: truncated,
    meaning: 'the start of the unit that holds this point in time; weeks begin on settings.weekStart',
  },
  {
    name: 'date_add',
    arity: [3, 3],
    takes: ['unit', 'whole', 'clock'],
    takesUnit: true,
    result: moved,
    meaning: 'a number of units later; month ends clamp',
  },
  {
    name: 'date_diff',
    arity: [3, 3],
    takes: ['unit', 'moment'],
    takesUnit: true,
    result: always(INT),
    meaning: 'how many boundaries of the unit lie between start and end, signed',
  },
  {
    name: 'extract',
    arity: [2, 2],
    takes: ['unit', 'clock of the unit'],
    takesUnit: true,
    result: always(INT),
    meaning: 'the unit of a point in time as a whole number; weeks are ISO weeks',
  },
  { name: 'last_day', arity: [1, 1], takes: ['moment'], result: always(DATE), meaning: 'the last day of the month' },
  { name: 'current_date', arity: [0, 0], takes: [], result: always(DATE), meaning: 'today in the time zone of the query' },
  {
    name: 'json_value',
    arity: [2, 2],
    takes: ['json', 'text'],
    result: always(STRING),
    meaning: 'the scalar at a path as text; NULL when absent, or an object or array',
  },
  { name: 'to_char_iso', arity: [1, 1], takes: ['any'], result: always(STRING), meaning: 'a date or timestamp as ISO 8601 text' },
  {
    name: 'parse_date',
    arity: [1, 1],
    takes: ['text'],
    result: always(DATE),
    meaning: 'the date of an ISO 8601 text; NULL when it is none',
  },
  {
    name: 'parse_timestamp',
    arity: [1, 1],
    takes: ['text'],
    result: always(TIMESTAMP),
    meaning: 'the timestamp of an ISO 8601 text; NULL when it is none',
  },
  {
    name: 'regexp_matches',
    arity: [2, 2],
    takes: ['text'],
    result: always(BOOLEAN),
    meaning: 'whether a pattern (the RE2 subset that all engines share) matches somewhere',
  },
  {
    name: 'regexp_extract',
    arity: [2, 3],
    takes: ['text', 'text', 'whole'],
    result: always(STRING),
    meaning: 'the first match of a pattern, or of one of its groups; NULL when there is none',
  },
] as const satisfies readonly FunctionSpec[]

export type BuiltInFunction = (typeof specs)[number]

/** The functions of the portable catalogue, by name. */
export const builtInFunctions: ReadonlyMap<string, FunctionSpec> = new Map(specs.map((spec) => [spec.name, spec]))

/** Other spellings of the same function, with exactly the same meaning. */
export const FUNCTION_ALIASES: ReadonlyMap<string, string> = new Map([
  ['ceiling', 'ceil'],
  ['pow', 'power'],
  ['char_length', 'length'],
  ['character_length', 'length'],
])
