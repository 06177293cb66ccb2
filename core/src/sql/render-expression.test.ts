/** The text of expressions: parentheses only where they are necessary. */
import t from 'tap'
import { item, plain, statement, T, textOf } from '../../../test/support/statements.js'
import { INT } from '../model/data-type.js'
import { binary, call, integer, isNotNull, isNull, not, text } from '../resolve/expressions.js'
import type { Dialect } from './dialect.js'
import { type SqlExpr, type SqlLeaf, select } from './statement.js'

const { n, d, s } = T
const minus = (a: SqlExpr, b: SqlExpr): SqlExpr => binary('-', a, b)
const one = integer(1)
const isA = binary<SqlLeaf>('=', s, text('a'))
const isB = binary<SqlLeaf>('=', s, text("b'"))
const said = (expression: SqlExpr, dialect: Dialect = plain): string =>
  textOf(statement(select([item('x', expression, INT)], { kind: 'nothing' })), dialect).replace(/^SELECT (.*) AS x$/, '$1')

for (const [expression, expected] of [
  [minus(minus(n, one), one), 't.n - 1 - 1'],
  [minus(n, minus(n, one)), 't.n - (t.n - 1)'],
  [binary<SqlLeaf>('*', minus(n, one), d), '(t.n - 1) * t.d'],
  [binary<SqlLeaf>('and', binary('or', isA, isB), isA), "(t.s = 'a' OR t.s = 'b''') AND t.s = 'a'"],
  [not(isNull<SqlLeaf>(n)), 't.n IS NOT NULL'],
  [not(isNotNull<SqlLeaf>(n)), 't.n IS NULL'],
  [not(isA), "t.s <> 'a'"],
  [not(binary<SqlLeaf>('<', n, one)), 'NOT (t.n < 1)'],
  [not<SqlLeaf>({ kind: 'in', operand: n, list: [one, integer(2)] }), 't.n NOT IN (1, 2)'],
  [{ kind: 'unary', operator: '-', operand: minus(n, one) }, '-(t.n - 1)'],
  [call<SqlLeaf>('same', n, minus(n, one)), 't.n IS NOT DISTINCT FROM t.n - 1'],
  [call<SqlLeaf>('current_date'), "DATE '2025-06-15'"],
  [{ kind: 'call', name: 'My_Own', args: [n], portable: false }, 'My_Own(t.n)'],
] as const satisfies readonly (readonly [SqlExpr, string])[])
  t.test(expected, (t) => {
    t.equal(said(expression), expected)
    t.end()
  })

t.test('thousands of terms are one flat chain', (t) => {
  const chain = Array.from({ length: 5000 }, () => one as SqlExpr).reduce((a, b) => binary('+', a, b))
  t.equal(said(chain).length, 5000 * 4 - 3)
  t.end()
})

t.test('a divisor that may be 0 is written as the dialect does', (t) => {
  const trying: Dialect = { ...plain, quotient: (dividend, divisor) => `TRY(${dividend}, ${divisor})` }
  const unlessZero = (value: SqlExpr): SqlExpr => call<SqlLeaf>('nullif', value, integer(0))
  const over = (a: SqlExpr, b: SqlExpr): SqlExpr => binary('/', a, b)
  const chain = over(over(over(minus(n, one), unlessZero(n)), integer(2)), unlessZero(minus(d, one)))
  t.equal(said(chain, trying), 'TRY(TRY(t.n - 1, t.n) / 2, t.d - 1)')
  t.equal(said(over(minus(n, one), minus(n, one)), trying), '(t.n - 1) / (t.n - 1)')
  t.equal(said(over(n, call<SqlLeaf>('nullif', n, one)), trying), 't.n / NULLIF(t.n, 1)')
  t.equal(said(chain), '(t.n - 1) / NULLIF(t.n, 0) / 2 / NULLIF(t.d - 1, 0)')
  const long = Array.from({ length: 5000 }, () => unlessZero(n)).reduce(over, n)
  t.equal(said(long, trying).length, 5000 * 'TRY(, t.n)'.length + 't.n'.length)
  t.end()
})

t.test('texts are ordered by code points on engines with another order, and compared for equality directly', (t) => {
  const folding: Dialect = { ...plain, collate: (value) => `C(${value})` }
  t.equal(said(binary<SqlLeaf>('<', s, text('a')), folding), "C(t.s) < 'a'")
  t.equal(said(isA, folding), "t.s = 'a'")
  t.end()
})

for (const [what, expression, code] of [
  ['a function', call<SqlLeaf>('missing', s), 'UNSUPPORTED_FUNCTION'],
  ['a time zone', call<SqlLeaf>('in_zone', T.day, text('Mars/Olympus')), 'UNSUPPORTED_SQL_FEATURE'],
  ['a unit of time', call<SqlLeaf>('date_trunc', text('fortnight'), T.day), 'UNKNOWN_TIME_UNIT'],
  [
    'an aggregation',
    {
      kind: 'aggregate',
      name: 'mode',
      args: [n],
      distinct: false,
      orderBy: [],
      percentile: undefined,
      delimiter: undefined,
      type: INT,
    },
    'UNSUPPORTED_AGGREGATION',
  ],
] as const satisfies readonly (readonly [string, SqlExpr, string])[])
  t.test(`${what} that the engine lacks is refused by its code`, (t) => {
    const poor: Dialect = {
      ...plain,
      functions: { ...plain.functions, missing: null },
      aggregates: {},
      instantToZone: () => null,
    }
    t.throws(() => said(expression, poor), { code })
    t.end()
  })
