/** Windows that count in units finer than the periods of the rows. */
import t from 'tap'
import { alongOf, metricOf } from '../../../test/support/bound.js'
import { compileFor } from '../../../test/support/compile.js'
import { BUDGETS, shopAnd, shopWith } from '../../../test/support/models.js'
import { said } from '../../../test/support/said.js'
import { cumulativeWindow } from './cumulative.js'
import { isFiner } from './finer-window.js'

const of = (more: string) => `{ type: cumulative, measure: Sales, timeDimension: Day, ${more} }`
const model = shopAnd({
  measures: {
    Blind:
      '{ aggregation: sum, columns: [{ dataObject: Orders, column: Amount }], filterContext: { mode: RELATIVE, exclude: [Day] } }',
  },
  metrics: {
    Days: of('window: 10, windowGrain: day'),
    Weeks: of('window: 2, windowGrain: week'),
    'Folded Weeks': of('window: 2, windowGrain: week, cumulativeType: sum'),
    'Folded Days': of('window: 10, windowGrain: day, cumulativeType: avg'),
    Months: of('window: 2, windowGrain: month'),
    Hours: of('window: 2, windowGrain: hour'),
    'Full Days': of('window: 10, windowGrain: day, onlyFull: true'),
    'Full Folded Weeks': of('window: 2, windowGrain: week, cumulativeType: sum, onlyFull: true'),
    'Full Folded Days': of('window: 10, windowGrain: day, cumulativeType: avg, onlyFull: true'),
    'Full Days Last Year':
      '{ type: period_over_period, measure: Full Days, periodOverPeriod: { timeDimension: Day, offset: -1, offsetGrain: year, comparison: previousValue } }',
    'Blind Days': '{ type: cumulative, measure: Blind, timeDimension: Day, window: 10, windowGrain: day }',
    'Days of Both': '{ type: cumulative, measure: Both, timeDimension: Day, window: 10, windowGrain: day }',
    Both: "{ expression: '{[Blind]} + {[Sales]}' }",
  },
})
const metric = (name: string) => metricOf('cumulative', name, model)
const windowOf = (name: string, grain: string, ...where: readonly object[]) =>
  cumulativeWindow(metric(name), alongOf({ select: { dimensions: [`Day:${grain}`], measures: ['Sales'] }, where }, model)).window
const between = (from: string, to: string) => ({ field: 'Day', op: 'between', value: [from, to] })

t.test('which are finer', async (t) => {
  t.ok(isFiner(metric('Days'), 'month'))
  t.ok(isFiner(metric('Weeks'), 'month'), 'weeks to the last day of a month')
  t.notOk(isFiner(metric('Folded Weeks'), 'month'), 'values of weeks that a month cuts')
  t.notOk(isFiner(metric('Months'), 'month'))
  t.notOk(isFiner(metric('Hours'), 'day'))
  t.notOk(isFiner(metric('Days'), undefined))
})

t.test('a row ends with its last day', async (t) => {
  const last = "date_add('day', -1, date_add('month', 1, Day:month))"
  t.match(windowOf('Days', 'month'), { grain: 'day', periods: 10, unit: undefined })
  t.equal(said(windowOf('Days', 'month').own), last)
  t.equal(windowOf('Weeks', 'month').periods, 14)
  t.equal(said(windowOf('Folded Days', 'month').own), `date_trunc('day', ${last})`)
  t.equal(said(windowOf('Months', 'quarter').since!), "date_add('month', -2, date_add('quarter', 1, Day:quarter))")
})

t.test('or with the last day that the filters leave of it', async (t) => {
  const { own } = windowOf('Days', 'month', between('2025-03-10', '2025-04-20'))
  t.match(said(own), "case (Day:month = '2025-03-01'): '2025-03-31', (Day:month = '2025-04-01'): '2025-04-20'")
  const { since } = windowOf('Months', 'quarter', between('2025-01-01', '2025-02-15'))
  t.match(said(since!), "(Day:quarter = '2025-01-01'): '2024-12-16'")
  const parts = { logic: 'or', filters: [between('2025-03-01', '2025-03-05'), between('2025-03-10', '2025-03-12')] }
  t.throws(() => windowOf('Days', 'month', parts), { code: 'TIME_FILTER_NOT_A_RANGE' })
})

t.test('only full windows: from the first unit that the filters leave of a period', async (t) => {
  const sql = (metric: string, grain: string, where: readonly object[] = []) =>
    compileFor({ select: { dimensions: [`Day:${grain}`], measures: [metric] }, where }, model).sql
  const cut = [between('2025-03-10', '2025-04-20')]
  t.match(sql('Full Days', 'month', cut), /2025-03-01/)
  t.match(sql('Full Folded Days', 'month', cut), /AVG/)
  t.match(sql('Full Days Last Year', 'month'), /YEAR/i)
})

t.test('measures must see the same filters on the time', async (t) => {
  const at = (name: string, dimension: string) =>
    cumulativeWindow(
      metric(name),
      alongOf({ select: { dimensions: [dimension], measures: ['Sales'] }, where: [between('2025-03-10', '2025-04-20')] }, model),
    )
  t.ok(at('Blind Days', 'Day:month'))
  t.throws(() => at('Days of Both', 'Day:month'), /its measures see different filters on its time/)
})

t.test('columns of a calendar name whole months, and no part of a longer period', async (t) => {
  const days = { type: 'cumulative', measure: 'Budget', timeDimension: 'Date', window: 10, windowGrain: 'day' }
  const dated = shopWith(BUDGETS, { metrics: { 'Budget of Days': days } })
  const at = (grain: string) =>
    cumulativeWindow(
      metricOf('cumulative', 'Budget of Days', dated),
      alongOf(
        { select: { dimensions: [`Date:${grain}`], measures: ['Budget'] }, where: [{ field: 'Year No', op: '=', value: 2025 }] },
        dated,
      ),
    ).window.own
  t.notMatch(said(at('month')), /case/)
  t.throws(() => at('quarter'), /columns of a calendar table name its times/)
})

t.test('an unknown part is refused', async (t) => {
  t.throws(() => windowOf('Days', 'month', { expression: "date_add('day', 1, {[Day]}) > DATE '2025-01-01'" }), {
    code: 'TIME_FILTER_NOT_A_RANGE',
  })
})
