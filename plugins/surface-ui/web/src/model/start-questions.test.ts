import t from 'tap'
import type { Schema } from '../api/types.js'
import { startMeasure, startQuestions } from './start-questions.js'

const named = (name: string, more: object = {}) => ({ name, synonyms: [], ...more })
const dimension = (name: string, data_object: string, result_type: string, time_grain: string | null = null) =>
  named(name, { data_object, result_type, time_grain })
const measure = (name: string, data_object: string, aggregation: string, more: object = {}) =>
  named(name, { result_type: 'int', aggregation, columns: [{ data_object, column: 'A' }], ...more })
const schema = {
  data_objects: [
    named('Orders', { columns: [], join_targets: ['Customers'] }),
    named('Customers', { columns: [], join_targets: [] }),
  ],
  dimensions: [
    dimension('Customer Id', 'Customers', 'string'),
    dimension('Born', 'Customers', 'date'),
    dimension('Ordered', 'Orders', 'timestamp'),
    dimension('Quarter', 'Orders', 'date', 'quarter'),
    dimension('City', 'Customers', 'string'),
  ],
  measures: [
    measure('Mean', 'Orders', 'avg'),
    measure('Old', 'Orders', 'sum', { status: 'deprecated' }),
    measure('Revenue', 'Orders', 'sum'),
  ],
  metrics: [],
  segments: [],
} as unknown as Schema

const every = new Set(schema.dimensions.map(({ name }) => name))

t.test('the total of the main fact by month, and the largest groups', async (t) => {
  t.equal(startMeasure(schema), 'Revenue')
  t.same(startQuestions(schema, every), [
    { select: { dimensions: ['Ordered:month'], measures: ['Revenue'] }, order_by: [{ field: 1, direction: 'asc' }] },
    { select: { dimensions: ['City'], measures: ['Revenue'] }, order_by: [{ field: 'Revenue', direction: 'desc' }], limit: 10 },
    { select: { measures: ['Revenue'] } },
  ])
})

t.test('only groups that the measure has, a coarse time as it is, and a code where there is no name', async (t) => {
  const found = startQuestions(schema, new Set(['Quarter', 'Customer Id']))
  t.same(
    found.map(({ select }) => select.dimensions),
    [['Quarter'], ['Customer Id'], undefined],
  )
  t.same(startQuestions(schema, new Set()), [{ select: { measures: ['Revenue'] } }])
})

t.test('a model without measures has no questions', async (t) => {
  t.same(startQuestions({ ...schema, measures: [] }, every), [])
})
