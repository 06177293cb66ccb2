/** Names of the periods of a calendar with a label: `FY2025`, `FY2025 Q3`. They are shown, are accepted in filters, and are ordered by time. */
import { parseModelSync } from '@grainline/core/unstable'
import t from 'tap'
import { startOfPeriod } from '../../core/src/model/calendar-days.js'
import { periodName } from '../../core/src/model/period-names.js'
import { compileFor } from '../support/compile.js'
import { database } from './database.js'

const { model, errors } = parseModelSync({
  text: `
version: 1
calendars:
  fiscal: { yearStart: 10-01, label: end }
  tax: { yearStart: 04-06, label: start }
  retail: { pattern: 4-5-4, yearEnd: { weekday: saturday, month: 1, rule: nearest }, label: start }
  works: { pattern: 4-4-5, yearEnd: { weekday: friday, month: 12, rule: last }, label: end }
dataObjects:
  Dates: { calendar: { from: '1999-12-20', to: '2030-01-10' } }
  Sales:
    code: sales
    columns:
      Id: { code: id, abstractType: int, primaryKey: true }
      Sold On: { code: sold_on, abstractType: date }
      Amount: { code: amount, abstractType: int }
    joins: [{ joinType: many-to-one, joinTo: Dates, columnsFrom: [Sold On], columnsTo: [Date] }]
dimensions:
  Date: { dataObject: Dates, column: Date }
  Fiscal Year: { dataObject: Dates, column: Fiscal Year }
  Fiscal Quarter: { dataObject: Dates, column: Fiscal Quarter }
${[
  'Fiscal Year',
  'Fiscal Quarter',
  'Fiscal Month',
  'Tax Month',
  'Retail Year',
  'Retail Quarter',
  'Retail Month',
  'Retail Week',
  'Works Year',
  'Works Quarter',
  'Works Month',
  'Works Week',
]
  .map((name) => `  ${name} Name: { dataObject: Dates, column: ${name} Name }`)
  .join('\n')}
  Sold Month: { dataObject: Sales, column: Sold On, timeGrain: month }
  Sold Fiscal Quarter: { dataObject: Sales, column: Sold On, timeGrain: fiscal_quarter }
measures:
  Amount: { aggregation: sum, columns: [{ dataObject: Sales, column: Amount }] }
  Late Amount: { aggregation: sum, columns: [{ dataObject: Sales, column: Amount }], filters: [{ field: Sold Fiscal Quarter, op: '>=', value: Q4 FY24 }] }
  Days: { aggregation: count, columns: [{ dataObject: Dates, column: Date }] }
metrics:
  Year Before: { type: period_over_period, measure: Amount, periodOverPeriod: { timeDimension: Date, offset: -1, offsetGrain: fiscal_year } }
  So Far: { type: cumulative, measure: Amount, timeDimension: Date, grainToDate: fiscal_year }
`,
})
t.same(errors, [])

const { rows } = await database(
  "CREATE TABLE sales AS SELECT * FROM (VALUES (1, DATE '2023-10-01', 1), (2, DATE '2024-02-10', 2), (3, DATE '2024-09-30', 4), (4, DATE '2024-10-01', 8), (5, DATE '2025-05-05', 16), (6, NULL, 32)) v(id, sold_on, amount)",
)
const asked = async (query: object) =>
  (await rows(compileFor(query, model!).sql)).map((row) => row.map((cell) => (cell === null ? null : String(cell))))
const refusal = (where: object): Record<string, unknown> => {
  try {
    compileFor({ select: { measures: ['Amount'] }, where: [where] }, model!)
  } catch (error) {
    return error as Record<string, unknown>
  }
  return {}
}
const amount = (...where: object[]) => asked({ select: { measures: ['Amount'] }, where })

for (const calendar of ['fiscal', 'tax', 'retail', 'works'])
  for (const unit of ['year', 'quarter', 'month', 'week']) {
    const grain = model!.grains.get(`${calendar}_${unit}`)
    const title = `${calendar[0]!.toUpperCase()}${calendar.slice(1)} ${unit[0]!.toUpperCase()}${unit.slice(1)} Name`
    if (!grain || !model!.dimensions.has(title)) continue
    t.test(`${title} of each day of thirty years`, async (t) => {
      const named = await asked({ select: { dimensions: ['Date', title], measures: ['Days'] }, limit: 20_000 })
      t.equal(named.length, 10_980)
      const wrong = named.filter(([date, name]) => {
        const day = Date.parse(date!) / 86_400_000
        return typeof grain === 'string' || periodName(startOfPeriod(day, grain), grain) !== name
      })
      t.same(wrong.slice(0, 5), [])
    })
  }

t.test('names are shown in the order of time', async (t) => {
  const query = {
    select: { dimensions: ['Fiscal Quarter Name'], measures: ['Amount'] },
    order_by: [{ field: 'Fiscal Quarter Name' }],
  }
  t.same(await asked(query), [
    ['FY2024 Q1', '1'],
    ['FY2024 Q2', '2'],
    ['FY2024 Q4', '4'],
    ['FY2025 Q1', '8'],
    ['FY2025 Q3', '16'],
    [null, '32'],
  ])
})

t.test('a filter takes names, and ranges of them are ranges of time', async (t) => {
  const by = (op: string, value: unknown, field = 'Fiscal Quarter Name') => amount({ field, op, value })
  t.same(await by('=', 'FY2025 Q3'), [['16']])
  t.same(await by('=', 'Q3 FY25'), [['16']])
  t.same(await by('=', '2025-04-01'), [['16']])
  t.same(await by('in', ['FY2024 Q1', 'Q1 FY2025']), [['9']])
  t.same(await by('not_in', ['FY2024 Q1', 'Q1 FY2025']), [['22']])
  t.same(await by('>=', 'FY2024 Q4'), [['28']])
  t.same(await by('between', ['FY2024 Q2', 'FY2025 Q1']), [['14']])
  t.same(await by('=', null), [['32']])
  t.same(await by('starts_with', 'FY2024'), [['7']])
  t.same(await by('=', 'FY2025', 'Fiscal Year'), [['24']])
  t.same(await by('=', 'FY2025', 'Fiscal Year Name'), [['24']])
  t.same(await by('<', 'FY2025', 'Dates.Fiscal Year Name'), [['7']])
  t.same(await by('=', 'FY2024 Q4', 'Sold Fiscal Quarter'), [['4']])
  const sql = compileFor(
    { select: { measures: ['Amount'] }, where: [{ field: 'Fiscal Year Name', op: '=', value: 'FY2025' }] },
    model!,
  ).sql
  t.notMatch(sql, /FY/, 'a name is a range of the bare column')
})

t.test('a condition on a column of the object that exists looks for takes names, too', async (t) => {
  const found = (filter: object) => amount({ field: 'Sales', op: 'exists', subquery: { dataObject: 'Dates', filter: [filter] } })
  t.same(await found({ field: 'Fiscal Quarter Name', op: '=', value: 'Q1 FY25' }), [['8']])
  t.same(await found({ field: 'Fiscal Year', op: '=', value: 'FY2025' }), [['24']])
  t.same(await found({ field: 'Fiscal Year Name', op: '>=', value: 'FY25' }), [['24']])
  const unknown = {
    field: 'Sales',
    op: 'exists',
    subquery: { dataObject: 'Dates', filter: [{ field: 'Fiscal Year', op: '=', value: '2025-01-01' }] },
  }
  t.match(refusal(unknown), { code: 'INVALID_PERIOD' })
})

t.test('a filter of the model takes names', async (t) => t.same(await asked({ select: { measures: ['Late Amount'] } }), [['28']]))

t.test('a name is the period of a metric over time', async (t) => {
  const where = [{ field: 'Fiscal Year Name', op: '=', value: 'FY2025' }]
  t.same(await asked({ select: { measures: ['Amount', 'Year Before', 'So Far'] }, where }), [['24', '7', '24']])
  const byName = {
    select: { dimensions: ['Fiscal Year Name'], measures: ['Amount', 'Year Before'] },
    order_by: [{ field: 'Fiscal Year Name' }],
  }
  t.same(await asked(byName), [
    ['FY2024', '7', null],
    ['FY2025', '24', '7'],
    [null, '32', null],
  ])
})

t.test('what is no period is refused, with the nearest one', async (t) => {
  const of = (field: string, op: string, value: unknown) => refusal({ field, op, value })
  t.match(of('Fiscal Quarter Name', '=', 'FY2025 Q5'), {
    code: 'INVALID_PERIOD',
    message: /'FY2025 Q5' is no fiscal_quarter of 'Fiscal Quarter Name'; write its name, such as FY2025 Q\d/,
    details: { path: 'where[0].value', suggestions: [/FY2025 Q/] },
  })
  t.match(of('Fiscal Year', '=', '2024-01-01'), {
    code: 'INVALID_PERIOD',
    message:
      /no fiscal_year of 'Fiscal Year' begins on '2024-01-01'; the one that contains it begins on 2023-10-01 and is called FY2024/,
    details: { suggestions: ['FY2024', '2023-10-01'] },
  })
  t.match(of('Fiscal Year', 'in', ['FY2024', '2025']), { code: 'INVALID_PERIOD', details: { suggestions: ['FY2025'] } })
  t.match(of('Fiscal Year', '!=', 'next'), { code: 'INVALID_PERIOD', message: /such as FY2025/ })
  t.match(of('Sold Month', '=', '2024-02-10'), { code: 'INVALID_PERIOD', details: { suggestions: ['2024-02-01'] } })
  t.same(await amount({ field: 'Sold Month', op: '<', value: '2024-02-10' }), [['3']])
  t.match(of('Date', '=', 'FY2025'), { code: 'INVALID_FILTER_VALUE' })
})
