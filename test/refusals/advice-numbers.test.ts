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
    query: { select: { dimensions: ['Seller'], measures: ['Suppliers Count'] } },
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
]

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

for (const { code, says, query, model, data, follow, gives } of CASES) {
  t.test(`${code}: ${says.source}`, async (t) => {
    const found = findingsOf(model, query).find((finding) => finding.code === code)
    t.match(`${found?.message} ${found?.hint}`, says)
    const text = Array.isArray(follow) ? (follow as Edit[]).reduce(changed, model) : model
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
