/** Every operator and function with arguments of every type, as expressions over one table of three rows. */
import { builtInFunctions, type DataType, parseDataType } from '@grainline/core'
import { type Expr, parseExpression, parseModelSync, type Typed, TypeFault, typed } from '@grainline/core/unstable'

/** Two columns of each type, `x` and `y`: they differ in the first row, are equal in the second, and are NULL in the third. */
const VALUES: Readonly<Record<string, readonly [x: string, y: string, both: string]>> = {
  string: ["'Tea 12'", "'a'", "'b'"],
  boolean: ['TRUE', 'FALSE', 'TRUE'],
  int: ['7', '2', '3'],
  float: ['2.5', '0.5', '1.25'],
  decimal: ['12.50', '3.25', '4.75'],
  date: ["DATE '2024-03-05'", "DATE '2024-02-29'", "DATE '2023-12-31'"],
  time: ["TIME '10:30:00'", "TIME '09:00:00'", "TIME '12:00:00'"],
  timestamp: ["TIMESTAMP '2024-03-05 10:30:00'", "TIMESTAMP '2024-02-29 00:00:00'", "TIMESTAMP '2023-12-31 23:59:59'"],
  timestamp_tz: [
    "TIMESTAMP WITH TIME ZONE '2024-03-05 10:30:00+00:00'",
    "TIMESTAMP WITH TIME ZONE '2024-02-29 00:00:00+00:00'",
    "TIMESTAMP WITH TIME ZONE '2023-12-31 23:59:59+00:00'",
  ],
  json: [`'{"a": 1}'`, `'{"a": 2}'`, `'{"a": 1}'`],
}
const SQL_TYPES: Readonly<Record<string, string>> = {
  string: 'VARCHAR',
  int: 'BIGINT',
  float: 'DOUBLE PRECISION',
  decimal: 'DECIMAL(10, 2)',
  timestamp_tz: 'TIMESTAMP WITH TIME ZONE',
}
const TYPES = Object.keys(VALUES)
const letters = ['x', 'y'] as const

/** The table, in the SQL of DuckDB and PostgreSQL. */
export function pairsTable(): string {
  const columns = TYPES.flatMap((type) => letters.map((letter) => `${letter}_${type} ${SQL_TYPES[type] ?? type}`))
  const [first, second] = [
    Object.values(VALUES).flatMap((row) => row.slice(0, 2)),
    Object.values(VALUES).flatMap(([, , both]) => [both, both]),
  ]
  const rows = [first, second, first.map(() => 'NULL')].map((row, id) => `(${[String(id), ...row].join(', ')})`)
  return `CREATE TABLE type_pairs (id BIGINT, ${columns.join(', ')}); INSERT INTO type_pairs VALUES ${rows.join(', ')};`
}

const typeOfColumn = (type: string): object =>
  type === 'decimal' ? { abstractType: 'float', sqlType: 'DECIMAL(10, 2)' } : { abstractType: type }

/** A model with an expression as each column; `undefined` if one of them is refused, with its errors. */
export function modelOf(expressions: readonly string[]) {
  const columns = TYPES.flatMap((type) =>
    letters.map((letter): [string, object] => [`${letter}_${type}`, { code: `${letter}_${type}`, ...typeOfColumn(type) }]),
  )
  const computed = expressions.map((expression, i): [string, object] => [`e${i}`, { expression }])
  const all = Object.fromEntries([['Id', { code: 'id', abstractType: 'int', primaryKey: true }], ...columns, ...computed])
  return parseModelSync({ json: { dataObjects: { Pairs: { code: 'type_pairs', columns: all } } } })
}

/** The values of all expressions, by row. */
export const queryOf = (expressions: readonly string[]): object => ({
  select: { fields: [...expressions.map((_, i) => `Pairs.e${i}`), 'Pairs.Id'] },
  order_by: [{ field: 'Pairs.Id' }],
})

export const chunksOf = (expressions: readonly string[], size = 60): string[][] =>
  Array.from({ length: Math.ceil(expressions.length / size) }, (_, i) => expressions.slice(i * size, (i + 1) * size))

interface Leaf {
  readonly kind: 'leaf'
  readonly name: string
}

/** The same answer that loading a model gives, without the model. */
export function verdict(text: string): Typed<Leaf> | { readonly refused: string } {
  const refusals: string[] = []
  const parsed: Expr<Leaf> = parseExpression<Leaf>(text, {
    functions: builtInFunctions,
    aggregates: new Map(),
    leaf: (name) => ({ kind: 'leaf', name }),
    report: (code, message) => refusals.push(`${code} ${message}`),
  })
  if (refusals[0] !== undefined) return { refused: refusals[0] }
  try {
    return typed<Leaf>(parsed, {
      typeOfLeaf: ({ name }) => columnTypes.get(name),
      nameOfLeaf: ({ name }) => name,
      functions: builtInFunctions,
    })
  } catch (error) {
    if (error instanceof TypeFault) return { refused: error.message }
    throw error
  }
}

const columnTypes = new Map<string, DataType | undefined>(
  TYPES.flatMap((type) =>
    ['x', 'y'].map((letter) => [`${letter}_${type}`, parseDataType(type === 'decimal' ? 'decimal(10,2)' : type)] as const),
  ),
)
columnTypes.set('Id', parseDataType('int'))

/** Texts in the form of each type. */
export const TEXTS = ["'b'", "'7'", "'true'", "'2024-03-05'", "'2024-03-05 10:30:00'", "'10:30:00'"]
const LITERALS = ['1', '1.5', 'TRUE', 'NULL', "DATE '2024-03-05'", "TIMESTAMP '2024-03-05 10:30:00'"]

const firsts = TYPES.map((type) => `{x_${type}}`)
const seconds = [...TYPES.map((type) => `{y_${type}}`), ...LITERALS, ...TEXTS]

/** Forms whose values `pair-truth.ts` computes, too. */
export const COMPARED = ['=', '<>', '<', '<=', '>', '>='].map((operator) => `a ${operator} b`)
export const CHOSEN = [
  ...['coalesce', 'nullif', 'greatest', 'least'].map((name) => `${name}(a, b)`),
  'CASE WHEN {Id} = 0 THEN a ELSE b END',
]

const OF_TWO = [
  ...['+', '-', '*', '/', '%', '||', 'LIKE', 'ILIKE', 'AND', 'OR'].map((operator) => `a ${operator} b`),
  ...COMPARED,
  ...CHOSEN,
  'a IN (b)',
  'a BETWEEN b AND b',
  'CASE a WHEN b THEN 1 END',
]
const CASTS = ['string', 'boolean', 'int', 'float', 'decimal(12,3)', 'date', 'time', 'timestamp', 'timestamp_tz', 'json']
const OF_ONE = ['-a', 'NOT a', 'a IS NULL', 'CASE WHEN a THEN 1 END', ...CASTS.map((type) => `CAST(a AS ${type})`)]

/** A call of each function with valid arguments. Each of them is replaced in turn by an argument of every type. */
const CALLS: Readonly<Record<string, readonly string[]>> = {
  substring: ['{x_string}', '2', '3'],
  concat: ['{x_string}', '{y_string}'],
  upper: ['{x_string}'],
  lower: ['{x_string}'],
  trim: ['{x_string}'],
  ltrim: ['{x_string}'],
  rtrim: ['{x_string}'],
  length: ['{x_string}'],
  replace: ['{x_string}', "'a'", "'b'"],
  position: ["'a'", '{x_string}'],
  split_part: ['{x_string}', "' '", '1'],
  lpad: ['{x_string}', '8', "'*'"],
  rpad: ['{x_string}', '8', "'*'"],
  starts_with: ['{x_string}', "'T'"],
  ends_with: ['{x_string}', "'2'"],
  abs: ['{x_int}'],
  sign: ['{x_int}'],
  floor: ['{x_float}'],
  ceil: ['{x_float}'],
  sqrt: ['{x_int}'],
  ln: ['{x_int}'],
  exp: ['{x_int}'],
  power: ['{x_int}', '2'],
  round: ['{x_float}', '1'],
  trunc: ['{x_float}', '1'],
  mod: ['{x_int}', '2'],
  div: ['{x_int}', '2'],
  log: ['2', '{x_int}'],
  coalesce: ['{x_int}', '2'],
  nullif: ['{x_int}', '2'],
  greatest: ['{x_int}', '2'],
  least: ['{x_int}', '2'],
  date_trunc: ["'month'", '{x_timestamp}'],
  date_add: ["'day'", '1', '{x_timestamp}'],
  date_diff: ["'day'", '{x_timestamp}', '{y_timestamp}'],
  extract: ["'year'", '{x_timestamp}'],
  last_day: ['{x_timestamp}'],
  current_date: [],
  json_value: ['{x_json}', "'$.a'"],
  to_char_iso: ['{x_timestamp}'],
  parse_date: ['{x_string}'],
  parse_timestamp: ['{x_string}'],
  regexp_matches: ['{x_string}', "'a'"],
  regexp_extract: ['{x_string}', "'[a-z]'", '0'],
}

export const uncalled = (): string[] => [...builtInFunctions.keys()].filter((name) => CALLS[name] === undefined)

/** Only the data decides whether these texts can be read. */
const DEPENDS_ON_DATA = /^CAST\(\{x_string\} AS (?!string)|^json_value\(\{x_string\}/

export function typePairs(): string[] {
  const pairs = OF_TWO.flatMap((form) => pairsOf(form).map(({ text }) => text))
  const ones = OF_ONE.flatMap((form) => [...firsts, ...TEXTS, ...LITERALS].map((a) => put(form, a, '')))
  const calls = Object.entries(CALLS).flatMap(([name, args]) => {
    const from = builtInFunctions.get(name)?.takesUnit ? 1 : 0
    return args.flatMap((_, i) =>
      i < from ? [] : [...firsts, ...LITERALS, ...TEXTS].map((arg) => `${name}(${args.with(i, arg).join(', ')})`),
    )
  })
  const clocks = firsts.flatMap((x) => [
    `date_trunc('hour', ${x})`,
    `extract('hour', ${x})`,
    `date_add('hour', 1, ${x})`,
    `date_diff('hour', ${x}, ${x.replace('x_', 'y_')})`,
  ])
  const nested = [
    '{x_decimal} * 2',
    "date_trunc('month', {x_date})",
    'length({x_string})',
    'upper({y_string})',
    'CAST({x_boolean} AS int)',
  ]
  const made = nested.flatMap((inner) => seconds.map((b) => `${inner} = ${b}`))
  const columns = ['round({x_float}, {y_int})', 'trunc({x_float}, {y_int})', "date_add('day', {y_int}, {x_date})"]
  return [...new Set([...pairs, ...ones, ...calls, ...clocks, ...made, ...columns])].filter((text) => !DEPENDS_ON_DATA.test(text))
}

/** A form with every pair of arguments, in both orders. */
export const pairsOf = (form: string): { readonly text: string; readonly a: string; readonly b: string }[] =>
  firsts.flatMap((first) =>
    seconds.flatMap((second) => [
      { text: put(form, first, second), a: first, b: second },
      { text: put(form, second, first), a: second, b: first },
    ]),
  )

const put = (form: string, a: string, b: string): string => form.replace(/\b[ab]\b/g, (letter) => (letter === 'a' ? a : b))

/** The three values of an argument as SQL, without a type: what a person reads there. */
export function valuesOf(argument: string): readonly (string | null)[] {
  const [, letter, type] = /^\{([xy])_(\w+)\}$/.exec(argument) ?? []
  if (type === undefined) return argument === 'NULL' ? [null, null, null] : [argument, argument, argument]
  const [x, y, both] = VALUES[type] ?? ['', '', '']
  return [letter === 'x' ? x : y, both, null]
}

/** The type of an argument by its form; `text` for a text literal, `null` for NULL. */
export function kindOf(argument: string): string {
  const [, type] = /^\{[xy]_(\w+)\}$/.exec(argument) ?? []
  if (type !== undefined) return type
  if (argument === 'NULL') return 'null'
  if (argument.startsWith("'")) return 'text'
  return (
    /^(DATE|TIMESTAMP)/.exec(argument)?.[0].toLowerCase() ??
    (argument === 'TRUE' ? 'boolean' : argument.includes('.') ? 'decimal' : 'int')
  )
}
