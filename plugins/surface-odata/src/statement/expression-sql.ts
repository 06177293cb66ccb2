import { GrainlineError } from '@grainline/core'
import { nearest } from '@grainline/core/language'
import type { Arithmetic, Comparison, Expression, Literal } from '../query/expression.js'
import { type Columns, columnNamed } from './columns.js'
import type { Parameters } from './parameters.js'

/** Where an expression is: the columns that it may read, the option that contains it, and the values of the statement. */
export interface Scope {
  readonly columns: Columns
  readonly option: string
  readonly parameters: Parameters
}

/** The expression in semantic QL, in parentheses where it needs them. */
export function expressionSql(expression: Expression, scope: Scope): string {
  switch (expression.kind) {
    case 'literal':
      return literalSql(expression.literal, scope)
    case 'name':
      return columnNamed(expression.name, scope.columns, scope.option).sql
    case 'call':
      return callSql(expression.name, expression.operands, scope)
    case 'in':
      return inSql(expression, scope)
    case 'not':
      return `(NOT ${expressionSql(expression.operand, scope)})`
    case 'minus':
      return `(- ${expressionSql(expression.operand, scope)})`
    case 'logic':
      return `(${expression.operands.map((operand) => expressionSql(operand, scope)).join(` ${expression.operator.toUpperCase()} `)})`
    case 'binary':
      return binarySql(expression, scope)
  }
}

const literalSql = (literal: Literal, { parameters }: Scope): string =>
  literal.type === 'null' ? 'NULL' : parameters.add(literal)

type Binary = Extract<Expression, { readonly kind: 'binary' }>

function binarySql({ operator, left, right }: Binary, scope: Scope): string {
  if (isComparison(operator)) return comparisonSql(operator, left, right, scope)
  const [a, b] = [expressionSql(left, scope), expressionSql(right, scope)]
  const isWholeDivision = operator === 'div' && isWhole(left, scope) && isWhole(right, scope)
  return isWholeDivision ? `div(${a}, ${b})` : `(${a} ${ARITHMETIC[operator]} ${b})`
}

const isComparison = (operator: Binary['operator']): operator is Comparison => !Object.hasOwn(ARITHMETIC, operator)

const ARITHMETIC: Readonly<Record<Arithmetic, string>> = { add: '+', sub: '-', mul: '*', div: '/', divby: '/', mod: '%' }
const COMPARISONS = { gt: '>', ge: '>=', lt: '<', le: '<=' } as const

/** In OData a null equals a null, and is different from every value (Part 2, 5.1.1.1). */
function comparisonSql(operator: Comparison, left: Expression, right: Expression, scope: Scope): string {
  if (isNull(left) && !isNull(right)) return comparisonSql(MIRRORED[operator], right, left, scope)
  const a = expressionSql(left, scope)
  if (isNull(right)) return nullTest(operator, a)
  const b = expressionSql(right, scope)
  if (operator !== 'eq' && operator !== 'ne') return `(${a} ${COMPARISONS[operator]} ${b})`
  const compared = `${a} ${operator === 'eq' ? '=' : '<>'} ${b}`
  if (left.kind === 'literal' && right.kind === 'literal') return `(${compared})`
  if (right.kind === 'literal') return operator === 'eq' ? `(${compared})` : `(${compared} OR ${a} IS NULL)`
  if (left.kind === 'literal') return operator === 'eq' ? `(${compared})` : `(${compared} OR ${b} IS NULL)`
  return operator === 'eq' ? `(${a} IS NOT DISTINCT FROM ${b})` : `(${a} IS DISTINCT FROM ${b})`
}

const MIRRORED = { eq: 'eq', ne: 'ne', gt: 'lt', ge: 'le', lt: 'gt', le: 'ge' } as const

function nullTest(operator: Comparison, a: string): string {
  if (operator === 'eq') return `(${a} IS NULL)`
  if (operator === 'ne') return `(${a} IS NOT NULL)`
  return '(1 = 0)'
}

const isNull = (expression: Expression): boolean => expression.kind === 'literal' && expression.literal.type === 'null'

function inSql({ operand, list }: Extract<Expression, { readonly kind: 'in' }>, scope: Scope): string {
  const a = expressionSql(operand, scope)
  const values = list.flatMap((literal) => (literal.type === 'null' ? [] : [scope.parameters.add(literal)]))
  const among = values.length > 0 ? [`${a} IN (${values.join(', ')})`] : []
  const missing = values.length < list.length ? [`${a} IS NULL`] : []
  return `(${[...among, ...missing].join(' OR ')})`
}

/** Whether both operands of `div` are whole numbers, so that the quotient is one (Part 2, 5.1.1.3.4). */
function isWhole(expression: Expression, { columns }: Scope): boolean {
  if (expression.kind === 'literal') return expression.literal.type === 'int'
  return expression.kind === 'name' && columns.get(expression.name)?.type?.kind === 'int'
}

function callSql(name: string, operands: readonly Expression[], scope: Scope): string {
  const known = CALLS.get(name)
  if (known === undefined) return unknownFunction(name, scope)
  const { least, most = least, sql } = known
  if (operands.length < least || operands.length > most) {
    const wanted = least === most ? `${least}` : `${least} or ${most}`
    return refuse(`${name} has ${operands.length} operands, and takes ${wanted}`, scope)
  }
  return sql(operands, (operand) => expressionSql(operand, scope), scope)
}

interface Call {
  readonly least: number
  readonly most?: number
  readonly sql: (operands: readonly Expression[], write: (operand: Expression) => string, scope: Scope) => string
}

const one = (sql: (a: string) => string): Call => ({ least: 1, sql: ([a], write) => sql(write(a!)) })
const two = (sql: (a: string, b: string) => string): Call => ({ least: 2, sql: ([a, b], write) => sql(write(a!), write(b!)) })
const part = (field: string): Call => one((a) => `EXTRACT(${field} FROM ${a})`)

/** `around` is the pattern of LIKE for a text. The text must be a literal, because its wildcards are escaped. */
const matching = (around: (text: string) => string): Call => ({
  least: 2,
  sql: ([a, b], write, scope) => {
    if (b?.kind !== 'literal' || b.literal.type !== 'string')
      return refuse("the second operand of contains, startswith and endswith is a text in '…'", scope)
    const value = around(b.literal.value.replaceAll(/[\\%_]/g, String.raw`\$&`))
    return `(${write(a!)} LIKE ${scope.parameters.add({ type: 'string', value })})`
  },
})

/** The functions of OData that semantic QL can say. */
const CALLS: ReadonlyMap<string, Call> = new Map([
  ['contains', matching((text) => `%${text}%`)],
  ['startswith', matching((text) => `${text}%`)],
  ['endswith', matching((text) => `%${text}`)],
  ['matchesPattern', two((a, b) => `(${a} ~ ${b})`)],
  ['length', one((a) => `length(${a})`)],
  ['tolower', one((a) => `lower(${a})`)],
  ['toupper', one((a) => `upper(${a})`)],
  ['trim', one((a) => `trim(${a})`)],
  ['concat', two((a, b) => `(${a} || ${b})`)],
  ['indexof', two((a, b) => `(strpos(${a}, ${b}) - 1)`)],
  [
    'substring',
    {
      least: 2,
      most: 3,
      sql: ([a, from, length], write) =>
        `substring(${[write(a!), `${write(from!)} + 1`, ...(length === undefined ? [] : [write(length)])].join(', ')})`,
    },
  ],
  ['year', part('year')],
  ['month', part('month')],
  ['day', part('day')],
  ['hour', part('hour')],
  ['minute', part('minute')],
  ['second', part('second')],
  ['date', one((a) => `CAST(${a} AS date)`)],
  ['now', { least: 0, sql: () => 'now()' }],
  ['round', one((a) => `round(${a})`)],
  ['floor', one((a) => `floor(${a})`)],
  ['ceiling', one((a) => `ceil(${a})`)],
])

function unknownFunction(name: string, { option }: Scope): never {
  const suggestions = nearest(name, [...CALLS.keys()])
  throw new GrainlineError('INVALID_REQUEST', `${option} calls '${name.slice(0, 40)}', which is not supported`, {
    path: option,
    suggestions,
    hint: `Functions are ${[...CALLS.keys()].join(', ')}.`,
  })
}

function refuse(what: string, { option }: Scope): never {
  throw new GrainlineError('INVALID_REQUEST', `In ${option}, ${what}`, {
    path: option,
    hint: 'Compare the option with docs/odata.md.',
  })
}
