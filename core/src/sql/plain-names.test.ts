import t from 'tap'
import { INT } from '../model/data-type.js'
import { binary } from '../resolve/expressions.js'
import { relationColumn } from '../resolve/relation-column.js'
import { plainNames } from './plain-names.js'
import { type From, type Select, type SqlExpr, type Statement, select } from './statement.js'

const table = (alias: string): From => ({ kind: 'table', source: { kind: 'table', name: 'people' }, alias }) as From
const id = (of: string): SqlExpr => relationColumn(of, 'id', INT)
const ids = (from: From, of: string, more: Partial<Select> = {}): Select =>
  select([{ expression: id(of), alias: 'id', type: INT }], from, more)
const joined = (left: From, right: From, on: SqlExpr): From => ({ kind: 'join', type: 'inner', left, right, on })
const statement = (body: Select, ctes: Statement['ctes'] = []): Statement => ({ kind: 'statement', ctes, body })

t.test('a relation has its plain name where its scope has no other of that name, and its columns follow', async (t) => {
  const first = { name: 'first', query: ids(table('people'), 'people') }
  const { body } = plainNames(statement(ids(table('people_2'), 'people_2'), [first]))
  t.same(body, ids(table('people'), 'people'))
})

t.test('two relations of one scope keep their names', async (t) => {
  const body = ids(joined(table('people'), table('people_2'), binary('=', id('people'), id('people_2'))), 'people_2')
  t.same(plainNames(statement(body)).body, body)
})

t.test('a name that another relation below has is not taken: a correlated query would read that one', async (t) => {
  const inner = ids(table('people'), 'people', { where: [binary('=', id('people'), id('people_2'))] })
  const body = ids(table('people_2'), 'people_2', { found: [{ negated: false, query: inner }] })
  t.same(plainNames(statement(body)).body, body)
})

t.test('a name that a relation around has is not taken', async (t) => {
  const inner = ids(table('people_2'), 'people_2', { where: [binary('=', id('people'), id('people_2'))] })
  const body = ids(table('people'), 'people', { found: [{ negated: true, query: inner }] })
  t.same(plainNames(statement(body)).body, body)
})

t.test('a number that belongs to the name stays, and so does the name of a common table expression', async (t) => {
  const numbered = ids(table('week_53'), 'week_53')
  t.same(plainNames(statement(numbered)).body, numbered)
  const ctes = [{ name: 'facts_2', query: ids(table('facts'), 'facts') }]
  const body = ids({ kind: 'cte', name: 'facts_2', alias: 'facts_2' }, 'facts_2')
  t.same(plainNames(statement(body, ctes)).body, body)
})
