import t from 'tap'
import { columns, item, statement, T, table, textOf } from '../../../test/support/statements.js'
import { INT } from '../model/data-type.js'
import { integer } from '../resolve/expressions.js'
import { relationColumn } from '../resolve/relation-column.js'
import { ascending } from '../resolve/resolved-query.js'
import { pruneColumns } from './prune-columns.js'
import { aggregate, type Query, type Select, select } from './statement.js'

const { n, d, s } = T
const pruned = (inner: Query, read = relationColumn('a', 'n', INT)): string =>
  textOf(pruneColumns(statement(select(columns(read), { kind: 'cte', name: 'a', alias: 'a' }), [{ name: 'a', query: inner }])))
const of = (more: Partial<Select> = {}): Select => select(columns(n, d, s), table('t'), more)

for (const [title, query, expected] of [
  ['what nothing reads is not selected', of(), 'WITH a AS ( SELECT t.n AS n FROM t ) SELECT a.n FROM a'],
  [
    'what DISTINCT compares stays',
    of({ distinct: true }),
    'WITH a AS ( SELECT DISTINCT t.n AS n, t.d AS d, t.s AS s FROM t ) SELECT a.n FROM a',
  ],
  [
    'what is grouped by stays',
    of({ groupBy: [s] }),
    'WITH a AS ( SELECT t.n AS n, t.s AS s FROM t GROUP BY 2 ) SELECT a.n FROM a',
  ],
  [
    'what orders by its name stays',
    of({ orderBy: [ascending({ kind: 'output', alias: 'd', type: INT }, INT)], limit: 1 }),
    'WITH a AS ( SELECT t.n AS n, t.d AS d FROM t ORDER BY d NULLS LAST LIMIT 1 ) SELECT a.n FROM a',
  ],
  [
    'parts of a union lose the same',
    { kind: 'union-all', parts: [of(), of()] },
    'WITH a AS ( SELECT t.n AS n FROM t UNION ALL SELECT t.n AS n FROM t ) SELECT a.n FROM a',
  ],
  [
    'one row of aggregates stays one row',
    select([item('m', aggregate('max', [n], INT), INT), item('n', integer(1), INT)], table('t')),
    'WITH a AS ( SELECT MAX(t.n) AS m, 1 AS n FROM t ) SELECT a.n FROM a',
  ],
] as const)
  t.test(title, (t) => {
    t.equal(pruned(query), expected)
    t.end()
  })
