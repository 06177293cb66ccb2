/** The times whose periods are reported with `fill_gaps: range`. */
import t from 'tap'
import { aggregateQuery } from '../../../test/support/bound.js'
import { BUDGETS, manyToOne, shop, shopWith } from '../../../test/support/models.js'
import { dateText } from './time.js'

const calendar = shopWith(BUDGETS)
function range(where: readonly object[], { measures = ['Sales'], dimensions = ['Day:month'], model = shop } = {}) {
  const { fill } = aggregateQuery({ select: { dimensions, measures }, fill_gaps: 'range', where }, model)
  const { from, to, named, attributes } = fill!.range!
  return [from === undefined ? '' : dateText(from), to === undefined ? '' : dateText(to), named.length, attributes.length]
}
const day = (op: string, value: unknown) => ({ field: 'Day', op, value })

t.test('those that the filters leave', async (t) => {
  t.same(range([]), ['', '', 0, 0])
  t.same(range([day('between', ['2025-01-10', '2025-03-10'])]), ['2025-01-10', '2025-03-11', 0, 0])
  t.same(range([day('>=', '2025-01-10'), { field: 'Region', op: 'set' }]), ['2025-01-10', '', 0, 0])
  t.throws(() => range([{ expression: "date_add('day', 1, {[Day]}) > DATE '2025-01-01'" }]), { code: 'TIME_FILTER_NOT_A_RANGE' })
})

t.test('where one field has no end, the periods reach the ends of the others', async (t) => {
  const ofAll = (more: object) => ({ aggregation: 'count', columns: [{ dataObject: 'Orders', column: 'Id' }], ...more })
  const blind = shopWith({ measures: { All: ofAll({ filterContext: { mode: 'FIXED' } }) } })
  function reached(where: readonly object[], measures: readonly string[] = ['Sales', 'All']) {
    const query = { select: { dimensions: ['Day:month'], measures }, fill_gaps: 'range', where }
    const { from, to, reached } = aggregateQuery(query, blind).fill!.range!
    t.same([from, to], measures.length > 1 ? [undefined, undefined] : [from, to])
    return [reached.from, reached.to].map((end) => (end === undefined ? '' : dateText(end)))
  }
  const january = day('between', ['2025-01-10', '2025-01-20'])
  t.same(reached([january]), ['2025-01-10', '2025-01-21'])
  t.same(reached([day('>=', '2025-01-10')]), ['2025-01-10', ''])
  t.same(reached([day('<', '2025-01-10')]), ['', '2025-01-10'])
  t.same(reached([day('!=', '2025-01-10')]), ['', ''], 'an end between two parts is none')
  t.same(reached([january], ['Sales']), ['', ''], 'its own ends need no reach')
})

t.test('where several fields have ends, the outermost count, in whatever order the fields are selected', async (t) => {
  const counted = (filterContext: object) => ({
    aggregation: 'count',
    columns: [{ dataObject: 'Orders', column: 'Id' }],
    filterContext,
  })
  const looking = shopWith({
    dimensions: { 'Same Day': { dataObject: 'Orders', column: 'Day' } },
    measures: { All: counted({ mode: 'FIXED' }), Some: counted({ mode: 'RELATIVE', exclude: ['Same Day'] }) },
  })
  const where = [day('>=', '2025-01-10'), { field: 'Same Day', op: '>=', value: '2025-02-01' }]
  for (const measures of [
    ['Sales', 'Some', 'All'],
    ['Some', 'Sales', 'All'],
  ]) {
    const { fill } = aggregateQuery({ select: { dimensions: ['Day:month'], measures }, fill_gaps: 'range', where }, looking)
    t.equal(dateText(fill!.range!.reached.from!), '2025-01-10')
  }
})

t.test('a generated calendar names them, or none', async (t) => {
  const generated = shopWith({
    dataObjects: {
      Dates: { calendar: {} },
      Orders: { joins: [manyToOne('Customers', 'Customer Id'), manyToOne('Dates', 'Day', { columnsTo: ['Date'] })] },
    },
    dimensions: { Year: { dataObject: 'Dates', column: 'Year Number' }, Month: { dataObject: 'Dates', column: 'Month Number' } },
  })
  const of = (...where: readonly object[]) => range(where, { model: generated })
  t.same(of({ field: 'Year', op: 'equals', value: 2025 }), ['2025-01-01', '2026-01-01', 0, 0])
  t.equal(of({ field: 'Year', op: 'equals', value: 0 })[0], '1970-01-01', 'a range without periods')
})

t.test('periods of a calendar table are named, and its attributes leave some', async (t) => {
  const of = (...where: readonly object[]) => range(where, { measures: ['Budget'], dimensions: ['Date:month'], model: calendar })
  t.same(of({ field: 'Year No', op: 'equals', value: 2025 }), ['', '', 1, 0])
  t.same(of({ field: 'Holiday', op: 'equals', value: true }), ['', '', 0, 1])
  t.throws(() => of({ field: 'Month No', op: 'equals', value: 3 }), { code: 'TIME_FILTER_NOT_A_RANGE' })
})

t.test('all fields must see the same periods', async (t) => {
  const blind = shopWith(BUDGETS, {
    measures: {
      All: {
        aggregation: 'sum',
        columns: [{ dataObject: 'Budgets', column: 'Amount' }],
        filterContext: { mode: 'RELATIVE', exclude: ['Year No'] },
      },
    },
  })
  const where = [{ field: 'Year No', op: 'equals', value: 2025 }]
  t.throws(
    () => range(where, { measures: ['Budget', 'All'], dimensions: ['Date:month'], model: blind }),
    /some of the selected fields look past it/,
  )
})
