import type { Arithmetic, BinaryOperator, Comparison, Expression, Literal } from './expression.js'
import type { Reader } from './reader.js'

/** `or` binds least; then `and`, comparisons, `add`/`sub`, `mul`/`div`/`mod`, signs (Part 2, 5.1.1.14). */
export function parseExpression(reader: Reader): Expression {
  return reader.nested(() => logic(reader, 'or', () => logic(reader, 'and', () => comparison(reader))))
}

function logic(reader: Reader, operator: 'and' | 'or', operand: () => Expression): Expression {
  const first = operand()
  const operands = [first]
  while (reader.takes(operator)) operands.push(operand())
  return operands.length === 1 ? first : { kind: 'logic', operator, operands }
}

const COMPARISONS: readonly Comparison[] = ['eq', 'ne', 'gt', 'ge', 'lt', 'le']
const SUMS: readonly Arithmetic[] = ['add', 'sub']
const PRODUCTS: readonly Arithmetic[] = ['mul', 'divby', 'div', 'mod']

/** Operators of one rank in a row: each makes the tree deeper. */
const LONGEST = 100

function leftToRight(reader: Reader, operators: readonly BinaryOperator[], operand: () => Expression): Expression {
  let left = operand()
  let length = 0
  for (let operator = reader.takesOneOf(operators); operator !== undefined; operator = reader.takesOneOf(operators)) {
    if (++length > LONGEST) reader.refuse(`A chain of operators has at most ${LONGEST} of them`)
    left = { kind: 'binary', operator, left, right: operand() }
  }
  return left
}

function comparison(reader: Reader): Expression {
  const left = sum(reader)
  if (reader.takes('in')) return { kind: 'in', operand: left, list: literals(reader) }
  const operator = reader.takesOneOf(COMPARISONS)
  return operator === undefined ? left : { kind: 'binary', operator, left, right: sum(reader) }
}

const sum = (reader: Reader): Expression => leftToRight(reader, SUMS, () => leftToRight(reader, PRODUCTS, () => unary(reader)))

function unary(reader: Reader): Expression {
  if (reader.takes('not')) return { kind: 'not', operand: reader.nested(() => unary(reader)) }
  if (reader.takes('-')) return negative(reader.nested(() => unary(reader)))
  return primary(reader)
}

/** The minus of a literal is part of it. */
function negative(operand: Expression): Expression {
  if (operand.kind !== 'literal') return { kind: 'minus', operand }
  const { literal } = operand
  if (literal.type !== 'int' && literal.type !== 'decimal' && literal.type !== 'float') return { kind: 'minus', operand }
  return { kind: 'literal', literal: { ...literal, value: `-${literal.value}` } }
}

function primary(reader: Reader): Expression {
  if (reader.takes('(')) {
    const inner = parseExpression(reader)
    reader.expect(')')
    return inner
  }
  const literal = reader.literal()
  if (literal !== undefined) return { kind: 'literal', literal }
  const name = reader.word('a property, a function or a value')
  if (!reader.takes('(')) return { kind: 'name', name }
  if (reader.takes(')')) return { kind: 'call', name, operands: [] }
  const operands = reader.list(() => parseExpression(reader))
  reader.expect(')')
  return { kind: 'call', name, operands }
}

function literals(reader: Reader): readonly Literal[] {
  reader.expect('(')
  const list = reader.list(() => {
    const value = unary(reader)
    return value.kind === 'literal' ? value.literal : reader.refuse('Expected a value')
  })
  reader.expect(')')
  return list
}
