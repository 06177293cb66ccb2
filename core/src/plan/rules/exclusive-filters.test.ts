/** Filters of which no row satisfies two, and what every row satisfies that satisfies one. */
import t from 'tap'
import { DATE, INT, STRING } from '../../model/data-type.js'
import { allOf, anyOf, binary, integer, isNotNull, literal, text } from '../../resolve/expressions.js'
import { type RowExpr, relationColumn } from '../../resolve/relation-column.js'
import { exclusive } from './exclusive-filters.js'

const [n, m] = [relationColumn('t', 'n', INT), relationColumn('t', 'm', INT)]
const compare = (operator: Parameters<typeof binary>[0], value: number, column = n): RowExpr =>
  binary(operator, column, integer(value))
const between = (low: number, high: number): RowExpr => both(compare('>=', low), compare('<', high))
const both = (...all: readonly RowExpr[]): RowExpr => allOf(all) ?? integer(1)
const listed = (values: readonly number[], column = n): RowExpr => ({ kind: 'in', operand: column, list: values.map(integer) })

for (const [title, filters, within, isWhole] of [
  ['different values', [compare('=', 1), compare('=', 2)], listed([1, 2]), true],
  ['lists of different values', [listed([1, 2]), listed([3])], listed([1, 2, 3]), true],
  [
    'different values, one of them with another condition',
    [both(compare('=', 1), isNotNull(m)), compare('=', 2)],
    listed([1, 2]),
    false,
  ],
  ['ranges side by side', [between(1, 3), between(3, 5)], between(1, 5), false],
  ['ranges in another order', [between(3, 5), between(1, 3)], between(1, 5), false],
  ['ranges with a gap', [between(1, 2), between(8, 9)], between(1, 9), false],
  ['a value and a range', [compare('=', 1), between(3, 5)], between(1, 5), false],
  ['a range with an open end', [compare('<', 1), between(3, 5)], compare('<', 5), false],
  ['a bound beside a list', [both(compare('>', 0), listed([1, 2])), compare('=', 3)], listed([1, 2, 3]), false],
  ['two open ends', [compare('<', 1), compare('>', 5)], undefined, false],
  ['an inclusive and an exclusive end', [compare('<=', 1), compare('>', 1)], undefined, false],
  ['three ranges', [between(1, 2), between(2, 3), between(3, 4)], between(1, 4), false],
  [
    'another column',
    [both(compare('=', 1, m), compare('>', 5)), both(compare('=', 2, m), compare('>', 5))],
    listed([1, 2], m),
    false,
  ],
  [
    'days',
    ['2024-01-01', '2024-01-02'].map((day) => binary('=', n, literal(day, DATE))),
    { kind: 'in', operand: n, list: ['2024-01-01', '2024-01-02'].map((day) => literal(day, DATE)) },
    true,
  ],
] as const satisfies readonly (readonly [string, readonly RowExpr[], RowExpr | undefined, boolean])[])
  t.test(`exclusive: ${title}`, async (t) => t.same(exclusive(filters), { within, isWhole }))

for (const [title, filters] of [
  ['one value in both', [compare('=', 1), compare('=', 1)]],
  ['one value in both lists', [listed([1, 2]), listed([2, 3])]],
  ['ranges that overlap', [between(1, 4), between(3, 5)]],
  ['ranges that have one value in common', [compare('<=', 1), compare('>=', 1)]],
  ['the first and the last of three overlap', [between(1, 4), between(5, 6), between(3, 5)]],
  ['a value within a range', [compare('=', 4), between(3, 5)]],
  ['different columns', [compare('=', 1), compare('=', 2, m)]],
  ['a filter without a range', [compare('=', 1), isNotNull(n)]],
  ['the first filter without a range', [isNotNull(n), compare('=', 1)]],
  ['one of two conditions', [anyOf([compare('=', 1), compare('=', 3)]), compare('=', 2)]],
  ['texts that some engines treat as equal', [binary('=', n, text('a')), binary('=', n, text('A '))]],
  ['a computed value', [binary('=', binary('+', n, m), integer(1)), binary('=', binary('+', n, m), integer(2))]],
  ['values without an order', [compare('>', 1), binary('<', n, literal('a', STRING))]],
] as const satisfies readonly (readonly [string, readonly RowExpr[]])[])
  t.test(`not exclusive: ${title}`, async (t) => t.equal(exclusive(filters), undefined))
