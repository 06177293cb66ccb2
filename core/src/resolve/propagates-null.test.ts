import t from 'tap'
import { INT, STRING } from '../model/data-type.js'
import { binary, call, integer, isNull, literal } from './expressions.js'
import { propagatesNull } from './propagates-null.js'
import { type RelationColumn, type RowExpr, relationColumn } from './relation-column.js'

const column = relationColumn('t', 'c', INT)
const text = relationColumn('t', 'name', STRING)
const one = integer(1)
const above: RowExpr = binary('>', column, one)
const isSmall: RowExpr = binary('<', one, integer(2))
const like = (operand: RowExpr, pattern: RowExpr): RowExpr => ({ kind: 'like', operand, pattern })

t.test('NULLIF of a value and a column of a missing row is the value, so it needs a guard', async (t) => {
  t.equal(propagatesNull(call('nullif', integer(5), column)), false)
  t.equal(propagatesNull(call('nullif', column, integer(5))), true)
})

for (const [title, expression, isNullThen] of [
  ['a value', one, false],
  ['a sum with a column', binary('+', one, column), true],
  ['a sum of values', binary('+', one, one), false],
  ['a sign', { kind: 'unary', operator: '-', operand: column }, true],
  ['a condition on a column, and one on a value, which may be false', binary('and', above, isSmall), false],
  ['two conditions on columns', binary('or', above, above), true],
  ['one of two conditions on a value, which may be true', binary('or', isSmall, above), false],
  ['a text and a pattern', like(text, literal('a%', STRING)), true],
  ['a text and the pattern of a column', like(literal('a', STRING), text), true],
  ['a text and a pattern without columns', like(literal('a', STRING), literal('a%', STRING)), false],
  ['a column in a list', { kind: 'in', operand: column, list: [one] }, true],
  ['a column that is asked whether it is NULL', isNull<RelationColumn>(column), false],
  ['a column in place of NULL', call('coalesce', column, one), false],
] as const satisfies readonly (readonly [string, RowExpr, boolean])[])
  t.test(title, async (t) => t.equal(propagatesNull<RelationColumn>(expression), isNullThen))
