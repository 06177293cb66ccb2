/** The additional groups of a balance, before one value of each entity is taken. */
import t from 'tap'
import { aggregateQuery } from '../../../test/support/bound.js'
import { shopWith } from '../../../test/support/models.js'
import { inTimes, semiAdditiveKeys } from './block-request.js'
import { blockRequests } from './block-requests.js'

const model = shopWith({
  measures: {
    Balance: {
      aggregation: 'sum',
      columns: [{ dataObject: 'Orders', column: 'Amount' }],
      semiAdditive: { timeDimension: 'Day', take: 'last', per: ['Customer'] },
    },
  },
})
const [planned] = blockRequests(aggregateQuery({ select: { dimensions: ['Region'], measures: ['Balance'] } }, model))
const { request } = planned!
const balance = request.semiAdditive!

t.test('the time and the entity, each once', async (t) => {
  const names = (of: typeof balance) => semiAdditiveKeys(of).map(({ name }) => name)
  t.equal(names(balance).length, 2)
  t.same(names({ ...balance, per: [balance.time, ...balance.per] }), names(balance))
})

t.test('the block before values are taken is grouped by these, too', async (t) => {
  const within = inTimes(request, balance)
  t.same(within.dimensions, [...request.dimensions, ...semiAdditiveKeys(balance)])
  t.equal(within.semiAdditive, undefined)
  t.same(
    within.aggregates.map(({ semiAdditive, type }) => [semiAdditive, type]),
    [[undefined, balance.perTime]],
  )
})
