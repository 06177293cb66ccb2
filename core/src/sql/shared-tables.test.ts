import t from 'tap'
import { columns, item, statement, T, table } from '../../../test/support/statements.js'
import { INT } from '../model/data-type.js'
import { integer } from '../resolve/expressions.js'
import { SharedTables } from './shared-tables.js'
import { aggregate, type From, type Query, type Select, select } from './statement.js'

const { n } = T
const cte = (name: string): From => ({ kind: 'cte', name, alias: 't' })
const from = (name: string, more: Partial<Select> = {}): Select => select(columns(n), cte(name), more)
const stored = select(columns(n), table('t'))
const tables = (body: Query, queries: Readonly<Record<string, Query>>): SharedTables =>
  new SharedTables(
    statement(
      body,
      Object.entries(queries).map(([name, query]) => ({ name, query })),
    ),
  )
const twice = (name: string): Query => ({ kind: 'union-all', parts: [from(name), from(name)] })

t.test('a column of a table that is read twice is shared, also where it passes through others', async (t) => {
  const found = tables(twice('a'), { a: stored, b: from('a') })
  t.ok(found.isColumn(n, cte('a')))
  t.ok(found.isColumn(n, cte('b')), 'through a table that is read once')
  t.ok(found.isColumn(n, { kind: 'subquery', query: from('a'), alias: 't' }))
  t.ok(found.isColumn(n, { kind: 'join', type: 'left', left: table('u'), right: cte('a'), on: undefined }))
})

t.test('other expressions are not', async (t) => {
  const found = tables(from('a'), { a: stored })
  t.notOk(found.isColumn(n, cte('a')), 'read once')
  t.notOk(found.isColumn(n, table('t')), 'of the database')
  const counted = select([item('n', aggregate('count', [], INT), INT)], cte('a'))
  t.notOk(tables(twice('a'), { a: stored }).isColumn(n, { kind: 'subquery', query: counted, alias: 't' }), 'computed')
  t.notOk(tables(twice('a'), { a: stored }).isColumn(integer(1), cte('a')))
})

t.test('a column is stored unless it is computed, grouped or united', async (t) => {
  const queries = {
    stored,
    again: from('stored'),
    grouped: from('stored', { groupBy: [n] }),
    distinct: from('stored', { distinct: true }),
  }
  const found = tables(from('again'), {
    ...queries,
    united: twice('stored'),
    one: select([item('n', integer(1), INT)], table('t')),
  })
  const isStored = (name: string): boolean => found.isStored(n, cte(name))
  t.same(['stored', 'again', 'grouped', 'distinct', 'united', 'one'].map(isStored), [true, true, false, false, false, false])
  t.ok(found.isStored(n, table('t')))
})
