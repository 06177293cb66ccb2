/** Offsets that are finer than the periods that they move. */
import t from 'tap'
import { metricOf } from '../../../test/support/bound.js'
import { shopWith } from '../../../test/support/models.js'
import { DATE } from '../model/data-type.js'
import type { Grain } from '../model/grain.js'
import { finerFault, finerMoves } from './finer-offset.js'

const before = (measure: string, of: object) => ({
  type: 'period_over_period',
  measure,
  periodOverPeriod: { timeDimension: 'Day', ...of },
})
const model = shopWith({
  metrics: {
    Week: before('Sales', { offset: -1, offsetGrain: 'week' }),
    Days: before('Sales', { offset: -3, offsetGrain: 'day' }),
    Hour: before('Sales', { offset: -3, offsetGrain: 'hour' }),
    Month: before('Sales', { offset: -1, offsetGrain: 'month' }),
    Start: before('Sales', { offsetToGrain: 'month' }),
    'Of Running': before('Running Sales', { offset: -1, offsetGrain: 'day' }),
    'Week of Month': before('Month', { offset: -1, offsetGrain: 'week' }),
    'Of Week': before('Week', { offset: -1, offsetGrain: 'month' }),
    'Week of Start': before('Start', { offset: -1, offsetGrain: 'week' }),
    'Of Start': before('Start', { offset: -1, offsetGrain: 'year' }),
  },
})
const metric = (name: string) => metricOf('period_over_period', name, model)
const moves = (name: string, grain: Grain, ...more: Parameters<typeof finerMoves>[2][]) =>
  finerMoves(metric(name), grain, ...more)
const fault = (name: string, grain: Grain) => finerFault(metric(name), { grain, time: DATE, model })

t.test('whole periods are no finer moves', async (t) => {
  t.equal(moves('Month', 'month'), undefined)
  t.equal(moves('Month', 'day'), undefined)
  t.equal(moves('Start', 'year'), undefined)
  t.same(moves('Week', 'month'), [{ unit: 'week', count: -1 }])
  t.same(
    moves('Month', 'month', [{ unit: 'day', count: 2 }]),
    [
      { unit: 'day', count: 2 },
      { unit: 'month', count: -1 },
    ],
    'after a finer one each counts',
  )
})

t.test('what cannot be undone has no value', async (t) => {
  t.equal(fault('Week', 'month'), undefined)
  t.equal(fault('Month', 'year'), undefined)
  t.equal(fault('Of Week', 'day'), undefined)
  t.match(fault('Hour', 'month'), /the time is a date/)
  t.match(fault('Of Running', 'month'), /its base depends on other periods/)
  t.match(fault('Week of Month', 'month'), /its units do not begin with the periods/)
  t.equal(fault('Of Start', 'month'), undefined)
  t.match(fault('Week of Start', 'month'), /has no first period of it there/)
  const calendar = { kind: 'months', name: 'fiscal', month: 3, day: 6 } as const
  t.equal(fault('Month', { name: 'fiscal_year', unit: 'year', calendar }), undefined)
})
