import t from 'tap'
import { columns, statement, T, table, textOf } from '../../../test/support/statements.js'
import { INT } from '../model/data-type.js'
import { binary, integer, isNotNull } from '../resolve/expressions.js'
import { relationColumn } from '../resolve/relation-column.js'
import { dropImplied } from './drop-implied.js'
import { type From, type SqlExpr, type SqlLeaf, select } from './statement.js'

const key = relationColumn('u', 'key', INT)
const other = relationColumn('v', 'key', INT)
const equals = (left: SqlExpr, right: SqlExpr): SqlExpr => binary('=', left, right)
const join = (type: 'inner' | 'left', on: SqlExpr, left: From = table('t'), right: From = table('u')): From => ({
  kind: 'join',
  type,
  left,
  right,
  on,
})
const whereOf = (from: From, ...where: readonly SqlExpr[]): string =>
  textOf(dropImplied(statement(select(columns(T.s), from, { where })))).replace(/^.*?(?: WHERE (.*))?$/, '$1')
const known = isNotNull<SqlLeaf>(key)

t.test('a column that an inner join compares is not NULL', (t) => {
  t.equal(whereOf(join('inner', equals(T.n, key)), known, isNotNull<SqlLeaf>(T.n), equals(T.d, integer(1))), 't.d = 1')
  t.equal(whereOf(join('inner', binary('and', equals(T.n, key), equals(T.d, T.n))), isNotNull<SqlLeaf>(T.d)), '')
  t.equal(whereOf(join('left', equals(T.n, other), join('inner', equals(T.n, key)), table('v')), known), '')
  t.end()
})

t.test('a column that another condition compares is not NULL', (t) => {
  const listed: SqlExpr = { kind: 'in', operand: T.n, list: [integer(1), integer(2)] }
  t.equal(whereOf(table('t'), isNotNull<SqlLeaf>(T.n), binary('>=', T.n, integer(5))), 't.n >= 5')
  t.equal(whereOf(table('t'), isNotNull<SqlLeaf>(T.n), listed), 't.n IN (1, 2)')
  t.end()
})

for (const [title, where] of [
  ['the far side of an outer join', whereOf(join('left', equals(T.n, key)), known)],
  ['the near side of an outer join', whereOf(join('left', equals(T.n, key)), isNotNull<SqlLeaf>(T.n))],
  [
    'an inner join on the far side of an outer one',
    whereOf(join('left', equals(T.n, T.d), table('t'), join('inner', equals(other, key), table('v'))), known),
  ],
  [
    'a column that only an alternative compares',
    whereOf(table('t'), isNotNull<SqlLeaf>(T.n), binary('or', equals(T.n, T.d), equals(T.d, T.f))),
  ],
  [
    'a column that is compared by what is made of it',
    whereOf(join('inner', equals(binary('+', T.n, integer(1)), key)), isNotNull<SqlLeaf>(T.n)),
  ],
  ['a column of which another one is asked', whereOf(table('t'), isNotNull<SqlLeaf>(T.n), isNotNull<SqlLeaf>(T.d))],
] as const)
  t.test(`${title} may be NULL`, (t) => {
    t.match(where, ' IS NOT NULL')
    t.end()
  })
