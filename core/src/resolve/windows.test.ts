/** Window metrics over the rows of the answer. */
import t from 'tap'
import { alongOf, metricOf } from '../../../test/support/bound.js'
import { shopWith } from '../../../test/support/models.js'
import { said } from '../../../test/support/said.js'
import { INT } from '../model/data-type.js'
import { relationColumn } from './relation-column.js'
import { ascending } from './resolved-query.js'
import { windowOf } from './windows.js'

const window = (windowFunction: string, more: object = {}) => ({ type: 'window', windowFunction, measure: 'Sales', ...more })
const model = shopWith({
  metrics: {
    Rank: window('rank', { partitionBy: ['Region'] }),
    Rows: window('row_number'),
    Quarters: window('ntile', { buckets: 4 }),
    Before: window('lag', { timeDimension: 'Day', offset: 2, defaultValue: 0 }),
    First: window('first_value', { timeDimension: 'Day', orderDirection: 'desc' }),
  },
})
const field = {
  name: 'Sales',
  expression: relationColumn('', 'Sales', INT),
  type: INT,
  displayAs: undefined,
  format: undefined,
  role: 'measure',
} as const
function step(name: string, dimensions: readonly string[] = ['Region', 'Day']) {
  const keysOf = (d: { readonly name: string }) => [ascending(relationColumn('', d.name, INT), INT)]
  const { args, orderBy, partitionBy, type } = windowOf(metricOf('window', name, model), field, {
    ...alongOf({ select: { dimensions, measures: ['Sales'] } }, model),
    keysOf,
  })
  return [
    type.kind,
    args.map(said),
    partitionBy.map(said),
    orderBy.map(({ expression, descending }) => `${said(expression)}${descending ? ' desc' : ''}`),
  ]
}

t.test('ranks are ordered by the value, the greatest first, and ties stay ties', async (t) => {
  t.same(step('Rank'), ['int', [], ['Region'], ['Sales desc']])
  t.same(step('Rows'), ['int', [], [], ['Sales desc', 'Region', 'Day']], 'numbers of rows do not depend on the order of ties')
  t.same(step('Quarters')[1], ['4'])
})

t.test('other rows are ordered by the time', async (t) => {
  t.same(step('Before'), ['int', ['Sales', '2', '0'], [], ['Day', 'Region']])
  t.same(step('First'), ['int', ['Sales'], [], ['Day desc', 'Region']])
  t.throws(() => step('Before', ['Region']), { code: 'TIME_DIMENSION_NOT_SELECTED' })
})
