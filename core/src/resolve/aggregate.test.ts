/** Measures and metrics by dimensions, at one level. */
import t from 'tap'
import { aggregateQuery, resolved } from '../../../test/support/bound.js'
import { shop, shopWith } from '../../../test/support/models.js'
import { said } from '../../../test/support/said.js'

const ask = (more: object = {}, model = shop) =>
  aggregateQuery({ select: { dimensions: ['Region'], measures: ['Sales', 'Net'] }, ...more }, model)

t.test('each field is a column of the answer', async (t) => {
  t.same(
    ask().outputs.map(({ name, role }) => [name, role]),
    [
      ['Region', 'dimension'],
      ['Sales', 'measure'],
      ['Net', 'metric'],
    ],
  )
  t.same(
    ask().aggregates.map(({ name }) => name),
    ['Sales', 'Returned'],
  )
})

t.test('conditions on values, also of fields that are not selected', async (t) => {
  const having = (...filters: readonly object[]) => said(ask({ having: filters }).having!)
  t.equal(having({ field: 'Units', op: '>', value: 1 }, { field: 'Region', op: 'set' }), '((Units > 1) and Region is not null)')
  t.equal(having({ expression: '{[Sales]} > {[Net]}' }), '(Sales > Net)')
  t.throws(() => having({ expression: '{[Sales]}' }), { code: 'INVALID_EXPRESSION' })
  t.throws(() => having({ field: 'Status', op: 'set' }), {
    code: 'UNKNOWN_FILTER_FIELD',
    details: { hint: 'move this filter to where' },
  })
  t.throws(() => having({ field: 'Sels', op: 'set' }), { code: 'UNKNOWN_FILTER_FIELD' })
})

t.test('a dimension is absent from the condition on totals that it does not group', async (t) => {
  const query = { select: { dimensions: ['Region'], measures: ['Sales'] }, having: [{ field: 'Region', op: 'set' }] }
  const found = resolved({ ...query, grouping: 'rollup' }, shop)
  const conditions = found.kind === 'grouped' ? found.levels.map(({ having }) => said(having!)) : []
  t.same(conditions, ['Region is not null', 'null::string is not null'])
})

t.test('what is no measure is refused', async (t) => {
  const select = (...measures: readonly string[]) => resolved({ select: { measures } }, shop)
  t.throws(() => select('Region'), /move it to select.dimensions/)
  t.throws(() => select('Sels'), { code: 'UNKNOWN_MEASURE' })
  t.throws(() => select('Sales', 'sales'), { code: 'INVALID_QUERY', path: 'select.measures[1]' })
})

t.test('the top values are in the order of their rank, with the others last', async (t) => {
  const top = { dimension: 'Region', by: 'Sales', n: 2, order: 'asc', others: 'Other' }
  t.same(
    ask({ top }).order.map(({ output, descending }) => [output, descending]),
    [
      ['Region is others', false],
      ['Sales', false],
      ['Region', false],
    ],
  )
  t.same(
    ask({ top, order_by: [{ field: 'Net' }] }).order.map(({ output }) => output),
    ['Net'],
  )
})

t.test('a time that is declared as another type is shown by the clocks of the query', async (t) => {
  const model = shopWith({
    dataObjects: { Orders: { columns: { At: { code: 'at', abstractType: 'timestamp_tz' } } } },
    measures: { First: { aggregation: 'min', columns: [{ dataObject: 'Orders', column: 'At' }], dataType: 'timestamp' } },
  })
  const [first] = aggregateQuery({ select: { measures: ['First'] }, timezone: 'Asia/Tokyo' }, model).outputs
  t.equal(said(first!.expression), "in_zone(First, 'Asia/Tokyo')")
})
