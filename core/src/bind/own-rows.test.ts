/** Which rows of an answer a window sees: those of its measure, whatever else the query selects. */
import t from 'tap'
import { bound, boundAggregate } from '../../../test/support/bound.js'
import { CALENDARS, manyToOne, shopWith, toDays } from '../../../test/support/models.js'
import { said, saidStep } from '../../../test/support/said.js'
import type { SemanticModel } from '../model/semantic-model.js'
import type { BoundAggregate } from './bound-block.js'
import type { BoundAggregateQuery } from './bound-query.js'

const rank = (measure: string) => ({ type: 'window', windowFunction: 'rank', measure })
const lastMonth = (measure: string) => ({
  type: 'period_over_period',
  measure,
  periodOverPeriod: { timeDimension: 'Day', offset: -1, offsetGrain: 'month', comparison: 'previousValue' },
})
const amount = { aggregation: 'sum', columns: [{ dataObject: 'Orders', column: 'Amount' }] }
const returned = { aggregation: 'sum', columns: [{ dataObject: 'Returns', column: 'Amount' }] }
const balance = { ...amount, semiAdditive: { timeDimension: 'Day', take: 'last' } }
const mean = { type: 'aggregate', measure: 'Sales', aggregation: 'avg', per: ['Customer'] }
const model = shopWith({
  measures: {
    Unpaid: { ...amount, filters: [{ field: 'Orders.Status', op: 'equals', value: 'open' }] },
    Kept: { aggregation: 'sum', expression: '{[Orders].[Amount]} - {[Returns].[Amount]}', anchor: 'Customers' },
    Balance: balance,
    'Returned of Region': { ...returned, grain: { mode: 'FIXED', include: ['Region'] } },
  },
  metrics: {
    'Net of Paid': { expression: '{[Paid Sales]} - {[Unpaid]}' },
    Mean: mean,
    'Mean Before': lastMonth('Mean'),
    'Balance Before': lastMonth('Balance'),
    'Mean and Sales': { expression: '{[Mean]} + {[Sales]}' },
    R: rank('Sales'),
    'R of Paid': rank('Paid Sales'),
    'R of Both': rank('Net of Paid'),
    'R of Region': rank('Sales of Region'),
    'R of Returned': rank('Returned'),
    'R of Net': rank('Net'),
    'R of Mean': rank('Mean'),
    'R of Mean and Sales': rank('Mean and Sales'),
    'R of Balance': rank('Balance'),
    'R of Kept': rank('Kept'),
    'R Before': rank('Sales Last Month'),
    'R of Paid Before': rank('Paid Sales Last Month'),
    'R of Mean Before': rank('Mean Before'),
    'R of Balance Before': rank('Balance Before'),
  },
})

const rowsOf = (dimensions: readonly string[], measures: readonly string[], more: object = {}, of: SemanticModel = model) =>
  boundAggregate({ select: { dimensions, measures }, ...more }, of)

/** The steps of the windows. */
const seen = (...asked: Parameters<typeof rowsOf>): readonly string[] =>
  rowsOf(...asked)
    .steps.filter(({ name }) => /^R( |$)/.test(name))
    .map(saidStep)

/** The columns that show where a value has a row, by the block or the inner query that provides them. */
function marks({ legs, lookups, nested }: BoundAggregateQuery): readonly string[] {
  const shown = ({ name, filter }: BoundAggregate): string => `${name}${filter ? ` where ${said(filter)}` : ''}`
  const of = (aggregates: readonly BoundAggregate[]): string =>
    aggregates
      .filter(({ aggregate, args }) => aggregate === 'max' && args.every((one) => one.expression.kind === 'literal'))
      .map(shown)
      .join(', ')
  return [
    ...legs.map(({ block, contributesRows }) => `${block.base}${contributesRows ? '' : ' (no rows)'}: ${of(block.aggregates)}`),
    ...lookups.map(({ block }) => `${block.base} before: ${of(block.aggregates)}`),
    ...nested.map(({ name, mark }) => `${name}: ${mark?.name ?? ''}`),
  ].filter((text) => !text.endsWith(': '))
}

t.test('a window that sees every row of the answer stays as it is', async (t) => {
  const whole: readonly (readonly [string[], string[], object?])[] = [
    [[], ['R']],
    [[], ['R', 'Returned']],
    [['Region'], ['R']],
    [['Region'], ['R', 'Paid Sales']],
    [['Region', 'Customer'], ['R of Region']],
    [['Region'], ['R of Net']],
    [['Region'], ['R of Both']],
    [['Region'], ['R of Mean']],
    [['Region'], ['R of Mean and Sales']],
    [
      ['Day:month', 'Region'],
      ['R Before', 'Sales'],
    ],
    [
      ['Day:month', 'Region'],
      ['R of Mean Before', 'Mean'],
    ],
    [['Day:month', 'Region'], ['R'], { fill_gaps: true }],
  ]
  for (const [dimensions, measures, more] of whole) {
    const rows = rowsOf(dimensions, measures, more)
    t.match(
      seen(dimensions, measures, more).filter((step) => !step.endsWith(' = rank()')),
      [],
      measures.join(),
    )
    t.equal(seen(dimensions, measures, more).length, 1, measures.join())
    t.same(marks(rows), [])
    t.notOk(rows.values.some(({ name }) => name.includes('(rows)')))
  }
  t.same(marks(rowsOf(['Region'], ['Sales', 'Returned'])), [], 'without a window nothing is marked')
})

t.test('of what is shown, only rows that the measure has among these are ranked', async (t) => {
  const own = 'R = rank() per Orders (rows) where Orders (rows) is not null'
  const query = { select: { dimensions: ['Region'], measures: ['R'] }, grouping: { sets: 'rollup', of: 'shown' } }
  const { rows } = bound(query, model)
  if (rows.kind !== 'grouped') return t.fail(rows.kind)
  t.same(
    rows.levels.map(({ steps }) => steps.map(saidStep)),
    [[own], ['R = rank()']],
  )
})

t.test('rows of other facts are not ranked', async (t) => {
  const own = 'R = rank() per Orders (rows) where Orders (rows) is not null'
  t.same(seen(['Region'], ['R', 'Returned']), [own])
  t.same(marks(rowsOf(['Region'], ['R', 'Returned'])), ['Orders: Orders (rows)'])
  t.same(
    rowsOf(['Region'], ['R', 'Returned']).values.map(({ name }) => name),
    ['Sales', 'Returned', 'Orders (rows)'],
  )
  t.match(rowsOf(['Region'], ['R', 'Returned']).legs[0]?.block.values.at(-1), { name: 'Orders (rows)', emptyIsZero: false })
  t.same(seen(['Region'], ['R', 'Mean']), [own], 'of an inner query')
  t.same(seen(['Day:month', 'Region'], ['R', 'Paid Sales Last Month']), [own], 'that are only at another period')
  t.same(seen(['Day:month', 'Region'], ['R', 'Mean Before']), [own], 'of an inner query at another period')
})

t.test('rows that a filter of the measure drops are not ranked beside a measure that has them', async (t) => {
  const own = 'R of Paid = rank() per Paid Sales (rows) where Paid Sales (rows) is not null'
  const paid = "Paid Sales (rows) where (Orders.status = 'paid')"
  t.same(seen(['Region'], ['R of Paid', 'Sales']), [own])
  t.same(marks(rowsOf(['Region'], ['R of Paid', 'Sales'])), [`Orders: ${paid}`])
  t.same(marks(rowsOf(['Region'], ['R of Paid', 'R', 'Returned'])), [`Orders: ${paid}, Orders (rows)`])
  t.same(marks(rowsOf(['Region'], ['R of Both', 'Sales'])), [
    "Orders: Paid Sales, Unpaid (rows) where ((Orders.status = 'paid') or (Orders.status = 'open'))",
  ])
  t.same(marks(rowsOf(['Region'], ['R of Both', 'Returned'])), ['Orders: Orders (rows)'], 'all rows of the block are theirs')
})

t.test('windows of the same rows share a mark', async (t) => {
  const measures = ['Sales', 'Order Count', 'Sales of Region', 'Mean', 'Balance', 'Balance Before']
  const ranks = Object.fromEntries(
    measures.flatMap((of) => [[`R of ${of}`, rank(of)] as const, [`R too of ${of}`, rank(of)] as const]),
  )
  const twice = shopWith({
    measures: { Balance: balance },
    metrics: { Mean: mean, 'Balance Before': lastMonth('Balance'), ...ranks },
  })
  const marked = (dimensions: readonly string[], of: readonly string[], other = 'Customer Count') =>
    marks(rowsOf(dimensions, [...of.flatMap((one) => [`R of ${one}`, `R too of ${one}`]), other], {}, twice))
  t.same(marked(['Region'], ['Sales', 'Order Count']), ['Orders: Orders (rows)'])
  t.same(marked(['Region', 'Customer'], ['Sales of Region']), ['Orders: Orders (rows)'])
  t.same(marked(['Region'], ['Mean']), ['Mean (found): Mean (found) (rows)'])
  t.same(marked(['Region', 'Day:month'], ['Balance Before'], 'Units'), [
    'Orders (no rows): Orders (rows)',
    'Orders before: Orders (rows)_2',
  ])
})

t.test('a row of one of several facts is a row of a metric over them', async (t) => {
  const either = 'coalesce(Orders (rows), Returns (rows))'
  t.same(seen(['Region'], ['R of Net', 'Customer Count']), [`R of Net = rank() per ${either} where ${either} is not null`])
  const found = 'coalesce(Orders (rows), Mean (found) (rows))'
  t.same(seen(['Region'], ['R of Mean and Sales', 'Returned']), [
    `R of Mean and Sales = rank() per ${found} where ${found} is not null`,
  ])
  t.same(marks(rowsOf(['Region'], ['R of Mean and Sales', 'Returned'])), [
    'Orders: Orders (rows)',
    'Mean (found): Mean (found) (rows)',
  ])
})

t.test('a coarser value has the rows of its tuples, which a window adds unless they are there', async (t) => {
  t.same(marks(rowsOf(['Region', 'Customer'], ['R of Region', 'Customer Count'])), ['Orders: Orders (rows)'])
  const ordered = rowsOf(['Region', 'Customer'], ['Customer Count'], { order_by: [{ field: 'R of Region' }] })
  t.same(marks(ordered), ['Orders (no rows): Orders (rows)'])
  t.same(marks(rowsOf(['Region', 'Customer'], ['R of Region', 'Sales'])), ['Orders (no rows): Orders (rows)'])
  const [first, ...others] = seen(['Region', 'Customer'], ['R of Region', 'Returned of Region'])
  t.equal(first, 'R of Region = rank() per Orders (rows) where Orders (rows) is not null', 'beside another coarse value')
  t.same(others, [])
  t.same(
    marks(rowsOf(['Region', 'Customer'], ['R of Region', 'Returned of Region'])),
    ['Orders: Orders (rows)'],
    'which are there',
  )
})

t.test('a balance has the rows of its tuples, because it is aggregated twice', async (t) => {
  t.same(marks(rowsOf(['Region'], ['R of Balance', 'Returned'])), ['Orders (no rows): Orders (rows)'])
  t.same(marks(rowsOf(['Region', 'Day:month'], ['R of Balance Before', 'Units'])), [
    'Orders (no rows): Orders (rows)',
    'Orders before: Orders (rows)_2',
  ])
})

t.test('a value of the month before has a row where it had one, in the months of its measure', async (t) => {
  t.same(seen(['Day:month', 'Region'], ['R Before', 'Units']), [
    'R Before (time) = max(Orders (rows)) per Day:month',
    'R Before (compared rows) = case (Orders (rows) is not null or (Orders (rows)_2 is not null and R Before (time) is not null)): 1',
    'R Before = rank() per R Before (compared rows) where R Before (compared rows) is not null',
  ])
  t.same(marks(rowsOf(['Day:month', 'Region'], ['R Before', 'Units'])), [
    'Orders: Orders (rows)',
    'Orders before: Orders (rows)_2',
  ])
  t.match(seen(['Day:month', 'Region'], ['R of Mean Before', 'Units'])[1], /Mean \(-1 month, found\) \(rows\) is not null/)
  t.match(seen(['Day:month', 'Region'], ['R of Paid Before', 'Sales'])[0], /max\(Paid Sales \(rows\)\) per Day:month$/)
})

t.test('a window whose measure has no end sees as far as the measures below it that have one', async (t) => {
  const all = { ...amount, filterContext: { mode: 'FIXED' } }
  const of = shopWith({ measures: { All: all }, metrics: { Share: { expression: '{[Sales]} / {[All]}' }, R: rank('Share') } })
  const steps = (measures: readonly string[], op: string, day: string) =>
    seen(['Day:month'], measures, { fill_gaps: 'range', where: [{ field: 'Day', op, value: day }] }, of).join('\n')
  t.equal(steps(['R'], '>=', '2025-01-10'), 'R = rank()', 'of the same gaps as the answer')
  const since = steps(['R', 'Units'], '>=', '2025-01-10')
  t.match(since, "Day:month >= case (R (first period) < '2025-01-01'): R (first period), else '2025-01-01'")
  t.match(since, 'Day:month <= R (last period))')
  t.match(steps(['R', 'Units'], '<', '2025-02-01'), 'Day:month <= case (R (last period) > ')
})

t.test('with gaps, a window also sees the periods that would be added for its measure', async (t) => {
  const own = 'Orders (rows) is not null'
  const between = '((Day:month >= R (first period)) and (Day:month <= R (last period)))'
  const ends = [
    `R (first period) = min(case ${own}: Day:month)`,
    `R (last period) = max(case ${own}: Day:month)`,
    `R (rows) = case (${own} or (${between} and R (tuple) is not null)): 1`,
    'R = rank() per R (rows) where R (rows) is not null',
  ]
  const fill = { fill_gaps: true }
  t.same(seen(['Day:month', 'Region'], ['R', 'Units'], fill), ['R (tuple) = max(Orders (rows)) per Region', ...ends])
  t.same(seen(['Day:month'], ['R', 'Units'], fill), ['R (tuple) = max(Orders (rows))', ...ends])
  t.notMatch(seen(['Day:week', 'Region'], ['R', 'Units'], fill).join(), /R \(period\)/, 'a week alone is in no month')
  t.notMatch(seen(['Day:day', 'Day:month'], ['R', 'Units'], fill).join(), /R \(period\)/, 'a day is in one month')
})

t.test('a week in two months is added in that of its first day, if it is in none', async (t) => {
  const steps = seen(['Day:week', 'Day:month', 'Region'], ['R', 'Units'], { fill_gaps: true })
  t.equal(steps[1], 'R (period) = max(Orders (rows)) per Day:week, Region')
  t.match(steps.at(-2), "R (period) is null) and (Day:month = date_trunc('month', Day:week))")
})

t.test('of a range, the periods are those of the filters', async (t) => {
  const more = { fill_gaps: 'range', where: [{ field: 'Day', op: 'between', value: ['2024-01-15', '2024-03-31'] }] }
  const between = "((Day:month >= '2024-01-01') and (Day:month <= '2024-03-01'))"
  t.equal(seen(['Day:month'], ['R', 'Units'], more).at(-2), `R (rows) = case (Orders (rows) is not null or ${between}): 1`)
  t.match(seen(['Day:month', 'Region'], ['R', 'Units'], more).at(-2), `(${between} and R (tuple) is not null)`)
  const compared = `case (Orders (rows) is not null or (Orders (rows)_2 is not null and ${between})): 1`
  t.equal(seen(['Day:month', 'Region'], ['R Before', 'Units'], more)[0], `R Before (compared rows) = ${compared}`)
})

t.test('the days that a calendar names are the ends of all periods', async (t) => {
  const named = shopWith(CALENDARS, {
    dataObjects: { Orders: { joins: [manyToOne('Customers', 'Customer Id'), toDays('Calendar', 'Day')] } },
    metrics: { R: rank('Paid Sales') },
  })
  const more = { fill_gaps: 'range', where: [{ field: 'Year', op: 'equals', value: 2024 }] }
  const always = '((Day:month >= Day:month) and (Day:month <= Day:month))'
  t.equal(
    seen(['Day:month', 'Region'], ['R', 'Sales'], more, named).at(-2),
    `R (rows) = case (Paid Sales (rows) is not null or (${always} and R (tuple) is not null)): 1`,
  )
})

t.test('a window over comparisons along two times sees the compared rows of each', async (t) => {
  const along = (timeDimension: string) => {
    const metric = lastMonth('Paid Sales')
    return { ...metric, periodOverPeriod: { ...metric.periodOverPeriod, timeDimension } }
  }
  const two = shopWith({
    dataObjects: { Orders: { columns: { 'Shipped On': { code: 'shipped_on', abstractType: 'date' } } } },
    dimensions: { Shipped: { dataObject: 'Orders', column: 'Shipped On' } },
    metrics: {
      'By Day': along('Day'),
      'By Shipped': along('Shipped'),
      Both: { expression: '{[By Day]} + {[By Shipped]}' },
      R: rank('Both'),
    },
  })
  const steps = seen(['Day:month', 'Shipped:month'], ['R', 'Sales'], {}, two)
  t.same(steps.slice(0, 2), [
    'R (time) = max(Paid Sales (rows)) per Day:month',
    'R (time)_2 = max(Paid Sales (rows)) per Shipped:month',
  ])
  const [byDay, byShipped] = ['Orders (rows) is not null and R (time) is', 'Orders (rows)_2 is not null and R (time)_2 is']
  t.match(steps[2], `(${byDay} not null)) or (${byShipped} not null)`, 'each with the rows of its own time')
})

t.test('so has a measure over several facts', async (t) => {
  t.same(marks(rowsOf(['Region'], ['R of Kept', 'Units'])), ['Customers (no rows): Customers (rows)'])
})
