import t from 'tap'
import { columns, item, statement, T, table, textOf } from '../../../test/support/statements.js'
import { INT } from '../model/data-type.js'
import { binary, integer, isNotNull } from '../resolve/expressions.js'
import { relationColumn } from '../resolve/relation-column.js'
import { semiJoins } from './semi-joins.js'
import { type From, type Select, type SqlLeaf, select } from './statement.js'

const link = relationColumn('found', 'link', INT)
const hit = relationColumn('found', 'hit', INT)
const links = select([item('link', relationColumn('u', 't_n', INT), INT), item('hit', integer(1), INT)], table('u'), {
  distinct: true,
})
const joined = (type: 'inner' | 'left', query: Select = links): From => ({
  kind: 'join',
  type,
  left: table('t'),
  right: { kind: 'subquery', query, alias: 'found' },
  on: binary<SqlLeaf>('=', T.n, link),
})
const asked = (from: From, more: Partial<Select> = {}): string =>
  textOf(semiJoins(statement(select(columns(T.s), from, { where: [isNotNull<SqlLeaf>(hit)], ...more }))))

t.test('a row is asked for among the links that it is joined to', (t) => {
  t.equal(asked(joined('inner')), 'SELECT t.s AS s FROM t AS t WHERE t.n IN ( SELECT u.t_n FROM u AS u )')
  t.end()
})

for (const [title, made] of [
  ['an outer join', asked(joined('left'))],
  ['links that are read', asked(joined('inner'), { items: columns(T.s, link) })],
  ['links that may repeat', asked(joined('inner', { ...links, distinct: false }))],
  ['a row that need not be found', asked(joined('inner'), { where: [] })],
] as const)
  t.test(`${title} stay a join`, (t) => {
    t.match(made, ' JOIN ')
    t.notMatch(made, ' IN (')
    t.end()
  })
