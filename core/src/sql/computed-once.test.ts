/** Values that a spelling reads twice are columns of a derived table. */
import t from 'tap'
import { resolveContext } from '../../../test/support/bound.js'
import { shop } from '../../../test/support/models.js'
import { columns, item, plain, statement, T, table, textOf } from '../../../test/support/statements.js'
import { FLOAT, INT, STRING } from '../model/data-type.js'
import { builtInAggregates } from '../model/functions/aggregates.js'
import { builtInFunctions } from '../model/functions/catalogue.js'
import { binary, call, integer, text } from '../resolve/expressions.js'
import { computedOnce } from './computed-once.js'
import { aggregate, type Select, type SqlExpr, select } from './statement.js'

/** A dialect that reads the value of a `trim` twice, and its second argument once. */
const twice = {
  ...plain,
  functions: {
    ...plain.functions,
    trim: ([x]: readonly string[]) => `TWICE(${x}, ${x})`,
    finite: ([x]: readonly string[]) => `IF(${x}, ${x})`,
  },
}
const context = { dialect: twice, functions: builtInFunctions, aggregates: builtInAggregates, time: resolveContext(shop).time }
const upper = (x: SqlExpr): SqlExpr => call('upper', x)
const trim = (x: SqlExpr): SqlExpr => call('trim', x)
const one = (expression: SqlExpr, more: Partial<Select> = {}): Select =>
  select([item('x', expression, STRING), ...columns(T.n)], table('t'), more)
const told = (body: Select): string => textOf(computedOnce(statement(body), context), twice)

t.test('a computed value that is read twice is computed once, below', async (t) => {
  t.same(told(one(trim(upper(T.s)))).split(' FROM '), [
    'SELECT TWICE(value_1, value_1) AS x, n AS n',
    '( SELECT UPPER(t.s) AS value_1, t.n AS n',
    't ) AS computed',
  ])
  t.match(told(one(upper(trim(upper(T.s))))), /SELECT UPPER\(TWICE\(value_1, value_1\)\) AS x/)
  t.match(told(one(trim(trim(upper(T.s))))), /SELECT TWICE\(value_1, value_1\) AS x.*SELECT TWICE\(UPPER/, 'the outermost one')
})

for (const [title, body] of [
  ['a column', one(trim(T.s))],
  ['a constant', one(trim(text('a')))],
  ['a value that is read once', one(upper(upper(T.s)))],
  ['a DISTINCT', one(trim(upper(T.s)), { distinct: true })],
  ['a column that is no group', one(binary('=', trim(upper(aggregate('max', [T.s], STRING))), T.s), { groupBy: [T.n] })],
] as const)
  t.test(`${title} stays where it is`, async (t) => {
    const given = statement(body)
    t.same(computedOnce(given, context), given)
  })

t.test('keys and aggregates of groups are columns', async (t) => {
  const most = aggregate('max', [T.s], STRING)
  t.match(
    told(one(trim(upper(most)), { groupBy: [T.n] })),
    /SELECT TWICE\(value_1, value_1\) AS x, n AS n FROM \( SELECT UPPER\(MAX\(t.s\)\) AS value_1, t.n AS n FROM t GROUP BY/,
  )
  const key = upper(T.s)
  t.match(told(select([item('x', trim(upper(key)), STRING)], table('t'), { groupBy: [key] })), /UPPER\(UPPER\(t.s\)\) AS value_1/)
})

t.test('each value once, under a name that is free, with the order of the rows', async (t) => {
  const value = upper(T.s)
  const body = select(
    [item('value_1', trim(value), STRING), item('y', trim(value), STRING), item('z', value, STRING)],
    table('t'),
    {
      orderBy: [{ expression: T.n, type: INT, descending: true, nullsFirst: false }],
      limit: 3,
    },
  )
  const made = told(body)
  t.equal(made.match(/UPPER/g)?.length, 2, 'once below, and once as it is shown')
  t.match(made, /value_2/)
  t.match(made, /ORDER BY \w+.* DESC.*LIMIT 3$|ORDER BY .*n DESC/)
  t.match(
    told(
      one(trim(upper(T.s)), {
        orderBy: [
          { expression: { kind: 'output', alias: 'x', type: STRING }, type: STRING, descending: false, nullsFirst: false },
        ],
      }),
    ),
    /ORDER BY x/,
  )
})

t.test('a cast is read with the test for what it cannot hold', async (t) => {
  const cast = (operand: SqlExpr): SqlExpr => ({ kind: 'cast', operand: call('finite', operand), type: INT })
  t.match(told(select([item('x', cast(binary('*', T.f, T.f)), FLOAT)], table('t'))), /SELECT t.f \* t.f AS value_1/)
  t.notMatch(told(select([item('x', cast(T.f), FLOAT)], table('t'))), 'value_1')
  t.equal(
    computedOnce(statement({ kind: 'union-all', parts: [one(trim(upper(T.s))), one(integer(1))] }), context).body.kind,
    'union-all',
  )
})

t.test('what the dialect writes decides', async (t) => {
  const cast: typeof plain.cast = (value) => `CAST2(${value}, ${value})`
  const casting = { ...context, dialect: { ...plain, cast } }
  const of = (operand: SqlExpr) => statement(one({ kind: 'cast', operand, type: STRING }))
  t.match(textOf(computedOnce(of(upper(T.s)), casting), casting.dialect), /CAST2\(value_1, value_1\).*UPPER\(t.s\) AS value_1/)
  t.same(computedOnce(of(T.s), casting), of(T.s))
  t.match(textOf(computedOnce(of(call('finite', T.f)), casting), twice), /SELECT/, 'a test of a column is no value')
  const refusing = { ...context, dialect: { ...twice, functions: { ...twice.functions, trim: null } } }
  t.same(
    computedOnce(statement(one(trim(upper(T.s)))), refusing),
    statement(one(trim(upper(T.s)))),
    'it is refused where it is written',
  )
})

t.test('an order by what is shown names it where the engine needs that', async (t) => {
  const shown = item('x', trim(upper(T.s)), STRING)
  const order = (expression: SqlExpr) => [{ expression, type: STRING, descending: false, nullsFirst: false }]
  const body = select([shown], table('t'), { orderBy: order(upper(T.s)) })
  t.match(told(body), /ORDER BY value_1 NULLS LAST$/)
  const output: SqlExpr = { kind: 'output', alias: 'x', type: STRING }
  t.match(told(select([shown], table('t'), { orderBy: order(call('upper', output)) })), /ORDER BY UPPER\(x\) NULLS LAST$/)
  t.match(told(select([shown], table('t'), { orderBy: order(binary('=', text('a'), T.s)) })), /ORDER BY value_2 NULLS LAST$/)
  const dialect = { ...twice, semantics: { ...twice.semantics, shownOrder: false } }
  const y = item('y', T.s, STRING)
  t.match(
    textOf(computedOnce(statement(select([shown, y], table('t'), { orderBy: order(T.s) })), { ...context, dialect }), dialect),
    /ORDER BY y NULLS LAST$/,
  )
})
