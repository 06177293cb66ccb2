/** Conditions on the columns of a calendar that together name one period. */
import t from 'tap'
import { alongOf, dimensionOf } from '../../../test/support/bound.js'
import { BUDGETS, manyToOne, shopWith } from '../../../test/support/models.js'
import { saidWhere } from '../../../test/support/said.js'
import { isOfGenerated, namesPeriod, periodIn, refuseSeveralPeriods, upToTheEnd } from './named-periods.js'

const tables = shopWith(BUDGETS)
const generated = shopWith({
  dataObjects: {
    Dates: { calendar: {} },
    Orders: { joins: [manyToOne('Customers', 'Customer Id'), manyToOne('Dates', 'Day', { columnsTo: ['Date'] })] },
  },
  dimensions: { Year: { dataObject: 'Dates', column: 'Year Number' } },
})
const conjuncts = (where: readonly object[], model = tables) =>
  alongOf({ select: { measures: [model === tables ? 'Budget' : 'Sales'] }, where }, model).where
const is = (field: string, value: unknown, op = 'equals') => ({ field, op, value })

t.test('which conditions read a column of periods', async (t) => {
  const [year, holiday, day] = conjuncts([is('Year No', 2025), is('Holiday', true), is('Date', '2025-01-01')])
  t.same(
    [year, holiday, day].map((one) => namesPeriod(one!, tables)),
    [true, false, false],
  )
  const expressions = ['{[Year No]} = {[Month No]}', '{[Holiday]}', '{[Year No]} IN (2025, {[Month No]})']
  for (const one of conjuncts(expressions.map((expression) => ({ expression }))).slice(1))
    t.equal(periodIn(one, tables), undefined)
  const condition = { kind: 'up-to', admitted: [] } as const
  t.equal(periodIn({ ...year!, times: [{ expression: year!.expression, condition }] }, tables), undefined, 'an end of the time')
  t.notOk(isOfGenerated(year!, tables))
  t.ok(isOfGenerated(conjuncts([is('Year', 2025)], generated)[0]!, generated))
})

t.test('they name one period, or are refused', async (t) => {
  const named = (...where: readonly object[]) => refuseSeveralPeriods('fill_gaps', conjuncts(where), tables)
  named(is('Year No', 2025))
  named(is('Month No', 3), is('Year No', [2025], 'in'))
  named({ expression: '{[Year No]} = 2025' })
  named({ expression: '2025 = {[Year No]}' })
  named({ expression: '{[Year No]} IN (2025)' })
  for (const expression of ['{[Year No]} IN (2025, 2026)', '{[Year No]} + 0 = 2025', '{[Year No]} IS NULL', '2025 < {[Year No]}'])
    t.throws(() => named({ expression }), { code: 'TIME_FILTER_NOT_A_RANGE' }, expression)
  t.throws(() => named(is('Month No', 3)), /is a month_of_year, and no filter names the year, so fill_gaps does not know/)
  t.throws(() => named(is('Year No', 2025, '>')), /does not name one period by an equality/)
  t.throws(() => named(is('Year No', [2025, 2026], 'in')), { code: 'TIME_FILTER_NOT_A_RANGE' })
})

t.test('as one bound of the time', async (t) => {
  const bound = (where: readonly object[], model: typeof tables, time: string) => {
    const [first, ...rest] = conjuncts(where, model)
    const { clocks } = alongOf({ select: { measures: ['Sales'] } }, model)
    return saidWhere(upToTheEnd([first!, ...rest], dimensionOf(time, model), { model, clocks }).expression)
  }
  t.equal(bound([is('Year No', 2025)], tables, 'Budgeted'), '(Budgeted <= last day)')
  const made = { dataObjects: { Budgets: { columns: { Made: { code: 'made', abstractType: 'timestamp' } } } } }
  const within = shopWith(BUDGETS, made, { dimensions: { Made: { dataObject: 'Budgets', column: 'Made' } } })
  const [year] = conjuncts([is('Year No', 2025)])
  const { clocks } = alongOf({ select: { measures: ['Sales'] } }, within)
  const { expression } = upToTheEnd([year!], dimensionOf('Made', within), { model: within, clocks })
  t.equal(saidWhere(expression), "(date_trunc('day', Made) <= last day)")
  t.equal(bound([is('Year', 2025)], generated, 'Day'), "(Day <= '2025-12-31')")
  t.equal(bound([is('Year', 0)], generated, 'Day'), 'false')
})
