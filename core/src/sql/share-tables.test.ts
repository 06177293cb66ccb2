import t from 'tap'
import { columns, item, statement, T, table, textOf } from '../../../test/support/statements.js'
import { INT } from '../model/data-type.js'
import { binary, integer, TRUE } from '../resolve/expressions.js'
import { relationColumn } from '../resolve/relation-column.js'
import { shareTables } from './share-tables.js'
import { aggregate, type From, type Query, type Select, type SqlExpr, type SqlLeaf, select } from './statement.js'

const total = (name: string, more: Partial<Select> = {}): Select =>
  select([...columns(T.s), item(name, aggregate(name === 'least' ? 'min' : 'sum', [T.n], INT), INT)], table('t'), {
    groupBy: [T.s],
    ...more,
  })
const cte = (name: string): From => ({ kind: 'cte', name, alias: name })
const both = select(
  [relationColumn('a', 'sold', INT), relationColumn('b', 'least', INT)].flatMap((c) => columns(c)),
  { kind: 'join', type: 'cross', left: cte('a'), right: cte('b'), on: undefined },
)
const shared = (a: Select, b: Select): string =>
  textOf(
    shareTables(
      statement(both, [
        { name: 'a', query: a },
        { name: 'b', query: b },
      ]),
    ),
  )

t.test('two tables with the same rows and groups become one with the columns of both', (t) => {
  t.equal(
    shared(total('sold'), total('least')),
    'WITH a AS ( SELECT t.s AS s, SUM(t.n) AS sold, MIN(t.n) AS least FROM t GROUP BY 1 ) SELECT a.sold, b.least FROM a CROSS JOIN a AS b',
  )
  t.end()
})

for (const [title, other] of [
  ['other conditions', total('least', { where: [binary('>', T.n, integer(1))] })],
  ['other groups', total('least', { groupBy: [] })],
  ['other rows', { ...total('least'), from: table('u', 't') }],
  ['one more group', total('least', { groupBy: [T.s, T.n] })],
  ['rows of a derived table', { ...total('least'), from: { kind: 'subquery', query: total('inner'), alias: 't' } }],
  ['a limit', total('least', { limit: 1 })],
] as const)
  t.test(`${title}: the tables stay separate`, (t) => {
    t.match(shared(total('sold'), other), /^WITH a AS .* b AS /)
    t.end()
  })

t.test('two tables with equal names for different columns stay separate', (t) => {
  const other = select([...columns(T.s), item('sold', aggregate('max', [T.n], INT), INT)], table('t'), { groupBy: [T.s] })
  t.match(shared(total('sold'), other), /^WITH a AS .* b AS /)
  t.end()
})

const u = relationColumn('u', 'n', INT)
const rows = (from: From, more: Partial<Select> = {}): Select => select([item('n', T.n, INT)], from, more)
const joined = (
  alias: string,
  type: 'inner' | 'left' = 'left',
  on: SqlExpr | undefined = binary<SqlLeaf>('=', T.n, relationColumn(alias, 'n', INT)),
  name = 'u',
): From => ({ kind: 'join', type, left: table('t'), right: table(name, alias), on })
const inner = (query: Query = total('inner')): From => ({ kind: 'subquery', query, alias: 't' })
const united = (...parts: readonly Select[]): Query => ({ kind: 'union-all', parts })
/** How many tables are left of an earlier one `e` and of both. */
const left = (a: Query, b: Query): number =>
  shareTables(
    statement(both, [
      { name: 'e', query: rows(table('e')) },
      { name: 'a', query: a },
      { name: 'b', query: b },
    ]),
  ).ctes.length - 1
const isDistinct = { distinct: true }
const twoItems = [item('n', T.n, INT), item('s', T.s, INT)]

for (const [title, a, b, tables] of [
  ['the same rows', rows(table('t')), rows(table('t')), 1],
  ['the same joins under other names', rows(joined('u')), rows(joined('v')), 1],
  ['joins of other kinds', rows(joined('u')), rows(joined('u', 'inner')), 2],
  ['joins by other conditions', rows(joined('u')), rows(joined('u', 'left', binary<SqlLeaf>('<', T.n, u))), 2],
  ['joins of other tables', rows(joined('u')), rows(joined('u', 'left', undefined, 'w')), 2],
  ['joins without a condition', rows(joined('u', 'left', undefined)), rows(joined('v', 'left', undefined)), 1],
  ['a join and a table', rows(joined('u')), rows(table('t')), 2],
  ['an earlier table', rows(cte('e')), rows(cte('e')), 1],
  ['another earlier table', rows(cte('e')), rows(cte('a')), 2],
  ['an earlier table and one of the database', rows(cte('e')), rows(table('w')), 2],
  ['derived tables', rows(inner()), rows(inner()), 1],
  ['derived tables of other rows', rows(inner()), rows(inner(total('inner', { limit: 1 }))), 2],
  ['a derived table and one of the database', rows(inner()), rows(table('t')), 2],
  ['no rows to read', rows({ kind: 'nothing' }), rows({ kind: 'nothing' }), 1],
  ['no rows and some', rows({ kind: 'nothing' }), rows(table('t')), 2],
  ['unions', united(rows(table('t')), rows(table('u'))), united(rows(table('t')), rows(table('u'))), 1],
  ['unions of which one has more', united(rows(table('t'))), united(rows(table('t')), rows(table('u'))), 2],
  ['unions of which one part differs', united(rows(table('t')), rows(table('u'))), united(rows(table('t')), rows(table('w'))), 2],
  ['a union and its part', united(rows(table('t'))), rows(table('t')), 2],
  ['a part and its union', rows(table('t')), united(rows(table('t'))), 2],
  ['distinct rows', rows(table('t'), isDistinct), rows(table('t'), isDistinct), 1],
  ['distinct rows with one more column', rows(table('t'), isDistinct), rows(table('t'), { ...isDistinct, items: twoItems }), 2],
  ['distinct rows with one column less', rows(table('t'), { ...isDistinct, items: twoItems }), rows(table('t'), isDistinct), 2],
  ['distinct rows and all', rows(table('t'), isDistinct), rows(table('t')), 2],
  [
    'one row each',
    total('sold', { groupBy: [], items: [item('x', aggregate('sum', [T.n], INT), INT)] }),
    total('x', { groupBy: [], items: [item('y', aggregate('min', [T.n], INT), INT)] }),
    1,
  ],
  [
    'one row and many',
    total('sold', { groupBy: [], items: [item('x', aggregate('sum', [T.n], INT), INT)] }),
    rows(table('t')),
    2,
  ],
  ['the same sets', total('sold', { sets: [[0], []] }), total('least', { sets: [[0], []] }), 1],
  ['other sets', total('sold', { sets: [[0], []] }), total('least', { sets: [[0]] }), 2],
  ['sets and groups', total('sold', { sets: [[0], []] }), total('least'), 2],
  ['a page of the first', total('sold', { limit: 1 }), total('least', { limit: 1 }), 2],
  ['other conditions on groups', total('sold', { having: [binary('>', T.n, integer(1))] }), total('least'), 2],
] as const satisfies readonly (readonly [string, Query, Query, number])[])
  t.test(`${title}: ${tables === 1 ? 'one table' : 'two tables'}`, async (t) => t.equal(left(a, b), tables))

t.test('one row beside itself is read once', async (t) => {
  const sum = (name: string): Select => select([item(name, aggregate('sum', [T.n], INT), INT)], table('t'))
  t.match(shared(sum('sold'), { ...sum('least') }), /SELECT a.sold, a.least FROM a$/)
  t.match(shared(total('sold'), total('least')), /FROM a CROSS JOIN a AS b$/, 'many rows are not')
  const inJoin = { ...both, from: { ...(both.from as From & { kind: 'join' }), type: 'left', on: TRUE } as From }
  const made = shareTables(
    statement(inJoin, [
      { name: 'a', query: sum('sold') },
      { name: 'b', query: sum('least') },
    ]),
  )
  t.match(textOf(made), /LEFT JOIN a AS b/, 'nor is the other side of another join')
})

t.test('groups inside of a query are read from the table that has them', async (t) => {
  const body = select(columns(relationColumn('g', 'least', INT)), { kind: 'subquery', query: total('least'), alias: 'g' })
  const made = (query: Query) =>
    textOf(
      shareTables(
        statement({ ...body, from: { kind: 'subquery', query, alias: 'g' } as From }, [{ name: 'a', query: total('sold') }]),
      ),
    )
  t.match(made(total('least')), /FROM a AS g$/)
  t.match(made(rows(table('t'))), /FROM \( SELECT/)
  t.match(made(united(total('least'))), /FROM \( /)
  t.match(
    textOf(shareTables(statement(united(body), [{ name: 'a', query: total('sold') }]))),
    /FROM a AS g$/,
    'in a part of a union',
  )
})
