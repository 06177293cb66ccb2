/** Long values that stand several times in a SELECT are columns of a derived table. */
import t from 'tap'
import { columns, item, plain, statement, T, table, textOf } from '../../../test/support/statements.js'
import { INT } from '../model/data-type.js'
import { builtInFunctions } from '../model/functions/catalogue.js'
import { binary, call, integer } from '../resolve/expressions.js'
import { namedValues } from './named-values.js'
import { repeatedValues } from './repeated-values.js'
import { aggregate, type From, type Select, type SqlExpr, select } from './statement.js'

const context = { functions: builtInFunctions }
const told = (body: Select): string => textOf(namedValues(statement(body), context), plain)
const plus = (a: SqlExpr, b: SqlExpr): SqlExpr => binary('+', a, b)
/** `value + 1 + 1 …`, as long as a paragraph. */
const long = (value: SqlExpr, ones = 60): SqlExpr =>
  Array.from({ length: ones }).reduce<SqlExpr>((sum) => plus(sum, integer(1)), value)
const whole = (condition: SqlExpr, then: SqlExpr): SqlExpr => ({
  kind: 'case',
  branches: [{ when: condition, then }],
  otherwise: undefined,
})
const summed = (value: SqlExpr) => item('x', aggregate('sum', [value], INT), INT)
const twice = (value: SqlExpr): SqlExpr => binary('*', value, value)
const countOf = (text: string, what: string): number => text.split(what).length - 1

t.test('a long value that is written twice is a column of the rows that a SELECT reads', async (t) => {
  const value = long(T.n)
  const made = told(
    select([item('k', T.s, INT), summed(twice(value))], table('t'), { where: [binary('>', T.n, integer(0))], groupBy: [T.s] }),
  )
  t.equal(made.split(' FROM ')[0], 'SELECT named.s AS k, SUM(named.value * named.value) AS x')
  t.match(made, /1 AS value FROM t WHERE t.n > 0 \) AS named GROUP BY/, 'the condition chooses the same rows')
  t.equal(countOf(made, '+ 1'), 60)
})

t.test('values that read other ones are in tables above theirs', async (t) => {
  const inner = long(T.n)
  const outer = long(twice(inner), 50)
  const made = told(select([summed(twice(outer)), item('y', aggregate('max', [inner], INT), INT)], table('t')))
  t.equal(countOf(made, '+ 1'), 110, made)
  t.match(
    made,
    /SELECT SUM\(named.value \* named.value\) AS x, MAX\(named.value_2\) AS y FROM \( SELECT .* FROM \( SELECT .* FROM t \)/,
  )
})

t.test('a key of groups and a sort key are the same column', async (t) => {
  const key = long(T.n)
  const made = namedValues(
    statement(
      select([item('k', key, INT), item('j', twice(key), INT)], table('t'), {
        groupBy: [key],
        orderBy: [{ expression: key, type: INT, descending: false, nullsFirst: false }],
      }),
    ),
    context,
  ).body
  t.equal(made.kind === 'select' && made.groupBy.length, 1)
  if (made.kind === 'select')
    t.same([made.groupBy[0], made.orderBy[0]?.expression], [made.items[0]?.expression, made.items[0]?.expression])
})

for (const [title, body] of [
  [
    'much text of short values',
    select(
      Array.from({ length: 90 }, (_, i) => summed(call('coalesce', integer(i), T.n))),
      table('t'),
    ),
  ],
  ['a value that is written once', select([summed(long(T.n, 300))], table('t'))],
  ['a short value', select([summed(twice(long(T.n, 20)))], table('t'))],
  ['a value of groups', select([item('x', twice(long(aggregate('max', [T.n], INT), 120)), INT)], table('t'))],
  ['a value of constants', select([item('x', plus(T.n, twice(long(integer(5), 120))), INT)], table('t'))],
  [
    'a value that stands only behind conditions',
    select(
      [
        item('x', whole(binary('>', T.n, integer(0)), long(T.n)), INT),
        item('y', call('coalesce', T.n, long(T.n)), INT),
        item('z', whole(binary('and', binary('>', T.n, integer(0)), binary('>', long(T.n), integer(9))), integer(1)), INT),
      ],
      table('t'),
    ),
  ],
] as const)
  t.test(`${title} stays where it is`, async (t) => {
    const given = statement(body)
    t.equal(namedValues(given, context), given)
  })

t.test('a value behind a condition is the column if it stands elsewhere, too', async (t) => {
  const value = long(T.n)
  const made = told(select([summed(value), item('y', whole(binary('>', T.n, integer(0)), value), INT)], table('t')))
  t.match(made, /CASE WHEN named.n > 0 THEN named.value END AS y/)
})

t.test('tables of a statement, and tables in tables; names that are taken are not taken twice', async (t) => {
  const inner = select([summed(twice(long(T.n)))], { ...table('named'), alias: 't' } as From)
  const from: From = { kind: 'subquery', query: inner, alias: 'Named' }
  const outer = select(columns({ kind: 'column', table: 'Named', name: 'x', type: INT }), from)
  const made = textOf(namedValues({ ...statement(outer), ctes: [{ name: 'a', query: inner }] }, context), plain)
  t.equal(countOf(made, 'AS value FROM named'), 2, made)
  t.match(made, /AS named_2/)
  t.match(made, /AS named_3/)
})

t.test('of two columns of one name, each keeps its value', async (t) => {
  const other: SqlExpr = { kind: 'column', table: 'u', name: 'N', type: INT }
  const from: From = { kind: 'join', type: 'cross', left: table('t'), right: table('u'), on: undefined }
  const made = told(select([summed(plus(twice(long(T.n)), other)), item('y', aggregate('max', [T.n], INT), INT)], from))
  t.match(made, /named.value \+ named.N\b.* MAX\(named.n_2\) AS y/, made)
})

t.test('layers count from the values that read no other one', async (t) => {
  const inner = long(T.n)
  const outer = long(twice(inner), 50)
  const { values, highest } = repeatedValues([twice(outer)])
  t.same([values.get(inner), values.get(outer), highest], [1, 2, 2])
  t.equal(repeatedValues([inner]).highest, 0)
})
