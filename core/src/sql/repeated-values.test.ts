/** Which values are long and frequent enough for a name. */
import t from 'tap'
import { T } from '../../../test/support/statements.js'
import { INT } from '../model/data-type.js'
import { binary, call, integer } from '../resolve/expressions.js'
import { repeatedValues } from './repeated-values.js'
import { aggregate, type SqlExpr, type SqlLeaf } from './statement.js'

/** A sum of `1 + 2 × ones` nodes. */
const long = (value: SqlExpr, ones: number): SqlExpr =>
  Array.from({ length: ones }).reduce<SqlExpr>((sum) => binary('+', sum, integer(1)), value)
const twice = (value: SqlExpr): SqlExpr => binary('*', value, value)
const whole = (when: SqlExpr, then: SqlExpr): SqlExpr => ({ kind: 'case', branches: [{ when, then }], otherwise: undefined })
/** Another long text, so that the whole one is worth a look. */
const filler = long(T.s, 100)
const layerOf = (value: SqlExpr, ...written: readonly SqlExpr[]): number | undefined =>
  repeatedValues([...written, filler]).values.get(value)

t.test('a text of fewer than 200 nodes is left alone', async (t) => {
  const value = long(T.n, 49)
  t.same(repeatedValues([twice(value)]).highest, 0, '199 nodes')
  t.same(repeatedValues([twice(value), T.n]).highest, 1, '200 nodes')
})

t.test('a value has a name if the text has at least 80 nodes less', async (t) => {
  const [short, enough] = [long(T.n, 39), long(T.n, 40)]
  t.equal(layerOf(short, twice(short)), undefined, '79 nodes, twice')
  t.equal(layerOf(enough, twice(enough)), 1, '81 nodes, twice')
  t.equal(layerOf(enough, enough), undefined, 'once')
  const [third, more] = [long(T.n, 19), long(T.n, 20)]
  t.equal(layerOf(third, twice(third), third), undefined, '39 nodes, three times')
  t.equal(layerOf(more, twice(more), more), 1, '41 nodes, three times')
  t.equal(layerOf(T.n, ...Array.from({ length: 100 }, () => T.n)), undefined, 'a column is short')
})

t.test('a value that only some rows have is not computed for all', async (t) => {
  const value = long(T.n, 60)
  const when = binary('>', T.n, integer(0))
  const behinds: readonly ((other: SqlExpr) => SqlExpr)[] = [
    (other) => whole(binary('>', T.n, other), value),
    (other) => call('coalesce', other, value),
    (other) => binary('and', other, value),
    (other) => binary('or', other, value),
    (other) => whole(when, binary('*', value, other)),
  ]
  for (const behind of behinds) t.equal(layerOf(value, behind(integer(8)), behind(integer(9))), undefined)
  const firsts: readonly ((other: SqlExpr) => SqlExpr)[] = [
    (other) => whole(binary('>', value, other), T.n),
    (other) => call('coalesce', value, other),
    (other) => binary('and', value, other),
    (other) => binary('or', value, other),
    (other) => call('greatest', other, value),
    (other) => binary('*', other, value),
  ]
  for (const first of firsts) t.equal(layerOf(value, first(integer(8)), first(integer(9))), 1, 'all rows have it')
  t.equal(layerOf(value, whole(when, value), value), 1, 'it stands elsewhere, too')
})

t.test('a value of groups or of constants is not a column of rows', async (t) => {
  const total = aggregate('sum', [T.n], INT)
  for (const value of [long(total, 60), long(integer(5), 60), long(binary<SqlLeaf>('+', T.n, total), 60)])
    t.equal(layerOf(value, twice(value)), undefined)
  const constant = long(binary<SqlLeaf>('+', T.n, binary<SqlLeaf>('*', integer(2), integer(3))), 60)
  t.equal(layerOf(constant, twice(constant)), 1, 'a computed constant beside a column')
  const inner = long(T.n, 60)
  t.equal(layerOf(inner, aggregate('sum', [twice(inner)], INT)), 1, 'an aggregate reads it')
})

t.test('a value is counted with the names that it reads, and what it reads is written once', async (t) => {
  const inner = long(T.n, 60)
  const short = long(twice(inner), 38)
  t.equal(layerOf(short, twice(short)), undefined, '79 nodes with two names')
  const outer = long(twice(inner), 39)
  t.same([layerOf(inner, twice(outer)), layerOf(outer, twice(outer))], [1, 2], '81 nodes with two names')
  const once = long(binary('*', T.n, inner), 60)
  t.same([layerOf(inner, twice(once)), layerOf(once, twice(once))], [undefined, 1], 'the inner one is part of one value')
  t.equal(repeatedValues([twice(outer), filler]).highest, 2)
  const part = long(T.n, 38)
  t.equal(
    layerOf(part, twice(binary('*', part, integer(7))), part),
    1,
    'a value of 79 nodes has no name, and what it reads is written twice',
  )
  t.equal(layerOf(inner, twice(aggregate('sum', [inner], INT))), 1, 'a value of groups has none')
})
