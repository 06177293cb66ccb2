/** One aggregation: what it reads, which rows count once, and where the filters of its measures are. */
import t from 'tap'
import { aggregateQuery, contextOf } from '../../../test/support/bound.js'
import { compileFor } from '../../../test/support/compile.js'
import { PARCELS_AND_LABELS, shopWith } from '../../../test/support/models.js'
import { wordsOf } from '../../../test/support/relations.js'
import { said } from '../../../test/support/said.js'
import { originOf } from '../relation/relation.js'
import { bindBlock, factLegs } from './bind-block.js'
import { blockRequests, type PlannedRequest } from './block-requests.js'
import type { BoundBlock } from './bound-block.js'

const amount = { dataObject: 'Orders', column: 'Amount' }
const order = { dataObject: 'Orders', column: 'Id' }
const only = (field: string, value: string) => ({ filters: [{ field, op: 'equals', value }] })
const before = (measure: string) => ({
  type: 'period_over_period',
  measure,
  periodOverPeriod: { timeDimension: 'Day', offset: -1, offsetGrain: 'month', comparison: 'previousValue' },
})
const conversion = { type: 'conversion', base: 'Order Count', entity: 'Customer', window: '7 day', calculation: 'count' }
const steps = [
  { measure: 'Order Count', timeDimension: 'Day' },
  { measure: 'Order Count', timeDimension: 'Day' },
  { measure: 'Return Count', timeDimension: 'Returned On' },
]
const model = shopWith(PARCELS_AND_LABELS, {
  dataObjects: { Parcels: { columns: { Id: { primaryKey: false } } } },
  dimensions: { 'Returned On': { dataObject: 'Returns', column: 'Day' } },
  measures: {
    'Open Orders': { aggregation: 'count', columns: [order], ...only('Orders.Status', 'open') },
    'Apple Sales': { aggregation: 'sum', columns: [amount], ...only('Items.Product', 'apple') },
    'Sales Anyway': { aggregation: 'sum', columns: [amount], allowFanOut: true },
    'Parcel Numbers': { aggregation: 'sum', columns: [{ dataObject: 'Parcels', column: 'Id' }] },
    'Return Count': { aggregation: 'count', columns: [{ dataObject: 'Returns', column: 'Id' }] },
    Balance: { aggregation: 'sum', columns: [amount], semiAdditive: { timeDimension: 'Day', take: 'last', per: ['Customer'] } },
    Kept: { aggregation: 'sum', expression: '{[Orders].[Amount]} - {[Returns].[Amount]}', anchor: 'Customers' },
  },
  metrics: {
    Converted: { ...conversion, conversion: 'Return Count' },
    Funnel: { type: 'funnel', steps, entity: 'Customer', window: '7d', calculation: 'count' },
    'Funnel Rate': { type: 'funnel', steps, entity: 'Customer', window: '7d', calculation: 'rate' },
    'Paid Before': before('Paid Orders'),
    'Open Before': before('Open Orders'),
  },
})
const context = contextOf(model)

const requests = (measures: readonly string[], dimensions: readonly string[] = ['Region'], where: readonly object[] = []) =>
  blockRequests(aggregateQuery({ select: { dimensions, measures }, where }, model))
const bind = ({ request }: PlannedRequest): BoundBlock => bindBlock(request, context)
const block = (...asked: Parameters<typeof requests>): BoundBlock => bind(requests(...asked)[0]!)
const whereOf = ({ where }: BoundBlock): readonly string[] => where.map(({ expression }) => said(expression))
const filtersOf = ({ aggregates }: BoundBlock) => aggregates.map(({ filter }) => filter && said(filter))
const [paid, open] = ["(Orders.status = 'paid')", "(Orders.status = 'open')"]

t.test('the filter of the only measure is a condition of the block', async (t) => {
  t.same(whereOf(block(['Paid Sales'])), [paid])
  t.same(filtersOf(block(['Paid Sales'])), [undefined])
})

t.test('of several measures, only rows that one of them counts are read', async (t) => {
  t.same(whereOf(block(['Paid Sales', 'Paid Orders'])), [paid], 'one filter')
  t.same(filtersOf(block(['Paid Sales', 'Paid Orders'])), [paid, paid], 'of several, each keeps its own')
  t.same(whereOf(block(['Paid Sales', 'Open Orders'])), [`(${paid} or ${open})`])
  t.same(filtersOf(block(['Paid Sales', 'Open Orders'])), [paid, open])
  t.same(whereOf(block(['Paid Sales', 'Sales'])), [], 'all rows count')
  t.same(filtersOf(block(['Paid Sales', 'Sales'])), [paid, undefined])
  t.same(whereOf(block(['Sales'])), [])
})

t.test('unless all rows are read for another block', async (t) => {
  const [{ request }] = requests(['Paid Sales']) as [PlannedRequest]
  const shared = bindBlock({ ...request, ofAllRows: true }, context)
  t.same(whereOf(shared), [])
  t.same(filtersOf(shared), [paid])
})

t.test('a count of another period is NULL if it has no rows', async (t) => {
  const shifted = (measures: readonly string[], dimensions: readonly string[]) =>
    requests(measures, dimensions)
      .filter(({ shift }) => shift)
      .map(bind)
  const onlyWith = (all: readonly BoundBlock[]) =>
    all.flatMap(({ aggregates }) => aggregates.map((a) => a.onlyWith && said(a.onlyWith)))
  t.same(onlyWith(shifted(['Paid Before'], ['Day:month'])), [undefined], 'a group without a row is not there')
  t.same(onlyWith(shifted(['Paid Before', 'Open Before'], ['Day:month'])), [paid, open])
  t.same(
    shifted(['Paid Before'], ['Day:month'])[0]?.values.map(({ emptyIsZero }) => emptyIsZero),
    [false],
  )
  t.same(
    block(['Paid Orders']).values.map(({ emptyIsZero }) => emptyIsZero),
    [true],
    'of the own period it is 0',
  )
  t.same(
    block(['Sales']).values.map(({ emptyIsZero }) => emptyIsZero),
    [false],
  )
})

t.test('a sum of another period reads the rows of its filter', async (t) => {
  const [shifted] = requests(['Paid Sales Last Month'], ['Day:month']).filter(({ shift }) => shift)
  t.ok(whereOf(bind(shifted!)).includes(paid))
})

t.test('without groups there is a row in any case, so that a count of another time says that it has none', async (t) => {
  const elsewhere = (measures: readonly string[], dimensions: readonly string[]) => {
    const [{ request }] = requests(measures, dimensions) as [PlannedRequest]
    const aggregates = request.aggregates.map((a) => ({ ...a, isElsewhere: true }))
    return bindBlock({ ...request, aggregates }, context).aggregates.map(({ onlyWith }) => onlyWith && said(onlyWith))
  }
  t.same(elsewhere(['Paid Orders'], []), ['true'], 'the rows are those of its filter')
  t.same(elsewhere(['Paid Orders', 'Paid Sales'], []), [paid, undefined])
  t.same(elsewhere(['Paid Orders'], ['Region']), [undefined], 'a group without a row is not there')
})

t.test('a row that connections multiply counts once by its key', async (t) => {
  const key = (...asked: Parameters<typeof requests>) =>
    block(...asked).onceBy?.map(({ name, expression }) => `${name}: ${said(expression)}`)
  t.same(key(['Sales'], ['Product']), ['key_1: Orders.id'])
  t.same(key(['Apple Sales']), ['key_1: Orders.id'])
  t.same(key(['Sales']), undefined, 'nothing multiplies it')
  t.same(key(['Sales Anyway'], ['Product']), undefined, 'each connection counts')
  t.same(key(['Sales'], ['Label']), undefined, 'each has its part')
  t.same(key(['Sales'], ['Label', 'Product']), ['key_1: Orders.id'], 'unless there are several bridges')
})

t.test('rows that are made distinct without a measure need no key', async (t) => {
  const [{ request }] = requests(['Sales'], ['Product']) as [PlannedRequest]
  t.same(bindBlock({ ...request, aggregates: [] }, context).onceBy, [])
  const lines = shopWith({ dimensions: { Line: { dataObject: 'Items', column: 'Line' } } })
  const query = aggregateQuery({ select: { dimensions: ['Line'], measures: ['Sales'] } }, lines)
  const [line] = blockRequests(query) as [PlannedRequest]
  t.same(bindBlock(line.request, contextOf(lines)).onceBy, undefined, 'an order has each line once')
  t.same(bindBlock({ ...line.request, aggregates: [] }, contextOf(lines)).onceBy, [], 'and several orders have it')
})

t.test('without a key it cannot count once', async (t) => {
  const boxes = shopWith(PARCELS_AND_LABELS, {
    dataObjects: {
      Returns: { columns: { Id: { primaryKey: false } } },
      'Return Notes': {
        code: 'return_notes',
        columns: { Return: { code: 'return_id', abstractType: 'int' }, Word: { code: 'word', abstractType: 'string' } },
        joins: [{ joinType: 'many-to-one', joinTo: 'Returns', columnsFrom: ['Return'], columnsTo: ['Id'] }],
      },
    },
    dimensions: { Word: { dataObject: 'Return Notes', column: 'Word' } },
  })
  const ask = (dimensions: readonly string[], where: readonly object[]) => () => {
    const [{ request }] = blockRequests(aggregateQuery({ select: { dimensions, measures: ['Returned'] }, where }, boxes)) as [
      PlannedRequest,
    ]
    return bindBlock(request, contextOf(boxes))
  }
  const message = (through: string) => ({
    code: 'KEY_REQUIRED',
    path: 'select.measures[0]',
    message: new RegExp(`^'Returned' is cut by ${through}, of which a row of 'Returns'`),
  })
  t.throws(ask(['Word'], []), message("'Word'"))
  t.throws(ask([], [{ field: 'Word', op: 'equals', value: 'late' }]), message("a filter on 'Word'"))
  t.doesNotThrow(ask([], []))
})

t.test('a balance is grouped by its times and entities first', async (t) => {
  const balance = block(['Balance'])
  t.same(
    balance.dimensions.map(({ label }) => label),
    ['Region'],
  )
  t.same(
    balance.groupBy.map(({ expression }) => said(expression)),
    ['Regions.name', 'Orders.day', 'Customers.name'],
  )
  t.equal(balance.semiAdditive?.take, 'last')
  t.equal(block(['Sales']).semiAdditive, undefined)
})

t.test('facts are joined at the key of the base, with its own rows unless they provide dimensions', async (t) => {
  const kept = block(['Kept'])
  t.same(
    kept.from.facts?.legs.map((leg) => leg.block.base),
    ['Customers', 'Orders', 'Returns'],
  )
  t.same(
    kept.from.facts?.legs.map(({ alias }) => /_\w+/.exec(wordsOf(alias))?.[0]),
    ['_keys', '_sums', '_sums'],
  )
  const [{ request }] = requests(['Kept']) as [PlannedRequest]
  const { multiFact } = request
  const day = requests(['Sales'], ['Day'])[0]!.request.dimensions
  t.same(factLegs({ ...multiFact!, dimensions: day, facts: [] }, context), [])
  t.equal(block(['Sales']).from.facts, undefined)
})

t.test('only converting events count, and the steps of a funnel are looked up once', async (t) => {
  const joins = (...names: readonly string[]) => {
    const found = requests(names)
      .map(bind)
      .flatMap(({ from, aggregates }) => [...from.base.joins.map(({ right }) => right), ...aggregates])
    return found
  }
  const converted = joins('Converted').filter((one) => 'kind' in one && one.kind === 'converted')
  t.equal(converted.length, 1)
  t.match(converted[0], { conversion: { unit: 'day', count: 7 }, next: { block: { base: 'Returns' } } })
  const eventsOf = (one: { readonly alias: string }) => originOf(one.alias)
  t.match(
    converted.map((one) => 'next' in one && eventsOf(one.next)),
    [{ within: ['conversion'] }],
  )
  const passed = joins('Funnel').filter((one) => 'kind' in one && one.kind === 'passed')
  t.match(passed, [
    {
      window: { unit: 'day', count: 7 },
      steps: [{ block: { base: 'Orders' } }, { block: { base: 'Orders' } }, { block: { base: 'Returns' } }],
    },
  ])
  const relations = passed.flatMap((one) => ('steps' in one ? one.steps.map(({ alias }) => alias) : []))
  t.match(
    relations.map((alias) => originOf(alias)),
    [{ within: ['base'] }, { within: ['step 2'] }, { within: ['step 3'] }],
  )
  t.equal(joins('Funnel', 'Funnel Rate').filter((one) => 'kind' in one && one.kind === 'passed').length, 1, 'of two values')
  t.same(
    block(['Order Count']).from.base.joins.filter(({ right }) => right.kind === 'converted'),
    [],
  )
})

t.test('without groups, each step of a funnel keeps its rows apart', async (t) => {
  const funnel = {
    ...{ type: 'funnel', entity: 'Customer', window: '7 day', calculation: 'count' },
    steps: [
      { measure: 'Order Count', timeDimension: 'Day' },
      { measure: 'Return Count', timeDimension: 'Return Day' },
    ],
  }
  const model = shopWith({
    dimensions: { 'Return Day': { dataObject: 'Returns', column: 'Day' } },
    measures: { 'Return Count': { aggregation: 'count', columns: [{ dataObject: 'Returns', column: 'Id' }] } },
    metrics: { Funnel: funnel, 'Funnel Before': before('Funnel') },
  })
  const where = [{ field: 'Day', op: 'between', value: ['2025-03-10', '2025-04-20'] }]
  const query = { select: { dimensions: ['Day:month'], measures: ['Funnel Before'] }, where, grouping: 'rollup' }
  t.match(compileFor(query, model).sql, /UNION ALL/)
})

t.test('a block says what it counts', async (t) => {
  t.equal(block(['Sales', 'Order Count']).reason, "'Sales', 'Order Count' at the rows of 'Orders'")
  const [{ request }] = requests(['Sales']) as [PlannedRequest]
  t.equal(bindBlock({ ...request, aggregates: [] }, context).reason, "the tuples at 'Orders'")
})

t.test('the rows of a cell are those of its groups, before they are grouped', async (t) => {
  const [{ request }] = requests(['Sales']) as [PlannedRequest]
  const [dimension] = request.dimensions
  const north = { kind: 'column', table: '', name: dimension!.name, type: dimension!.type } as const
  const other = { ...north, name: 'something else' }
  const wanted = { only: [north, other], beside: () => [] }
  t.same(whereOf(bindBlock(request, context, wanted)), ['Regions.name', 'something else'])
})

t.test('a fault names the measure or the dimension that has it', async (t) => {
  const [{ request }] = requests(['Sales']) as [PlannedRequest]
  const faulty = { ...request, bridges: new Set(['Nothing']) }
  t.throws(() => bindBlock(faulty, context), { message: /Nothing/, path: 'select.measures[0]' })
  t.throws(() => bindBlock({ ...faulty, aggregates: [] }, context), { message: /Nothing/, path: 'select.dimensions[0]' })
})
