/** Models as metric views of Databricks: a model that is exported and imported means the same, and what the views cannot say is in the list. */
import type { Exporter, SemanticModel } from '@grainline/core'
import { exporterConformance } from '@grainline/core/testing'
import t, { type Test } from 'tap'
import { parse } from 'yaml'
import { databricks, statementExporter, yamlExporter } from '../../plugins/importer-databricks/src/index.js'
import { type ColumnRef, conditionSql, type SqlSpelling, writtenSql } from '../../plugins/importer-dbt/src/foreign.js'
import { PART } from '../support/amount.js'
import { anyModel, modelsAsked } from './any-model.js'
import { exportOf, linesOf, modelOf } from './exported-models.js'
import { sameNumbers } from './numbers-by-hand.js'
import { readBack, tripOf } from './round-trips.js'
import { meaningOf } from './same-meaning.js'

const SHOP = `
version: 1
name: shop
description: "Orders of $$ shops"
settings: { weekStart: sunday, defaultLocale: de }
filters: [{ dataObject: Orders, column: Test, operator: equals, value: false }]
dataObjects:
  Nations:
    code: nations
    columns:
      Id: { code: id, abstractType: string, primaryKey: true }
      World: { code: world, abstractType: string }
      Spare: { code: spare, abstractType: string }
  Customers:
    code: customers
    schema: main
    database: Shop-1
    synonyms: [buyers]
    columns:
      Id: { code: id, abstractType: string, primaryKey: true }
      Nation: { code: nation id, abstractType: string }
      Region: { code: region, abstractType: string, description: Where }
    joins: [{ joinType: many-to-one, joinTo: Nations, columnsFrom: [Nation], columnsTo: [Id] }]
  Orders:
    code: orders
    columns:
      Id: { code: id, abstractType: string, primaryKey: true }
      Customer Id: { code: customer_id, abstractType: string }
      Amount: { code: amount, sqlType: 'decimal(18,2)' }
      Cost: { code: cost, sqlType: 'decimal(18,2)' }
      Margin: { expression: '{Amount} - {Cost}', abstractType: float }
      Paid: { code: paid, abstractType: boolean, trueValues: [Y] }
      Test: { code: is_test, abstractType: boolean }
      Day: { code: day, abstractType: date }
      Note: { code: note, abstractType: string }
    joins:
      - { joinType: many-to-one, joinTo: Customers, columnsFrom: [Customer Id], columnsTo: [Id], foreignKey: true }
      - { joinType: many-to-one, joinTo: Customers, columnsFrom: [Cost], columnsTo: [Id], secondary: true, pathName: payer }
  Lines:
    code: lines
    countable: false
    columns:
      Order: { code: order_id, abstractType: string }
      Product: { code: sku, abstractType: string }
      Quantity: { code: quantity, abstractType: int }
    joins:
      - { joinType: many-to-one, joinTo: Orders, columnsFrom: [Order], columnsTo: [Id], required: true }
      - { joinType: many-to-one, joinTo: Products, columnsFrom: [Product], columnsTo: [Sku] }
  Products:
    code: products
    countable: false
    columns:
      Sku: { code: sku, abstractType: string, primaryKey: true }
      Price: { code: price, abstractType: float }
  Visits:
    code: visits
    columns:
      Customer: { code: customer, abstractType: string }
    joins: [{ joinType: many-to-one, joinTo: Customers, columnsFrom: [Customer], columnsTo: [Id] }]
dimensions:
  Region: { dataObject: Customers, column: Region, synonyms: ["customer's area"], hierarchy: [Day] }
  World: { dataObject: Nations, column: World }
  amount: { dataObject: Orders, column: Amount }
  cost: { dataObject: Orders, column: Note, hidden: true }
  Day: { dataObject: Orders, column: Day }
  Month: { dataObject: Orders, column: Day, timeGrain: month }
  Year: { dataObject: Orders, column: Day, timeGrain: year }
  Week: { dataObject: Orders, column: Day, timeGrain: week }
  Size: { dataObject: Orders, expression: "CASE WHEN {[Orders].[Amount]} > 10 THEN 'it''s large' ELSE concat({[Customers].[Region]}, '!') END" }
  Bin: { dataObject: Orders, column: Amount, bins: { size: 10 } }
  Paid: { dataObject: Orders, column: Paid }
measures:
  Revenue: { aggregation: sum, columns: [{ dataObject: Orders, column: Amount }], format: '#,##0.00', description: In euros }
  Northern: { aggregation: sum, columns: [{ dataObject: Orders, column: Amount }], filters: [{ field: Customers.Region, op: '=', value: north }, { field: Orders.Note, op: is_null }] }
  Margin: { aggregation: sum, columns: [{ dataObject: Orders, column: Margin }] }
  Buyers: { aggregation: count_distinct, columns: [{ dataObject: Orders, column: Customer Id }] }
  Middle: { aggregation: percentile, percentile: 0.25, columns: [{ dataObject: Orders, column: Amount }] }
  All Paid: { aggregation: bool_and, columns: [{ dataObject: Orders, column: Test }] }
  Units: { aggregation: sum, columns: [{ dataObject: Lines, column: Quantity }], filters: [{ field: Orders.Note, op: '=', value: x }] }
  Line Value: { aggregation: sum, expression: '{[Lines].[Quantity]} * {[Products].[Price]}', anchor: Lines }
  Last: { aggregation: sum, columns: [{ dataObject: Orders, column: Amount }], semiAdditive: { timeDimension: Day, take: last } }
  Mean Last: { aggregation: sum, columns: [{ dataObject: Orders, column: Amount }], semiAdditive: { timeDimension: Day, take: avg } }
  Zero: { aggregation: sum, columns: [{ dataObject: Orders, column: Cost }], defaultValue: 0 }
  Whole: { aggregation: sum, columns: [{ dataObject: Orders, column: Cost }], total: true }
metrics:
  Average: { expression: '{[Revenue]} / {[Orders Count]}', synonyms: [mean] }
  Of Visits: { expression: '{[Revenue]} / {[Visits Count]}' }
  Running: { type: cumulative, measure: Average, timeDimension: Day }
  Of Week: { type: cumulative, measure: Revenue, timeDimension: Day, window: 7, windowGrain: day }
  Of Year: { type: cumulative, measure: Revenue, timeDimension: Day, grainToDate: year }
  Of Quarter: { type: cumulative, measure: Revenue, timeDimension: Day, grainToDate: quarter }
  Before: { type: period_over_period, measure: Revenue, periodOverPeriod: { timeDimension: Month, offset: -1, offsetGrain: month, comparison: previousValue, rows: current } }
  Growth: { expression: '({[Revenue]} - {[Before]}) / {[Before]}', format: '0.0%' }
  Rank: { type: window, windowFunction: rank, measure: Revenue }
segments:
  Large: { filters: [{ field: amount, op: '>', value: 100 }] }
parameters:
  rate: { type: float }
`

t.setTimeout(600_000)

for (const exporter of [yamlExporter, statementExporter]) exporterConformance(t, { exporter, model: SHOP })

const TRIP = tripOf('databricks')
const viewsOf = TRIP.texts

const back = (text: string, of: SemanticModel): Promise<SemanticModel> => readBack(text, TRIP, of)

t.test('the list says what metric views do not say, item for item', async (t) => {
  t.same(linesOf(await exportOf(modelOf(SHOP), yamlExporter)), [
    'inert dataObjects.Customers',
    'inert dataObjects.Customers.columns.Region.description',
    'inert dataObjects.Customers.synonyms',
    'inert dataObjects.Nations',
    'inert dataObjects.Nations.columns.Spare',
    'inert dataObjects.Orders.columns.Id.primaryKey',
    'inert dataObjects.Orders.joins.0.foreignKey',
    'inert dimensions.Region.hierarchy',
    'inert name',
    'inert settings.defaultLocale',
    'refused dataObjects.Orders.joins.1',
    'refused dimensions.Bin',
    'refused dimensions.Week',
    'refused measures.Mean Last',
    'refused measures.Whole',
    'refused metrics.Of Quarter',
    'refused metrics.Of Visits',
    'refused metrics.Rank',
    'refused parameters',
    'refused segments.Large',
    'refused settings.weekStart',
    'rewritten dataObjects',
    'rewritten dataObjects.Orders.columns.Margin',
    'rewritten dataObjects.Orders.columns.Paid',
    'rewritten dimensions.Month',
    'rewritten dimensions.Paid',
    'rewritten dimensions.Year',
    'rewritten dimensions.cost',
    'rewritten dimensions.cost',
    'rewritten measures',
    'rewritten measures.Zero',
  ])
})

t.test('the text is as a person writes it', async (t) => {
  const [orders = '', visits = '', more] = viewsOf(await exportOf(modelOf(SHOP), yamlExporter))
  t.match(parse(orders), {
    version: 1.1,
    source: 'orders',
    filter: '(is_test = FALSE)',
    joins: [
      {
        name: 'Customers',
        source: '`Shop-1`.main.customers',
        on: 'source.customer_id = Customers.id',
        rely: { at_most_one_match: true },
        joins: [{ name: 'Nations', on: 'Customers.`nation id` = Nations.id' }],
      },
      { name: 'Lines', on: 'source.id = Lines.order_id', cardinality: 'one_to_many', joins: [{ name: 'Products' }] },
    ],
  })
  t.match(orders, /expr: CASE WHEN \(amount > 10\) THEN "it's large" ELSE CONCAT\(Customers\.region, '!'\) END\n/)
  t.match(orders, /expr: SUM\(amount\) FILTER \(WHERE \(Customers\.region = 'north'\) AND \(note IS NULL\)\)\n/)
  t.match(orders, /window:\n +- order: Month\n +range: current\n +semiadditive: last\n +offset: -1 month\n/)
  t.match(parse(visits), { source: 'visits', measures: [{ name: 'Visits Count', expr: 'COUNT(*)' }] })
  t.equal(more, undefined)
  const [statement = ''] = viewsOf(await exportOf(modelOf(SHOP), statementExporter))
  t.match(statement, /^CREATE OR REPLACE VIEW shop_Orders\nWITH METRICS\nLANGUAGE YAML\nAS \$\$\n[^$]*\$\$;\n/)
  t.match(await back(statement, modelOf(SHOP)), { description: 'Orders of $$ shops', filters: [{ dataObject: 'orders' }] })
})

t.test('a name with another end of a line does not end the comment of its view', async (t) => {
  const named = SHOP.replace(/\bVisits\b/g, '"Visits\\u0085filter: x\\u2028y"').replace('{["Visits', '{["Visits')
  const model = modelOf(named.replace(/^.*Of Visits.*$|^.*Of "Visits.*$/m, ''))
  const [first = ''] = viewsOf(await exportOf(model, yamlExporter)).filter((view) => view.includes('source: visits'))
  t.match(first, /^# Rows of Visits filter: x y\n/)
})

t.test('a filter on the rows of a joined table refuses the model', async (t) => {
  const text = SHOP.replace(
    'dataObject: Orders, column: Test, operator: equals, value: false',
    'dataObject: Customers, column: Region, operator: set',
  )
  t.match(await yamlExporter.write(modelOf(text)), { faults: [{ path: ['filters', 0], hint: /view/ }] })
})

/** A metric over time without what is only a name. */
const overTime = (name: string, { metrics }: SemanticModel): unknown =>
  Object.entries(metrics.get(name) ?? {})
    .filter(([key]) => !['description', 'synonyms', 'format', 'expression', 'unit'].includes(key))
    .toSorted(([a], [b]) => (a < b ? -1 : 1))

t.test('windows are read as the metrics over time that they were', async (t) => {
  const model = modelOf(SHOP)
  const [orders = ''] = viewsOf(await exportOf(model, yamlExporter))
  const other = await back(orders, model)
  for (const name of ['Running', 'Of Week', 'Of Year', 'Before']) t.same(overTime(name, other), overTime(name, model), name)
  t.equal(other.measures.get('Revenue')?.format, '#,##0.00')
  t.equal(other.metrics.get('Growth')?.format, '0.0%')
})

const OF_DAYS = `
version: 1
dataObjects:
  Days:
    code: days
    calendar: { key: Date }
    columns: { Date: { code: d, abstractType: date, primaryKey: true } }
  Orders:
    code: orders
    columns:
      At: { code: paid_at, abstractType: timestamp }
      Day: { expression: 'CAST({At} AS DATE)', abstractType: date }
      Amount: { code: amount, abstractType: int }
    joins: [{ joinType: many-to-one, joinTo: Days, columnsFrom: [Day], columnsTo: [Date] }]
dimensions:
  At: { dataObject: Orders, column: At }
  Day: { dataObject: Orders, column: Day }
measures:
  Revenue: { aggregation: sum, columns: [{ dataObject: Orders, column: Amount }] }
metrics:
  Running: { type: cumulative, measure: Revenue, timeDimension: At }
`

t.test(
  'a day that tells a time by a calendar has a line beside a running total, which is not carried over it there',
  async (t) => {
    const rows =
      "CREATE TABLE orders AS SELECT * FROM (VALUES (TIMESTAMP '2026-01-01 10:00:00', 1), ('2026-01-03 11:00:00', 2)) AS o(paid_at, amount)"
    const measures = ['Running']
    const [text = ''] = viewsOf(await exportOf(modelOf(OF_DAYS), yamlExporter))
    t.match(text, /expr: CAST\(paid_at AS DATE\)/)
    const own = { importer: databricks, text: OF_DAYS, isOwn: true, rows }
    const carried = "SELECT * FROM (VALUES (DATE '2026-01-01', 1), (DATE '2026-01-03', 3))"
    const alone = "SELECT * FROM (VALUES (DATE '2026-01-01', 1), (DATE '2026-01-03', 2))"
    await sameNumbers('here', { ...own, cases: [{ dimensions: ['Day'], measures, sql: carried }] }, t)
    await sameNumbers('there', { ...own, text, isOwn: false, cases: [{ dimensions: ['Day'], measures, sql: alone }] }, t)
    const line = /'Day' tells days of 'At' by a calendar, and is a time of its own there/
    const linesIn = async (model: string) =>
      (await exportOf(modelOf(model), yamlExporter)).losses.filter(({ message }) => line.test(message))
    t.match(await linesIn(OF_DAYS), [{ kind: 'rewritten', path: ['dimensions', 'Day'], hint: /'At'/ }])
    t.equal((await linesIn(OF_DAYS.replace('CAST({At} AS DATE)', "date_trunc(''day'', {At})"))).length, 1)
    t.same(await linesIn(OF_DAYS.replace('calendar: { key: Date }', 'description: Days')), [], 'without a calendar')
    t.same(await linesIn(OF_DAYS.replace(/metrics:[\s\S]*/, '')), [], 'without a running total')
  },
)

const ALL = ['dimensions', 'measures', 'metrics']

/** A meaning without what a metric view does not say: types, the names of sources, and which object a dimension is listed under. */
function plain(meaning: unknown, { dataObjects }: SemanticModel): unknown {
  const code = (name: string): string => {
    const { source } = dataObjects.get(name) ?? {}
    return source?.kind === 'table' ? source.name : name
  }
  return JSON.parse(JSON.stringify(meaning), (key, value: unknown) => {
    if (key === 'type' && typeof value === 'object') return undefined
    // A field whose name is taken has a number after it, with a line.
    if ((key === 'name' || key === 'timeDimension') && typeof value === 'string') return value.replace(/ \(\d+\)$/, '')
    if (key === 'dataObject' || key === 'keys' || key === 'cardinality' || key === 'filters') return undefined
    return ['of', 'from', 'to', 'rows'].includes(key) && typeof value === 'string' ? code(value) : value
  })
}

const CALLS = Object.fromEntries(
  ['coalesce', 'upper', 'lower', 'length', 'abs', 'concat'].map((name) => [
    name,
    (args: readonly string[]) => `${name}(${args.join(', ')})`,
  ]),
)

/** The conditions of a measure, over columns of the database. */
function testsOf(name: string, { measures, dataObjects }: SemanticModel): string {
  const spelling: SqlSpelling<ColumnRef> = {
    ...{ double: 'DOUBLE', timestamp: 'TIMESTAMP', units: new Set(), calls: CALLS },
    leaf: ({ object, column }) => {
      const { source, columns } = dataObjects.get(object) ?? {}
      const from = columns?.get(column)?.source
      if (from?.kind === 'expression') return writtenSql(uncast(from.expression), spelling)
      const code = from?.kind === 'physical' ? from.code : column
      return `${source?.kind === 'table' ? source.name : object}.${code}`.replaceAll(' ', '_')
    },
    typeOf: ({ object, column }) => dataObjects.get(object)?.columns.get(column)?.type,
  }
  const tests = (measures.get(name)?.filters ?? []).map((filter) => conditionSql(positive(filter), spelling))
  return tests.join(' AND ').replace(/[()]/g, '')
}

type Condition = Parameters<typeof conditionSql>[0]

/** Without casts to doubles, which a quotient is written with. */
const uncast = <E>(expression: E): E =>
  JSON.parse(JSON.stringify(expression), (_key, value) =>
    value?.kind === 'cast' && value.type?.kind === 'float' ? value.operand : value,
  )

/** `a NOT IN (b)` is `NOT a IN (b)` after a way through the grammar, and `BETWEEN` two comparisons. */
function positive(condition: Condition): Condition {
  if (condition.kind === 'group') return { ...condition, filters: condition.filters.map(positive) }
  if (condition.kind === 'expression') return { ...condition, expression: uncast(condition.expression) }
  if (condition.kind !== 'leaf') return condition
  const group = (negated: boolean, ...filters: Condition[]): Condition => ({ kind: 'group', logic: 'and', negated, filters })
  const [low, high] = condition.values
  switch (condition.operator) {
    case 'not_in':
      return group(true, { ...condition, operator: 'in' })
    case 'is_not_null':
      return group(true, { ...condition, operator: 'is_null' })
    case 'between':
    case 'not_between':
      if (low === undefined || high === undefined) return condition
      return group(
        condition.operator === 'not_between',
        { ...condition, operator: 'gte', values: [low] },
        { ...condition, operator: 'lte', values: [high] },
      )
    default:
      return condition
  }
}

/** The joins of an object, by tables and columns of the database. */
function joinsOf(name: string, { dataObjects }: SemanticModel): readonly string[] {
  const codeOf = (object: string, column?: string): string => {
    const { source, columns } = dataObjects.get(object) ?? {}
    const from = column === undefined ? undefined : columns?.get(column)?.source
    if (column !== undefined) return from?.kind === 'physical' ? from.code : '?'
    return source?.kind === 'table' ? source.name : '?'
  }
  return (dataObjects.get(name)?.joins ?? []).map(({ from, to, on, required }) => {
    const pairs = on.map((term) => (term.kind === 'equal' ? `${codeOf(from, term.from)}=${codeOf(to, term.to)}` : '?'))
    return `${codeOf(from)} ${codeOf(to)} ${pairs.toSorted()} ${required}`
  })
}

/** Compares the items that the views say, and returns how many they are. */
async function same(t: Test, model: SemanticModel, exporter: Exporter, what: string): Promise<number> {
  const exported = await exporter.write(model)
  if ('faults' in exported) return 0
  const views = viewsOf(exported)
  const models = await Promise.all(views.map((view) => back(view, model)))
  const lost = new Set(exported.losses.filter(({ kind }) => kind !== 'inert').map(({ path }) => JSON.stringify(path)))
  const paths = exported.written.filter((path) => ALL.includes(String(path[0])) && !lost.has(JSON.stringify(path)))
  for (const path of paths) {
    const [kind, name = ''] = path
    const mine = JSON.stringify(plain(meaningOf(path, model, model), model))
    const found = models.filter((each) => each[kind as 'dimensions'].has(String(name)))
    if (found.length === 0) t.fail(`${what}: ${path.join('.')} is in no view`)
    for (const each of found) {
      const its = JSON.stringify(plain(meaningOf(path, each, each), each))
      if (its !== mine) t.fail(`${what}: ${path.join('.')} is\n${its}, and not\n${mine}\n${views.join('---\n')}`)
      const [test, own] = kind === 'measures' ? [each, model].map((one) => testsOf(String(name), one)) : []
      if (test !== own) t.fail(`${what}: the filters of ${name} are\n${test}, and not\n${own}\n${views.join('---\n')}`)
    }
  }
  const joins = new Set(models.flatMap((each) => [...each.dataObjects.keys()].flatMap((name) => joinsOf(name, each))))
  for (const [kind, name, part, at] of exported.written) {
    const join = kind === 'dataObjects' && part === 'joins' ? joinsOf(String(name), model)[Number(at)] : undefined
    if (join !== undefined && !joins.has(join)) t.fail(`${what}: ${join} is in no view\n${views.join('---\n')}`)
  }
  return paths.length
}

t.test('a model that is exported and imported means the same', async (t) => {
  t.ok((await same(t, modelOf(SHOP), yamlExporter, 'shop')) > 15)
  t.ok((await same(t, modelOf(SHOP), statementExporter, 'shop')) > 15)
  const seed = Number(process.env['INTERCHANGE_SEED'] ?? 384 + PART)
  const models = modelsAsked(10)
  t.comment(`INTERCHANGE_SEED=${seed}`)
  let items = 0
  for (let at = 0; at < models; at++) items += await same(t, anyModel(seed * 1000 + at), yamlExporter, `model ${at} of ${seed}`)
  t.comment(`${items} items of ${models} models`)
  t.ok(items > models, `${items} items of ${models} models`)
})
