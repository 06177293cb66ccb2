import t from 'tap'
import type { Schema } from '../api/types.js'
import { fieldsOf, groupsOf, matching } from './fields.js'

const named = (name: string, more: object = {}) => ({ name, synonyms: [], ...more })
const schema = {
  model_id: 'm',
  data_objects: [named('Orders', { code: 'orders', columns: [], join_targets: [], description: 'What was bought' })],
  dimensions: [named('Country', { result_type: 'string', data_object: 'Orders', time_grain: null, status: 'certified' })],
  measures: [
    named('Revenue', {
      result_type: 'int',
      aggregation: 'sum',
      columns: [{ data_object: 'Orders', column: 'Amount' }],
      status: 'proposed',
    }),
    named('Orders Count', { result_type: 'int', aggregation: 'count', columns: [], anchor: 'Orders' }),
    named('Turnover', {
      result_type: 'int',
      aggregation: 'sum',
      expression: '{[Orders].[Amount]}',
      columns: [],
      status: 'deprecated',
      use: 'Revenue',
    }),
  ],
  metrics: [named('Mean', { type: 'derived', expression: '{[Revenue]} / 2', component_measures: ['Revenue'] })],
  segments: [],
} as unknown as Schema
const fields = fieldsOf(schema)

t.test('each field has its status, and a deprecated field its replacement', async (t) => {
  t.same(
    fields.map(({ name, status, use }) => [name, status, use]),
    [
      ['Country', 'certified', undefined],
      ['Revenue', 'proposed', undefined],
      ['Orders Count', undefined, undefined],
      ['Turnover', 'deprecated', 'Revenue'],
      ['Mean', undefined, undefined],
    ],
  )
})

t.test('the search finds names, status, formulas and names of objects', async (t) => {
  const found = (text: string) => matching(fields, text).map(({ name }) => name)
  t.same(found('deprecated'), ['Turnover'])
  t.same(found('certif'), ['Country'])
  t.same(found('revenue'), ['Revenue', 'Mean'], 'a name before a formula')
  t.same(found('2 revenue'), ['Mean'], 'all words, in any order')
  t.same(found('bought'), ['Country', 'Revenue', 'Orders Count', 'Turnover', 'Mean'])
})

t.test('a view is a folder of its fields, under its names', async (t) => {
  const views = [
    {
      name: 'Sales',
      fields: [
        { name: 'Land', field: 'Country' },
        { name: 'Revenue', field: 'Revenue' },
        { name: 'X', field: 'Hidden' },
      ],
    },
  ]
  const viewed = { ...schema, views }
  t.same(listed(viewed)[0], ['Views', 'Sales', ['Country', 'Revenue']])
  const [folder] = groupsOf(viewed, fieldsOf(viewed))
  t.same(
    folder?.fields.map(({ label }) => label),
    ['Land', undefined],
  )
  t.same(
    matching(folder?.fields ?? [], 'land').map(({ name }) => name),
    ['Country'],
    'it is found by that name',
  )
})

t.test('measures are listed by fact, then dimensions by object', async (t) => {
  t.same(listed(schema), [
    ['Measures', 'Orders', ['Revenue', 'Orders Count', 'Turnover', 'Mean']],
    ['Dimensions', 'Orders', ['Country']],
  ])
})

t.test('a metric is listed with the fact of its measures; counts of tables without other measures are aside', async (t) => {
  const object = (name: string, join_targets: readonly string[] = []) => named(name, { code: 'x', columns: [], join_targets })
  const sum = (name: string, data_object: string) =>
    named(name, { result_type: 'int', aggregation: 'sum', columns: [{ data_object, column: 'A' }] })
  const count = (anchor: string) => named(`${anchor} Count`, { result_type: 'int', aggregation: 'count', columns: [], anchor })
  const ratio = (name: string, ...component_measures: string[]) => named(name, { type: 'derived', component_measures })
  const group = (name: string, data_object: string) => named(name, { result_type: 'string', data_object, time_grain: null })
  const objects = [object('Tags of Orders', ['Orders']), object('Customers'), object('Returns', ['Orders']), object('Orders')]
  const shop = {
    ...schema,
    data_objects: objects,
    dimensions: [group('City', 'Customers'), group('Status', 'Orders')],
    measures: [
      ...objects.map(({ name }) => count(name)),
      sum('Refund', 'Returns'),
      sum('Revenue', 'Orders'),
      sum('Cost', 'Orders'),
    ],
    metrics: [ratio('Of a Rate', 'Rate'), ratio('Rate', 'Revenue', 'Cost'), ratio('Return Rate', 'Refund', 'Revenue')],
  } as unknown as Schema
  t.same(listed(shop), [
    ['Measures', 'Orders', ['Orders Count', 'Revenue', 'Cost', 'Of a Rate', 'Rate']],
    ['Measures', 'Returns', ['Returns Count', 'Refund']],
    ['Measures', 'Over several facts', ['Return Rate']],
    ['Measures', 'Row counts', ['Tags of Orders Count', 'Customers Count']],
    ['Dimensions', 'Orders', ['Status']],
    ['Dimensions', 'Customers', ['City']],
  ])
  t.same(
    groupsOf(shop, fieldsOf(shop))
      .filter(({ isAside }) => isAside)
      .map(({ name }) => name),
    ['Row counts'],
  )
})

function listed(of: Schema) {
  return groupsOf(of, fieldsOf(of)).map(({ section, name, fields: inside }) => [section, name, inside.map((field) => field.name)])
}

t.test('a comparison of periods names its measure and its time', async (t) => {
  const period = (name: string, more: object) =>
    named(name, { type: 'period_over_period', component_measures: ['Revenue'], timeDimension: 'Day', ...more })
  const metrics = [
    period('Growth', { expression: '{[Revenue]}' }),
    period('Change', { measure: 'Mean' }),
    period('Of Both', { expression: '{[Revenue]} - {[Turnover]}' }),
    named('Mean', { type: 'derived', expression: '{[Revenue]}', component_measures: ['Revenue'] }),
  ]
  const found = fieldsOf({ ...schema, dimensions: [], measures: [], metrics } as unknown as Schema)
  t.same(
    found.map(({ compares, timeDimension }) => [compares, timeDimension]),
    [
      ['Revenue', 'Day'],
      ['Mean', 'Day'],
      [undefined, 'Day'],
      [undefined, undefined],
    ],
  )
})
