/** The factories of conditions. */
import t from 'tap'
import { said } from '../../../test/support/said.js'
import { BOOLEAN, FLOAT, INT, STRING } from '../model/data-type.js'
import {
  allOf,
  anyOf,
  binary,
  coalesce,
  defaultLiteral,
  FALSE,
  integer,
  isNotNull,
  literal,
  onlyWhere,
  TRUE,
} from './expressions.js'
import { type RowExpr, relationColumn } from './relation-column.js'

const x = relationColumn('', 'x', INT)
const depthOf = (expression: RowExpr): number =>
  expression.kind === 'binary' ? 1 + Math.max(depthOf(expression.left), depthOf(expression.right)) : 0

t.test('none, one and several terms', async (t) => {
  t.equal(allOf([]), undefined)
  t.equal(anyOf([]), FALSE)
  t.equal(allOf([x]), x)
  t.equal(said(anyOf<typeof x>([x, TRUE, FALSE])), '((x or true) or false)')
  t.equal(coalesce(x), x, 'of one value')
  t.equal(said(coalesce<typeof x>(x, integer(0))), 'coalesce(x, 0)')
})

t.test('many terms make a balanced tree with the terms in their order', async (t) => {
  const terms = Array.from({ length: 200 }, (_, i) => integer(i))
  t.ok(depthOf(anyOf(terms)) <= 66)
  t.same(
    said(anyOf(terms)).match(/\d+/g),
    terms.map(({ value }) => String(value)),
  )
  t.equal(depthOf(anyOf(terms.slice(0, 64))), 63, 'few lean to the left')
})

t.test('a value under a condition', async (t) => {
  t.equal(onlyWhere(undefined, x), x)
  t.equal(said(onlyWhere<typeof x>(isNotNull<typeof x>(x), binary<typeof x>('+', x, x))), 'case x is not null: (x + x)')
})

t.test('a default of the model is a literal of its type', async (t) => {
  t.same(defaultLiteral(true), literal(true, BOOLEAN))
  t.same(defaultLiteral('a'), literal('a', STRING))
  t.same(defaultLiteral(3), literal(3, INT))
  t.match(defaultLiteral(-2), { value: -2, type: INT })
  t.match(defaultLiteral(1e300), { type: FLOAT })
})
