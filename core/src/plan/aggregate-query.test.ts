/** Queries of several blocks: united, joined, looked up, or windows over their rows. */
import t from 'tap'
import { boundAggregate } from '../../../test/support/bound.js'
import { shopAnd } from '../../../test/support/models.js'
import { outline } from '../../../test/support/outline.js'
import { above, nodesIn, own, rowColumn, scan, shared } from '../../../test/support/plans.js'
import { wordsOf } from '../../../test/support/relations.js'
import { said } from '../../../test/support/said.js'
import type { BoundAggregateQuery } from '../bind/bound-query.js'
import { binary } from '../resolve/expressions.js'
import type { RelationColumn } from '../resolve/relation-column.js'
import { planAggregate } from './aggregate-query.js'
import type { LogicalPlan, RowExpr } from './logical-plan.js'

const ROWS: readonly (readonly [title: string, query: unknown, plan: string])[] = [
  [
    'two facts meet in a full join',
    { select: { dimensions: ['Country'], measures: ['Revenue', 'Pages'] } },
    `
project Country, Revenue, Pages
  combine by Country (each fact is aggregated alone; the rows of two meet by their keys, of which NULLs are equal, and a row without a partner is kept)
    aggregate Revenue = sum(orders.amount) by Country = customers.country ('Revenue' at the rows of 'Orders')
      join left on (orders.customer_id = customers.id) (the join by the path rule)
        scan Orders as orders
        scan Customers as customers
    aggregate Pages = sum(visits.pages) by Country = customers_2.country ('Pages' at the rows of 'Visits')
      join left on (visits.customer_id = customers_2.id) (the join by the path rule)
        scan Visits as visits
        scan Customers as customers_2`,
  ],
  [
    'facts without dimensions stand side by side',
    { select: { measures: ['Revenue', 'Pages'] } },
    `
project Revenue, Pages
  join cross  (one row each, side by side)
    aggregate Revenue = sum(orders.amount) by nothing ('Revenue' at the rows of 'Orders')
      scan Orders as orders
    aggregate Pages = sum(visits.pages) by nothing ('Pages' at the rows of 'Visits')
      scan Visits as visits`,
  ],
  [
    'a coarser value that can be folded is aggregated over the rows',
    { select: { dimensions: ['Status', 'Country'], measures: ['Revenue', 'Revenue By Status'] } },
    `
project Status, Country, Revenue, Revenue By Status
  lookup totals of the groups, on every row that shares their keys
    shared groups
      aggregate Revenue = sum(orders.amount) by Status = orders.status, Country = customers.country ('Revenue' at the rows of 'Orders')
        join left on (orders.customer_id = customers.id) (the join by the path rule)
          scan Orders as orders
          scan Customers as customers
    aggregate Revenue By Status = sum(groups.Revenue) by Status (totals of the groups)
      shared groups
        aggregate Revenue = sum(orders.amount) by Status = orders.status, Country = customers.country ('Revenue' at the rows of 'Orders')
          join left on (orders.customer_id = customers.id) (the join by the path rule)
            scan Orders as orders
            scan Customers as customers`,
  ],
  [
    'another period is a separate block, and its condition on time begins a month earlier, on the same day',
    { select: { dimensions: ['Month'], measures: ['Growth'] }, where: [{ field: 'Day', op: '>=', value: '2025-01-05' }] },
    `
project Month, Growth = (Revenue / Revenue (-1 month))
  lookup another period, by the key that the row looks at
    aggregate Revenue = sum(orders.amount) by Month = date_trunc('month', orders.day) ('Revenue' at the rows of 'Orders')
      filter (orders.day >= '2025-01-05') (where on 'Day')
        scan Orders as orders
    aggregate Revenue (-1 month) = sum(orders_2.amount) by Month = date_trunc('month', orders_2.day) ('Revenue' at the rows of 'Orders')
      filter (orders_2.day >= '2024-12-05') (where on 'Month')
        scan Orders as orders_2`,
  ],
  [
    'another period that touches those of the answer is read with them',
    { select: { dimensions: ['Month'], measures: ['Growth'] }, where: [{ field: 'Day', op: '>=', value: '2025-01-01' }] },
    `
project Month, Growth = (Revenue / Revenue (-1 month))
  lookup another period, by the key that the row looks at
    project Month, Revenue
      filter (Month >= '2025-01-01') (only the periods of the answer)
        shared orders_periods
          aggregate Revenue = sum(orders.amount) by Month = date_trunc('month', orders.day) ('Revenue' at the rows of 'Orders')
            filter (orders.day >= '2024-12-01') (the periods of the answer, and those that they look up)
              scan Orders as orders
    aggregate Revenue (-1 month) = sum(orders_2.amount) by Month = date_trunc('month', orders_2.day) ('Revenue' at the rows of 'Orders')
      filter (orders_2.day >= '2024-12-01') (the periods of the answer, and those that they look up)
        scan Orders as orders_2`,
  ],
  [
    'a value over groups is a query within the query',
    { select: { dimensions: ['Status'], measures: ['Mean Revenue'] } },
    `
project Status, Mean Revenue = Mean Revenue (found)
  aggregate Mean Revenue (found) = avg(groups.Mean Revenue (per group)) by Status (the values of all groups: avg)
    project Status, Country, Mean Revenue (per group)
      project Status, Country, Mean Revenue (per group) = Revenue
        aggregate Revenue = sum(orders.amount) by Status = orders.status, Country = customers.country ('Revenue' at the rows of 'Orders')
          join left on (orders.customer_id = customers.id) (the join by the path rule)
            scan Orders as orders
            scan Customers as customers`,
  ],
  [
    'what is kept, ordered and cut comes in this order',
    {
      select: { dimensions: ['Status'], measures: ['Revenue'] },
      having: [{ field: 'Revenue', op: '>', value: 5 }],
      order_by: [{ field: 'Revenue', direction: 'desc' }],
      limit: 3,
    },
    `
limit limit 3
  project Status, Revenue
    sort Revenue desc, Status
      filter (Revenue > 5) (having)
        aggregate Revenue = sum(orders.amount) by Status = orders.status ('Revenue' at the rows of 'Orders')
          scan Orders as orders`,
  ],
]

for (const [title, query, plan] of ROWS)
  t.test(title, (t) => {
    t.equal(`\n${outline(query).join('\n')}`, plan)
    t.end()
  })

const before = (measure: string) =>
  `{ type: period_over_period, measure: ${measure}, periodOverPeriod: { timeDimension: Day, offset: -1, offsetGrain: month, comparison: previousValue } }`
const model = shopAnd({
  metrics: {
    Mean: '{ type: aggregate, measure: Sales, aggregation: avg, per: [Customer] }',
    Different: '{ type: aggregate, measure: Sales, aggregation: count_distinct, per: [Customer] }',
    'Mean Before': before('Mean'),
    'Running Mean': '{ type: cumulative, measure: Mean, timeDimension: Day }',
    'Mean So Far': '{ type: cumulative, measure: Sales, timeDimension: Day, cumulativeType: avg }',
  },
})
type Query = BoundAggregateQuery
/** A query, planned, perhaps with other parts than binding gives it. */
function planned(
  dimensions: readonly string[],
  measures: readonly string[],
  more: (query: Query) => object = () => ({}),
  asked: object = {},
) {
  const query = boundAggregate({ select: { dimensions, measures }, ...asked }, model)
  return planAggregate({ ...query, ...more(query) })
}
const lookups = (plan: LogicalPlan) => nodesIn(plan, 'lookup')
const madeName = (name: string): string => wordsOf(name).replace(/ in $/, '')
const nameOf = (plan: LogicalPlan): string => ('alias' in plan ? madeName(plan.alias) : plan.kind)
const namesOf = (all: readonly { readonly name: string }[]): string => all.map(({ name }) => name).join()
/** With another first inner query. */
const nestedWith =
  (more: object) =>
  ({ nested: [first, ...rest] }: Query): object => ({ nested: [{ ...first, ...more }, ...rest] })

t.test('an expression over a key reads it from a relation of its own', async (t) => {
  const stage = (more: (query: Query) => object) =>
    nodesIn(planned(['Region', 'Status'], ['Sales'], more), 'project').find(({ alias }) => alias === 'answer_rows')
  const sortedBy = (expression: RowExpr) => () => ({
    order: [{ expression, type: own('Region').type, descending: false, nullsFirst: false }],
  })
  t.notOk(stage(() => ({})))
  t.equal(namesOf(stage(sortedBy(above(own('Region'))))?.columns ?? []), 'Region,Status,Sales')
  t.notOk(stage(sortedBy(above(own('Sales')))), 'an expression over a value')
  t.notOk(stage(sortedBy(own('Region'))), 'a key itself')
  const ofBoth = binary<RelationColumn>('>', own('Region'), own('Sales'))
  t.ok(stage(sortedBy(ofBoth)), 'an expression over a key and a value')
  t.ok(stage(() => ({ having: ofBoth })))
  t.ok(stage(() => ({ having: above(own('Status')) })))
  t.ok(stage(() => ({ having: above(own('Region')) })))
  t.notOk(stage(() => ({ having: above(own('Sales')) })))
  const grouping = { ...rowColumn('Level'), expression: above(own('Region')), role: 'grouping' }
  const shown =
    (...more: readonly object[]) =>
    ({ outputs }: Query) => ({ outputs: [...outputs, ...more] })
  t.ok(stage(shown(grouping)), 'which level a row is of')
  t.notOk(stage(shown({ ...grouping, expression: own('Region') })))
  t.notOk(stage(shown({ ...grouping, role: 'measure' })), 'it is sorted by nothing else that it shows')
  const others = ({ dimensions: [first, ...rest] }: Query) => ({ dimensions: [{ ...first, top: { others: 'Rest' } }, ...rest] })
  const both = (query: Query) => ({ ...others(query), ...shown({ ...grouping, expression: own('Region') })(query) })
  t.ok(stage(both), 'the rest of a dimension beside the levels')
  t.notOk(stage(others))
})

t.test('inner values are the rows of the answer, or are looked up at another period', async (t) => {
  const months = planned(['Day:month'], ['Mean Before'])
  t.same(
    lookups(months).map(({ reason, keys, values }) => [
      reason,
      namesOf(values),
      keys.map((key) => [said(key.own), key.nullSafe]),
    ]),
    [
      [
        'another period, by the key that the row looks at',
        'Mean (-1 month, found)',
        [["date_trunc('month', date_add('month', -1, Day:month))", false]],
      ],
    ],
  )
  t.same(nodesIn(months, 'combine'), [], 'the period alone is in the answer')
  const regions = planned(['Day:month', 'Region'], ['Mean Before'])
  t.same(
    nodesIn(regions, 'combine').map(({ alias }) => alias),
    ['compared_rows'],
    'a region that has rows only in the other period is a row, too',
  )
  t.same(
    lookups(regions)[0]?.keys.map(({ nullSafe }) => nullSafe),
    [false, true],
  )
})

t.test('a mark says whether an inner query has a row', async (t) => {
  const mark = rowColumn('Found')
  const compared = ({ nested: [first, second] }: Query): object => ({ nested: [first, { ...second, mark }] })
  const [marked] = lookups(planned(['Day:month'], ['Mean', 'Mean Before'], compared))
  t.equal(namesOf(marked?.values ?? []), 'Mean (-1 month, found),Found')
  t.same(
    nodesIn(marked!.from, 'aggregate')[nodesIn(marked!.from, 'aggregate').length - 1]?.aggregates.map(
      ({ name, aggregate, args }) => `${name} = ${aggregate}(${args.map(said).join()})`,
    ),
    ['Mean (-1 month, found) = avg(groups.Mean (per group))', 'Found = max(1)'],
  )
  const filled = ({ nested: [first, second], fill }: Query): object => ({
    nested: [first, { ...second, mark, query: { ...second!.query, fill } }],
    fill: undefined,
  })
  const apart = lookups(planned(['Day:month'], ['Mean', 'Mean Before'], filled, { fill_gaps: true })).filter(({ reason }) =>
    reason.includes('another period'),
  )
  t.same(
    apart.map(({ reason, values, from }) => [reason, namesOf(values), nodesIn(from, 'numbers').length > 0]),
    [
      ['another period, by the key that the row looks at', 'Mean (-1 month, found)', true],
      ['whether there is a row at another period', 'Found', false],
    ],
    'a period that only fills a gap has a value, and is no row',
  )
  const unmarked = ({ nested: [first, second], fill }: Query): object => ({
    nested: [first, { ...second, query: { ...second!.query, fill } }],
    fill: undefined,
  })
  t.equal(
    lookups(planned(['Day:month'], ['Mean', 'Mean Before'], unmarked, { fill_gaps: true })).filter(({ reason }) =>
      reason.includes('another period'),
    ).length,
    1,
  )
})

t.test('the only value of each group takes the name by which it is read', async (t) => {
  const mark = rowColumn('Found')
  const values = (more: object) => {
    const plan = planned(['Customer'], ['Mean'], nestedWith({ aggregate: undefined, ...more }))
    const [found] = nodesIn(plan, 'project').filter(({ alias }) => alias === 'all_periods')
    return found?.columns.map(({ name, expression }) => `${name} = ${said(expression)}`)
  }
  t.same(values({}), ['Customer = Customer', 'Mean (found) = Mean (per group)'])
  t.same(values({ mark }), ['Customer = Customer', 'Mean (found) = Mean (per group)', 'Found = 1'])
})

t.test('the values of all groups are aggregated; none is NULL where a question says so', async (t) => {
  const call = (dimensions: readonly string[], measure: string, more: object = {}) => {
    const plan = planned(dimensions, [measure], nestedWith(more))
    return nodesIn(plan, 'aggregate').find(({ alias }) => alias === 'per_group')!.aggregates[0]!
  }
  t.same([call([], 'Mean').distinct, call([], 'Different').distinct], [false, true])
  const emptyIsNull = true
  t.ok(call([], 'Mean', { emptyIsNull }).onlyWith)
  t.notOk(call([], 'Mean').onlyWith)
  t.notOk(call(['Status'], 'Mean', { emptyIsNull }).onlyWith, 'a group has rows')
})

t.test('blocks are named by what they are read for', async (t) => {
  const plan = planned(['Region', 'Status'], ['Sales', 'Sales of Region', 'Sales of All'])
  t.same(
    lookups(plan).map(({ from, reason }) => [nameOf(from), reason]),
    [
      ['Orders_coarser', 'a coarser grain, on every row that shares it'],
      ['Orders_total', 'a coarser grain, on every row that shares it'],
    ],
  )
  const ofValues = ({ lookups: [first] }: Query) => ({ lookups: [{ ...first, ofValues: true }] })
  const [order] = lookups(planned(['Region', 'Status'], ['Sales', 'Sales of Region'], ofValues))
  t.same(
    [nameOf(order!.from), order!.reason, order!.keys.map(({ nullSafe }) => nullSafe)],
    ['Orders_order', 'what sorts the rows', [false]],
  )
  const [other] = lookups(planned(['Day:month', 'Region'], ['Sales Last Month']))
  t.equal(nameOf(other!.from), 'Orders_by_period')
  t.same(nodesIn(planned(['Region', 'Status'], ['Sales']), 'aggregate').map(nameOf), ['Orders_facts'])
  t.same(nodesIn(planned(['Region', 'Status'], []), 'aggregate').map(nameOf), ['Orders_tuples'])
})

t.test('a total of another period without rows is absent, also if it is a count', async (t) => {
  const total = (shift: object | undefined, keys: readonly string[] = []) => {
    const asked = ({ lookups: found }: Query) => ({
      lookups: found.map((one) => ({ ...one, shift: shift && { ...one.shift, ...shift } })),
    })
    const measures = keys.length > 0 ? ['Sales', 'Sales Last Month'] : ['Sales', 'Sales of All']
    const [lookup] = lookups(planned(['Day:month'], measures, keys.length > 0 ? undefined : asked))
    return lookup!.from.kind === 'aggregate' && lookup!.from.onlyWithRows
  }
  const { dimensions, lookups: compared } = boundAggregate(
    { select: { dimensions: ['Day:month'], measures: ['Sales Last Month'] } },
    model,
  )
  t.equal(dimensions.length, 1)
  t.ok(total({ ...compared[0]!.shift }))
  t.notOk(total(undefined), 'a total of the same rows')
  t.notOk(total({}, ['Day:month']), 'groups have rows')
})

t.test('running values are looked up for the rows that the rest of the query has', async (t) => {
  t.same(lookups(planned(['Day:month'], ['Sales'])), [])
  const running = planned(['Day:month', 'Region'], ['Sales', 'Running Sales'])
  const [windowed] = lookups(running)
  t.match(windowed?.reason, 'values over a window of periods')
  t.same(
    windowed?.keys.map(({ theirs, nullSafe }) => [theirs, nullSafe]),
    [
      ['Day:month', false],
      ['Region', true],
    ],
  )
  t.same(
    nodesIn(running, 'shared')
      .filter(({ alias }) => alias === 'answer_rows')
      .map(({ columns }) => namesOf(columns))[0],
    'Day:month,Region,Sales',
    'without the running value itself',
  )
  const mean = planned(['Day:month'], ['Mean', 'Running Mean'])
  t.equal(namesOf(lookups(mean)[0]?.values ?? []), 'Mean (running, found)', 'the groups of each window, of a value over groups')
})

t.test('each kind of running value is looked up, also beside another kind', async (t) => {
  const found = (...measures: readonly string[]) => lookups(planned(['Day:month'], measures)).map(({ values }) => namesOf(values))
  t.same(found('Running Sales', 'Mean So Far'), ['Sales (running)', 'Mean So Far (folded)'])
  t.same(found('Running Sales', 'Running Mean').sort(), ['Mean (running, found)', 'Sales (running)'])
  t.same(found('Mean So Far'), ['Mean So Far (folded)'])
})

t.test('rows of another period come from those that it has, and of one period they are those of each row', async (t) => {
  const partners = (plan: LogicalPlan) =>
    nodesIn(plan, 'combine')
      .filter(({ alias }) => alias === 'compared_rows')
      .map(({ legs }) => legs[1]!.input)
  const filled = ({ nested: [first, second], fill }: Query): object => ({
    nested: [first, { ...second, query: { ...second!.query, fill } }],
    fill: undefined,
  })
  const [rows] = partners(planned(['Day:month', 'Region'], ['Mean Before'], filled, { fill_gaps: true }))
  t.same(nodesIn(rows!, 'numbers'), [], 'what fills its gaps is no row')
  const joins = (more: (query: Query) => object = () => ({})) =>
    partners(planned(['Day:month', 'Region'], ['Sales Last Month'], more)).map((plan) =>
      nodesIn(plan, 'join')
        .filter(({ label }) => label.from === '')
        .map(({ type }) => type)
        .at(-1),
    )
  t.same(joins(), ['inner'])
  const ofOnePeriod = ({ lookups: [first] }: Query): object => ({
    lookups: [{ ...first, shift: undefined, rowsAt: { shift: first!.shift, isOwn: above(own('Day:month')) } }],
  })
  t.same(joins(ofOnePeriod), ['cross'])
})

t.test('rows that do not contribute are joined to those that are made', async (t) => {
  const combines = (more: (query: Query) => object, dimensions = ['Region'], asked: object = {}) =>
    nodesIn(planned(dimensions, ['Sales', 'Customer Count'], more, asked), 'combine').map(({ alias, legs }) => [
      alias,
      legs.map(({ name, contributesRows }) => [madeName(name), contributesRows]),
    ])
  const sums = [
    ['Orders_facts', true],
    ['Customers_facts', true],
  ]
  t.same(
    combines(() => ({})),
    [['combined', sums]],
  )
  const shown = [
    ['shown_groups', true],
    ['Orders_facts', false],
    ['Customers_facts', false],
  ]
  t.same(
    combines(() => ({ rowsAreShown: true })),
    [['combined', shown]],
    'the rows are those of shown detail rows',
  )
  t.same(
    combines(() => ({ rowsAreShown: true }), []),
    [],
    'one row is the only one',
  )
})

t.test('gaps are filled in the rows of the blocks that contribute', async (t) => {
  const asked = { fill_gaps: true }
  const second = ({ legs: [first] }: Query) => ({ legs: [first, { ...first, contributesRows: false }] })
  const aliases = (more: (query: Query) => object) =>
    nodesIn(planned(['Day:month'], ['Sales'], more, asked), 'combine').map(({ alias, legs }) => [alias, legs.length])
  t.same(
    aliases(() => ({})),
    [['filled', 2]],
  )
  t.same(aliases(second), [
    ['filled', 2],
    ['combined', 2],
  ])
  const [, made] = nodesIn(planned(['Day:month'], ['Sales'], second, asked), 'combine')
  t.same(
    made?.legs.map(({ name, contributesRows }) => [madeName(name), contributesRows]),
    [
      ['made_rows', true],
      ['Orders_facts', false],
    ],
  )
})

t.test('a block over windows reads the rows that it is given', async (t) => {
  const query = boundAggregate({ select: { dimensions: ['Day:month'], measures: ['Mean', 'Running Mean'] } }, model)
  const [inner] = query.nestedOverRows
  const rows = shared(scan('answer'), [own('Day:month')], 'answer_rows')
  const over = planAggregate(inner!.query, { outer: rows })
  t.ok(nodesIn(over, 'join').some(({ window }) => window))
  t.notOk(
    nodesIn(planAggregate(inner!.query), 'join').some(({ window }) => window),
    'there are none',
  )
  const without = { ...inner!.query, legs: inner!.query.legs.map((leg) => ({ ...leg, over: undefined })) }
  t.notOk(
    nodesIn(planAggregate(without, { outer: rows }), 'join').some(({ window }) => window),
    'it has no windows',
  )
})
