/** Conditions are read by each aggregate for itself, from the outside of inner queries inwards. */
import t from 'tap'
import type { Conjunct } from './resolved-query.js'
import { type Change, conditionsOf, conditionsUnder, withConditions } from './row-conditions.js'

const named = (path: string): Conjunct =>
  ({ path, fields: [path], leaves: [], expression: { kind: 'literal', value: true } }) as never
const [first, second, more] = ['first', 'second', 'more'].map(named) as [Conjunct, Conjunct, Conjunct]
/** A change that shows what it was given. */
const change = (name: string): Change => ({
  ...{ shift: undefined, window: undefined },
  conjuncts: (seen, base) => seen.map(({ path }) => named(`${path} ${name} ${base}`)),
})
const readBy = (base: string, seen: (where: readonly Conjunct[]) => readonly Conjunct[] = (all) => all) => ({
  seen,
  under: ({ conjuncts }: Change, all: readonly Conjunct[]) => conjuncts(all, base),
})
const paths = (conjuncts: readonly Conjunct[]) => conjuncts.map(({ path }) => path)

t.test('the conditions of a query are the same list for a reader that sees all', async (t) => {
  const where = [first, second]
  t.equal(conditionsOf(where)(readBy('Orders')), where)
  t.same(paths(conditionsOf(where)(readBy('Orders', (all) => all.slice(1)))), ['second'])
})

t.test('a modifier changes what a reader sees once, by the base of the reader, and the outer one first', async (t) => {
  const inner = conditionsUnder(conditionsUnder(conditionsOf([first]), change('outside')), change('inside'))
  t.same(paths(inner(readBy('Orders'))), ['first outside Orders inside Orders'])
  t.same(paths(inner(readBy('Visits'))), ['first outside Visits inside Visits'])
})

t.test('conditions of the inner query itself are not changed by what is outside, and are seen like others', async (t) => {
  const inner = withConditions(conditionsUnder(conditionsOf([first]), change('outside')), [more])
  t.same(paths(inner(readBy('Orders'))), ['first outside Orders', 'more'])
  t.same(paths(inner(readBy('Orders', (all) => all.filter((one) => one !== more)))), ['first outside Orders'])
})
