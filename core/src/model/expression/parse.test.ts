import t from 'tap'
import { BOOLEAN, DATE, type DataType, decimal, FLOAT, formatDataType, INT, STRING } from '../data-type.js'
import { builtInAggregates } from '../functions/aggregates.js'
import { builtInFunctions } from '../functions/catalogue.js'
import type { Expr, FieldRef } from './ast.js'
import { parseExpression } from './parse.js'
import { ExpressionError } from './tokenize.js'
import { typeOf } from './type-of.js'

const reports: string[] = []
function parse(text: string): Expr<FieldRef> {
  reports.length = 0
  return parseExpression<FieldRef>(text, {
    functions: builtInFunctions,
    aggregates: builtInAggregates,
    leaf: (name) => ({ kind: 'field', name }),
    report: (code, _message, offset) => reports.push(`${code}@${offset}`),
  })
}

function refusal(text: string): ExpressionError {
  try {
    parse(text)
  } catch (error) {
    if (error instanceof ExpressionError) return error
    throw error
  }
  throw new Error(`${text.slice(0, 60)} was accepted`)
}

const columns: Readonly<Record<string, DataType>> = {
  i: INT,
  f: FLOAT,
  d: decimal(10, 2),
  e: decimal(5, 3),
  s: STRING,
  day: DATE,
  b: BOOLEAN,
}
const typed = (text: string): string =>
  formatDataType(typeOf<FieldRef>(parse(text), (leaf) => columns[leaf.name]!, builtInFunctions))

/** Fully parenthesised, so that a test shows the precedence. */
function show(expr: Expr<FieldRef>): string {
  switch (expr.kind) {
    case 'field':
      return expr.name
    case 'parameter':
      return `{@${expr.name}}`
    case 'literal':
      return typeof expr.value === 'string' && expr.type.kind !== 'decimal' ? `'${expr.value}'` : String(expr.value)
    case 'unary':
      return `(${expr.operator} ${show(expr.operand)})`
    case 'binary':
      return `(${show(expr.left)} ${expr.operator} ${show(expr.right)})`
    case 'call':
      return `${expr.name}(${expr.args.map(show).join(', ')})`
    case 'case':
      return `case ${expr.branches.map((branch) => `${show(branch.when)}: ${show(branch.then)}`).join(', ')}${expr.otherwise ? ` else ${show(expr.otherwise)}` : ''}`
    case 'cast':
      return `${show(expr.operand)}::${formatDataType(expr.type)}`
    case 'in':
      return `(${show(expr.operand)} in [${expr.list.map(show).join(', ')}])`
    case 'like':
      return `(${show(expr.operand)} like ${show(expr.pattern)})`
    case 'is-null':
      return `(${show(expr.operand)} is null)`
  }
}

t.test('operators have the precedence of SQL and are reduced to a few', async (t) => {
  const meanings: Readonly<Record<string, string>> = {
    '1 + 2 * 3 - 4': '((1 + (2 * 3)) - 4)',
    '{a} OR {b} AND NOT {c} = 1': '(a or (b and (not (c = 1))))',
    '10 - 2 - 3': '((10 - 2) - 3)',
    '-{a} * - - 2': '((- a) * 2)',
    '{a} % 2 || {b}': 'concat(mod(a, 2), b)',
    '{a} BETWEEN 1 AND 2 AND {b}': '(((a >= 1) and (a <= 2)) and b)',
    '{a} NOT BETWEEN 1 AND 2': '(not ((a >= 1) and (a <= 2)))',
    "{a} not in (1, 'x')": "(not (a in [1, 'x']))",
    "{a} NOT LIKE '%'": "(not (a like '%'))",
    "{a} ILIKE 'X'": "(lower(a) like lower('X'))",
    '{a} IS NOT NULL': '(not (a is null))',
    '{a} != 1': '(a <> 1)',
    "CASE {a} WHEN 1 THEN 'x' ELSE 'y' END": "case (a = 1): 'x' else 'y'",
    'CASE WHEN {a} THEN 1 WHEN {b} THEN 2 END': 'case a: 1, b: 2',
    'CAST({a} AS decimal(10, 2))': 'a::decimal(10,2)',
    'cast({a} as double precision)': 'a::float',
    "DATE '2024-02-29'": "'2024-02-29'",
    "TIMESTAMP '2024-01-02T03:04'": "'2024-01-02 03:04:00'",
    'EXTRACT(Month FROM {a})': "extract('month', a)",
    'date_trunc(week, {a})': "date_trunc('week', a)",
    "'it''s {not a reference}'": "'it's {not a reference}'",
    'CEILING({a})': 'ceil(a)',
    current_date: 'current_date()',
  }
  for (const [text, meaning] of Object.entries(meanings)) t.equal(show(parse(text)), meaning, text)
})

t.test('numbers are exact', async (t) => {
  t.same(parse('1.50'), { kind: 'literal', value: '1.50', type: decimal(3, 2) })
  t.same(parse('-.5'), { kind: 'literal', value: '-0.5', type: decimal(1, 1) })
  t.same(parse('9007199254740993'), { kind: 'literal', value: 9007199254740993n, type: INT })
  t.same(parse('9223372036854775808'), { kind: 'literal', value: '9223372036854775808', type: decimal(19, 0) })
  t.same(parse('1e3'), { kind: 'literal', value: 1000, type: FLOAT })
})

t.test('types follow the rules of arithmetic', async (t) => {
  const types: Readonly<Record<string, string>> = {
    '{i} + {i}': 'int',
    '{i} / {i}': 'float',
    '{d} + {e}': 'decimal(12,3)',
    '{d} * {e}': 'decimal(15,5)',
    '{d} * {i}': 'decimal(29,2)',
    '{d} - {f}': 'float',
    '{i} > 1 and {b}': 'boolean',
    'coalesce(null, {d}, 0)': 'decimal(21,2)',
    'case when {b} then null else {i} end': 'int',
    "date_trunc('month', {day})": 'date',
    'round({d})': 'decimal(9,0)',
    "{s} || 'x'": 'string',
    'mod({i}, 2)': 'int',
  }
  for (const [text, type] of Object.entries(types)) t.equal(typed(text), type, text)
})

t.test('a function for a part of a time shows the expression that gives it', async (t) => {
  const messageOf = (text: string): string => {
    const messages: string[] = []
    const leaf = (name: string): FieldRef => ({ kind: 'field', name })
    const context = { functions: builtInFunctions, aggregates: builtInAggregates, leaf }
    parseExpression<FieldRef>(text, { ...context, report: (_code, message) => messages.push(message) })
    return messages.join()
  }
  t.match(messageOf('month({day})'), /write extract\('month', …\)/)
  t.match(messageOf('dow({day})'), /write date_diff\('day', date_trunc\('week', x\), x\) \+ 1/)
  t.equal(messageOf("extract('month', {day}) + date_diff('day', date_trunc('week', {day}), {day}) + 1"), '')
})

t.test('an error in a call is reported at its position', async (t) => {
  const faults: Readonly<Record<string, string>> = {
    'upper()': 'WRONG_FUNCTION_ARITY@0',
    '1 + replace({a}, 1)': 'WRONG_FUNCTION_ARITY@4',
    'date_trunc(era, {a})': 'UNKNOWN_TIME_UNIT@11',
    'date_trunc({a}, {b})': 'UNKNOWN_TIME_UNIT@11',
    "json_value({a}, '$..x')": 'INVALID_JSON_PATH@0',
    'soundex({a})': 'NON_PORTABLE_FUNCTION@0',
    'substring({a}, -2)': 'INVALID_EXPRESSION@0',
    '1 + substring({a}, 0, 2)': 'INVALID_EXPRESSION@4',
    'substring({a}, 1, -1)': 'INVALID_EXPRESSION@0',
  }
  for (const [text, fault] of Object.entries(faults)) {
    parse(text)
    t.ok(reports.includes(fault), `${text}: ${reports}`)
  }
  parse("json_value({a}, '$.x[0].y')")
  t.same(reports, [])
})

t.test('a syntax error is reported at its position', async (t) => {
  const faults: Readonly<Record<string, number>> = {
    '': 0,
    '1 +': 3,
    '(1': 2,
    '1 2': 2,
    "'open": 0,
    '{open': 0,
    column: 0,
    '"x"': 0,
    'CASE END': 5,
    'sum({a})': 0,
    '{a} IS 1': 7,
    'CAST(1 AS nonsense)': 10,
    "DATE '2024-02-30'": 5,
    '1; DROP TABLE x': 1,
    '1 -- x': 5,
  }
  for (const [text, offset] of Object.entries(faults)) t.equal(refusal(text).offset, offset, text)
})

t.test('hostile nesting is refused, and never exhausts stack or time', async (t) => {
  const deep = 9_000
  const texts = [
    '('.repeat(deep),
    `${'('.repeat(deep)}1${')'.repeat(deep)}`,
    `1${'+1'.repeat(deep)}`,
    `${'NOT '.repeat(deep)}1 +`,
    `${'case when '.repeat(deep)}`,
  ]
  texts.push(
    `1${' between 1 and 2'.repeat(60)}`,
    `${'CASE '.repeat(60)}1${' WHEN 1 THEN 1 WHEN 2 THEN 2 END'.repeat(60)}`,
    `${'abs('.repeat(deep)}`,
  )
  for (const text of texts) t.ok(refusal(text), text.slice(0, 20))
  t.equal(show(parse(`${'- '.repeat(deep)}1`)), '1')
  t.match(refusal(`${' '.repeat(100_000)}1`), { offset: 0, message: /more than 100000 characters/ })
})

t.test('a window names the kinds of metrics that are windows', async (t) => {
  for (const text of [
    'SUM({i}) OVER ()',
    '{i} / sum(abs({i})) over (ORDER BY {day})',
    'rank() OVER (ORDER BY {i})',
    'LAG(({i}), 1) OVER ()',
  ])
    t.match(refusal(text), { message: /OVER makes a window of it, and windows are metrics: type 'window'/ }, text)
  t.match(refusal('sum({i}) + (1)'), { message: /it belongs in a measure's 'aggregation'/ })
  t.match(refusal('sum('), { message: /it belongs in a measure's 'aggregation'/ })
})
