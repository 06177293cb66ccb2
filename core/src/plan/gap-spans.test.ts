/** The periods between two ends: those of the rows, of each tuple, or of a range of times. */
import t from 'tap'
import { boundAggregate } from '../../../test/support/bound.js'
import { CALENDARS, manyToOne, shopWith, toDays } from '../../../test/support/models.js'
import { nodesIn, own, scan, shared } from '../../../test/support/plans.js'
import { said } from '../../../test/support/said.js'
import { counted, crossed, placesOf, type Spans, spansOf } from './gap-spans.js'

const model = shopWith(CALENDARS, {
  dataObjects: {
    Orders: {
      columns: { At: { code: 'at', abstractType: 'timestamp' } },
      joins: [
        manyToOne('Customers', 'Customer Id'),
        toDays('Calendar', 'Day'),
        { ...toDays('Calendar', 'Day', 'At'), secondary: true, pathName: 'at' },
      ],
    },
  },
  dimensions: {
    At: { dataObject: 'Orders', column: 'At' },
    Date: { dataObject: 'Calendar', column: 'Day' },
  },
})
const found = shared(scan('orders'), [own('Day')], 'found_rows')

function fillOf(dimensions: readonly string[], more: object = { fill_gaps: true }) {
  const { fill, dimensions: all } = boundAggregate({ select: { dimensions, measures: ['Sales'] }, ...more }, model)
  if (!fill) throw new Error('no gaps are filled')
  return { fill, tuple: all.filter(({ name }) => name !== fill.time.name) }
}
function spans(dimensions: readonly string[], more?: object, ofTuple = false): Spans {
  const { fill, tuple } = fillOf(dimensions, more)
  return spansOf(found, fill, ofTuple ? tuple : [])
}
const range = (...where: readonly (readonly [op: string, value: unknown, field?: string])[]) => ({
  fill_gaps: 'range',
  where: where.map(([op, value, field = 'Day']) => ({ field, op, value })),
})
const columns = ({ rows }: Spans): readonly string[] | undefined =>
  rows?.columns.map(({ name, expression }) => `${name} = ${said(expression).replaceAll(' 00:00:00', '')}`)
const ends = ({ rows }: Spans) =>
  rows &&
  nodesIn(rows, 'aggregate').map(({ keys, aggregates }) => [
    ...keys.map(({ name }) => name),
    ...aggregates.map(({ name, aggregate, args }) => `${name} = ${aggregate}(${args.map(said).join()})`),
  ])

t.test('of the rows, the periods are between their first and their last', async (t) => {
  const months = spans(['Day:month'])
  t.same(ends(months), [['first = min(Day:month)', 'last = max(Day:month)']])
  t.same(columns(months), ['first = first', "later = date_diff('month', first, last)"])
  t.equal(said(months.first.expression), 'spans.first')
  t.equal(said(months.later), 'spans.later')
  t.equal(months.begun, undefined)
  t.equal(months.digits, 6)
})

t.test('of each tuple, they are between those of its own rows', async (t) => {
  const { rows, tuple } = spans(['Day:month', 'Region'], undefined, true)
  t.same(
    tuple.map(({ name }) => name),
    ['Region'],
  )
  t.same(ends({ rows } as Spans), [['Region', 'first = min(Day:month)', 'last = max(Day:month)']])
  t.same(columns({ rows } as Spans)?.[0], 'Region = Region')
})

t.test('of a range that has both ends, they are known before the query runs', async (t) => {
  const known = spans(['Day:month'], range(['between', ['2024-01-15', '2024-12-31']]))
  t.equal(known.rows, undefined)
  t.equal(said(known.first.expression), "'2024-01-01'")
  t.same([said(known.later), known.digits], ['11', 2], 'eleven months follow')
  t.same([said(spans(['Day:month'], range(['between', ['2024-01-15', '2024-01-31']])).later)], ['0'])
  const empty = spans(['Day:month'], range(['gte', '2024-05-01'], ['lt', '2024-03-01']))
  t.same([said(empty.later), empty.digits], ['-1', 1], 'no period is in it')
})

t.test('of a range with one end, the other is that of the rows', async (t) => {
  t.same(columns(spans(['Day:month'], range(['gte', '2024-01-15']))), [
    "first = '2024-01-01'",
    "later = date_diff('month', '2024-01-01', last)",
  ])
  t.same(columns(spans(['Day:month'], range(['lt', '2024-03-01']))), [
    'first = first',
    "later = date_diff('month', first, '2024-02-01')",
  ])
})

t.test('where one measure has no end, they reach the ends of the others', async (t) => {
  const all = { aggregation: 'count', columns: [{ dataObject: 'Orders', column: 'Id' }], filterContext: { mode: 'FIXED' } }
  const query = { select: { dimensions: ['Day:month'], measures: ['Sales', 'All'] }, ...range(['gte', '2024-01-15']) }
  const { fill } = boundAggregate(query, shopWith({ measures: { All: all } }))
  t.same(columns(spansOf(found, fill!, [])), [
    "first = case (first < '2024-01-01'): first, else '2024-01-01'",
    "later = date_diff('month', case (first < '2024-01-01'): first, else '2024-01-01', last)",
  ])
})

t.test('of named periods of a calendar, they are between its days', async (t) => {
  const named = spans(['Date:month'], range(['equals', 2024, 'Year']))
  t.same(ends(named), [['first = min(day)', 'last = max(day)']])
  t.same(columns(named), [
    "first = date_trunc('month', first)",
    "later = date_diff('month', date_trunc('month', first), date_trunc('month', last))",
  ])
  const [days] = nodesIn(named.rows!, 'distinct')
  t.same(
    days?.columns.map(({ name }) => name),
    ['day'],
  )
  const kept = (more: object) => nodesIn(spans(['Date:month'], more).rows!, 'filter').map(({ condition }) => said(condition))
  t.same(kept(range(['equals', 2024, 'Year'])), ['(Calendar.year_no = 2024)'])
  const within = kept(range(['equals', 2024, 'Year'], ['between', ['2024-02-10', '2024-05-20'], 'Date']))
  t.match(within.join(), "(Calendar.day >= '2024-02-10')")
  t.match(within.join(), "(Calendar.day <= '2024-05-20')")
})

t.test('more periods than are generated at once are generated in parts', async (t) => {
  const hours = spans(['At:hour'])
  t.same(columns(hours), ['first = spans.first', 'later = spans.later', 'begun = n_10000000'])
  t.same(
    [said(hours.begun!), said(hours.first.expression), said(hours.later), hours.digits],
    ['parts.begun', 'parts.first', 'parts.later', 7],
  )
  t.same(
    nodesIn(hours.rows!, 'filter').map(({ condition }) => said(condition)),
    ['(n_10000000 <= spans.later)'],
  )
  t.equal(columns(spans(['At:hour', 'Region'], undefined, true))?.[0], 'Region = spans.Region')
  t.equal(spans(['Day:day']).begun, undefined, 'all days are')
})

t.test('numbers are generated digit by digit, from the highest place on', async (t) => {
  const months = spans(['Day:month'])
  t.same(placesOf({ ...months, digits: 3 }), [100, 10, 1])
  const { numbers, conditions, count } = counted(months, [10, 1], [])
  t.same(numbers.names, ['n_10', 'n'])
  t.same(
    conditions.map((one) => said(one)),
    ['(n_10 <= spans.later)', '(n <= spans.later)'],
    'no number exceeds the last',
  )
  t.equal(said(count), 'n')
  const part = counted(spans(['At:hour']), [1], [])
  t.equal(said(part.count), '(parts.begun + n)')
  const [region] = fillOf(['Day:month', 'Region']).tuple
  t.same(counted(months, [1], [{ ...region!, name: 'n' }]).numbers.names, ['n_2'], 'a dimension has the name')
})

t.test('each span is combined with each number', async (t) => {
  const months = spans(['Day:month'])
  const { numbers } = counted(months, [1], [])
  t.match(crossed(months.rows, numbers), { kind: 'join', type: 'cross', left: months.rows, right: numbers })
  t.equal(crossed(undefined, numbers), numbers, 'a known span has no rows')
})
