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
  t.same(found('2 revenue'), ['Mean'], 'all words, in any order')
  t.same(found('bought'), ['Country', 'Revenue', 'Orders Count', 'Turnover'])
})

t.test('fields are listed by object, metrics last', async (t) => {
  t.same(
    groupsOf(schema, fields).map(({ name, fields: inside }) => [name, inside.map((field) => field.name)]),
    [
      ['Orders', ['Country', 'Revenue', 'Orders Count', 'Turnover']],
      ['Metrics', ['Mean']],
    ],
  )
})

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
