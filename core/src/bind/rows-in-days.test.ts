/** Rows once for each day of their period, each with its part of a sum, so that the parts add up to the whole. */
import t from 'tap'
import { contextOf } from '../../../test/support/bound.js'
import { shopWith } from '../../../test/support/models.js'
import { column } from '../../../test/support/plans.js'
import { said, saidTerms } from '../../../test/support/said.js'
import { type DataType, decimal, FLOAT, INT } from '../model/data-type.js'
import type { Grain } from '../model/grain.js'
import { rowsOf } from './rows.js'
import { rowsInDays } from './rows-in-days.js'

const model = shopWith({
  dataObjects: {
    Budgets: {
      code: 'budgets',
      columns: { Id: { code: 'id', abstractType: 'int', primaryKey: true }, Month: { code: 'month', abstractType: 'date' } },
    },
  },
})
function days(grain: Grain = 'month') {
  const divided = { object: 'Budgets', column: 'Month', granularity: { grain, spread: 'even' } } as never
  const { days: made } = rowsInDays(rowsOf(contextOf(model), 'Budgets'), divided)
  if (!made) throw new Error('no days')
  return made
}
const part = (type: DataType): string => said(days().part({ expression: column('t', 'v', type), type }))
const longest = (grain: Grain): number | undefined => {
  const { right } = days(grain).join
  return right.kind === 'scan' ? right.days?.count : undefined
}

t.test('a row has the days of its period', async (t) => {
  const { join, day, column: of } = days()
  t.equal(of, 'Month')
  t.match(join, { type: 'inner', findsSeveral: true, right: { kind: 'scan', days: { first: undefined, count: 31 } } })
  t.match(saidTerms(join.on), "Budgets_days.number < date_diff('day', date_trunc('month', before_last_dates(Budgets.month)), ")
  t.match(saidTerms(join.on), '(Budgets.month is null and (Budgets_days.number = 0))', 'without a time it stays one')
  t.equal(said(day), "date_add('day', Budgets_days.number, date_trunc('month', Budgets.month))")
})

t.test('as many numbers as the longest period has days', async (t) => {
  t.same((['week', 'month', 'quarter', 'year'] as const).map(longest), [7, 31, 92, 366])
  const of = (kind: string, unit: string) =>
    ({ name: unit, unit, calendar: { kind, name: 'own', month: 3, day: 1 } }) as never as Grain
  t.same(
    ['month', 'quarter', 'year'].map((unit) => longest(of('months', unit))),
    [31, 92, 366],
  )
})

t.test('whole numbers are divided without a rest', async (t) => {
  t.match(part(INT), /^case Budgets\.month is null: t\.v, else \(div\(t\.v, .*mod\(t\.v, /)
  t.match(part(INT), /: - date_diff/, 'a negative rest is rounded the other way')
})

t.test('decimals are divided at their own scale, and doubles by the number of days', async (t) => {
  const two = part(decimal(18, 2))
  t.match(two, /0\.01/)
  t.match(two, /100/)
  t.match(two, /::decimal\(18, ?2\)$/)
  t.notMatch(part(decimal(18, 0)), /0\.0|\* 1\)/, 'without digits after the point it is a whole number')
  t.match(part(FLOAT), /^case Budgets\.month is null: t\.v, else \(t\.v \/ date_diff/)
  t.ok(part(decimal(38, 18)), 'a unit that can be written')
  t.throws(() => part(decimal(38, 19)), { code: 'FINER_THAN_DATA', message: /19 digits/ })
})

t.test('among some days of a calendar, each has its place', async (t) => {
  const calendars = shopWith({
    dataObjects: {
      Budgets: {
        code: 'budgets',
        columns: {
          Id: { code: 'id', abstractType: 'int', primaryKey: true },
          Month: { code: 'month', abstractType: 'date', granularity: 'month', spread: { over: 'Open' } },
        },
        joins: [{ joinType: 'many-to-one', joinTo: 'Dates', columnsFrom: ['Month'], columnsTo: ['Date'] }],
      },
      Dates: {
        code: 'dates',
        calendar: { key: 'Date' },
        columns: {
          Date: { code: 'date', abstractType: 'date', primaryKey: true },
          Open: { code: 'open', abstractType: 'boolean' },
        },
      },
    },
  })
  const granularity = calendars.dataObjects.get('Budgets')?.columns.get('Month')?.granularity
  t.same(granularity?.spread, { calendar: 'Dates', day: 'Date', column: 'Open' })
  const { days: made } = rowsInDays(rowsOf(contextOf(calendars), 'Budgets'), {
    object: 'Budgets',
    column: 'Month',
    granularity: granularity!,
  })
  t.match(made?.join, { type: 'left', findsSeveral: true, right: { kind: 'counted-days' } })
  t.equal(said(made!.day), "coalesce(Budgets_days.day, date_trunc('month', Budgets.month))")
})
