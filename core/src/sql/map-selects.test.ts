/** Rules change SELECTs, wherever they stand; what they leave alone stays the same object. */
import t from 'tap'
import { columns, statement, T, table } from '../../../test/support/statements.js'
import { mapSelects } from './map-selects.js'
import { type From, type Query, type Select, select } from './statement.js'

const of = (from: From): Select => select(columns(T.s), from)
const union = (...parts: readonly Select[]): Query => ({ kind: 'union-all', parts })
const subquery = (query: Query): From => ({ kind: 'subquery', query, alias: 'x' })
const join = (left: From, right: From): From => ({ kind: 'join', type: 'left', left, right, on: undefined })
const distinct = (made: Select): Select => ({ ...made, distinct: true })

t.test('each SELECT is changed, in tables, unions, joins and derived tables, those inside first', async (t) => {
  const inner = of(table('u'))
  const given = statement(of(join(table('t'), subquery(union(inner, inner)))), [{ name: 'first', query: of(table('t')) }])
  const seen: Select[] = []
  const made = mapSelects(given, (each) => {
    seen.push(each)
    return distinct(each)
  })
  t.equal(seen.length, 4)
  t.same(seen[1], inner)
  t.match(seen[3], { from: { right: { query: { parts: [{ distinct: true }, { distinct: true }] } } } })
  t.match(made, { ctes: [{ name: 'first', query: { distinct: true } }], body: { distinct: true } })
})

t.test('what does not change is the same object', async (t) => {
  const left = subquery(of(table('t')))
  const given = statement(of(join(left, subquery(of(table('u'))))), [
    { name: 'first', query: of(table('t')) },
    { name: 'second', query: union(of(table('u'))) },
  ])
  t.equal(
    mapSelects(given, (each) => each),
    given,
  )
  const first = given.ctes[0]?.query
  const { ctes, body } = mapSelects(given, (each) => (each === first ? distinct(each) : each))
  t.equal(body, given.body)
  t.equal(ctes[1], given.ctes[1])
  const right = mapSelects(given, (each) => (each.from.kind === 'table' && each.from.alias === 'u' ? distinct(each) : each))
  t.match(right.body, { from: { left } })
})
