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
import type { Parameter } from './parameter.js'

/** The units of `date_trunc`, `extract` and their like, from the longest to the shortest. */
export const TIME_UNITS = ['year', 'quarter', 'month', 'week', 'day', 'hour', 'minute', 'second'] as const

type Result = FunctionSpec['result']
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

/** The name and the number of arguments are parts of its type: the tables of dialects read them. */
const fn = <const Name extends string, const Arity extends FunctionSpec['arity']>(
  name: Name,
  arity: Arity,
  takes: readonly Parameter[],
  result: DataType | Result,
  meaning: string,
) => ({
  ...{ name, arity, takes, meaning },
  result: typeof result === 'function' ? result : () => result,
  ...(takes[0] === 'unit' && { takesUnit: true }),
})

const specs = [
  fn(
    'substring',
    [2, 3],
    ['text', 'whole'],
    STRING,
    'the characters of a text from a position on, counted from 1, at most a given number; a computed position below 1 is one before the text',
  ),
  fn('concat', [1, Infinity], ['as text'], STRING, 'the texts one after another; NULL if any of them is NULL'),
  fn('upper', [1, 1], ['text'], STRING, 'the text in upper case, letter by letter: ß has none'),
  fn(
    'lower',
    [1, 1],
    ['text'],
    STRING,
    'the text in lower case, letter by letter; ς becomes σ, so that texts that differ only in case are equal',
  ),
  fn('trim', [1, 1], ['text'], STRING, 'the text without white space at both ends'),
  fn('ltrim', [1, 1], ['text'], STRING, 'the text without white space at its beginning'),
  fn('rtrim', [1, 1], ['text'], STRING, 'the text without white space at its end'),
  fn('length', [1, 1], ['text'], INT, 'the number of characters, not bytes'),
  fn('replace', [3, 3], ['text'], STRING, 'the text with every occurrence of the second argument replaced by the third'),
  fn('position', [2, 2], ['text'], INT, 'where the first text begins in the second, counted from 1; 0 when absent'),
  fn(
    'split_part',
    [3, 3],
    ['text', 'text', 'whole'],
    STRING,
    'the n-th part, counted from 1, of a text cut at a delimiter; the empty text past the end',
  ),
  fn(
    'lpad',
    [3, 3],
    ['text', 'number', 'text'],
    STRING,
    'the text filled up on the left to a length; a longer text is cut to it',
  ),
  fn(
    'rpad',
    [3, 3],
    ['text', 'number', 'text'],
    STRING,
    'the text filled up on the right to a length; a longer text is cut to it',
  ),
  fn('starts_with', [2, 2], ['text'], BOOLEAN, 'whether the text begins with another, case-sensitively'),
  fn('ends_with', [2, 2], ['text'], BOOLEAN, 'whether the text ends with another, case-sensitively'),
  fn('abs', [1, 1], ['number'], first, 'the absolute value'),
  fn('sign', [1, 1], ['number'], INT, '-1, 0 or 1'),
  fn('floor', [1, 1], ['number'], whole, 'the greatest whole number that is not greater'),
  fn('ceil', [1, 1], ['number'], whole, 'the least whole number that is not less'),
  fn('sqrt', [1, 1], ['number'], FLOAT, 'the square root; NULL of a negative number'),
  fn('ln', [1, 1], ['number'], FLOAT, 'the natural logarithm; NULL unless positive'),
  fn('exp', [1, 1], ['number'], FLOAT, 'e to this power'),
  fn('power', [2, 2], ['number'], FLOAT, 'the first number to the power of the second; NULL outside its domain'),
  fn('round', [1, 2], ['number', 'whole'], rounded, 'rounded to n decimal places (0), ties away from zero'),
  fn('trunc', [1, 2], ['number', 'whole'], rounded, 'cut to n decimal places (0), toward zero'),
  fn('mod', [2, 2], ['number'], remainder, 'the remainder, with the sign of the dividend; NULL when the divisor is 0'),
  fn('div', [2, 2], ['number'], quotient, 'integer division toward zero; NULL when the divisor is 0'),
  fn('log', [2, 2], ['number'], FLOAT, 'the logarithm of the second number to the base of the first; NULL outside its domain'),
  fn('coalesce', [1, Infinity], ['alike'], common, 'the first argument that is not NULL'),
  fn('nullif', [2, 2], ['comparable'], first, 'the first argument, or NULL when it equals the second'),
  fn('greatest', [1, Infinity], ['comparable'], common, 'the greatest argument; NULL if any is NULL'),
  fn('least', [1, Infinity], ['comparable'], common, 'the least argument; NULL if any is NULL'),
  fn(
    'date_trunc',
    [2, 2],
    ['unit', 'moment'],
    truncated,
    'the start of the unit that holds this point in time; weeks begin on settings.weekStart',
  ),
  fn('date_add', [3, 3], ['unit', 'whole', 'clock'], moved, 'a number of units later; month ends clamp'),
  fn('date_diff', [3, 3], ['unit', 'moment'], INT, 'how many boundaries of the unit lie between start and end, signed'),
  fn('extract', [2, 2], ['unit', 'clock of the unit'], INT, 'the unit of a point in time as a whole number; weeks are ISO weeks'),
  fn('last_day', [1, 1], ['moment'], DATE, 'the last day of the month'),
  fn('current_date', [0, 0], [], DATE, 'today in the time zone of the query'),
  fn('json_value', [2, 2], ['json', 'text'], STRING, 'the scalar at a path as text; NULL when absent, or an object or array'),
  fn('to_char_iso', [1, 1], ['any'], STRING, 'a date or timestamp as ISO 8601 text'),
  fn('parse_date', [1, 1], ['text'], DATE, 'the date of an ISO 8601 text; NULL when it is none'),
  fn('parse_timestamp', [1, 1], ['text'], TIMESTAMP, 'the timestamp of an ISO 8601 text; NULL when it is none'),
  fn('regexp_matches', [2, 2], ['text'], BOOLEAN, 'whether a pattern (the RE2 subset that all engines share) matches somewhere'),
  fn(
    'regexp_extract',
    [2, 3],
    ['text', 'text', 'whole'],
    STRING,
    'the first match of a pattern, or of one of its groups; NULL when there is none',
  ),
]

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
