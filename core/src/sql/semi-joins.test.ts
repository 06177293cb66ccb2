import t from 'tap'
import { columns, item, plain, statement, T, table, textOf } from '../../../test/support/statements.js'
import { INT, STRING } from '../model/data-type.js'
import { allOf, binary, integer, isNotNull, isNull, not } from '../resolve/expressions.js'
import { relationColumn } from '../resolve/relation-column.js'
import { semiJoins } from './semi-joins.js'
import { type From, type Select, type SelectItem, type SqlExpr, type SqlLeaf, select } from './statement.js'

const link = relationColumn('found', 'link', INT)
const more = relationColumn('found', 'more', STRING)
const hit = relationColumn('found', 'hit', INT)
const [one, two] = [item('link', relationColumn('u', 't_n', INT), INT), item('more', relationColumn('u', 't_s', STRING), STRING)]
const linksOf = (...all: readonly SelectItem[]): Select =>
  select([...all, item('hit', integer(1), INT)], table('u'), { distinct: true })
const byOne = binary<SqlLeaf>('=', T.n, link)
const byBoth = allOf([byOne, binary<SqlLeaf>('=', T.s, more)])
const joined = (type: 'inner' | 'left', query: Select = linksOf(one), on: SqlExpr | undefined = byOne): From => ({
  kind: 'join',
  type,
  left: table('t'),
  right: { kind: 'subquery', query, alias: 'found' },
  on,
})
const asked = (from: From, given: Partial<Select> = {}, dialect = plain): string =>
  textOf(semiJoins(statement(select(columns(T.s), from, { where: [isNotNull<SqlLeaf>(hit)], ...given })), dialect), dialect)
const absent = { where: [isNull<SqlLeaf>(hit)] }
const computed = select([one, item('hit', T.n, INT)], table('u'), { distinct: true })

for (const [title, made, text] of [
  ['a row is asked for among the links that it is joined to', asked(joined('inner')), 't.n IN ( SELECT u.t_n FROM u )'],
  [
    'a row without a link is one of which none is found',
    asked(joined('left'), absent),
    'NOT EXISTS ( SELECT 1 FROM u WHERE t.n = u.t_n )',
  ],
  [
    'so it is where a condition says it twice negated',
    asked(joined('left'), { where: [not(isNotNull<SqlLeaf>(hit))] }),
    'NOT EXISTS ( SELECT 1 FROM u WHERE t.n = u.t_n )',
  ],
  [
    'several links are found together',
    asked(joined('inner', linksOf(one, two), byBoth)),
    'EXISTS ( SELECT 1 FROM u WHERE t.n = u.t_n AND t.s = u.t_s )',
  ],
  [
    'several links are missed together',
    asked(joined('left', linksOf(one, two), byBoth), absent),
    'NOT EXISTS ( SELECT 1 FROM u WHERE t.n = u.t_n AND t.s = u.t_s )',
  ],
] as const)
  t.test(title, (t) => {
    t.equal(made, `SELECT t.s AS s FROM t WHERE ${text}`)
    t.end()
  })

const arrays = { ...plain, elements: () => 'SELECT 1' }
const joining = { ...plain, semantics: { ...plain.semantics, correlated: false } }
const array: From = { ...table('u'), elements: { array: 'a', sqlType: undefined, key: [], fields: [] } } as From
const unnamed = relationColumn('', 'n', INT)

for (const [title, made] of [
  ['an outer join', asked(joined('left'))],
  ['links that are read', asked(joined('inner'), { items: columns(T.s, link) })],
  ['missing links that are read', asked(joined('left'), { ...absent, items: columns(T.s, link) })],
  ['links that may repeat', asked(joined('inner', { ...linksOf(one), distinct: false }))],
  ['rows that say more than that they are there', asked(joined('inner', computed))],
  ['rows without a link', asked(joined('inner', linksOf()))],
  ['a link to itself', asked(joined('inner', linksOf(one), binary<SqlLeaf>('=', link, link)))],
  ['a row that need not be found', asked(joined('inner'), { where: [] })],
  ['missing rows where an engine asks for each row again', asked(joined('left'), absent, joining)],
  ['several links there', asked(joined('inner', linksOf(one, two), byBoth), {}, joining)],
  ['missing elements of an array', asked(joined('left', { ...linksOf(one), from: array }), absent, arrays)],
  ['links by more than equality', asked(joined('left', linksOf(one), binary<SqlLeaf>('<', T.n, link)), absent)],
  [
    'a column that the subquery would take for its own',
    asked(joined('left', linksOf(one), binary<SqlLeaf>('=', unnamed, link)), absent),
  ],
] as const)
  t.test(`${title} remains a join`, (t) => {
    t.match(made, ' JOIN ')
    t.notMatch(made, / IN \(|EXISTS/)
    t.end()
  })
