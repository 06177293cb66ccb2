import t from 'tap'
import { said } from '../../../test/support/said.js'
import { T, table } from '../../../test/support/statements.js'
import { INT } from '../model/data-type.js'
import { binary, call, isNull } from '../resolve/expressions.js'
import { relationColumn } from '../resolve/relation-column.js'
import { withEquality } from './lower-range-joins.js'
import type { SqlExpr, SqlLeaf } from './statement.js'

const { n } = T
const since: SqlExpr = relationColumn('u', 'since', INT)
const until: SqlExpr = relationColumn('u', 'until', INT)
const within = binary<SqlLeaf>(
  'and',
  binary<SqlLeaf>('>=', n, since),
  binary<SqlLeaf>('or', isNull<SqlLeaf>(until), binary<SqlLeaf>('<', n, until)),
)
const join = { kind: 'join', type: 'left', left: table('t'), right: table('u') } as const
const text = (on: SqlExpr | undefined): string => said(on as never)

t.test('an outer join by a range alone gets an equality', async (t) => {
  for (const type of ['left', 'full'] as const)
    t.match(
      text(withEquality({ ...join, type, on: within })),
      /^\(\(case \(t\.n = t\.n\): 1, else 1 = case \(u\.since = u\.since\): 1, else 1\) and/,
    )
})

t.test('other joins stay as they are', async (t) => {
  const others = [
    { ...join, on: binary<SqlLeaf>('and', binary<SqlLeaf>('=', n, since), within) },
    { ...join, on: binary<SqlLeaf>('and', call<SqlLeaf>('same', since, n), within) },
    { ...join, type: 'inner', on: within },
    { ...join, on: within, nearest: true },
    { ...join, on: isNull<SqlLeaf>(until) },
  ] as const
  for (const other of others) t.equal(withEquality(other), other.on)
  t.not(
    withEquality({ ...join, on: binary<SqlLeaf>('and', binary<SqlLeaf>('=', since, until), within) }),
    undefined,
    'of one table',
  )
})
