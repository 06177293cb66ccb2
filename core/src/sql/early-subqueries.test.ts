import t from 'tap'
import { columns, item, plain, statement, T, table, textOf } from '../../../test/support/statements.js'
import { INT } from '../model/data-type.js'
import { binary } from '../resolve/expressions.js'
import { relationColumn } from '../resolve/relation-column.js'
import { earlySubqueries } from './early-subqueries.js'
import { type From, type Select, type SqlExpr, type SqlLeaf, select } from './statement.js'

const column = (alias: string): SqlExpr => relationColumn(alias, 'n', INT)
const join = (type: 'inner' | 'left', left: From, name: string): From => ({
  kind: 'join',
  type,
  left,
  right: table(name),
  on: binary<SqlLeaf>('=', T.n, column(name)),
})
const query = select([item('n', relationColumn('u', 'n', INT), INT)], table('u'))
const asked = (from: From, keys: readonly string[]): string => {
  const among: Select['among'] = keys.map((alias) => ({ key: column(alias), query }))
  return textOf(earlySubqueries(statement(select(columns(T.s), from, { among }))), plain).replace(/^SELECT .*? FROM t /, '')
}
const inner = join('inner', table('t'), 'i')
const IN = (alias: string): string => `${alias}.n IN ( SELECT u.n FROM u )`

for (const [title, made, text] of [
  [
    'a row is asked for among others before outer joins',
    asked(join('left', inner, 'o'), ['i']),
    `JOIN i ON t.n = i.n AND ${IN('i')} LEFT JOIN o ON t.n = o.n`,
  ],
  [
    'so it is by a column of the first table',
    asked(join('left', inner, 'o'), ['t']),
    `JOIN i ON t.n = i.n AND ${IN('t')} LEFT JOIN o ON t.n = o.n`,
  ],
  [
    'what an outer join brings is asked for after it',
    asked(join('left', inner, 'o'), ['o', 'i']),
    `JOIN i ON t.n = i.n AND ${IN('i')} LEFT JOIN o ON t.n = o.n WHERE ${IN('o')}`,
  ],
  ['without an outer join nothing moves', asked(inner, ['i']), `JOIN i ON t.n = i.n WHERE ${IN('i')}`],
  [
    'nor without an inner one before it',
    asked(join('left', table('t'), 'o'), ['t']),
    `LEFT JOIN o ON t.n = o.n WHERE ${IN('t')}`,
  ],
] as const)
  t.test(title, async (t) => {
    t.equal(made, text)
  })
