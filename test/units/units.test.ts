/** Units of answers: which unit each number has, and where several may be added up. */
import { parseModelSync } from '@grainline/core/unstable'
import t from 'tap'
import { compileFor, loadText, refusalOf } from '../support/compile.js'
import { money, text } from './model.js'

interface Asked {
  readonly by?: readonly string[]
  readonly where?: readonly object[]
  readonly more?: object
}

const ask = (measures: readonly string[], { by = [], where = [], more = {} }: Asked = {}, model = money) =>
  compileFor({ select: { dimensions: by, measures }, where, ...more }, model)

/** The unit of the last column, and the measures that may mix units. */
function unitOf(measure: string, asked: Asked = {}, model = money) {
  const { columns, warnings } = ask([measure], asked, model)
  const mixed = warnings.filter(({ code }) => code === 'MIXED_UNITS')
  return mixed.length > 0 ? 'mixed' : (columns.find(({ name }) => name === measure)?.unit ?? 'none')
}

const EUR = [{ field: 'Order Currency', op: 'eq', value: 'EUR' }]

t.test('a value has the unit of what it is computed from', async (t) => {
  const units: Readonly<Record<string, string>> = {
    Freight: 'EUR',
    Kilometres: 'km',
    Pieces: 'none',
    'Orders Made': 'none',
    Amounts: 'none',
    Variance: 'km^2',
    Spread: 'km',
    Slope: 'EUR/km',
    Cents: 'ct',
    'Per Piece': 'EUR',
    'Freight per km': 'EUR/km',
    Costs: 'EUR',
    Twice: 'EUR',
    Percent: '%',
    Euros: 'EUR',
    Converted: 'EUR',
    'Revenue in EUR': 'EUR',
    'Revenue in Chosen': 'EUR',
  }
  for (const [measure, unit] of Object.entries(units)) t.equal(unitOf(measure), unit, measure)
})

t.test('a parameter names the unit', async (t) => {
  const chosen = { more: { parameters: { Currency: 'USD' } } }
  t.equal(unitOf('Converted', chosen), 'USD')
  t.equal(unitOf('Revenue in Chosen', chosen), 'USD')
})

t.test('a sum of a unit by column needs one value of the column', async (t) => {
  t.equal(unitOf('Revenue'), 'mixed')
  t.equal(unitOf('Revenue', { by: ['Region'] }), 'mixed')
  t.equal(unitOf('Revenue', { by: ['Order Currency'] }), '{Order Currency}')
  t.equal(unitOf('Revenue', { where: EUR }), 'EUR')
  t.equal(unitOf('Revenue', { where: [{ field: 'Order Currency', op: 'in', value: ['EUR'] }] }), 'EUR')
  t.equal(unitOf('Revenue', { where: [{ field: 'Order Currency', op: 'in', value: ['EUR', 'USD'] }] }), 'mixed')
  t.equal(unitOf('Revenue', { where: [{ field: 'Order Currency', op: 'neq', value: 'EUR' }] }), 'mixed')
  t.equal(unitOf('Revenue', { where: [{ field: 'Order Currency', op: 'is_null' }] }), 'none')
  t.equal(unitOf('Revenue', { where: [{ field: 'Rate Currency', op: 'eq', value: 'EUR' }] }), 'EUR')
  t.equal(unitOf('Revenue', { where: [{ field: 'Rate Currency', op: 'is_null' }] }), 'mixed')
  t.equal(unitOf('Revenue', { by: ['Order'] }), 'none', 'one row has one unit, which no column of the answer names')
  t.equal(unitOf('Revenue', { where: [{ field: 'Order', op: 'eq', value: 1 }] }), 'none')
  t.equal(unitOf('Revenue', { by: ['Account'] }), 'mixed')
  t.equal(unitOf('Revenue', { by: ['Rate Currency'] }), 'mixed', 'orders without a rate are one group')
  t.equal(unitOf('Revenue in Two'), 'mixed')
  t.equal(unitOf('Everywhere', { where: EUR }), 'mixed', 'the measure does not see the filter')
  t.equal(unitOf('Correlation'), 'mixed')
  t.equal(unitOf('Correlation', { where: EUR }), 'none')
})

t.test('or, and conditions of the model', async (t) => {
  const either = (a: string, b: string) => ({
    logic: 'or',
    filters: [
      { field: 'Order Currency', op: 'eq', value: a },
      { field: 'Order Currency', op: 'eq', value: b },
    ],
  })
  t.equal(unitOf('Revenue', { where: [either('EUR', 'USD')] }), 'mixed')
  t.equal(unitOf('Revenue', { where: [either('EUR', 'EUR')] }), 'EUR')
  t.equal(unitOf('Revenue', { where: [either('EUR', 'USD'), ...EUR] }), 'EUR')
  const oneFact = text.replace(/\n {2}Fees and Revenue:.*/, '')
  const filtered = loadText(`${oneFact}filters: [{ dataObject: Orders, column: Currency, operator: eq, values: [USD] }]\n`)
  t.equal(unitOf('Revenue', {}, filtered), 'USD')
  const viewed = loadText(
    `${text}views: { Euros: { fields: [Revenue], where: [{ field: Order Currency, op: eq, value: EUR }] } }\n`,
  )
  t.equal(unitOf('Revenue', { more: { view: 'Euros' } }, viewed), 'EUR')
})

t.test('a unit by a column that a join reaches', async (t) => {
  t.equal(unitOf('Charged', { by: ['Account Currency'] }), '{Account Currency}')
  t.equal(unitOf('Charged', { by: ['Account'] }), 'none', 'an account has one currency')
  t.equal(unitOf('Charged', { by: ['Region'] }), 'mixed')
  t.equal(unitOf('Charged', { by: ['Account', 'Account Currency'] }), '{Account Currency}')
  t.equal(unitOf('Limits', { by: ['Account Currency'] }), '{Account Currency}')
  t.equal(unitOf('Limits', { by: ['Tag'] }), 'mixed', 'a bridge fixes nothing')
  t.equal(unitOf('Charged by Accounts', { by: ['Account'] }), 'none')
  t.equal(unitOf('Charged by Accounts', { by: ['Account Currency'] }), '{Account Currency}')
  t.equal(unitOf('Charged by Accounts'), 'mixed')
  t.equal(unitOf('Ordered by Accounts', { by: ['Account'] }), 'mixed', 'the orders of an account have several')
})

t.test('a column over other rows has the unit of its row if its partition has it', async (t) => {
  t.equal(unitOf('Amounts Before', { by: ['Order Currency'] }), '{Order Currency}')
  t.equal(unitOf('Amounts Before', { where: EUR }), 'EUR')
  t.equal(unitOf('Amounts Before'), 'mixed')
  t.equal(unitOf('Amounts before of Accounts', { by: ['Order Currency'] }), 'mixed')
  t.equal(unitOf('Amounts before of Accounts', { where: EUR }), 'mixed', 'a filter never reaches inside')
  t.equal(unitOf('Highest Number'), 'none')
})

t.test('totals, levels, windows and partitions are judged by what they add up', async (t) => {
  t.equal(unitOf('Total Revenue', { by: ['Order Currency'] }), 'mixed')
  t.equal(unitOf('Total Revenue', { by: ['Order Currency'], where: EUR }), 'EUR')
  t.equal(unitOf('Share', { by: ['Order Currency'] }), 'mixed')
  t.equal(unitOf('Revenue', { by: ['Order Currency'], more: { grouping: 'rollup' } }), 'mixed')
  t.equal(
    unitOf('Revenue', {
      by: ['Order Currency', 'Region'],
      more: { grouping: { sets: [['Order Currency', 'Region'], ['Order Currency']] } },
    }),
    '{Order Currency}',
  )
  const top = (others?: string) => ({ top: { dimension: 'Order Currency', by: 'Orders Made', n: 1, ...(others && { others }) } })
  t.equal(unitOf('Revenue', { by: ['Order Currency'], more: top() }), '{Order Currency}')
  t.equal(unitOf('Revenue', { by: ['Order Currency'], more: top('rest') }), 'mixed')
  const months = { by: ['Month', 'Order Currency'] }
  t.equal(unitOf('Running', months), '{Order Currency}')
  t.equal(unitOf('Running', { by: ['Month'] }), 'mixed')
  t.equal(unitOf('Running of All', months), 'mixed')
  t.equal(unitOf('Rows of All', months), 'mixed')
  t.equal(unitOf('Rows of All', { ...months, where: EUR }), 'EUR')
  t.equal(unitOf('Growth', months), '{Order Currency}')
  t.equal(unitOf('Growth Rate', months), 'none')
  t.equal(unitOf('Rank', months), 'mixed', 'it compares amounts of several currencies')
  t.equal(unitOf('Rank in Currency', months), 'none')
  t.equal(unitOf('Before', months), '{Order Currency}')
  t.equal(unitOf('Freight Before', months), 'EUR')
  t.equal(unitOf('Average by Account', { by: ['Order Currency'] }), '{Order Currency}')
  t.equal(unitOf('Average by Account'), 'mixed')
  t.equal(unitOf('Average by Currency'), 'mixed', 'the currencies are averaged')
  t.equal(unitOf('Currencies'), 'none')
})

t.test('values of different units in one row of an answer', async (t) => {
  t.equal(unitOf('Fees and Revenue', { by: ['Order Currency', 'Fee Currency'] }), 'mixed')
  const both = [...EUR, { field: 'Fee Currency', op: 'eq', value: 'EUR' }]
  t.equal(unitOf('Fees and Revenue', { where: both }), 'EUR')
  t.equal(unitOf('Average Order', { by: ['Order Currency'] }), '{Order Currency}')
})

t.test('dimensions and raw rows have units', async (t) => {
  const { columns } = ask(['Orders Made'], { by: ['Way', 'Amount of Order', 'Order Currency'] })
  t.same(
    columns.map(({ name, unit }) => [name, unit ?? null]),
    [
      ['Way', 'km'],
      ['Amount of Order', '{Order Currency}'],
      ['Order Currency', null],
      ['Orders Made', null],
    ],
  )
  const raw = compileFor({ select: { fields: ['Orders.Amount', 'Orders.Currency', 'Orders.Freight', 'Orders.Fee'] } }, money)
  t.same(
    raw.columns.map(({ unit }) => unit ?? null),
    ['{Orders.Currency}', null, 'EUR', null],
  )
})

t.test('a warning says what to do, and strictUnits refuses', async (t) => {
  const [warning] = ask(['Revenue'], { by: ['Region'] }).warnings.filter(({ code }) => code === 'MIXED_UNITS')
  t.match(warning, { path: 'select.measures[0]' })
  t.match(warning?.message, /'Revenue' adds values whose unit 'Orders.Currency' names, and a group by 'Region' may hold several/)
  t.match(warning?.message, /add the dimension 'Order Currency'/)
  const strict = loadText(text.replace('name: money', 'name: money\nsettings: { strictUnits: true }'))
  const query = { select: { dimensions: ['Region'], measures: ['Orders Made', 'Revenue'] } }
  t.match(refusalOf(query, strict), { code: 'MIXED_UNITS', details: { path: 'select.measures[1]' } })
  t.equal(unitOf('Revenue', { by: ['Order Currency'] }, strict), '{Order Currency}')
})

const faultsOf = (changed: string) => {
  const { errors } = parseModelSync({ text: changed })
  return errors.map(({ code, path, message }) => ({ code, path, message }))
}
const withMeasure = (measure: string) => faultsOf(text.replace('metrics:\n', `  Wrong: ${measure}\nmetrics:\n`))
const withMetric = (metric: string) => faultsOf(`${text}  Wrong: ${metric}\n`)
const withColumn = (column: string) => faultsOf(text.replace('      Pieces:', `      Wrong: ${column}\n      Pieces:`))

t.test('different units are not added, compared or chosen between', async (t) => {
  const wrong = [
    '{[Orders].[Freight]} + {[Orders].[Distance]}',
    'coalesce({[Orders].[Freight]}, {[Orders].[Distance]})',
    'case when {[Orders].[Pieces]} > 1 then {[Orders].[Freight]} else {[Orders].[Distance]} end',
    'case when {[Orders].[Freight]} > {[Orders].[Distance]} then 1 end',
    'greatest({[Orders].[Amount]}, {[Orders].[Freight]})',
    '{[Orders].[Amount]} - {[Orders].[Fee]}',
    '{[Orders].[Freight]} + {[Orders].[Freight]} / {[Orders].[Freight]}',
    '{[Orders].[Distance]} + {@Fixed Cost}',
    '{[Orders].[Net]} + {[Orders].[Distance]}',
    'power({[Orders].[Distance]}, 2) + {[Orders].[Distance]}',
  ]
  for (const expression of wrong)
    t.match(
      withMeasure(`{ aggregation: sum, expression: '${expression}' }`),
      [{ code: 'UNIT_MISMATCH', path: 'measures.Wrong.expression' }],
      expression,
    )
  t.match(
    withMeasure(
      "{ aggregation: count, columns: [{ dataObject: Orders, column: Id }], filters: [{ expression: '{[Orders].[Freight]} > {[Orders].[Distance]}' }] }",
    ),
    [{ code: 'UNIT_MISMATCH' }],
  )
  t.match(withMetric("{ expression: '{[Freight]} + {[Kilometres]}' }"), [
    { code: 'UNIT_MISMATCH', path: 'metrics.Wrong.expression' },
  ])
  t.match(withMetric("{ expression: '{[Freight]} + {[Revenue]}' }"), [{ code: 'UNIT_MISMATCH' }])
  t.match(withMetric("{ expression: '{[Freight]}', unit: USD }"), [{ code: 'UNIT_MISMATCH', path: 'metrics.Wrong.unit' }])
  t.match(withColumn("{ expression: '{Freight} + {Distance}' }"), [
    { code: 'UNIT_MISMATCH', path: 'dataObjects.Orders.columns.Wrong.expression' },
  ])
})

t.test('what has no unit agrees with all', async (t) => {
  const right = [
    '{[Orders].[Freight]} + 1',
    '{[Orders].[Freight]} + {[Orders].[Pieces]}',
    'case when {[Orders].[Pieces]} > 1 then {[Orders].[Freight]} else 0 end',
    'nullif({[Orders].[Freight]}, 0) * {[Orders].[Pieces]}',
    'sqrt(power({[Orders].[Distance]}, 2)) + {[Orders].[Distance]}',
    '{[Orders].[Amount]} * {[Rates].[Euros]} + {[Orders].[Freight]}',
    '{[Orders].[Freight]} / {[Orders].[Distance]} * {[Orders].[Distance]} + {@Fixed Cost}',
  ]
  for (const expression of right) t.same(withMeasure(`{ aggregation: sum, expression: '${expression}' }`), [], expression)
  t.same(withMetric("{ expression: '{[Revenue in EUR]} + {[Euros]}' }"), [])
  t.same(withMetric("{ expression: '{[Freight]} / {[Euros]} - 1' }"), [])
})

t.test('what is no unit', async (t) => {
  const unit = (written: string) => withColumn(`{ code: wrong, abstractType: float, unit: ${written} }`)
  for (const written of [
    "'EUR/'",
    "'/h'",
    "'km^0'",
    "'3'",
    "'{'",
    "'{}'",
    "'a}b'",
    "''",
    "'  '",
    "'km^12'",
    '{}',
    '{ column: Currency, parameter: Currency }',
    '{ parameter: Factor }',
    '{ column: Pieces }',
    "'{@None}'",
    '{ dataObject: Tags, column: Tag }',
  ])
    t.match(
      unit(written).map(({ code }) => code),
      /INVALID_UNIT|SCHEMA_VALIDATION/,
      written,
    )
  t.match(unit('{ column: Currencie }'), [{ code: 'UNKNOWN_COLUMN', message: /Currency/ }])
  t.match(withColumn('{ code: wrong, abstractType: string, unit: EUR }'), [{ code: 'INVALID_UNIT' }])
  t.match(withMetric("{ expression: '{[Freight]}', unit: '{[Orders].[Currency]}' }"), [{ code: 'INVALID_UNIT' }])
  for (const written of [
    'EUR',
    "'%'",
    "'€'",
    "'kg·m/s^2'",
    "'kg*m/s²'",
    "'1/h'",
    "'US dollars'",
    "'EUR/{Currency}'",
    "'{@Currency}'",
    '{ parameter: Currency }',
  ])
    t.same(unit(written), [], written)
})
