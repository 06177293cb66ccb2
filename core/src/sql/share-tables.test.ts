import t from 'tap'
import { columns, item, statement, T, table, textOf } from '../../../test/support/statements.js'
import { INT } from '../model/data-type.js'
import { binary, integer } from '../resolve/expressions.js'
import { relationColumn } from '../resolve/relation-column.js'
import { shareTables } from './share-tables.js'
import { aggregate, type From, type Select, select } from './statement.js'

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
