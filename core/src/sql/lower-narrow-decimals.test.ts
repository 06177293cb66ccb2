/** The scale at which exact numbers meet in a comparison, where the engine is no wider than its operands. */
import t from 'tap'
import { columns, plain, statement, T, table, textOf } from '../../../test/support/statements.js'
import { asDecimal, decimal } from '../model/data-type.js'
import { builtInFunctions } from '../model/functions/catalogue.js'
import { binary, integer, literal } from '../resolve/expressions.js'
import type { Dialect } from './dialect.js'
import { lower } from './lower.js'
import { type SqlExpr, type SqlLeaf, select } from './statement.js'

const { n, d } = T
const finer: SqlExpr = { kind: 'column', table: 't', name: 'e', type: decimal(18, 5) }
const number = (text: string, precision: number, scale: number): SqlExpr => literal(text, decimal(precision, scale))
/** Literals show their width. */
const dialect: Dialect = {
  ...plain,
  semantics: { ...plain.semantics, wideDecimals: false },
  literals: {
    ...plain.literals,
    decimal: (digits, type) => `${digits}::(${asDecimal(type).precision}, ${asDecimal(type).scale})`,
  },
}

const ROWS: readonly (readonly [why: string, left: SqlExpr, right: SqlExpr, written: string])[] = [
  ['a small number fits into every decimal', d, integer(5), 't.d < 5'],
  ['a number of the same scale is as it is', d, number('7.25', 3, 2), 't.d < 7.25::(3, 2)'],
  ['a large number gets the digits of the column', d, integer(100_000_000), 't.d < 100000000.00::(11, 2)'],
  ['a large number of a coarser scale, too', d, number('12345678.5', 9, 1), 't.d < 12345678.50::(10, 2)'],
  ['a column of whole numbers beside a fraction', n, number('0.5', 1, 1), 't.n < 0.5::(38, 1)'],
  ['a column beside a finer number', d, number('0.125', 3, 3), 't.d < 0.125::(38, 3)'],
  ['two columns of different scale', d, finer, 't.d < CAST(t.e AS DECIMAL(38, 5))'],
  ['a column of whole numbers and one of decimals', n, d, 't.n < CAST(t.d AS DECIMAL(38, 2))'],
  ['whole numbers', n, integer(2_000_000_000), 't.n < 2000000000'],
]

for (const [why, left, right, written] of ROWS)
  t.test(why, (t) => {
    const query = select(columns(n), table('t'), { where: [binary<SqlLeaf>('<', left, right)] })
    t.equal(textOf(lower(statement(query), builtInFunctions, dialect), dialect), `SELECT t.n AS n FROM t WHERE ${written}`)
    t.end()
  })

t.test('a list with a number that the column cannot hold is compared with a wider decimal', (t) => {
  const semantics = { ...dialect.semantics, mixedLists: false }
  const textWhere = (...list: SqlExpr[]): string => {
    const query = select(columns(n), table('t'), { where: [{ kind: 'in', operand: d, list }] })
    return textOf(lower(statement(query), builtInFunctions, { ...dialect, semantics }), dialect)
  }
  t.match(textWhere(integer(5), integer(99_999_999)), /WHERE t.d IN \(/)
  t.match(textWhere(integer(5), integer(100_000_000)), /WHERE CAST\(t.d AS DECIMAL\(38, 2\)\) IN \(5\.?0*/)
  t.match(textWhere(integer(5), number('0.5', 38, 37)), / OR /, 'no decimal holds both')
  t.end()
})
