/** A table that joins groups and is read several times is computed once. */
import t from 'tap'
import { columns, statement, T, table } from '../../../test/support/statements.js'
import { INT } from '../model/data-type.js'
import { relationColumn } from '../resolve/relation-column.js'
import { keptTables } from './kept-tables.js'
import { type From, type Query, select } from './statement.js'

const groups = select(columns(T.n), table('t'), { groupBy: [T.n] })
const derived = (query: Query): From => ({ kind: 'subquery', query, alias: 'g' })
const joined = (left: From): From => ({ kind: 'join', type: 'left', left, right: table('u'), on: undefined })
const cte = (name: string): From => ({ kind: 'cte', name, alias: name })
const body = (...names: readonly string[]): Query => ({
  kind: 'union-all',
  parts: names.map((name) => select(columns(relationColumn(name, 'n', INT)), cte(name))),
})
const kept = (query: Query, ...read: readonly string[]): readonly boolean[] =>
  keptTables(statement(body(...read), [{ name: 'c', query }])).ctes.map(({ isKept = false }) => isKept)
const over = (from: From) => select(columns(T.n), from)

for (const [title, query, isKept] of [
  ['groups with what is joined to them', over(joined(derived(groups))), true],
  ['groups in a derived table', over(derived(over(derived(groups)))), true],
  ['different rows', over(joined(derived({ ...over(table('t')), distinct: true }))), true],
  ['groups are computed once anyway', groups, false],
  ['so are groups of groups', { ...over(derived(groups)), groupBy: [T.n] }, false],
  ['rows are read as they are', over(joined(table('t'))), false],
  ['so are those of a derived table', over(derived(over(table('t')))), false],
  ['a union', { kind: 'union-all', parts: [over(joined(derived(groups)))] }, false],
] as const satisfies readonly (readonly [string, Query, boolean])[])
  t.test(title, async (t) => {
    t.same(kept(query, 'c', 'c'), [isKept])
    t.same(kept(query, 'c'), [false], 'not if it is read once')
  })

t.test('a statement without such a table is the same', async (t) => {
  const given = statement(body('c', 'c'), [{ name: 'c', query: groups }])
  t.equal(keptTables(given), given)
})
