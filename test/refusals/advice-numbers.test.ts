/** Applies the advice of findings about joins, bridges and filters as it is written, and compares the number with the right one. */
import { DuckDBInstance } from '@duckdb/node-api'
import { type Finding, GrainlineError } from '@grainline/core'
import { parseModelSync } from '@grainline/core/unstable'
import t from 'tap'
import { ask } from '../support/answers.js'
import { compileFor, loadText } from '../support/compile.js'

type Edit = readonly [was: string, is: string]

interface Advice {
  readonly code: string
  /** The words that give this advice. */
  readonly says: RegExp
  readonly query: object
  readonly model: string
  readonly data: string
  readonly follow: readonly Edit[] | object
  /** A change of the model beside that of the query. */
  readonly edit?: Edit
  readonly gives: readonly string[]
}

const PRICES = `
dataObjects:
  Sales:
    code: sales
    columns:
      Id: { code: id, abstractType: int, primaryKey: true }
      Sku: { code: sku, abstractType: string }
      Region: { code: region, abstractType: string }
      Quantity: { code: quantity, abstractType: int }
    joins:
      - { joinType: many-to-one, joinTo: Prices, columnsFrom: [Sku], columnsTo: [Sku] }
  Prices:
    code: prices
    columns:
      Sku: { code: sku, abstractType: string, primaryKey: true }
      Region: { code: region, abstractType: string, primaryKey: true }
      Price: { code: price, abstractType: int }
dimensions:
  Price: { dataObject: Prices, column: Price }
measures:
  Quantity: { aggregation: sum, columns: [{ dataObject: Sales, column: Quantity }] }
  Value: { aggregation: sum, expression: '{[Sales].[Quantity]} * {[Prices].[Price]}' }
`
const PRICES_DATA = `
CREATE TABLE prices AS SELECT * FROM (VALUES ('a', 'EU', 1), ('a', 'US', 2), ('b', 'EU', 3)) v(sku, region, price);
CREATE TABLE sales AS SELECT * FROM (VALUES (1, 'a', 'EU', 10), (2, 'a', 'US', 20), (3, 'b', NULL, 40), (4, NULL, 'EU', 80), (5, 'b', 'EU', 160)) v(id, sku, region, quantity);
`
const FEES = `
dataObjects:
  Accounts:
    code: accounts
    columns: { Id: { code: id, abstractType: int, primaryKey: true }, Segment: { code: segment, abstractType: string } }
  Rates:
    code: rates
    columns: { Id: { code: id, abstractType: int, primaryKey: true }, Rate: { code: rate, abstractType: int } }
  Invoices:
    code: invoices
    columns:
      Id: { code: id, abstractType: int, primaryKey: true }
      Account: { code: account, abstractType: int }
      Rate: { code: rate, abstractType: int }
    joins:
      - { joinType: many-to-one, joinTo: Accounts, columnsFrom: [Account], columnsTo: [Id] }
      - { joinType: many-to-one, joinTo: Rates, columnsFrom: [Rate], columnsTo: [Id] }
dimensions:
  Segment: { dataObject: Accounts, column: Segment }
measures:
  Rate: { aggregation: sum, columns: [{ dataObject: Rates, column: Rate }] }
`
const FEES_DATA = `
CREATE TABLE accounts AS SELECT * FROM (VALUES (1, 'big'), (2, 'small')) v(id, segment);
CREATE TABLE rates AS SELECT * FROM (VALUES (1, 2), (2, 3)) v(id, rate);
CREATE TABLE invoices AS SELECT * FROM (VALUES (1, 1, 1), (2, 1, 1), (3, 2, 2)) v(id, account, rate);
`
/** Parts of suppliers: an association of keys alone beside a fact that joins the same two objects. */
const PARTS = `
dataObjects:
  Parts:
    code: parts
    columns:
      Id: { code: id, abstractType: int, primaryKey: true }
      Code: { code: code, abstractType: string }
      Weight: { code: weight, abstractType: int }
  Suppliers:
    code: suppliers
    columns: { Id: { code: id, abstractType: int, primaryKey: true }, Name: { code: name, abstractType: string } }
  Purchases:
    code: purchases
    columns:
      Id: { code: id, abstractType: int, primaryKey: true }
      Part: { code: part, abstractType: int }
      Supplier: { code: supplier, abstractType: int }
      Price: { code: price, abstractType: int }
    joins:
      - { joinType: many-to-one, joinTo: Parts, columnsFrom: [Part], columnsTo: [Id] }
      - { joinType: many-to-one, joinTo: Suppliers, columnsFrom: [Supplier], columnsTo: [Id] }
  Offered By:
    code: offered_by
    columns: { Part: { code: part, abstractType: int, primaryKey: true }, Supplier: { code: supplier, abstractType: int, primaryKey: true } }
    joins:
      - { joinType: many-to-one, joinTo: Parts, columnsFrom: [Part], columnsTo: [Id] }
      - { joinType: many-to-one, joinTo: Suppliers, columnsFrom: [Supplier], columnsTo: [Id] }
  Grades:
    code: parts
    columns: { Id: { code: id, abstractType: int, primaryKey: true }, Part: { code: id, abstractType: int } }
    joins:
      - { joinType: many-to-one, joinTo: Parts, columnsFrom: [Part], columnsTo: [Id] }
dimensions:
  Vendor Name: { dataObject: Suppliers, column: Name, synonyms: [Seller] }
  Ending: { dataObject: Parts, expression: "{Code}" }
measures:
  Weight: { aggregation: sum, columns: [{ dataObject: Parts, column: Weight }], synonyms: [Heft] }
`
const PARTS_DATA = `
CREATE TABLE parts AS SELECT * FROM (VALUES (1, 'abc', 10), (2, 'xbc', 5), (3, 'b', 1)) v(id, code, weight);
CREATE TABLE suppliers AS SELECT * FROM (VALUES (1, 'North'), (2, 'South')) v(id, name);
CREATE TABLE offered_by AS SELECT * FROM (VALUES (1, 1), (1, 2), (2, 2)) v(part, supplier);
CREATE TABLE purchases AS SELECT * FROM (VALUES (1, 3, 1, 7)) v(id, part, supplier, price);
`
/** Shipments and tours have a depot and a carrier, each with a region. */
const ROUTES = `
dataObjects:
  Shipments:
    code: shipments
    columns:
      Id: { code: id, abstractType: int, primaryKey: true }
      Depot: { code: depot, abstractType: int }
      Carrier: { code: carrier, abstractType: int }
      Weight: { code: weight, abstractType: int }
    joins:
      - { joinType: many-to-one, joinTo: Depots, columnsFrom: [Depot], columnsTo: [Id] }
      - { joinType: many-to-one, joinTo: Carriers, columnsFrom: [Carrier], columnsTo: [Id] }
  Tours:
    code: tours
    columns: { Id: { code: id, abstractType: int, primaryKey: true }, Depot: { code: depot, abstractType: int }, Carrier: { code: carrier, abstractType: int } }
    joins:
      - { joinType: many-to-one, joinTo: Depots, columnsFrom: [Depot], columnsTo: [Id] }
      - { joinType: many-to-one, joinTo: Carriers, columnsFrom: [Carrier], columnsTo: [Id] }
  Depots:
    code: depots
    columns: { Id: { code: id, abstractType: int, primaryKey: true }, Region: { code: region, abstractType: int }, Name: { code: name, abstractType: string }, Size: { code: size, abstractType: int } }
    joins: [{ joinType: many-to-one, joinTo: Regions, columnsFrom: [Region], columnsTo: [Id] }]
  Carriers:
    code: carriers
    columns: { Id: { code: id, abstractType: int, primaryKey: true }, Region: { code: region, abstractType: int }, Name: { code: name, abstractType: string } }
    joins: [{ joinType: many-to-one, joinTo: Regions, columnsFrom: [Region], columnsTo: [Id] }]
  Regions:
    code: regions
    columns: { Id: { code: id, abstractType: int, primaryKey: true }, Name: { code: name, abstractType: string }, Rate: { code: rate, abstractType: int } }
  Calls:
    code: calls
    columns: { Id: { code: id, abstractType: int, primaryKey: true }, Kind: { code: kind, abstractType: string } }
dimensions:
  Region: { dataObject: Regions, column: Name }
  Depot: { dataObject: Depots, column: Name }
  Carrier: { dataObject: Carriers, column: Name }
  Kind: { dataObject: Calls, column: Kind }
measures:
  Weight: { aggregation: sum, columns: [{ dataObject: Shipments, column: Weight }] }
  Cost: { aggregation: sum, expression: '{[Shipments].[Weight]} * {[Regions].[Rate]}' }
  Size By Ace: { aggregation: sum, columns: [{ dataObject: Depots, column: Size }], filters: [{ field: Carriers.Name, op: '=', value: Ace }] }
  Size: { aggregation: sum, columns: [{ dataObject: Depots, column: Size }] }
`
const ROUTES_DATA = `
CREATE TABLE regions AS SELECT * FROM (VALUES (1, 'North', 2), (2, 'South', 3)) v(id, name, rate);
CREATE TABLE depots AS SELECT * FROM (VALUES (1, 1, 'Ulm', 100), (2, 2, 'Bern', 10), (3, NULL, 'Lyon', 1)) v(id, region, name, size);
CREATE TABLE carriers AS SELECT * FROM (VALUES (1, 2, 'Ace'), (2, 1, 'Bolt')) v(id, region, name);
CREATE TABLE shipments AS SELECT * FROM (VALUES (1, 1, 1, 5), (2, 1, 2, 7), (3, 2, 1, 11), (4, NULL, 2, 13)) v(id, depot, carrier, weight);
CREATE TABLE tours AS SELECT * FROM (VALUES (1, 3, 1), (2, 1, 2)) v(id, depot, carrier);
CREATE TABLE calls AS SELECT * FROM (VALUES (1, 'in')) v(id, kind);
`
const ACE = { field: 'Carrier', op: '=', value: 'Ace' }
const CARRIER = 'Carrier: { dataObject: Carriers, column: Name }'
const HERE = `  Carrier Regions:
    code: regions
    columns: { Id: { code: id, abstractType: int, primaryKey: true }, Rate: { code: rate, abstractType: int } }
`
const JOIN_OF_CARRIERS = '{ code: region, abstractType: int }, Name: { code: name, abstractType: string } }\n    joins: ['

const big = { select: { measures: ['Rate'] }, where: [{ field: 'Segment', op: '=', value: 'big' }] }
const KEPT = '{ joinType: many-to-one, joinTo: Prices, columnsFrom: [Sku], columnsTo: [Sku] }'

const CASES: readonly Advice[] = [
  {
    code: 'JOIN_NOT_TO_A_KEY',
    says: /Add 'Region' to columnsTo, and the matching columns to columnsFrom/,
    query: { select: { measures: ['Quantity', 'Value'] } },
    model: PRICES,
    data: PRICES_DATA,
    follow: [[KEPT, KEPT.replaceAll('[Sku]', '[Sku, Region]')]],
    gives: ['310 530'],
  },
  {
    code: 'JOIN_NOT_TO_A_KEY',
    says: /declare uniqueKeys: \[\[Sku\]\] on 'Prices' if each value is on one row/,
    query: { select: { measures: ['Quantity', 'Value'] } },
    model: PRICES,
    data: PRICES_DATA.replace(", ('a', 'US', 2)", ''),
    follow: [['  Prices:\n    code: prices\n', '  Prices:\n    code: prices\n    uniqueKeys: [[Sku]]\n']],
    gives: ['310 630'],
  },
  {
    code: 'JOIN_NOT_TO_A_KEY',
    says: /make the join many-to-many/,
    query: { select: { dimensions: ['Price'], measures: ['Quantity'] } },
    model: PRICES.replace(/ {2}Value: .*\n/, ''),
    data: PRICES_DATA,
    follow: [['joinType: many-to-one', 'joinType: many-to-many']],
    gives: ['1 30', '2 30', '3 200', 'null 80'],
  },
  {
    code: 'FILTER_THROUGH_BRIDGE',
    says: /declare bridge: true on it/,
    query: big,
    model: FEES,
    data: FEES_DATA,
    follow: [['    code: invoices\n', '    code: invoices\n    bridge: true\n']],
    gives: ['2'],
  },
  {
    code: 'FILTER_THROUGH_BRIDGE',
    says: /exclude the field in its filterContext/,
    query: { ...big, select: { measures: ['Rate', 'Accounts Count'] } },
    model: FEES,
    data: FEES_DATA,
    follow: [['column: Rate }] }', 'column: Rate }], filterContext: { mode: RELATIVE, exclude: [Segment] } }']],
    gives: ['5 1'],
  },
  {
    code: 'UNKNOWN_DIMENSION',
    says: /did you mean 'Vendor Name'/,
    query: { select: { dimensions: ['Name of the Seller'], measures: ['Suppliers Count'] } },
    model: PARTS,
    data: PARTS_DATA,
    follow: { select: { dimensions: ['Vendor Name'], measures: ['Suppliers Count'] } },
    gives: ['North 1', 'South 1'],
  },
  {
    code: 'UNKNOWN_MEASURE',
    says: /did you mean 'Weight'/,
    query: { select: { measures: ['Total Weight of Everything'] } },
    model: PARTS,
    data: PARTS_DATA,
    follow: { select: { measures: ['Weight'] } },
    gives: ['16'],
  },
  {
    code: 'UNKNOWN_MEASURE',
    says: /Use one of Weight, .*Parts Count/,
    query: { select: { measures: ['Zzzzzzzzzz'] } },
    model: PARTS,
    data: PARTS_DATA,
    follow: { select: { measures: ['Weight'] } },
    gives: ['16'],
  },
  {
    code: 'NO_JOIN_PATH',
    says: /'Offered By' leads to both 'Parts' and 'Suppliers'.*declare bridge: true on it/,
    query: { select: { dimensions: ['Vendor Name'], measures: ['Grades Count'] } },
    model: PARTS,
    data: PARTS_DATA,
    follow: [['    code: offered_by\n', '    code: offered_by\n    bridge: true\n']],
    gives: ['North 1', 'South 2', 'null 1'],
  },
  {
    code: 'INVALID_EXPRESSION',
    says: /write substring\(x, greatest\(length\(x\) - 1, 1\)\)/,
    query: { select: { dimensions: ['Ending'], measures: ['Weight'] } },
    model: PARTS.replace('{Code}', 'substring({Code}, -2)'),
    data: PARTS_DATA,
    follow: [['substring({Code}, -2)', 'substring({Code}, greatest(length({Code}) - 1, 1))']],
    gives: ['b 1', 'bc 15'],
  },
  {
    code: 'AMBIGUOUS_JOIN',
    says: /give the dimension 'Region' a via, such as via: Depots/,
    query: { select: { dimensions: ['Region'], measures: ['Weight'] } },
    model: ROUTES,
    data: ROUTES_DATA,
    follow: [['dataObject: Regions, column: Name }', 'dataObject: Regions, column: Name, via: Depots }']],
    gives: ['North 12', 'South 11', 'null 13'],
  },
  {
    code: 'AMBIGUOUS_JOIN',
    says: /'Shipments' and 'Tours' join 'Depots' with 'Carriers'.*give the dimension 'Carrier' a via, such as via: Shipments/,
    query: { select: { dimensions: ['Carrier'], measures: ['Size'] } },
    model: ROUTES,
    data: ROUTES_DATA,
    follow: [[CARRIER, CARRIER.replace(' }', ', via: Shipments }')]],
    gives: ['Ace 110', 'Bolt 100', 'null 1'],
  },
  {
    code: 'AMBIGUOUS_JOIN',
    says: /'Regions' is reached from 'Shipments' through 'Depots' or 'Carriers'; let it read a second data object, declared on the table of 'Regions' for one of the paths/,
    query: { select: { measures: ['Cost'] } },
    model: ROUTES,
    data: ROUTES_DATA,
    follow: [
      ['  Calls:\n', `${HERE}  Calls:\n`],
      [
        `${JOIN_OF_CARRIERS}{ joinType: many-to-one, joinTo: Regions`,
        `${JOIN_OF_CARRIERS}{ joinType: many-to-one, joinTo: Carrier Regions`,
      ],
      ['{[Regions].[Rate]}', '{[Carrier Regions].[Rate]}'],
    ],
    gives: ['88'],
  },
  {
    code: 'AMBIGUOUS_JOIN',
    says: /filter the query by a dimension on 'Carriers.Name' with a via, such as via: Shipments/,
    query: { select: { measures: ['Size By Ace'] } },
    model: ROUTES.replace(CARRIER, CARRIER.replace(' }', ', via: Shipments }')),
    data: ROUTES_DATA,
    follow: { select: { measures: ['Size'] }, where: [ACE] },
    gives: ['110'],
  },
  {
    code: 'AMBIGUOUS_JOIN',
    says: /filter the query by a dimension on 'Regions.Name' with a via, such as via: Depots/,
    query: { select: { measures: ['Weight'] }, where: [{ field: 'Regions.Name', op: '=', value: 'North' }] },
    model: ROUTES.replace('dataObject: Regions, column: Name }', 'dataObject: Regions, column: Name, via: Depots }'),
    data: ROUTES_DATA,
    follow: { select: { measures: ['Weight'] }, where: [{ field: 'Region', op: '=', value: 'North' }] },
    gives: ['12'],
  },
  {
    code: 'AMBIGUOUS_JOIN',
    says: /through 'Depots', or through 'Carriers'; give a join of the one you mean a pathName, and choose it with subquery.path_name/,
    query: { select: { measures: ['Regions Count'] }, where: [existing()] },
    model: ROUTES,
    data: ROUTES_DATA,
    follow: { select: { measures: ['Regions Count'] }, where: [existing('of the depot')] },
    edit: [
      `Size: { code: size, abstractType: int } }\n    joins: [{ `,
      `Size: { code: size, abstractType: int } }\n    joins: [{ pathName: of the depot, `,
    ],
    gives: ['2'],
  },
  {
    code: 'AMBIGUOUS_JOIN',
    says: /'Shipments' and 'Tours' both reach 'Depots' and 'Carriers'; add a field of the one you mean/,
    query: { select: { fields: ['Depots.Name', 'Carriers.Name'] } },
    model: ROUTES,
    data: ROUTES_DATA,
    follow: { select: { fields: ['Tours.Id', 'Depots.Name', 'Carriers.Name'] } },
    gives: ['1 Lyon Ace', '2 Ulm Bolt'],
  },
  {
    code: 'FILTER_NOT_APPLICABLE',
    says: /'Depot', 'Kind' cannot be reached from 'Weight'.*: the rows of 'Shipments' do not reach 'Kind' on 'Calls'/,
    query: { select: { measures: ['Weight', 'Calls Count'] }, where: [{ expression: "{Depot} = {Kind} OR {Depot} = 'Ulm'" }] },
    model: ROUTES.replace('Kind: { code: kind', 'Depot: { code: id, abstractType: int }, Kind: { code: kind').replace(
      'abstractType: string } }\ndimensions',
      'abstractType: string } }\n    joins: [{ joinType: many-to-one, joinTo: Depots, columnsFrom: [Depot], columnsTo: [Id] }]\ndimensions',
    ),
    data: ROUTES_DATA,
    follow: { select: { measures: ['Weight', 'Calls Count'] }, where: [{ expression: "{Depot} = 'Ulm'" }] },
    gives: ['12 1'],
  },
  {
    code: 'NO_JOIN_PATH',
    says: /from which 'Kind' on 'Calls' cannot be reached/,
    query: { select: { dimensions: [{ expression: '{Kind} = {Depot}', as: 'Same' }], measures: ['Weight'] } },
    model: ROUTES,
    data: ROUTES_DATA,
    follow: [
      [
        'Weight: { code: weight, abstractType: int }',
        'Weight: { code: weight, abstractType: int }\n      Call: { code: carrier, abstractType: int }',
      ],
      ['    joins:\n', '    joins:\n      - { joinType: many-to-one, joinTo: Calls, columnsFrom: [Call], columnsTo: [Id] }\n'],
    ],
    gives: ['false 16', 'null 20'],
  },
  {
    code: 'NO_JOIN_PATH',
    says: /no data object reaches 'Vendor Name' and 'Grade', .*; add a measure that connects them, such as 'Grade Sum'/,
    query: { select: { dimensions: ['Vendor Name', 'Grade'] } },
    model: PARTS.replace('    code: offered_by\n', '    code: offered_by\n    bridge: true\n')
      .replace('dimensions:\n', 'dimensions:\n  Grade: { dataObject: Grades, column: Id }\n')
      .replace('measures:\n', 'measures:\n  Grade Sum: { aggregation: sum, columns: [{ dataObject: Grades, column: Id }] }\n'),
    data: PARTS_DATA,
    follow: { select: { dimensions: ['Vendor Name', 'Grade'], measures: ['Grade Sum'] } },
    gives: ['North 1 1', 'South 1 1', 'South 2 2', 'null 3 3'],
  },
]

function existing(path_name?: string) {
  const subquery = { data_object: 'Shipments', ...(path_name !== undefined && { path_name }) }
  return { field: 'Region', op: 'exists', subquery }
}

function findingsOf(text: string, query: object): readonly Finding[] {
  const { errors, warnings, model } = parseModelSync({ text })
  try {
    return [...errors, ...warnings, ...(model ? compileFor(query, model).warnings : [])]
  } catch (error) {
    if (!(error instanceof GrainlineError)) throw error
    return [
      { code: error.code, severity: 'error', message: error.message, path: error.path ?? '', hint: error.details.hint },
    ] as Finding[]
  }
}

const changed = (text: string, [was, is]: Edit): string => {
  if (!text.includes(was)) throw new Error(`the model has no ${was}`)
  return text.replace(was, () => is)
}

for (const { code, says, query, model, data, follow, edit, gives } of CASES) {
  t.test(`${code}: ${says.source}`, async (t) => {
    const found = findingsOf(model, query).find((finding) => finding.code === code)
    t.match(`${found?.message} ${found?.hint}`, says)
    const text = Array.isArray(follow) ? (follow as Edit[]).reduce(changed, model) : edit ? changed(model, edit) : model
    const asked = Array.isArray(follow) ? query : follow
    t.notOk(
      findingsOf(text, asked).some((finding) => finding.code === code),
      'nothing is left to say',
    )
    const connection = await (await DuckDBInstance.create(':memory:')).connect()
    t.teardown(() => connection.closeSync())
    await connection.run(data)
    const { rows } = await ask(connection, compileFor(asked, loadText(text)).sql)
    t.same(rows.map((row) => row.map(String).join(' ')).sort(), gives)
  })
}

t.test('strict filters refuse a filter through another fact, strict joins a join to no key', async (t) => {
  t.throws(() => compileFor({ ...big, strict_filters: true }, loadText(FEES)), {
    code: 'FILTER_THROUGH_BRIDGE',
    path: 'where[0]',
  })
  const { errors } = parseModelSync({ text: `settings: { strictJoins: true }${PRICES}` })
  t.match(errors, [{ code: 'JOIN_NOT_TO_A_KEY', path: 'dataObjects.Sales.joins[0].columnsTo' }])
})
