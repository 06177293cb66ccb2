/** First and last rows with hand-computed values. */
import t from 'tap'
import { ask, by, modelWith } from './asking.js'
import { model as base } from './head-to-head.js'
import type { ColumnAddress, MeasureJson, ModelJson } from './model.js'

const orders = (column: string): ColumnAddress => ({ dataObject: 'Orders', column })
const pick = (aggregation: string, order?: ColumnAddress, direction?: string, column = orders('amount')): MeasureJson => ({
  aggregation,
  columns: [column],
  ...(order && { orderBy: [{ column: order, ...(direction !== undefined && { order: direction }) }] }),
})
const region = { dataObject: 'Customers', column: 'region' }
const measures = {
  first: pick('first', orders('ordered_at')),
  last: pick('last', orders('ordered_at')),
  'first down': pick('first', orders('amount'), 'desc'),
  'first by region': pick('first', region),
  'last by region': pick('last', region),
  'last by region down': pick('last', region, 'DESC'),
  'first of all': pick('first'),
  'last of all': pick('last'),
  'last region': pick('last', orders('ordered_at'), undefined, region),
  'first by status': pick('first', orders('status')),
  'last by status': pick('last', orders('status')),
}
const model = modelWith(measures)

t.test('the value of the input in the first or last row of an order', async (t) => {
  t.same(ask(by(['region'], ['first', 'last', 'first down']), model), [
    '"EU" 100.10 300.30 300.30',
    '"US" 400.40 400.40 400.40',
    'NULL 50.50 7.70 50.50',
  ])
})

t.test(
  'rows without a value to order by are left out; the key breaks ties, ascending even if the order is descending',
  async (t) => {
    t.same(ask(by([], ['first by region', 'last by region', 'last by region down']), model), ['100.10 400.40 300.30'])
  },
)

t.test('rows without an input are left out', async (t) => {
  t.same(ask(by([], ['last region']), model), ['"US"'], 'the customers of later orders have none')
  t.same(ask({ ...by([], ['last']), where: [{ field: 'status', op: 'eq', value: 'lost' }] }, model), ['NULL'])
})

t.test('without an order only the key decides', async (t) => {
  t.same(ask(by([], ['first of all', 'last of all']), model), ['100.10 7.70'])
})

t.test('without a key, ties take the smallest or the greatest input; without key and order the query is refused', async (t) => {
  const { id: _, ...columns } = base.dataObjects['Orders']!.columns
  const Orders = { ...base.dataObjects['Orders']!, columns: { id: { code: 'id', abstractType: 'int' }, ...columns } }
  const keyless: ModelJson = { ...model, dataObjects: { ...model.dataObjects, Orders } }
  t.same(ask(by([], ['first by status', 'last by status']), keyless), ['50.50 400.40'])
  t.equal(ask(by([], ['first of all']), keyless), 'INVALID_AGGREGATION_INPUTS')
})

t.test('over a bridge each row is in each group once', async (t) => {
  t.same(ask(by(['product'], ['last']), model), ['"chair" 400.40', '"lamp" 50.50', 'NULL 7.70'])
})
