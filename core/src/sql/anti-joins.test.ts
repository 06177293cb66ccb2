/** A test that a table has no row is an anti join. */
import t from 'tap'
import { columns, plain, statement, T, table, textOf } from '../../../test/support/statements.js'
import { INT } from '../model/data-type.js'
import { binary, integer } from '../resolve/expressions.js'
import { relationColumn } from '../resolve/relation-column.js'
import { antiJoins } from './anti-joins.js'
import { type From, type Select, type SqlExpr, type SqlLeaf, select } from './statement.js'

const same = (alias: string): SqlExpr => binary<SqlLeaf>('=', T.n, relationColumn(alias, 'n', INT))
const one = { alias: 'hit', expression: integer(1), type: INT }
const of = (from: From, where: readonly SqlExpr[]): Select => select([one], from, { where })
const lacking = (alias: string, negated = true) => ({ negated, query: of(table(alias), [same(alias)]) })
const made = (found: NonNullable<Select['found']>, from: From = table('t')): string =>
  textOf(antiJoins(statement(select(columns(T.s), from, { found }))), plain).replace(/^SELECT .*? FROM t ?/, '')
const EXISTS = (alias: string): string => `EXISTS ( SELECT 1 FROM ${alias} WHERE t.n = ${alias}.n )`

for (const [title, text, wanted] of [
  ['one test is one join', made([lacking('u')]), 'ANTI JOIN u ON t.n = u.n'],
  ['two are two', made([lacking('u'), lacking('v')]), 'ANTI JOIN u ON t.n = u.n ANTI JOIN v ON t.n = v.n'],
  [
    'each condition is one of the join',
    made([
      { negated: true, query: of(table('u'), [same('u'), binary<SqlLeaf>('>', relationColumn('u', 'n', INT), integer(2))]) },
    ]),
    'ANTI JOIN u ON t.n = u.n AND u.n > 2',
  ],
  ['existence stays', made([lacking('u', false), lacking('v')]), `ANTI JOIN v ON t.n = v.n WHERE ${EXISTS('u')}`],
  [
    'it comes after other joins, which it may read',
    made([lacking('u')], { kind: 'join', type: 'inner', left: table('t'), right: table('i'), on: same('i') }),
    'JOIN i ON t.n = i.n ANTI JOIN u ON t.n = u.n',
  ],
  [
    'a table that is joined with others stays',
    made([
      {
        negated: true,
        query: of({ kind: 'join', type: 'inner', left: table('u'), right: table('v'), on: same('v') }, [same('u')]),
      },
    ]),
    'WHERE NOT EXISTS ( SELECT 1 FROM u JOIN v ON t.n = v.n WHERE t.n = u.n )',
  ],
  [
    'so does a test within a test',
    made([{ negated: true, query: { ...lacking('u').query, found: [lacking('v', false)] } }]),
    `WHERE NOT EXISTS ( SELECT 1 FROM u WHERE t.n = u.n AND ${EXISTS('v')} )`,
  ],
] as const)
  t.test(title, async (t) => {
    t.equal(text, wanted)
  })

t.test('in tables, parts and derived tables, too', async (t) => {
  const query = select(columns(T.s), table('t'), { found: [lacking('u')] })
  const derived = select(columns(T.s), { kind: 'subquery', query, alias: 't' })
  const union = { kind: 'union-all', parts: [query, derived] } as const
  const text = textOf(antiJoins(statement(union, [{ name: 'c', query }])))
  t.equal(text.split('ANTI JOIN').length - 1, 3)
  t.notMatch(text, /EXISTS/)
})
