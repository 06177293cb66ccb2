/** Metrics whose times end at the clock. */
import t from 'tap'
import { aggregateQuery, metricOf, rowSetContext } from '../../../test/support/bound.js'
import { shopWith } from '../../../test/support/models.js'
import { said, saidWhere } from '../../../test/support/said.js'
import { endsNow, hasBegun, UntilNow } from './until-now.js'

const running = { type: 'cumulative', measure: 'Sales', timeDimension: 'Day' }
const model = shopWith({
  metrics: {
    'To Date': { ...running, untilNow: true },
    'At Hour': { ...running, timeDimension: 'At', untilNow: true },
    Formula: { expression: '{[To Date]} + 1' },
    Before: {
      type: 'period_over_period',
      measure: 'Sales',
      untilNow: true,
      periodOverPeriod: { timeDimension: 'Day', grain: 'week', offset: -1, offsetGrain: 'week' },
    },
  },
  dataObjects: {
    Orders: { columns: { At: { code: 'at', abstractType: 'timestamp' }, Sent: { code: 'sent', abstractType: 'date' } } },
  },
  dimensions: { At: { dataObject: 'Orders', column: 'At' }, Sent: { dataObject: 'Orders', column: 'Sent' } },
})
const metric = (name: string) => metricOf('cumulative', name, model)
const context = (...dimensions: readonly string[]) => rowSetContext({ select: { dimensions, measures: ['Sales'] } }, model)

t.test('their rows have one more condition, once for each time', async (t) => {
  const made: string[] = []
  const cut = new UntilNow(context('Day:month'), (own) =>
    made.push(own.where.map(({ expression }) => saidWhere(expression)).join()),
  )
  t.equal(cut.rowsOf(metric('To Date'), ''), 1)
  t.equal(cut.rowsOf(metric('To Date'), ''), 1)
  t.equal(cut.rowsOf(metric('Running Sales'), ''), undefined)
  t.equal(cut.rowsOf(metric('At Hour'), ''), 2)
  t.same(made, ["(Day < '1970-01-02')", "(At < '1970-01-01 00:00:01')"])
  t.equal(cut.all.length, 2)
})

t.test('a time of several columns is cut as it is shown', async (t) => {
  const made: string[] = []
  const When = { coalesce: ['Day', 'Sent'], as: 'When' }
  const of = rowSetContext({ select: { dimensions: [When], measures: ['Sales'] } }, model)
  const cut = new UntilNow(of, (own) => made.push(own.where.map(({ expression }) => saidWhere(expression)).join()))
  cut.rowsOf(metric('To Date'), '')
  t.same(made, ["(When < '1970-01-02')"])
})

t.test('a later period has no value', async (t) => {
  t.equal(said(hasBegun(metric('To Date'), context('Day:month'))!), "(Day:month <= '1970-01-01')")
  t.equal(said(hasBegun(metric('At Hour'), context('At:hour'))!), "(At:hour < '1970-01-01 00:00:01')")
  const before = metricOf('period_over_period', 'Before', model)
  t.match(said(hasBegun(before, context('Day'))!), /date_trunc\('week', Day\)/, 'a day is shown, and weeks are compared')
  t.equal(hasBegun(metric('To Date'), context('Region')), undefined)
  t.notOk(endsNow(metric('To Date'), context(), ''))
  const { aggregates, clockUnits } = aggregateQuery({ select: { dimensions: ['Day:month'], measures: ['Formula'] } }, model)
  t.ok(aggregates.some(({ name }) => name.endsWith('(until now)')))
  t.same([...new Set(clockUnits)], ['day'])
})
