/** Adjacent or overlapping ranges of one value become one range. */
import t from 'tap'
import { DATE, type DataType, FLOAT, INT, STRING } from '../model/data-type.js'
import type { Literal } from '../model/expression/ast.js'
import { allOf, anyOf, binary, call, isNotNull, literal } from '../resolve/expressions.js'
import { type RowExpr, relationColumn } from '../resolve/relation-column.js'
import { joinedRanges } from './joined-ranges.js'

const [x, y] = [relationColumn('t', 'x', INT), relationColumn('t', 'y', INT)]
const DECIMAL: DataType = { kind: 'decimal', precision: 9, scale: 2 }
const isOf =
  (operand: RowExpr, type: DataType) =>
  (operator: '<' | '<=' | '>' | '>=' | '=', value: Literal['value']): RowExpr =>
    binary(operator, operand, literal(value, type))
const whole = isOf(x, INT)
const both = (...terms: readonly RowExpr[]): RowExpr => allOf(terms)!

const difference = isOf(binary('-', x, y), INT)
const decimal = isOf(relationColumn('t', 'd', DECIMAL), DECIMAL)
const day = isOf(relationColumn('t', 'day', DATE), DATE)

const JOINED: readonly (readonly [title: string, given: readonly RowExpr[], joined: RowExpr])[] = [
  ['whole numbers that follow each other', [whole('<=', 3), both(whole('>=', 4), whole('<=', 9))], whole('<=', 9)],
  ['in another order', [both(whole('>=', 4), whole('<=', 9)), whole('<=', 3)], whole('<=', 9)],
  ['ranges that leave nothing out', [whole('<', 3), whole('>=', 3)], isNotNull<typeof x>(x)],
  [
    'a range in another',
    [both(whole('>=', 1), whole('<=', 9)), both(whole('>=', 2), whole('<', 3))],
    both(whole('>=', 1), whole('<=', 9)),
  ],
  ['a value at the end of a range', [both(whole('>', 1), whole('<', 3)), whole('=', 3)], both(whole('>', 1), whole('<=', 3))],
  ['a value at its start', [both(whole('>', 1), whole('<', 3)), whole('=', 1)], both(whole('>=', 1), whole('<', 3))],
  ['two of three', [whole('<', 1), both(whole('>=', 5), whole('<', 6)), whole('>=', 6)], anyOf([whole('<', 1), whole('>=', 5)])],
  ['a difference of columns', [difference('<=', 30), difference('>=', 31)], isNotNull<typeof x>(binary('-', x, y))],
  ['decimals that touch', [decimal('<', '1.5'), decimal('>=', '1.5')], isNotNull(relationColumn('t', 'd', DECIMAL))],
  ['two bounds on one side', [whole('<=', 5), both(whole('>=', 3), whole('>', 5))], isNotNull<typeof x>(x)],
  ['days', [day('<', '2024-07-01'), both(day('>=', '2024-07-01'), day('<', '2025-01-01'))], day('<', '2025-01-01')],
]

for (const [title, given, joined] of JOINED) t.test(title, async (t) => t.same(joinedRanges(anyOf(given)), joined))

const double = isOf(relationColumn('t', 'f', FLOAT), FLOAT)
const text = isOf(relationColumn('t', 's', STRING), STRING)
const storedAsDecimal = isOf({ ...x, stored: { physical: { kind: 'decimal' } } as never }, INT)

const KEPT: readonly (readonly [title: string, ...given: readonly RowExpr[]])[] = [
  ['a value between two ranges', whole('<', 3), whole('>', 3)],
  ['a number between two ranges', whole('<=', 3), whole('>=', 5)],
  ['a whole number between two bounds that are none', isOf(x, DECIMAL)('<=', '3.5'), isOf(x, DECIMAL)('>=', '4.5')],
  ['decimals between whole numbers', decimal('<=', '3'), decimal('>=', '4')],
  ['whole numbers that are stored as decimals', storedAsDecimal('<=', 3), storedAsDecimal('>=', 4)],
  ['days that follow each other: the next one is not computed', day('<=', '2024-06-30'), day('>=', '2024-07-01')],
  ['doubles, of which one may be NaN', double('<', 1), double('>=', 1)],
  ['texts, whose order is that of the engine', text('<', 'a'), text('>=', 'a')],
  ['different columns', whole('<', 3), isOf(y, INT)('>=', 3)],
  ['a condition on another column in between', whole('<', 3), both(whole('>=', 3), isOf(y, INT)('>', 0))],
  ['a range without a value', whole('<', 3), both(whole('>=', 4), whole('<=', 3))],
  ['two bounds on one side', whole('<', 3), both(whole('>=', 3), whole('>', 5))],
  ['a NULL', whole('<', 3), whole('>=', null)],
  ['a text beside numbers', whole('<', 3), whole('>=', 3), isOf(x, STRING)('>', 'a')],
  ['a quotient, which may be no number', isOf(binary('/', x, y), INT)('<', 3), isOf(binary('/', x, y), INT)('>=', 3)],
  ['a function', isOf(call('sqrt', x), INT)('<', 3), isOf(call('sqrt', x), INT)('>=', 3)],
  [
    'a sum of a function',
    isOf(binary('+', x, call('sqrt', y)), INT)('<', 3),
    isOf(binary('+', x, call('sqrt', y)), INT)('>=', 3),
  ],
]

for (const [title, ...given] of KEPT) t.test(title, async (t) => t.same(joinedRanges(anyOf(given)), anyOf(given)))

t.test('a condition without alternatives', async (t) => t.equal(joinedRanges(x), x))
