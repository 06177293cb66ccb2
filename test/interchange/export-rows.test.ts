/** What an export says of rows: which are counted, which are missing, and which way leads to others. */
import type { Exporter } from '@grainline/core'
import t from 'tap'
import { stringify } from 'yaml'
import { yamlExporter as databricks } from '../../plugins/importer-databricks/src/index.js'
import { exporter as ossie } from '../../plugins/importer-ossie/src/index.js'
import { yamlExporter as snowflake, statementExporter } from '../../plugins/importer-snowflake/src/index.js'
import { exportOf, linesOf, modelOf } from './exported-models.js'
import { readBack, tripOf } from './round-trips.js'

const TABLES = `
version: 1
dataObjects:
  Countries:
    code: countries
    columns: { Id: { code: id, abstractType: int, primaryKey: true }, Name: { code: name, abstractType: string } }
  Customers:
    code: customers
    columns:
      Id: { code: id, abstractType: int, primaryKey: true }
      Country: { code: country, abstractType: int }
      Points: { code: points, abstractType: int }
      Level: { expression: "CASE WHEN {Points} > 9 THEN 'high' ELSE 'low' END", abstractType: string }
    joins: [{ joinType: many-to-one, joinTo: Countries, columnsFrom: [Country], columnsTo: [Id] }]
  Orders:
    code: orders
    columns:
      Id: { code: id, abstractType: int, primaryKey: true }
      Customer: { code: customer, abstractType: int }
      Country: { code: country, abstractType: int }
      Day: { code: day, abstractType: date }
      Amount: { code: amount, abstractType: float }
    joins:
      - { joinType: many-to-one, joinTo: Customers, columnsFrom: [Customer], columnsTo: [Id] }
`
const FIELDS = `
dimensions:
  Country: { dataObject: Countries, column: Name }
  Level: { dataObject: Customers, column: Level }
  Half: { dataObject: Customers, expression: 'coalesce({[Customers].[Points]} / 2, 0)' }
  Day: { dataObject: Orders, column: Day }
measures:
  Revenue: { aggregation: sum, columns: [{ dataObject: Orders, column: Amount }] }
  Points: { aggregation: sum, columns: [{ dataObject: Customers, column: Points }] }
`
const SHOP = `${TABLES}${FIELDS}`

async function textAndLines(model: string, exporter: Exporter) {
  const exported = await exportOf(modelOf(model), exporter)
  const { content, losses } = exported
  return { text: 'text' in content ? content.text : stringify(content.yaml), lines: linesOf(exported), losses }
}

t.test('a row that is missing has no value in a metric view, also where its expression has one for NULL', async (t) => {
  const { text, lines } = await textAndLines(SHOP, databricks)
  t.match(text, /CASE WHEN \(Customers\.id IS NOT NULL\) THEN CASE WHEN \(Customers\.points > 9\) THEN 'high' ELSE 'low' END END/)
  t.match(text, /expr: CASE WHEN \(Customers\.id IS NOT NULL\) THEN COALESCE\(/)
  t.match(text, /expr: CASE WHEN \(points > 9\) THEN 'high' ELSE 'low' END\n/, 'its own rows are there')
  for (const name of ['Level', 'Half']) t.ok(lines.includes(`rewritten dimensions.${name}`), name)
})

const ITEMS = `  Items:
    code: items
    columns:
      Order: { code: order_id, abstractType: int }
      Country: { code: country, abstractType: int }
      Quantity: { code: quantity, abstractType: int }
    joins:
      - { joinType: many-to-one, joinTo: Orders, columnsFrom: [Order], columnsTo: [Id], required: true }
`
const QUANTITY = '  Quantity: { aggregation: sum, columns: [{ dataObject: Items, column: Quantity }] }\n'

t.test('rows are counted once, in the view of their own, and not below a table with many rows', async (t) => {
  const model = `
version: 1
dataObjects:
  Orders:
    code: orders
    columns: { Id: { code: id, abstractType: int, primaryKey: true } }
${ITEMS}      - { joinType: many-to-one, joinTo: Countries, columnsFrom: [Country], columnsTo: [Id] }
  Countries:
    code: countries
    columns: { Id: { code: id, abstractType: int, primaryKey: true }, People: { code: people, abstractType: int } }
dimensions: { Order: { dataObject: Orders, column: Id } }
measures:
${QUANTITY}  People: { aggregation: sum, columns: [{ dataObject: Countries, column: People }] }
`
  const { text } = await textAndLines(model, databricks)
  t.match(text, /source: orders\n(?:(?!---)[\s\S])*expr: SUM\(Items\.quantity\)\n/)
  t.match(text, /source: countries\n(?:(?!---)[\s\S])*expr: SUM\(people\)\n/)
})

t.test('a measure that reads a table behind one that is left out is left out, too', async (t) => {
  const behind = '  People: { aggregation: sum, expression: "{[Orders].[Amount]} * {[Countries].[Id]}", anchor: Orders }\n'
  const { lines } = await textAndLines(`${TABLES}${FIELDS}${behind}`.replace('code: customers', 'code: "my customers"'), ossie)
  t.ok(lines.includes('inert measures.People'), lines.join('\n'))
})

t.test('a metric with the name of a word of SQL is not read by every expression with this word', async (t) => {
  const model = `${TABLES}${FIELDS}  Odd: { aggregation: max, expression: 'CASE WHEN {[Orders].[Amount]} > 1 THEN {[Orders].[Amount]} END' }
metrics: { case: { expression: '{[Odd]} - {[Revenue]}' } }
`
  const trip = tripOf('databricks')
  const read = await Promise.all(
    trip.texts(await exportOf(modelOf(model), databricks)).map((text) => readBack(text, trip, modelOf(model))),
  )
  t.ok(read.some(({ metrics }) => metrics.has('case')))
})

t.test('a way through rows that lead to both tables is another way, too', async (t) => {
  const model = SHOP.replace(
    'dataObjects:',
    `dataObjects:
  Visits:
    code: visits
    columns: { Order: { code: order_id, abstractType: int }, Buyer: { code: buyer, abstractType: int } }
    joins:
      - { joinType: many-to-one, joinTo: Orders, columnsFrom: [Order], columnsTo: [Id] }
      - { joinType: many-to-one, joinTo: Customers, columnsFrom: [Buyer], columnsTo: [Id] }`,
  ).replace('columnsFrom: [Customer], columnsTo: [Id] }', 'columnsFrom: [Customer], columnsTo: [Id], required: true }')
  for (const exporter of [snowflake, ossie]) {
    const { losses } = await textAndLines(model, exporter)
    t.match(
      losses.filter(({ message }) => message.includes('by way of other tables')),
      [{ path: ['dataObjects', 'Orders'], message: /'Orders' and 'Customers'/ }],
      exporter.name,
    )
  }
})

t.test('rows that lead to a table in a way of their own are not measured beside others', async (t) => {
  const own = '      - { joinType: many-to-one, joinTo: Countries, columnsFrom: [Country], columnsTo: [Id] }\n'
  const { lines, text } = await textAndLines(`${TABLES}${ITEMS}${own}${FIELDS}${QUANTITY}`, databricks)
  t.ok(lines.includes('refused measures.Quantity'), lines.join('\n'))
  t.notMatch(text, /quantity/)
})

t.test('a join that is left out, beside another way, is a line of what leads there', async (t) => {
  const own = '      - { joinType: many-to-one, joinTo: Countries, columnsFrom: [Country], columnsTo: [Id], required: true }\n'
  for (const exporter of [snowflake, statementExporter, ossie]) {
    const { losses } = await textAndLines(`${TABLES}${own}${FIELDS}`, exporter)
    t.match(
      losses.filter(({ message }) => message.includes('by way of other tables')),
      [{ kind: 'rewritten', path: ['dataObjects', 'Orders'], message: /'Countries'/ }],
      exporter.name,
    )
    t.notOk(
      (await textAndLines(SHOP, exporter)).losses.some(({ message }) => message.includes('by way of')),
      exporter.name,
    )
  }
})

t.test('a time of coarser data is left out with all that reads it, wherever that is declared', async (t) => {
  const coarse = `  Days:
    code: days
    calendar: { key: Date }
    columns: { Date: { code: date, abstractType: date, primaryKey: true } }
`
  const join =
    '      - { joinType: many-to-one, joinTo: Days, columnsFrom: [Day], columnsTo: [Date], granularity: month, spread: even }\n'
  const late =
    "  Late: { aggregation: sum, columns: [{ dataObject: Orders, column: Amount }], filters: [{ field: Orders.Day, op: '>', value: '2026-01-10' }] }\n"
  const last =
    '  Last: { aggregation: sum, columns: [{ dataObject: Orders, column: Amount }], semiAdditive: { timeDimension: Day, take: last } }\n'
  for (const exporter of [snowflake, statementExporter, ossie, databricks]) {
    const { lines, text } = await textAndLines(`${TABLES}${join}${coarse}${FIELDS}${late}${last}`, exporter)
    const word = exporter === ossie ? 'inert' : 'refused'
    for (const path of ['dimensions.Day', 'measures.Late', 'measures.Last'])
      t.ok(lines.includes(`${word} ${path}`), `${exporter.name}: ${path}\n${lines.join('\n')}`)
    if (exporter !== ossie) t.notMatch(text, /Late|Last/, exporter.name)
  }
})
