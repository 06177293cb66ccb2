import t from 'tap'
import { aggregateQuery, bound, legsOf, resolved } from '../../../test/support/bound.js'
import { loadText } from '../../../test/support/compile.js'
import { shop, shopAnd } from '../../../test/support/models.js'
import { builtInAggregates } from '../model/functions/aggregates.js'
import { builtInFunctions } from '../model/functions/catalogue.js'
import type { GroupedQuery, QueryBase } from '../resolve/resolved-query.js'
import { isSame } from '../same.js'
import { bindQuery, type Catalogues } from './bind-query.js'
import type { BoundBlock } from './bound-block.js'
import type { BoundQuery } from './bound-query.js'

const MODEL = `
version: 1
dataObjects:
  Customers:
    code: customers
    columns:
      Id: { code: id, abstractType: int, primaryKey: true }
      Name: { code: name, abstractType: string }
      Region Id: { code: region_id, abstractType: int }
    joins:
      - { joinTo: Regions, joinType: many-to-one, columnsFrom: [Region Id], columnsTo: [Id] }
  Regions:
    code: regions
    columns:
      Id: { code: id, abstractType: int, primaryKey: true }
      Name: { code: name, abstractType: string }
  Orders:
    code: orders
    columns:
      Id: { code: id, abstractType: int, primaryKey: true }
      Customer Id: { code: customer_id, abstractType: int }
      Status: { code: status, abstractType: string }
      Amount: { code: amount, abstractType: int }
    joins:
      - { joinTo: Customers, joinType: many-to-one, columnsFrom: [Customer Id], columnsTo: [Id] }
  Visits:
    code: visits
    columns:
      Id: { code: id, abstractType: int, primaryKey: true }
      Customer Id: { code: customer_id, abstractType: int }
    joins:
      - { joinTo: Customers, joinType: many-to-one, columnsFrom: [Customer Id], columnsTo: [Id] }
dimensions:
  Customer: { dataObject: Customers, column: Name, resultType: string }
  Region: { dataObject: Regions, column: Name, resultType: string }
  Status: { dataObject: Orders, column: Status, resultType: string }
measures:
  Orders of Customers: { columns: [{ dataObject: Orders, column: Id }], aggregation: count, filters: [{ field: Customers.Name, op: is_not_null }] }
  Revenue: { columns: [{ dataObject: Orders, column: Amount }], resultType: int, aggregation: sum }
  Paid: { columns: [{ dataObject: Orders, column: Amount }], aggregation: sum, filters: [{ field: Orders.Status, op: equals, value: paid }] }
  Paid Orders: { columns: [{ dataObject: Orders, column: Id }], aggregation: count, filters: [{ field: Orders.Status, op: equals, value: paid }] }
  Open Orders: { columns: [{ dataObject: Orders, column: Id }], aggregation: count, filters: [{ field: Orders.Status, op: equals, value: open }] }
  Visits Made: { columns: [{ dataObject: Visits, column: Id }], resultType: int, aggregation: count }
`

const model = loadText(MODEL)
const bind = (query: unknown): BoundQuery => bound(query, model)

t.test('a block does not depend on the other fields of the query', async (t) => {
  const [alone] = legsOf(bind({ select: { dimensions: ['Customer'], measures: ['Revenue'] } }))
  const beside = legsOf(bind({ select: { dimensions: ['Customer'], measures: ['Visits Made', 'Revenue'] } }))
  t.same(
    beside.map((block) => block.base),
    ['Visits', 'Orders'],
  )
  t.ok(isSame(beside[1], alone), 'also its relations have the same names, which become unique in the statement')
})

t.test('a block describes the rows that it reads, its joins, and the conditions that reach it', async (t) => {
  const [revenue, visits] = legsOf(
    bind({
      select: { dimensions: ['Customer'], measures: ['Revenue', 'Visits Made'] },
      where: [{ field: 'Status', op: 'equals', value: 'paid' }],
    }),
  )
  t.same([revenue?.base, visits?.base], ['Orders', 'Visits'])
  t.same(
    revenue?.from.base.joins.map(({ type, label: { from, to } }) => `${from} ${type} ${to}`),
    ['Orders left Customers'],
  )
  t.same(
    revenue?.where.map((c) => c.reason),
    ["where on 'Status'"],
  )
  t.same(visits?.where, [], 'the condition does not reach visits')
})

t.test('rows that no measure counts are left out; a filter that several measures share is resolved once', async (t) => {
  const filters = (measures: readonly string[]): unknown => {
    const [block] = legsOf(bind({ select: { dimensions: ['Customer'], measures } }))
    return block?.where.map((c) => c.expression)
  }
  t.same(filters(['Paid', 'Paid Orders']), filters(['Paid']))
  t.same(filters(['Paid', 'Open Orders', 'Paid Orders']), filters(['Paid', 'Open Orders']))
  t.notSame(filters(['Paid', 'Open Orders']), filters(['Paid']))
  t.same(filters(['Paid', 'Revenue']), [], 'all rows count')
})

t.test('a filter that does not reach an aggregate is a warning of the bound query', async (t) => {
  const select = { dimensions: ['Customer'], measures: ['Revenue', 'Visits Made'] }
  const where = [{ field: 'Status', op: 'equals', value: 'paid' }]
  const { warnings } = bind({ select, where })
  t.same(
    warnings.map(({ code, path }) => [code, path]),
    [['FILTER_NOT_APPLICABLE', 'where[0]']],
  )
  t.match(warnings[0]?.message, /'Status' cannot be reached from 'Visits Made'/)
  t.throws(() => bind({ select, where, strict_filters: true }), { code: 'FILTER_NOT_APPLICABLE' })
  t.throws(() => bind({ select: { ...select, measures: ['Visits Made'] }, where }), { code: 'FILTER_APPLIES_TO_NOTHING' })
})

t.test('the rows of an exists filter are joined once, wherever the query uses it', async (t) => {
  const visited = { field: 'Customer', op: 'exists', subquery: { dataObject: 'Visits' } }
  const where = [visited, { logic: 'or', filters: [visited, { field: 'Status', op: 'equals', value: 'paid' }] }]
  const [revenue] = legsOf(bind({ select: { measures: ['Revenue'] }, where }))
  t.same(
    revenue?.from.base.joins.map(({ right }) => right.kind),
    ['scan', 'found'],
  )
})

t.test('the order of measures and dimensions determines only the order of lists and joins', async (t) => {
  const ask = (dimensions: readonly string[], measures: readonly string[]): BoundBlock => {
    const where = [{ field: 'Region', op: 'equals', value: 'north' }]
    return legsOf(bind({ select: { dimensions, measures }, where }))[0]!
  }
  const inOneOrder = ({ from, groupBy, dimensions, aggregates, values, ...rest }: BoundBlock) => ({
    ...rest,
    from: { ...from, base: { ...from.base, joins: byName(from.base.joins, ({ right }) => right.alias) } },
    groupBy: byName(groupBy, nameOf),
    dimensions: byName(dimensions, nameOf).map(({ path: _path, ...dimension }) => dimension),
    aggregates: byName(aggregates, nameOf),
    values: byName(values, nameOf),
    reason: [...rest.reason].sort().join(''),
  })
  const one = ask(['Customer', 'Region', 'Status'], ['Revenue', 'Orders of Customers'])
  const other = ask(['Status', 'Region', 'Customer'], ['Orders of Customers', 'Revenue'])
  t.notSame(other.groupBy, one.groupBy)
  t.same(inOneOrder(other), inOneOrder(one))
})

const nameOf = ({ name }: { readonly name: string }): string => name

const byName = <T>(all: readonly T[], name: (one: T) => string): readonly T[] =>
  all.toSorted((a, b) => name(a).localeCompare(name(b)))

t.test('the names of tables are told in lower case, whatever they are in the model', async (t) => {
  const query = { select: { dimensions: ['Region'], measures: ['Revenue'] } }
  const { tables } = bound(query, loadText(MODEL.replace('code: regions', 'code: REGIONS')))
  t.same([...tables], ['answer', 'customers', 'regions', 'orders', 'visits'])
})

const catalogues: Catalogues = { functions: builtInFunctions, aggregates: builtInAggregates }
const february = [
  { field: 'Day', op: 'gte', value: '2024-02-01' },
  { field: 'Day', op: 'lt', value: '2024-03-01' },
]

t.test('the values of `top` are bound beside the query, with their own facts, rules and warnings', async (t) => {
  const asked = resolved({ select: { dimensions: ['Region'], measures: ['Sales'] } }, shop)
  const months = { select: { dimensions: ['Day:month'], measures: ['Sales', 'Sales Last Month', 'Returned'] } }
  const alone = bindQuery(asked, catalogues)
  t.same([alone.bases, alone.rules, alone.warnings, alone.top], [['Orders'], [], [], undefined])
  const { order: _, ...ofMonths } = aggregateQuery(
    { ...months, select: { ...months.select, measures: ['Sales', 'Sales Last Month'] }, where: february },
    shop,
  )
  const top = bindQuery({ ...asked, top: { ...ofMonths, order: [], limit: 3 } }, catalogues)
  t.same([top.bases, top.rules, top.top?.n], [['Orders', 'Orders', 'Orders'], ['near-periods'], 3])
  const tables = { sources: new Map(), hasQuotients: true, timezone: undefined }
  const { tablesRead } = bindQuery(
    { ...asked, top: aggregateQuery({ select: { dimensions: ['Region'], measures: ['Returned'] } }, shop) },
    { ...catalogues, rollups: tables },
  )
  t.same(tablesRead, { rollups: [], facts: ['Sales', 'Returned'] })
})

t.test('a filter that does not reach the values of `top` is a warning, once', async (t) => {
  const where = [{ field: 'Status', op: 'equals', value: 'paid' }]
  const ask = (measure: string) =>
    aggregateQuery({ select: { dimensions: ['Region'], measures: [...new Set(['Sales', measure])] }, where }, shop)
  const warnings = (measure: string, top?: string) =>
    bindQuery({ ...ask(measure), ...(top !== undefined && { top: ask(top) }) }, catalogues).warnings.map(({ message }) => message)
  t.same(warnings('Sales'), [])
  t.match(warnings('Sales', 'Returned'), [/'Returned'/])
  t.same(warnings('Returned', 'Returned'), warnings('Returned'))
})

const soFar = (measure: string, more = '') => `{ type: cumulative, measure: ${measure}, timeDimension: Day${more} }`
const withMean = shopAnd({
  metrics: {
    Mean: '{ type: aggregate, measure: Sales, aggregation: avg, per: [Customer] }',
    'Running Mean': soFar('Mean'),
    'Mean So Far': soFar('Sales', ', cumulativeType: avg'),
  },
})

t.test('the rows of levels are those that are shown, if more rows than those of the blocks could be theirs', async (t) => {
  const all = (measures: readonly string[], more: object = {}): GroupedQuery & QueryBase => {
    const select = { dimensions: ['Region', 'Day:month'], measures }
    const query = resolved({ select, limit: 2, grouping: { sets: 'rollup', of: 'shown' }, ...more }, withMean)
    if (query.kind !== 'grouped') throw new Error(query.kind)
    return { ...query, rowsAreShown: false }
  }
  const plain = all(['Sales'])
  /** Only the detail level, and what is shown without its own values. */
  const grouped = (...asked: Parameters<typeof all>) => {
    const query = all(...asked)
    return { ...query, levels: query.levels.slice(0, 1), shown: plain.shown }
  }
  const isWide = (query: GroupedQuery): boolean => {
    const { rows } = bindQuery(query, catalogues)
    if (rows.kind !== 'grouped') throw new Error(rows.kind)
    t.equal(new Set(rows.levels.map(({ rowsAreShown }) => rowsAreShown)).size, 1, 'all of them')
    return rows.levels[0]?.rowsAreShown === true
  }
  t.notOk(isWide(plain))
  t.ok(isWide({ ...plain, rowsAreShown: true }))
  t.ok(isWide(grouped(['Sales'], { fill_gaps: true })), 'gaps')
  t.ok(isWide(grouped(['Sales Last Month'])), 'another period adds rows')
  t.notOk(isWide(grouped(['Sales of All'])), 'a total adds none')
  t.ok(isWide(grouped(['Running Sales'])), 'a running value')
  t.ok(isWide(grouped(['Mean', 'Running Sales'])), 'a running value beside one over groups')
  t.ok(isWide(grouped(['Running Sales', 'Mean So Far'])), 'running values of two kinds')
  t.ok(isWide(grouped(['Mean', 'Running Mean'])), 'a running value of one over groups')
  const [running] = grouped(['Running Sales']).levels
  t.ok(isWide({ ...plain, levels: [...plain.levels, running!] }), 'one of the levels')
  t.notOk(isWide({ ...grouped(['Running Sales']), shown: undefined, rowsAreShown: false }), 'without shown rows')
  const { rows } = bindQuery(plain, catalogues)
  t.match(rows, { shown: { limit: 2, offset: undefined } })
  t.notOk('shown' in bindQuery({ ...plain, shown: undefined }, catalogues).rows)
  const tables = { sources: new Map(), hasQuotients: true, timezone: undefined }
  t.same(bindQuery(plain, { ...catalogues, rollups: tables }).tablesRead.facts, ['Sales'])
  t.ok('shown' in rows)
})
