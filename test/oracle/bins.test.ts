/** Bins with hand-computed values. */
import t from 'tap'
import { ask, by, modelWith } from './asking.js'
import { data as base } from './head-to-head.js'
import type { BinsJson, DimensionJson, Tables } from './model.js'

const of = (dataObject: string, column: string, bins: BinsJson): DimensionJson => ({ dataObject, column, bins })
const model = modelWith(
  {},
  {},
  {
    pairs: of('Items', 'qty', { size: 2 }),
    halves: of('Items', 'qty', { size: 1.5 }),
    band: of('Items', 'qty', { edges: [2, 4] }),
    word: of('Items', 'qty', { edges: [2, 4], labels: ['few', 'some', 'many'] }),
    price: of('Orders', 'amount', { size: 150 }),
    euro: of('Customers', 'credit', { size: 1 }),
    cents: of('Customers', 'credit', { size: 0.05 }),
  },
)

t.test('a width gives the greatest multiple that does not exceed the value', async (t) => {
  t.same(ask(by(['pairs'], ['qty']), model), ['0 5', '2 5', '4 4'])
  t.same(ask(by(['halves'], ['qty']), model), ['0.0 5', '1.5 2', '3.0 7'])
  t.same(ask(by(['price'], ['amount']), model), ['0 158.30', '150 200.20', '300 700.70'])
})

t.test('that is exact, and below the value for negative numbers too', async (t) => {
  const data: Tables = {
    ...base,
    Customers: ['-0.10', '-1.00', '0.30', null].map((credit, i) => ({ id: i + 1, region: null, credit })),
  }
  t.same(ask(by(['euro'], ['Customers Count']), model, data), ['-1 2', '0 1', 'NULL 1'])
  t.same(ask(by(['cents'], ['Customers Count']), model, data), ['-1.00 1', '-0.10 1', '0.30 1', 'NULL 1'])
})

t.test('edges give texts, or the labels of the model', async (t) => {
  t.same(ask(by(['band'], ['qty']), model), ['"< 2" 5', '"2 to < 4" 5', '">= 4" 4'])
  t.same(ask(by(['word'], ['qty']), model), ['"few" 5', '"some" 5', '"many" 4'])
})

t.test('a missing row is in no bin', async (t) => {
  t.same(ask(by(['pairs'], ['amount']), model), ['0 651.10', '2 100.10', '4 400.40', 'NULL 7.70'])
})

t.test('filters compare the bin', async (t) => {
  t.same(ask({ ...by([], ['qty']), where: [{ field: 'word', op: 'in', value: ['few', 'many'] }] }, model), ['9'])
  t.same(ask({ ...by([], ['qty']), where: [{ field: 'pairs', op: 'eq', value: 2 }] }, model), ['5'])
})

t.test('rows are sorted by the positions of bins, not by their names', async (t) => {
  t.same(ask(by(['band'], ['qty'], { order_by: [{ field: 'band' }] }), model), ['"< 2" 5', '"2 to < 4" 5', '">= 4" 4'])
  t.same(ask(by(['word'], ['qty'], { order_by: [{ field: 1, direction: 'desc' }] }), model), ['"many" 4', '"some" 5', '"few" 5'])
})
