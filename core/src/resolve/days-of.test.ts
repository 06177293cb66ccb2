/** What fields say about the days of calendars. */
import t from 'tap'
import { contextOf, dimensionOf } from '../../../test/support/bound.js'
import { BUDGETS, manyToOne, shop, shopWith } from '../../../test/support/models.js'
import { daysOf, isSameTime } from './days-of.js'

const day = { columnsTo: ['Day'] }
const model = shopWith(BUDGETS, {
  dataObjects: {
    Orders: {
      columns: {
        At: { code: 'at', abstractType: 'timestamp' },
        'Its Day': { expression: 'CAST({At} AS date)', abstractType: 'date' },
        'Cut Day': { expression: "date_trunc('day', {At})", abstractType: 'date' },
      },
      joins: [
        manyToOne('Customers', 'Customer Id'),
        manyToOne('Dates', 'Its Day', day),
        manyToOne('Dates', 'Day', { ...day, secondary: true, pathName: 'paid' }),
      ],
    },
  },
  dimensions: {
    At: { dataObject: 'Orders', column: 'At' },
    Late: { dataObject: 'Orders', expression: "date_add('day', 1, {[Orders].[Day]})", resultType: 'date' },
    'Its Day': { dataObject: 'Orders', column: 'Its Day' },
    'Month Name': { dataObject: 'Dates', column: 'Month No', via: 'Orders' },
  },
})
const { graph } = contextOf(model)
const says = (name: string) => daysOf(dimensionOf(name, model).members[0], model)

t.test('columns of a calendar, and those by which facts join it', async (t) => {
  const CASES: Readonly<Record<string, readonly string[]>> = {
    Date: ['day'],
    'Month No': ['period'],
    Holiday: ['attribute'],
    Budgeted: ['day'],
    At: ['day'],
    'Its Day': ['day'],
    Region: [],
    Amount: [],
  }
  for (const [name, expected] of Object.entries(CASES))
    if (model.dimensions.has(name))
      t.same(
        says(name).map((one) => one.says),
        expected,
        name,
      )
  t.same(says('Late'), [], 'what is computed is no column')
  t.same(daysOf(dimensionOf('Day', shop).members[0], shop), [], 'a model without calendars')
})

for (const [expression, isDay] of [
  ['CAST({At} AS date)', true],
  ["date_trunc('day', {At})", true],
  ["date_trunc('DAY', {At})", true],
  ["date_trunc('month', {At})", false],
  ['CAST({At} AS timestamp)', false],
  ["date_add('day', 1, CAST({At} AS date))", false],
  ["CAST(date_add('day', 1, {At}) AS date)", false],
] as const)
  t.test(`a calendar that is joined by ${expression}`, async (t) => {
    const joined = shopWith(BUDGETS, {
      dataObjects: {
        Orders: {
          columns: { At: { code: 'at', abstractType: 'timestamp' }, 'Its Day': { expression, abstractType: 'date' } },
          joins: [manyToOne('Customers', 'Customer Id'), manyToOne('Dates', 'Its Day', day)],
        },
      },
      dimensions: { At: { dataObject: 'Orders', column: 'At' } },
    })
    t.same(
      daysOf(dimensionOf('At', joined).members[0], joined).map((one) => one.says),
      isDay ? ['day'] : [],
    )
  })

t.test('the same time: one role of a calendar, or the column that leads to it', async (t) => {
  const same = (a: string, b: string, base?: string) => isSameTime(says(a)[0]!, says(b)[0]!, graph, base)
  t.ok(same('Date', 'Month No'))
  t.ok(same('At', 'Its Day'), 'a time and its day')
  t.ok(same('Date', 'Its Day'))
  t.ok(same('Date', 'Budgeted', 'Budgets'))
  t.notOk(same('Budgeted', 'Its Day'), 'columns of two facts')
  t.notOk(same('Date', 'Month Name'), 'another role')
})
