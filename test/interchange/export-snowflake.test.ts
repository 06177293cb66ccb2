/** Models as semantic views of Snowflake: a model that is exported and imported means the same, and what the view cannot say is in the list. */
import type { Exported, Exporter, SemanticModel } from '@grainline/core'
import { exporterConformance } from '@grainline/core/testing'
import t, { type Test } from 'tap'
import { parse, stringify } from 'yaml'
import { importer as snowflake } from '../../plugins/importer-snowflake/src/importer.js'
import { statementExporter, yamlExporter } from '../../plugins/importer-snowflake/src/index.js'
import { PART } from '../support/amount.js'
import { anyModel, modelsAsked } from './any-model.js'
import { exportOf, linesOf, modelOf, parsed, wholeDocument } from './exported-models.js'
import { meaningOf } from './same-meaning.js'

const SHOP = `
version: 1
name: shop
description: "Orders, and 'more'"
owner: Ada
settings: { weekStart: sunday, defaultLocale: de }
dataObjects:
  Customers:
    code: customers
    schema: MAIN
    database: Shop
    synonyms: [buyers]
    columns:
      Id: { code: id, abstractType: int, primaryKey: true }
      Region: { code: region, abstractType: string, description: Where }
  Orders:
    code: ORDERS
    refresh: { mode: static }
    columns:
      Id: { code: ID, abstractType: int, primaryKey: true }
      Customer Id: { code: customer id, abstractType: int }
      Amount: { code: AMOUNT, sqlType: 'decimal(18,2)' }
      Cost: { code: cost, sqlType: 'decimal(18,2)', numClass: additive }
      Margin: { expression: '{Amount} - {Cost}', abstractType: float }
      Ratio: { expression: '{Amount} / {Cost}', abstractType: float }
      Paid: { code: paid, abstractType: boolean, trueValues: [Y] }
      Day: { code: day, abstractType: date }
      Note: { code: note, abstractType: string }
    joins:
      - { joinType: many-to-one, joinTo: Customers, columnsFrom: [Customer Id], columnsTo: [Id], foreignKey: true }
      - { joinType: many-to-one, joinTo: Customers, columnsFrom: [Cost], columnsTo: [Id], secondary: true, pathName: payer }
dimensions:
  Region: { dataObject: Customers, column: Region, synonyms: ["customer's area"], hierarchy: [Day] }
  AMOUNT: { dataObject: Orders, column: Amount }
  cost: { dataObject: Orders, column: Note, hidden: true }
  Day: { dataObject: Orders, column: Day }
  Month: { dataObject: Orders, column: Day, timeGrain: month }
  Week: { dataObject: Orders, column: Day, timeGrain: week }
  Size: { dataObject: Orders, expression: "CASE WHEN {[Orders].[Amount]} > 10 THEN 'large' ELSE concat({[Customers].[Region]}, '!') END" }
  Bin: { dataObject: Orders, column: Amount, bins: { size: 10 } }
  Paid: { dataObject: Orders, column: Paid }
measures:
  Revenue: { aggregation: sum, columns: [{ dataObject: Orders, column: Amount }], format: '0.00', description: In euros }
  Northern: { aggregation: sum, columns: [{ dataObject: Orders, column: Amount }], filters: [{ field: Customers.Region, op: '=', value: north }] }
  Margin: { aggregation: sum, columns: [{ dataObject: Orders, column: Margin }] }
  Mean: { aggregation: avg, expression: '{[Orders].[Amount]} / {[Orders].[Cost]}' }
  Buyers: { aggregation: count_distinct, columns: [{ dataObject: Orders, column: Customer Id }] }
  Middle: { aggregation: percentile, percentile: 0.25, columns: [{ dataObject: Orders, column: Amount }] }
  Last: { aggregation: sum, columns: [{ dataObject: Orders, column: Amount }], semiAdditive: { timeDimension: Day, take: last } }
  First: { aggregation: sum, columns: [{ dataObject: Orders, column: Amount }], semiAdditive: { timeDimension: Day, take: first } }
  Mean Last: { aggregation: sum, columns: [{ dataObject: Orders, column: Amount }], semiAdditive: { timeDimension: Day, take: avg } }
  List: { aggregation: listagg, columns: [{ dataObject: Orders, column: Note }] }
  Zero: { aggregation: sum, columns: [{ dataObject: Orders, column: Cost }], defaultValue: 0 }
  Whole: { aggregation: sum, columns: [{ dataObject: Orders, column: Cost }], total: true }
metrics:
  Average: { expression: '{[Revenue]} / {[Orders Count]}', synonyms: [mean] }
  Doubled: { expression: '{[Average]} * 2' }
  Rank: { type: window, windowFunction: rank, measure: Revenue }
  Of List: { expression: 'length({[List]})' }
segments:
  Large: { filters: [{ field: AMOUNT, op: '>', value: 100 }] }
  North: { filters: [{ field: Region, op: '=', value: north }, { field: AMOUNT, op: '>', value: 100 }] }
parameters:
  rate: { type: float }
`

t.setTimeout(600_000)

for (const exporter of [yamlExporter, statementExporter]) exporterConformance(t, { exporter, model: SHOP })

const textOf = ({ content }: Exported): string => ('text' in content ? content.text : stringify(content.yaml))

/** The model that a text is imported as. */
const back = async (text: string): Promise<SemanticModel> => parsed({ json: await wholeDocument(text, snowflake) }, text)

/** Paths of items that the text says as the model does. */
function exactPaths({ written, losses }: Exported): readonly (readonly (string | number)[])[] {
  const lost = new Set(losses.filter(({ kind }) => kind !== 'inert').map(({ path }) => JSON.stringify(path)))
  return written.filter((path) => !lost.has(JSON.stringify(path)) && path[2] !== 'columns')
}

t.test('the list says what a semantic view does not say, item for item', async (t) => {
  t.same(linesOf(await exportOf(modelOf(SHOP), yamlExporter)), [
    'inert dataObjects.Customers.columns.Region',
    'inert dataObjects.Orders.columns.Cost.numClass',
    'inert dataObjects.Orders.joins.0.foreignKey',
    'inert dataObjects.Orders.refresh',
    'inert dimensions.Region.hierarchy',
    'inert measures.Revenue.format',
    'inert owner',
    'inert settings.defaultLocale',
    'refused dimensions.Bin',
    'refused dimensions.Week',
    'refused measures.List',
    'refused measures.Mean Last',
    'refused measures.Whole',
    'refused metrics.Of List',
    'refused metrics.Rank',
    'refused parameters',
    'refused segments.North',
    'refused settings.weekStart',
    'rewritten dataObjects.Orders.columns.Paid',
    'rewritten dimensions.Month',
    'rewritten measures.Northern',
    'rewritten measures.Zero',
    'rewritten segments.Large',
  ])
})

t.test('the text is as a person writes it', async (t) => {
  const exported = await exportOf(modelOf(SHOP), yamlExporter)
  t.match(parse(textOf(exported)), {
    name: 'shop',
    tables: [
      { name: 'Customers', base_table: { database: '"Shop"', schema: 'MAIN', table: '"customers"' }, synonyms: ['buyers'] },
      {
        name: 'Orders',
        base_table: { table: 'ORDERS' },
        primary_key: { columns: ['ID'] },
        metrics: [
          { name: 'Revenue', expr: 'SUM("AMOUNT")' },
          { name: 'Northern', expr: `SUM(CASE WHEN ("CUSTOMERS"."REGION" = 'north') THEN "AMOUNT" END)` },
        ],
      },
    ],
    metrics: [{ name: 'Average', expr: '(CAST("ORDERS"."REVENUE" AS DOUBLE) / NULLIF("ORDERS"."Orders Count", 0))' }],
  })
  const statement = textOf(await exportOf(modelOf(SHOP), statementExporter))
  t.match(
    statement,
    /^CREATE OR REPLACE SEMANTIC VIEW shop\n {2}TABLES \(\n {4}Customers AS "Shop"\.MAIN\."customers" PRIMARY KEY \("id"\)/,
  )
  t.match(statement, /COMMENT = 'Orders, and ''more''';\n$/)
})

t.test('a unit that is the same for all rows is no number, and one of each row refuses what reads it', async (t) => {
  const lossesOf = async (unit: string) => {
    const column = `Amount: { code: AMOUNT, sqlType: 'decimal(18,2)', unit: ${unit} }`
    const changed = SHOP.replace("Amount: { code: AMOUNT, sqlType: 'decimal(18,2)' }", column)
    return linesOf(await exportOf(modelOf(changed), yamlExporter))
  }
  const constant = await lossesOf('EUR')
  t.ok(constant.includes('inert dataObjects.Orders.columns.Amount.unit'))
  t.notOk(constant.includes('refused measures.Revenue'))
  const ofRows = await lossesOf('{ column: Note }')
  for (const path of ['dataObjects.Orders.columns.Amount', 'measures.Revenue', 'metrics.Average'])
    t.ok(ofRows.includes(`refused ${path}`), path)
})

t.test('filters on every question refuse the model', async (t) => {
  const text = `${SHOP}\nfilters: [{ dataObject: Orders, column: Note, operator: set }]`
  t.match(await yamlExporter.write(modelOf(text)), { faults: [{ path: ['filters', 0], hint: /view/ }] })
})

t.test('a required join refuses the measures of which it removes rows', async (t) => {
  const { losses } = await exportOf(modelOf(SHOP.replace('foreignKey: true', 'required: true')), yamlExporter)
  t.match(
    losses.find(({ path }) => path.join('.') === 'measures.Revenue'),
    { kind: 'refused', message: /required join/ },
  )
  t.match(
    losses.find(({ path }) => path.join('.') === 'dataObjects.Orders.joins.0'),
    { kind: 'refused' },
  )
})

/** What a statement does not say: types, and how many rows of a table meet one of another. */
const untyped = (meaning: unknown): unknown =>
  JSON.parse(JSON.stringify(meaning), (key, value: unknown) => (key === 'type' || key === 'cardinality' ? undefined : value))

/** Compares the items that the text says, and returns how many they are. */
async function same(t: Test, model: SemanticModel, exporter: Exporter, what: string): Promise<number> {
  const exported = await exportOf(model, exporter)
  const text = textOf(exported)
  const other = await back(text)
  const paths = exactPaths(exported)
  for (const path of paths) {
    const [mine, its] = [model, other]
      .map((each) => meaningOf(path, each, model))
      .map(exporter === statementExporter ? untyped : (each) => each)
    if (JSON.stringify(mine) !== JSON.stringify(its)) t.same(its, mine, `${what}: ${path.join('.')}\n${text}`)
  }
  return paths.length
}

t.test('a model that is exported and imported means the same', async (t) => {
  t.ok((await same(t, modelOf(SHOP), yamlExporter, 'shop')) > 15)
  t.ok((await same(t, modelOf(SHOP), statementExporter, 'shop')) > 15)
  const seed = Number(process.env['INTERCHANGE_SEED'] ?? 39 + PART)
  const models = modelsAsked(10)
  t.comment(`INTERCHANGE_SEED=${seed}`)
  for (const exporter of [yamlExporter, statementExporter]) {
    let items = 0
    let untyped = 0
    for (let at = 0; at < models; at++)
      try {
        items += await same(t, anyModel(seed * 1000 + at), exporter, `${exporter.name}, model ${at} of ${seed}`)
      } catch (error) {
        // A statement has no types, and the use of a column does not always give it the one that it has.
        if (exporter !== statementExporter || !String(error).includes('EXPRESSION_TYPE_MISMATCH')) throw error
        untyped++
      }
    t.ok(untyped <= Math.ceil(models / 100), `${untyped} models need a type that a statement does not say`)
    t.comment(`${exporter.name}: ${items} items of ${models} models`)
    t.ok(items > models, `${exporter.name}: ${items} items of ${models} models`)
  }
})
