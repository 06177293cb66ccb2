/** Periods without rows, computed from numbers between the first period and the last. */
import t from 'tap'
import { boundAggregate } from '../../../test/support/bound.js'
import { compileFor } from '../../../test/support/compile.js'
import { CALENDARS, shopWith, toDays } from '../../../test/support/models.js'
import { outline } from '../../../test/support/outline.js'
import { above, nodesIn, own, scan } from '../../../test/support/plans.js'
import { said, saidTerms } from '../../../test/support/said.js'
import type { BoundFill } from '../bind/bound-query.js'
import { type DataType, formatDataType, TIMESTAMP } from '../model/data-type.js'
import { filled } from './fill.js'
import type { NamedExpr } from './logical-plan.js'

const ROWS: readonly (readonly [title: string, query: unknown, plan: string])[] = [
  [
    'every period between the first and the last is added to the rows',
    { select: { dimensions: ['Month'], measures: ['Revenue'] }, fill_gaps: true },
    `
project Month, Revenue
  combine by Month (every period between the first and the last, with rows or without)
    project Month, Revenue
      shared found_rows
        aggregate Revenue = sum(orders.amount) by Month = date_trunc('month', orders.day) ('Revenue' at the rows of 'Orders')
          scan Orders as orders
    project Month = date_add('month', n, spans.first)
      filter ((((((n_100000 <= spans.later) and (n_10000 <= spans.later)) and (n_1000 <= spans.later)) and (n_100 <= spans.later)) and (n_10 <= spans.later)) and (n <= spans.later)) (up to the last period)
        join cross  (each with each)
          project first, later = date_diff('month', first, last)
            aggregate first = min(Month), last = max(Month) by nothing (the first and the last period)
              shared found_rows
                aggregate Revenue = sum(orders.amount) by Month = date_trunc('month', orders.day) ('Revenue' at the rows of 'Orders')
                  scan Orders as orders
          numbers whole numbers, one for each period`,
  ],
  [
    'every period is combined with every tuple of the other dimensions',
    { select: { dimensions: ['Month', 'Status'], measures: ['Revenue'] }, fill_gaps: true },
    `
project Month, Status, Revenue
  combine by Month, Status (every period between the first and the last, with rows or without)
    project Month, Status, Revenue
      shared found_rows
        aggregate Revenue = sum(orders.amount) by Month = date_trunc('month', orders.day), Status = orders.status ('Revenue' at the rows of 'Orders')
          scan Orders as orders
    project Month = date_add('month', n, spans.first), Status
      filter ((((((n_100000 <= spans.later) and (n_10000 <= spans.later)) and (n_1000 <= spans.later)) and (n_100 <= spans.later)) and (n_10 <= spans.later)) and (n <= spans.later)) (up to the last period)
        join cross  (each with each)
          join cross  (each with each)
            project first, later = date_diff('month', first, last)
              aggregate first = min(Month), last = max(Month) by nothing (the first and the last period)
                shared found_rows
                  aggregate Revenue = sum(orders.amount) by Month = date_trunc('month', orders.day), Status = orders.status ('Revenue' at the rows of 'Orders')
                    scan Orders as orders
            numbers whole numbers, one for each period
          distinct Status (the tuples of the other dimensions)
            shared found_rows
              aggregate Revenue = sum(orders.amount) by Month = date_trunc('month', orders.day), Status = orders.status ('Revenue' at the rows of 'Orders')
                scan Orders as orders`,
  ],
  [
    'more periods than are counted at once are counted in parts',
    { select: { dimensions: ['Written Hour'], measures: ['Revenue'] }, fill_gaps: true },
    `
project Written Hour, Revenue
  combine by Written Hour (every period between the first and the last, with rows or without)
    project Written Hour, Revenue
      shared found_rows
        aggregate Revenue = sum(orders.amount) by Written Hour = date_trunc('hour', orders.written) ('Revenue' at the rows of 'Orders')
          scan Orders as orders
    project Written Hour = date_add('hour', (parts.begun + n), parts.first)
      filter ((((((((parts.begun + n_1000000) <= parts.later) and ((parts.begun + n_100000) <= parts.later)) and ((parts.begun + n_10000) <= parts.later)) and ((parts.begun + n_1000) <= parts.later)) and ((parts.begun + n_100) <= parts.later)) and ((parts.begun + n_10) <= parts.later)) and ((parts.begun + n) <= parts.later)) (up to the last period)
        join cross  (each with each)
          project first, later, begun = n_10000000
            filter (n_10000000 <= spans.later) (up to the last part)
              join cross  (each with each)
                project first, later = date_diff('hour', first, last)
                  aggregate first = min(Written Hour), last = max(Written Hour) by nothing (the first and the last period)
                    shared found_rows
                      aggregate Revenue = sum(orders.amount) by Written Hour = date_trunc('hour', orders.written) ('Revenue' at the rows of 'Orders')
                        scan Orders as orders
                numbers whole numbers, one for each period
          numbers whole numbers, one for each period`,
  ],
]

for (const [title, query, plan] of ROWS)
  t.test(title, (t) => {
    t.equal(`\n${outline(query).join('\n')}`, plan)
    t.end()
  })

const dated = shopWith(CALENDARS, {
  calendars: { fiscal: { yearStart: '04-01' } },
  dataObjects: {
    Calendar: { columns: { Season: { code: 'season', abstractType: 'string' } } },
    Visits: {
      code: 'visits',
      columns: {
        Id: { code: 'id', abstractType: 'int', primaryKey: true },
        At: { code: 'at', abstractType: 'timestamp' },
        Seen: { code: 'seen', abstractType: 'timestamp_tz' },
        Place: { code: 'place', abstractType: 'string' },
      },
      joins: [toDays('Dates', 'Date', 'At'), toDays('Calendar', 'Day', 'At')],
    },
  },
  dimensions: {
    At: { dataObject: 'Visits', column: 'At' },
    Seen: { dataObject: 'Visits', column: 'Seen' },
    Place: { dataObject: 'Visits', column: 'Place' },
    Season: { dataObject: 'Calendar', column: 'Season' },
  },
  measures: { Visits: { aggregation: 'count', columns: [{ dataObject: 'Visits', column: 'Id' }] } },
})
const sqlOf = (grain: string, ...where: readonly object[]) =>
  compileFor({ select: { dimensions: [`At:${grain}`], measures: ['Visits'] }, fill_gaps: 'range', where }, dated).sql
const march = { field: 'At', op: 'between', value: ['2024-03-01', '2024-03-03'] }

t.test('the hours of the days that a calendar leaves', async (t) => {
  t.match(
    sqlOf('hour', march, { field: 'Last Day', op: '=', value: true }),
    /EXTRACT|DATE_TRUNC|LAST_DAY/i,
    'computed from the day of each hour',
  )
  t.match(
    sqlOf('hour', march, { field: 'Kind', op: '=', value: 'weekend' }),
    /"calendar"[\s\S]*'weekend'/,
    'looked up in a table',
  )
})

t.test('the hours of a year that a table names, up to an end', async (t) => {
  const year = { field: 'Year', op: '=', value: 2024 }
  t.match(sqlOf('hour', year), /MIN[\s\S]*MAX/, 'from its first day to its last')
  t.match(sqlOf('hour', year, { field: 'At', op: '<', value: '2024-03-01' }), /2024-0[23]-/)
  t.match(sqlOf('month', year), /DATE_TRUNC\('month'/i)
})

const columnsOf = (columns: readonly NamedExpr[] = []): readonly string[] =>
  columns.map(({ name, expression }) => `${name} = ${said(expression)}`)

/** What fills the gaps of a query, perhaps changed: each projection of the plan by its alias, and the plan. */
function planOf(
  dimensions: readonly string[],
  asked: object = { fill_gaps: true },
  more: (fill: BoundFill) => object = () => ({}),
) {
  const query = boundAggregate({ select: { dimensions, measures: ['Visits'] }, ...asked }, dated)
  if (!query.fill) throw new Error('no gaps are filled')
  const plan = filled({ rows: scan('answer'), dimensions: query.dimensions, values: [] }, { ...query.fill, ...more(query.fill) })
  const stages = new Map(nodesIn(plan, 'project').map(({ alias, columns }) => [alias, columnsOf(columns)]))
  return { plan, stages }
}

t.test('a week that rows show in another month is not added in the month of its first day', async (t) => {
  const weeks = planOf(['At:week', 'At:month', 'Place'])
  t.same(columnsOf(nodesIn(weeks.plan, 'distinct').find(({ alias }) => alias === 'periods_with_rows')?.columns), [
    'At:week = At:week',
    'Place = Place',
  ])
  t.same(weeks.stages.get('seen'), ['At:week = At:week', 'Place = Place', 'hit = 1'])
  t.equal(weeks.plan.legs[1]?.name, 'periods_without_rows')
  t.equal(planOf(['At:week', 'Place']).plan.legs[1]?.name, 'all_periods', 'a week without a month')
  t.equal(planOf(['At:month', 'At:quarter']).plan.legs[1]?.name, 'all_periods', 'months nest in quarters')
  const daysOfWeeks =
    (grain?: string) =>
    ({ siblingGrains }: BoundFill) => ({
      siblingGrains: siblingGrains.map((each, i) => (i === 0 ? { ...each, grain } : each)),
    })
  t.equal(planOf(['At:week', 'At:month'], undefined, daysOfWeeks()).plan.legs[1]?.name, 'all_periods', 'a column of a calendar')
  t.equal(planOf(['At:week', 'At:month', 'At:year'], undefined, daysOfWeeks()).plan.legs[1]?.name, 'periods_without_rows')
})

t.test('coarser grains follow from the period, and other dimensions are those of the tuples', async (t) => {
  const { stages } = planOf(['At:month', 'At:year', 'Place'])
  t.same(stages.get('all_periods'), [
    "At:month = date_add('month', n, spans.first)",
    "At:year = date_trunc('year', date_add('month', n, spans.first))",
    'Place = tuples.Place',
  ])
  const apart = planOf(['At:month', 'Place'], undefined, () => ({ perTuple: true }))
  t.same(apart.stages.get('all_periods')?.[1], 'Place = spans.Place', 'each tuple has its own first and last period')
  t.same(nodesIn(apart.plan, 'distinct'), [], 'so that the tuples are not crossed with all periods')
})

t.test('a period of a fiscal year is computed before the coarser ones that follow from it', async (t) => {
  const { stages } = planOf(['At:fiscal_quarter', 'At:fiscal_year', 'Place'])
  t.same(stages.get('numbered'), ['n = n', 'first = spans.first', 'Place = tuples.Place'])
  const [quarter, year, place] = stages.get('all_periods') ?? []
  t.same([quarter, place], ['At:fiscal_quarter = begun.At:fiscal_quarter', 'Place = begun.Place'])
  t.match(year, 'begun.At:fiscal_quarter')
  t.notMatch(year, 'begun.At:fiscal_year')
})

t.test('columns of a calendar follow from the period: some are computed, and some are looked up', async (t) => {
  const lookedUp = planOf(['At:day', 'Kind'])
  t.same(lookedUp.stages.get('periods'), ["At:day = date_add('day', n, spans.first)"])
  t.same(lookedUp.stages.get('all_periods'), ['At:day = periods.At:day', 'Kind = calendar_periods.Kind'])
  const two = planOf(['At:day', 'Kind', 'Season']).stages.get('all_periods')
  t.same(two, ['At:day = periods.At:day', 'Kind = calendar_periods.Kind', 'Season = calendar_periods.Season'])
  const computed = planOf(['At:day', 'Last Day'])
  t.same(computed.stages.get('all_periods'), [
    'At:day = periods.At:day',
    "Last Day = (date_trunc('month', date_add('day', 1, At:day)) <> date_trunc('month', At:day))",
  ])
  t.notOk(computed.stages.has('known_periods'))
  const both = planOf(['At:day', 'Last Day', 'Kind', 'Place'])
  t.same(
    both.stages.get('known_periods')?.map((column) => column.replace(/ = .*/, '')),
    ['At:day', 'Last Day', 'Place'],
  )
  t.same(both.stages.get('all_periods'), [
    'At:day = known_periods.At:day',
    'Last Day = known_periods.Last Day',
    'Kind = calendar_periods_2.Kind',
    'Place = known_periods.Place',
  ])
  const [join] = nodesIn(both.plan, 'join').filter(({ label }) => label.reason === 'the columns of the calendar')
  t.match(saidTerms(join!.on), /^\(known_periods\.At:day = calendar_periods_2\./)
})

t.test('the days that conditions leave are met by the period, or by the day of an hour', async (t) => {
  const kept = (dimension: string) => {
    const { plan } = planOf([dimension], {
      fill_gaps: 'range',
      where: [march, { field: 'Kind', op: '=', value: 'weekend' }],
    })
    const [join] = nodesIn(plan, 'join').filter(({ right }) => 'alias' in right && right.alias === 'periods_left')
    const days = nodesIn(plan, 'distinct').find(({ alias }) => alias === 'periods_left')?.columns ?? []
    return [days.map(({ expression, type }) => `${said(expression)} ${formatDataType(type)}`).join(), saidTerms(join!.on)]
  }
  t.same(kept('At:month'), ["date_trunc('month', Calendar.day) date", '(every_period.At:month = periods_left.period)'])
  t.same(kept('At:hour'), ['Calendar.day date', '(every_period.At:hour::date = periods_left.period)'])
})

t.test('a condition on the periods themselves keeps some of them', async (t) => {
  const { plan, stages } = planOf(['At:month'], undefined, () => ({ days: { named: undefined, left: above(own('At:month')) } }))
  t.ok(nodesIn(plan, 'filter').some(({ condition }) => said(condition) === '(At:month > 0)'))
  t.same(stages.get('all_periods'), ['At:month = every_period.At:month'])
})

t.test('a period that clocks never showed is not added', async (t) => {
  const conditions = (dimension: string, zone: string | undefined) => {
    const more = ({ clocks }: BoundFill) => ({ clocks: { ...clocks, zone } })
    const { plan } = planOf([dimension], undefined, zone === undefined ? undefined : more)
    return nodesIn(plan, 'filter').filter(({ condition }) => said(condition).includes('in_zone')).length
  }
  t.equal(conditions('Seen:hour', 'Europe/Amsterdam'), 1, 'an hour in March')
  t.equal(conditions('Seen:day', 'Europe/Amsterdam'), 0, 'no day')
  t.equal(conditions('Seen:day', 'Pacific/Apia'), 1, 'a day in December 2011')
  t.equal(conditions('Seen:month', 'Pacific/Apia'), 0, 'no month')
  t.equal(conditions('Seen:hour', 'UTC'), 0)
  t.equal(conditions('At:hour', 'Europe/Amsterdam'), 0, 'a time without a zone is not moved')
  const apia = 'Pacific/Apia'
  const skipped = (dimension: string, more: (fill: BoundFill) => object) => {
    const { plan } = planOf([dimension], undefined, (fill) => ({ clocks: { ...fill.clocks, zone: apia }, ...more(fill) }))
    return nodesIn(plan, 'filter').flatMap(({ condition }) => said(condition).match(/from_zone\([^']*/)?.[0] ?? [])
  }
  const written = 'in-default-zone'
  const typed =
    (type: DataType, more: object = {}) =>
    ({ time, clocks }: BoundFill) => ({
      time: { ...time, type, members: time.members.map((each) => ({ ...each, type })) },
      clocks: { ...clocks, zone: apia, ...more },
    })
  t.equal(skipped('At:hour', typed({ kind: 'timestamp', written }, { naiveZone: apia })).length, 1, 'its texts say the zone')
  t.equal(skipped('At:hour', typed({ kind: 'timestamp', written })).length, 0, 'its zone is not told')
  t.equal(skipped('At:hour', typed(TIMESTAMP, { naiveZone: apia })).length, 0, 'it is in no zone')
  const several = ({ time }: BoundFill) => ({
    time: { ...time, members: time.members.flatMap((each) => [each, { ...each, type: TIMESTAMP }]) },
  })
  t.equal(skipped('Seen:hour', several).length, 1, 'one of its members is moved')
  const begins = (grain: string): boolean => {
    const { plan } = planOf([`Seen:${grain}`], undefined, ({ clocks }) => ({ clocks: { ...clocks, zone: apia } }))
    return nodesIn(plan, 'filter').some(({ condition }) => said(condition).includes("::timestamp, 'Pacific/Apia'"))
  }
  t.same([begins('day'), begins('hour')], [true, false], 'a day is a date, which begins at midnight')
})
