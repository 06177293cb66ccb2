import t from 'tap'
import { columns, statement, table, textOf } from '../../../test/support/statements.js'
import { INT } from '../model/data-type.js'
import { relationColumn } from '../resolve/relation-column.js'
import { fewerTables } from './fewer-tables.js'
import { type From, type Select, select } from './statement.js'

const cte = (name: string, alias = name): From => ({ kind: 'cte', name, alias })
const beside = (left: From, right: From): From => ({ kind: 'join', type: 'cross', left, right, on: undefined })
const from = (of: From, alias: string): Select => select(columns(relationColumn(alias, 'n', INT)), of)
const CTES = [
  { name: 'a', query: from(table('t'), 't') },
  { name: 'b', query: from(cte('a'), 'a') },
  { name: 'c', query: from(table('u'), 'u') },
]

for (const [title, body, most, expected] of [
  ['as many as an engine reads stay', beside(cte('b'), cte('c')), 3, 'WITH a AS ( SELECT t.n AS n FROM t ), b AS'],
  [
    'the last ones that are read once become derived tables',
    beside(cte('b'), cte('c')),
    1,
    'WITH a AS ( SELECT t.n AS n FROM t ) SELECT x.n AS n FROM ( SELECT a.n FROM a ) AS b CROSS JOIN ( SELECT u.n AS n FROM u ) AS c',
  ],
  [
    'one that is read twice stays, where another can go',
    beside(cte('c', 'one'), cte('c', 'two')),
    1,
    'WITH b AS ( SELECT a.n FROM ( SELECT t.n AS n FROM t ) AS a ), c AS ( SELECT u.n AS n FROM u ) SELECT x.n AS n FROM c AS one CROSS JOIN c AS two',
  ],
] as const)
  t.test(title, (t) => {
    t.match(textOf(fewerTables(statement(from(body, 'x'), CTES), most)), expected)
    t.end()
  })

t.test('the same applies to an EXISTS subquery', (t) => {
  const found = [{ negated: true, query: from(cte('a'), 'a') }]
  const asked = { ...from(table('v'), 'x'), found }
  t.match(
    textOf(fewerTables(statement(asked, CTES.slice(0, 1)), 0)),
    'WHERE NOT EXISTS ( SELECT a.n FROM ( SELECT t.n AS n FROM t ) AS a )',
  )
  t.end()
})
