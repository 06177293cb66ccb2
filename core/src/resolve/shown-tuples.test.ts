/** Totals of what is shown: the detail rows that decide, and what counts at other times. */
import t from 'tap'
import { resolved } from '../../../test/support/bound.js'
import { shop } from '../../../test/support/models.js'

const query = {
  select: { dimensions: ['Day:month', 'Region'], measures: ['Sales', 'Sales Last Month'] },
  having: [{ field: 'Sales', op: 'gt', value: 1 }],
  limit: 3,
  grouping: { sets: 'rollup', of: 'shown' },
}
const shownBy = (labels: readonly string[]) => (c: { readonly shown?: readonly { readonly label: string }[] }) =>
  c.shown?.map(({ label }) => label).join() === labels.join()

t.test('a page and a condition on values choose detail rows, and test no total', async (t) => {
  const asked = resolved(query, shop)
  if (asked.kind !== 'grouped') return t.fail(asked.kind)
  t.match(asked.shown, { limit: 3, having: { kind: 'binary' }, outputs: [{ role: 'dimension' }, { role: 'dimension' }] })
  t.equal(asked.limit, undefined, 'the page is one of detail rows')
  t.same(
    asked.levels.map(({ having, limit }) => [having, limit]),
    [
      [undefined, undefined],
      [undefined, undefined],
      [undefined, undefined],
    ],
  )
})

t.test('another time keeps the values of the other dimensions', async (t) => {
  const asked = resolved(query, shop)
  if (asked.kind !== 'grouped') return t.fail(asked.kind)
  const months = asked.levels.at(1)
  const own = months?.aggregates.find(({ shift }) => shift === undefined)
  const prior = months?.aggregates.find(({ shift }) => shift !== undefined)
  t.ok(own?.conjuncts.some(shownBy(['Day:month', 'Region'])))
  t.ok(prior?.conjuncts.some(shownBy(['Region'])))
})

t.test('rows that are the shown ones need no condition for values of their own groups', async (t) => {
  const conditionsOf = (more: object) => {
    const asked = resolved({ ...query, ...more }, shop)
    if (asked.kind !== 'grouped') return asked.kind
    const [detail] = asked.levels
    return [asked.rowsAreShown, detail?.aggregates.flatMap(({ conjuncts }) => conjuncts.filter(({ shown }) => shown)).length]
  }
  t.same(conditionsOf({}), [true, 0], 'beside values of another time')
  t.same(conditionsOf({ select: { ...query.select, measures: ['Sales'] } }), [false, 1], 'the conditions choose the rows')
})

t.test('the detail rows must be shown', async (t) => {
  const ask = (sets: unknown) => () => resolved({ ...query, grouping: { sets, of: 'shown' } }, shop)
  t.throws(ask([['Region'], []]), { code: 'INVALID_QUERY', message: /need the detail rows/ })
  t.doesNotThrow(ask([['Region', 'Day:month'], []]))
})
