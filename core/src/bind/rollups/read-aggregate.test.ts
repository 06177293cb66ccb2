/** An aggregate over the parts that a table holds of it. */
import t from 'tap'
import { shopWith } from '../../../../test/support/models.js'
import { asked, shownField, shownUnread, TABLES, tables } from '../../../../test/support/rollups.js'
import { builtInFunctions } from '../../model/functions/catalogue.js'
import type { ModelCondition, SemanticModel } from '../../model/semantic-model.js'
import { readAggregate } from './read-aggregate.js'
import { isUnread } from './unread.js'

function ask(measure: string, rollup = 'Daily', model: SemanticModel = tables): string {
  const { request, reading } = asked({ measures: [measure] }, rollup, {}, model)
  const read = readAggregate(request.aggregates[0]!, reading, builtInFunctions)
  if (isUnread(read)) return shownUnread(read)
  const { aggregation, inputs, distinct } = read.measure
  const filters = read.filters.map(shownFilter).join(' and ')
  return `${aggregation}(${distinct ? 'distinct ' : ''}${inputs.map(shownField).join(', ')})${filters && ` where ${filters}`}`
}
const shownFilter = (filter: ModelCondition): string =>
  filter.kind === 'leaf'
    ? `${filter.column.column.replace('\u0000', '#')} ${filter.operator} ${filter.values.join()}`
    : filter.kind

t.test('values are aggregated again', async (t) => {
  t.equal(ask('Sales'), 'sum(#sales)')
  t.equal(ask('Largest'), 'max(#largest)')
  t.equal(ask('Amounts'), 'total_count(#average_sale_count)', 'counts are added; the average has the same one')
})

t.test('rows are counted by their number', async (t) => {
  t.equal(ask('Order Count'), 'total_count(#row_count)')
})

t.test('an average is that of a sum and a count, each held once', async (t) => {
  t.equal(ask('Average Sale'), 'total_avg(#sales, #average_sale_count)')
})

t.test('an average is read where that of an engine is this quotient', async (t) => {
  const { request, reading } = asked({ measures: ['Average Sale'] })
  const read = readAggregate(request.aggregates[0]!, { ...reading, hasQuotients: false }, builtInFunctions)
  t.equal(shownUnread(read), 'NOT_ADDITIVE Average Sale')
})

t.test('things are counted by the dimension that they are', async (t) => {
  t.equal(ask('Buyers'), 'count_distinct(Customer Id)')
  t.equal(ask('Payers'), 'NOT_ADDITIVE Payers')
})

t.test('of no parts', async (t) => {
  t.equal(ask('Median Sale'), 'NOT_ADDITIVE Median Sale')
  t.equal(ask('Order Count', 'Weekly'), 'total_count(#row_count)', 'which every table has')
  t.equal(ask('Largest', 'Weekly'), 'NOT_ADDITIVE Largest')
})

t.test('filters: those of a part, and others that dimensions answer', async (t) => {
  t.equal(ask('Paid Sales'), 'sum(#paid_sales) where #row_count_2 neq 0')
  t.equal(ask('Paid Sales', 'Weekly'), 'sum(#sales) where Status eq paid')
  t.equal(ask('Open Sales'), 'sum(#sales) where Status eq open')
  t.equal(ask('Large Sales'), 'DIMENSION_MISSING Orders.Payer Id')
  t.equal(ask('Paid Orders'), 'total_count(#row_count_2) where #row_count_2 neq 0', 'the number of these rows')
})

t.test('the part with the most filters comes first', async (t) => {
  const two = {
    measures: {
      'Paid and Large': {
        aggregation: 'sum',
        columns: [{ dataObject: 'Orders', column: 'Amount' }],
        filters: [
          { field: 'Orders.Status', op: 'equals', value: 'paid' },
          { field: 'Orders.Payer Id', op: 'gt', value: 3 },
        ],
      },
    },
    rollups: { Daily: { measures: ['Sales', 'Paid Sales', 'Paid and Large'] } },
  }
  const model = shopWith(TABLES, two)
  t.equal(ask('Paid and Large', 'Daily', model), 'sum(#paid_and_large) where #row_count_3 neq 0')
  t.equal(ask('Paid Sales', 'Daily', model), 'sum(#paid_sales) where #row_count_2 neq 0')
  t.equal(ask('Paid and Large', 'Daily', shopWith(TABLES, two, { rollups: TABLES.rollups })), 'DIMENSION_MISSING Orders.Payer Id')
})

t.test('what only converts is of single rows', async (t) => {
  const { request, reading } = asked({})
  const [aggregate] = request.aggregates
  t.match(readAggregate({ ...aggregate!, converts: {} as never }, reading, builtInFunctions), { reason: 'NOT_ADDITIVE' })
})
