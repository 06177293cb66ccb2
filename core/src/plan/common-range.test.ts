/** The range of the rows that satisfy several conditions on one value. */
import t from 'tap'
import { column } from '../../../test/support/plans.js'
import { allOf, anyOf, binary, integer, text } from '../resolve/expressions.js'
import { commonRange } from './common-range.js'
import type { RowExpr } from './logical-plan.js'

const n = column('t', 'n')
const is = (operator: '<' | '<=' | '>' | '>=' | '=', value: number, of: RowExpr = n): RowExpr =>
  binary(operator, of, integer(value))

/** Like `(1, 3]`, of the value. */
function range(...conditions: readonly RowExpr[]): string | undefined {
  const found = commonRange(conditions)
  if (!found) return undefined
  const { low, high } = found.span
  const value = (bound: typeof low): string => (bound?.value.kind === 'literal' ? String(bound.value.value) : '')
  return `${low?.inclusive ? '[' : '('}${value(low)}, ${value(high)}${high?.inclusive ? ']' : ')'}`
}

t.test('the greatest lower bound and the least upper bound', async (t) => {
  t.equal(range(is('>', 1), is('>', 2), is('<', 9), is('<', 8)), '(2, 8)')
  t.equal(range(is('<', 8), is('<', 9), is('>', 2), is('>', 1)), '(2, 8)', 'in any order')
  t.equal(range(is('>=', 1)), '[1, )')
  t.equal(range(is('<=', 1)), '(, 1]')
  t.equal(range(allOf([is('>=', 1), is('<', 5)])!), '[1, 5)', 'of one condition')
})

t.test('of two bounds with one value the exclusive one', async (t) => {
  t.equal(range(is('>', 1), is('>=', 1)), '(1, )')
  t.equal(range(is('>=', 1), is('>', 1)), '(1, )')
  t.equal(range(is('<=', 1), is('<', 1)), '(, 1)')
  t.equal(range(is('<', 1), is('<=', 1)), '(, 1)')
})

t.test('without a value between the bounds there is none', async (t) => {
  t.equal(range(is('>', 3), is('<', 1)), undefined)
  t.equal(range(is('>', 1), is('<', 1)), undefined)
  t.equal(range(is('>=', 1), is('<', 1)), undefined)
  t.equal(range(is('>', 1), is('<=', 1)), undefined)
  t.equal(range(is('>=', 1), is('<=', 1)), '[1, 1]')
})

t.test('all conditions bound the same value', async (t) => {
  t.match(commonRange([is('>', 1)]), { operand: n })
  t.equal(range(is('>', 1), is('<', 5, column('t', 'm'))), undefined)
  t.equal(range(is('>', 1), anyOf([is('<', 5), is('>', 7)])), undefined, 'several ranges')
  t.equal(range(is('>', 1), column('t', 'flag')), undefined, 'no bound')
  t.equal(range(column('t', 'flag'), is('>', 1)), undefined)
  t.equal(range(is('>', 1), binary('<', n, text('x'))), undefined, 'bounds that have no order')
  t.equal(commonRange([]), undefined)
})
