/** The days that columns of a generated calendar name. */
import t from 'tap'
import { aggregateQuery } from '../../../test/support/bound.js'
import { manyToOne, shopWith } from '../../../test/support/models.js'
import { daysNamed, namesNoDay } from './generated-periods.js'

const columns = [
  ...['Fiscal Year Name', 'Year Number', 'Quarter Number', 'Month Number', 'Month Label', 'Week Number', 'Week Year'],
  'Month',
]
const model = shopWith({
  calendars: { fiscal: { yearStart: '07-01', label: 'end' } },
  dataObjects: {
    Dates: { calendar: {} },
    Orders: { joins: [manyToOne('Customers', 'Customer Id'), manyToOne('Dates', 'Day', { columnsTo: ['Date'] })] },
  },
  dimensions: Object.fromEntries(columns.map((column) => [column, { dataObject: 'Dates', column }])),
})
function days(named: Readonly<Record<string, unknown>>) {
  const where = Object.entries(named).map(([field, value]) => ({ field, op: Array.isArray(value) ? 'in' : 'equals', value }))
  const found = daysNamed(aggregateQuery({ select: { measures: ['Sales'] }, where }, model).where, model)
  return found && `${found.first} ${found.last}`
}

const CASES: readonly (readonly [Readonly<Record<string, unknown>>, string | undefined])[] = [
  [{ 'Year Number': 2024 }, '2024-01-01 2024-12-31'],
  [{ 'Year Number': [2024] }, '2024-01-01 2024-12-31'],
  [{ 'Year Number': 2024, 'Quarter Number': 2 }, '2024-04-01 2024-06-30'],
  [{ 'Year Number': 2024, 'Month Number': 2 }, '2024-02-01 2024-02-29'],
  [{ 'Year Number': 2024, 'Month Label': 'February' }, '2024-02-01 2024-02-29'],
  [{ 'Week Year': 2025, 'Week Number': 1 }, '2024-12-30 2025-01-05'],
  [{ 'Week Year': 2020, 'Week Number': 53 }, '2020-12-28 2021-01-03'],
  [{ 'Week Year': 2021, 'Week Number': 53 }, undefined],
  [{ 'Year Number': 2024, 'Quarter Number': 2, 'Month Number': 9 }, undefined],
  [{ 'Month Number': 2 }, undefined],
  [{ 'Year Number': 0 }, undefined],
]
t.test('a first day is no number of a period, so that no days are known beside one', async (t) => {
  const where = [
    { field: 'Year Number', op: 'equals', value: 2024 },
    { field: 'Month', op: 'equals', value: '2024-02-01' },
  ]
  const named = aggregateQuery({ select: { measures: ['Sales'] }, where }, model).where
  t.equal(daysNamed(named, model), undefined)
  t.equal(namesNoDay(named, model), false, 'the period exists')
})

t.test('expressions of a query name days, too', async (t) => {
  const of = (expression: string) =>
    daysNamed(aggregateQuery({ select: { measures: ['Sales'] }, where: [{ expression }] }, model).where, model)
  t.match(of('{[Year Number]} IN (2024)'), { first: '2024-01-01' })
  t.match(of('2024 = {[Year Number]}'), { last: '2024-12-31' })
  t.equal(of("{[Year Number]} = 2024 AND {[Fiscal Year Name]} = 'FY2025'"), undefined, 'a name is no number')
})

for (const [named, expected] of CASES)
  t.test(`${JSON.stringify(named)} names ${expected ?? 'no days'}`, async (t) => t.equal(days(named), expected))
