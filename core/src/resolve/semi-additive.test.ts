/** Balances: their time, their entities and their type. */
import t from 'tap'
import { rowSetContext } from '../../../test/support/bound.js'
import { shopWith } from '../../../test/support/models.js'
import { saidWhere } from '../../../test/support/said.js'
import { formatDataType, INT, STRING } from '../model/data-type.js'
import { builtInAggregates } from '../model/functions/aggregates.js'
import { hasTime, semiAdditiveDimensions, semiAdditiveOf, semiAdditiveType } from './semi-additive.js'

const balance = (take: string) => ({
  aggregation: 'sum',
  columns: [{ dataObject: 'Orders', column: 'Amount' }],
  semiAdditive: { timeDimension: 'Day', take, per: ['Customer'] },
})
const model = shopWith({ measures: { Last: balance('last'), Mean: balance('avg') } })
const context = rowSetContext({ select: { measures: ['Sales'] } }, model)
const measure = (name: string) => model.measures.get(name)!
const of = (name: string, type = INT) => semiAdditiveOf(measure(name), type, context, 'p')

t.test('the time and the entities, under other names', async (t) => {
  t.match(of('Last'), { time: { label: 'Day' }, per: [{ label: 'Customer' }], take: 'last', perTime: INT })
  t.equal(of('Sales'), undefined)
  t.throws(() => of('Last', STRING), { code: 'INVALID_AGGREGATION_INPUTS', path: 'p' })
  t.same(
    semiAdditiveDimensions(measure('Last').semiAdditive!, context, '').map(({ label }) => label),
    ['Day', 'Customer'],
  )
  t.equal(saidWhere(hasTime(of('Last')!).expression), 'Day is not null')
})

t.test('the type of a sum over entities', async (t) => {
  const [sum, count] = ['sum', 'count'].map((name) => builtInAggregates.get(name)!) as [never, never]
  t.equal(formatDataType(semiAdditiveType(of('Mean')!, sum, sum)), 'float')
  t.equal(formatDataType(semiAdditiveType(of('Last')!, sum, sum)), 'decimal(38,0)')
  t.equal(formatDataType(semiAdditiveType(of('Last')!, count, sum)), 'int')
})
