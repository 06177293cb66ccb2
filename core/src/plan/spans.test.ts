/** The ranges that conditions allow, their order, and the range that several have in common. */
import t from 'tap'
import { BOOLEAN, DATE, type DataType, FLOAT, INT, STRING } from '../model/data-type.js'
import { allOf, anyOf, binary, isNull, literal } from '../resolve/expressions.js'
import { type RowExpr, relationColumn } from '../resolve/relation-column.js'
import { commonRange } from './common-range.js'
import { conditionsWithin, isBefore, isPoint, orderOf, type Span, spansOf, termsOf } from './spans.js'

const n = relationColumn('t', 'n', INT)
const other = relationColumn('t', 'm', INT)
const value = (of: string | number | boolean, type: DataType = INT) => literal(of, type)
const compare = (operator: Parameters<typeof binary>[0], of: string | number | boolean, type?: DataType): RowExpr =>
  binary(operator, n, value(of, type))
const say = ({ low, high }: Span): string =>
  `${low ? `${low.inclusive ? '[' : '('}${low.value.value}` : '('} ${high ? `${high.value.value}${high.inclusive ? ']' : ')'}` : ')'}`

for (const [title, condition, wanted] of [
  ['equal', compare('=', 3), ['[3 3]']],
  ['greater', compare('>', 3), ['(3 )']],
  ['greater or equal', compare('>=', 3), ['[3 )']],
  ['less', compare('<', 3), ['( 3)']],
  ['less or equal', compare('<=', 3), ['( 3]']],
  ['one of a list', { kind: 'in', operand: n, list: [value(1), value(5)] }, ['[1 1]', '[5 5]']],
  ['not equal', compare('<>', 3), undefined],
  ['a text is equal', compare('=', 'A ', STRING), ['[A  A ]']],
  ['the order of texts', compare('>', 'a', STRING), undefined],
  ['another column', binary('=', n, other), undefined],
  ['a truth', compare('=', true, BOOLEAN), undefined],
  ['a list with a NULL', { kind: 'in', operand: n, list: [value(1), literal(null, INT)] }, undefined],
  ['more digits than a double has', compare('=', '1234567890123456', INT), undefined],
  ['15 digits', compare('=', '123456789012345', INT), ['[123456789012345 123456789012345]']],
  ['no number', compare('=', 'NaN', FLOAT), undefined],
  ['a year of five digits', compare('<', '12024-01-01', DATE), undefined],
  ['another condition', isNull(n), undefined],
] as const satisfies readonly (readonly [string, RowExpr, readonly string[] | undefined])[])
  t.test(`the range of ${title}`, async (t) => {
    const asked = spansOf(condition)
    t.same(asked?.spans.map(say), wanted)
    if (asked) t.equal(asked.operand, n)
  })

const range = (condition: RowExpr): Span => spansOf(condition)!.spans[0]!

t.test('one range is before another if no value is in both, and none of it is greater', async (t) => {
  t.ok(isBefore(range(compare('<', 3)), range(compare('=', 3))))
  t.ok(isBefore(range(compare('<', 3)), range(compare('>=', 3))))
  t.ok(isBefore(range(compare('<=', 3)), range(compare('>', 3))))
  t.ok(isBefore(range(compare('=', 2)), range(compare('=', 3))))
  t.notOk(isBefore(range(compare('<=', 3)), range(compare('>=', 3))), '3 is in both')
  t.notOk(isBefore(range(compare('=', 3)), range(compare('=', 2))))
  t.notOk(isBefore(range(compare('>', 3)), range(compare('=', 9))), 'no upper bound')
  t.notOk(isBefore(range(compare('=', 9)), range(compare('<', 3))), 'no lower bound')
  t.notOk(isBefore(range(compare('=', 1)), range(compare('=', '2024-01-01', DATE))), 'no order')
})

t.test('a point is one value', async (t) => {
  t.ok(isPoint(range(compare('=', 3))))
  t.notOk(isPoint(range(compare('>=', 3))))
  t.notOk(isPoint({ low: undefined, high: undefined }))
})

t.test('literals have an order if every engine has the same', async (t) => {
  t.ok(orderOf(value(2), value('10'))! < 0, 'numbers, however they are written')
  t.equal(orderOf(value(2), value('2.0', FLOAT)), 0)
  t.ok(orderOf(value('2024-01-02', DATE), value('2024-01-01', DATE))! > 0)
  t.equal(orderOf(value('É', STRING), value('e ', STRING)), 0, 'some engines treat these as equal')
  t.ok(orderOf(value('a', STRING), value('b', STRING))! < 0)
  t.equal(orderOf(value('2024-01-01', DATE), value('2024-01-01', STRING)), undefined)
  t.equal(orderOf(value(1), value('a', STRING)), undefined)
})

t.test('a range as conditions', async (t) => {
  for (const operator of ['>', '>=', '<', '<='] as const)
    t.same(conditionsWithin(n, range(compare(operator, 3))), [compare(operator, 3)], operator)
  t.same(conditionsWithin(n, range(compare('=', 3))), [compare('>=', 3), compare('<=', 3)])
  t.same(conditionsWithin(n, { low: undefined, high: undefined }), [])
})

t.test('the operands of a chain', async (t) => {
  const [a, b, c] = [compare('=', 1), compare('=', 2), compare('=', 3)]
  t.same(termsOf(binary('and', binary('and', a, b), c), 'and'), [a, b, c])
  t.same(termsOf(binary('and', a, binary('and', b, c)), 'and'), [a, b, c])
  t.same(termsOf(binary('or', a, b), 'and'), [binary('or', a, b)])
  t.same(termsOf(a, 'or'), [a])
})

for (const [title, conditions, wanted] of [
  ['two bounds', [compare('>=', 1), compare('<', 5)], '[1 5)'],
  ['two bounds in one condition', [allOf([compare('>=', 1), compare('<', 5)])!], '[1 5)'],
  ['the greatest lower bound', [compare('>', 1), compare('>', 3), compare('>', 2)], '(3 )'],
  ['the least upper bound', [compare('<', 5), compare('<', 3), compare('<', 4)], '( 3)'],
  ['of equal lower bounds, the exclusive one', [compare('>=', 1), compare('>', 1)], '(1 )'],
  ['of equal upper bounds, the exclusive one', [compare('<', 1), compare('<=', 1)], '( 1)'],
  ['one value', [compare('>=', 1), compare('<=', 1)], '[1 1]'],
  ['no value', [compare('>', 1), compare('<=', 1)], undefined],
  ['bounds in the wrong order', [compare('>', 5), compare('<', 1)], undefined],
  ['two values', [binary('>', n, value(1)), binary('<', other, value(5))], undefined],
  ['several ranges', [{ kind: 'in', operand: n, list: [value(1), value(5)] }], undefined],
  ['a condition that is no range', [compare('>', 1), isNull(n)], undefined],
  ['a disjunction', [anyOf([compare('>', 1), compare('<', 0)])], undefined],
  ['bounds of two kinds', [compare('>', 1), compare('<', '2024-01-01', DATE)], undefined],
  ['no condition', [], undefined],
] as const satisfies readonly (readonly [string, readonly RowExpr[], string | undefined])[])
  t.test(`the common range of ${title}`, async (t) => {
    const found = commonRange(conditions)
    t.equal(found && say(found.span), wanted)
    if (found) t.same(found.operand, n)
  })

t.test('a text that is NULL has no place among texts', async (t) => {
  t.equal(orderOf(literal(null, STRING), literal('a', STRING)), undefined)
})
