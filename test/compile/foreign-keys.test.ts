/** A join that is declared a foreign key: keys are read from the referring columns, and the answers are those of the plain join. */
import t from 'tap'
import { compile } from '../../core/src/compile.js'
import { builtInAggregates } from '../../core/src/model/functions/aggregates.js'
import { builtInFunctions } from '../../core/src/model/functions/catalogue.js'
import type { SemanticModel } from '../../core/src/model/semantic-model.js'
import type { PhysicalTypes } from '../../core/src/model/stored-column.js'
import { parseQuery } from '../../core/src/query/parse-query.js'
import { duckdb } from '../../plugins/dialect-duckdb/src/index.js'
import { compileFor, loadText, NOW } from '../support/compile.js'
import { database } from './database.js'

const TEXT = `
version: 1
dataObjects:
  Countries:
    code: countries
    columns:
      Code: { code: code, abstractType: string, primaryKey: true }
      Name: { code: name, abstractType: string }
  Customers:
    code: customers
    columns:
      Id: { code: id, abstractType: int, primaryKey: true }
      Country: { code: country, abstractType: string }
      Name: { code: name, abstractType: string }
      Known: { expression: "coalesce({Name}, 'nobody')", abstractType: string }
    joins:
      - { joinType: many-to-one, joinTo: Countries, columnsFrom: [Country], columnsTo: [Code], foreignKey: true }
  Profiles:
    code: profiles
    columns:
      Customer: { code: customer, abstractType: int, primaryKey: true }
      Score: { code: score, abstractType: int }
    joins:
      - { joinType: one-to-one, joinTo: Customers, columnsFrom: [Customer], columnsTo: [Id], foreignKey: true }
  Orders:
    code: orders
    columns:
      Id: { code: id, abstractType: int, primaryKey: true }
      Customer: { code: customer, abstractType: int }
      Payer: { code: payer, abstractType: int }
      Rate: { code: rate, abstractType: float }
      Amount: { code: amount, abstractType: int }
    joins:
      - { joinType: many-to-one, joinTo: Customers, columnsFrom: [Customer], columnsTo: [Id], foreignKey: true }
      - { joinType: many-to-one, joinTo: Customers, columnsFrom: [Payer], columnsTo: [Id], secondary: true, pathName: payer }
      - { joinType: many-to-one, joinTo: Rates, columnsFrom: [Rate], columnsTo: [Rate], foreignKey: true }
  Rates:
    code: rates
    columns:
      Rate: { code: rate, abstractType: float, primaryKey: true }
  Lines:
    code: lines
    columns:
      Order: { code: ord, abstractType: int, primaryKey: true }
      Place: { code: place, abstractType: int, primaryKey: true }
      Depot: { code: depot, abstractType: int }
      Zone: { code: zone, abstractType: int }
      Quantity: { code: quantity, abstractType: int }
    joins:
      - { joinType: many-to-one, joinTo: Orders, columnsFrom: [Order], columnsTo: [Id], foreignKey: true }
      - { joinType: many-to-one, joinTo: Stock, columnsFrom: [Depot, Zone], columnsTo: [Depot, Zone], foreignKey: true }
      - { joinType: many-to-one, joinTo: Places, columnsFrom: [Order, Zone], columnsTo: [Order, Zone], foreignKey: true }
  Stock:
    code: stock
    columns:
      Depot: { code: depot, abstractType: int, primaryKey: true }
      Zone: { code: zone, abstractType: int, primaryKey: true }
  Places:
    code: places
    columns:
      Order: { code: ord, abstractType: int, primaryKey: true }
      Zone: { code: zone, abstractType: int, primaryKey: true }
dimensions:
  Country: { dataObject: Countries, column: Code }
  Country Name: { dataObject: Countries, column: Name }
  Customer: { dataObject: Customers, column: Id }
  Customer Name: { dataObject: Customers, column: Name }
  Known: { dataObject: Customers, column: Known }
  Profile: { dataObject: Profiles, column: Customer }
  Order: { dataObject: Orders, column: Id }
  Rate: { dataObject: Rates, column: Rate }
  Paid By: { dataObject: Orders, column: Payer }
  Depot: { dataObject: Stock, column: Depot }
  Place: { dataObject: Places, column: Order }
  Zone: { dataObject: Places, column: Zone }
measures:
  Amount: { aggregation: sum, columns: [{ dataObject: Orders, column: Amount }] }
  Payers: { aggregation: count_distinct, columns: [{ dataObject: Orders, column: Payer }], grain: { mode: FIXED, include: [Customer] } }
  Whole Amount: { aggregation: sum, columns: [{ dataObject: Orders, column: Amount }], grain: { mode: FIXED, include: [Paid By] } }
  Quantity: { aggregation: sum, columns: [{ dataObject: Lines, column: Quantity }] }
  Buyers: { aggregation: count_distinct, expression: '{[Customers].[Id]} + 0 * {[Orders].[Amount]}' }
`

const db = await database(
  `CREATE TABLE countries AS FROM (VALUES ('CH', 'Switzerland'), ('FR', 'France')) t (code, name)`,
  `CREATE TABLE customers AS FROM (VALUES (1, 'CH', 'Ann'), (2, 'FR', NULL), (3, NULL, 'Cid'), (4, 'FR', 'Dan')) t (id, country, name)`,
  `CREATE TABLE profiles AS FROM (VALUES (1, 10), (3, 30)) t (customer, score)`,
  `CREATE TABLE orders AS FROM (VALUES (1, 1, 2, 0.0::DOUBLE, 5), (2, 1, 9, '-0'::DOUBLE, 6), (3, 2, 1, NULL, 7), (4, NULL, 1, 0.5, 8),
    (5, 3, NULL, 0.5, 9)) t (id, customer, payer, rate, amount)`,
  `CREATE TABLE rates AS FROM (VALUES (0.0::DOUBLE), (0.5)) t (rate)`,
  `CREATE TABLE lines AS FROM (VALUES (1, 1, 1, 1, 1), (1, 2, 1, NULL, 2), (1, 3, NULL, 7, 3), (2, 1, 8, NULL, 4), (3, 1, 1, 2, 5),
    (4, 1, NULL, NULL, 6)) t (ord, place, depot, zone, quantity)`,
  `CREATE TABLE stock AS FROM (VALUES (1, 1), (1, 2), (2, 1)) t (depot, zone)`,
  `CREATE TABLE places AS FROM (VALUES (1, 1), (1, 7), (3, 2), (9, 9)) t (ord, zone)`,
)

const declared = loadText(TEXT)
const plain = loadText(TEXT.replaceAll(', foreignKey: true', ''))

interface Trap {
  readonly what: string
  readonly query: object
  /** The joined tables. */
  readonly joins: readonly string[]
  readonly where?: RegExp
  readonly without?: RegExp
  /** Changes of the model, with and without foreign keys. */
  readonly change?: readonly [was: string, is: string]
}

const joinsIn = (sql: string): string[] => [...sql.matchAll(/JOIN "(\w+)"/g)].map(([, table]) => table ?? '')
const by = (dimensions: readonly string[], measures: readonly string[] = ['Amount'], more = {}) => ({
  select: { dimensions, measures },
  ...more,
})
const filtered = (field: string, op: string, value?: unknown) => ({
  where: [{ field, op, ...(value !== undefined && { value }) }],
})
const filterOf = (dataObject: string, column: string, value: string) =>
  `filters:\n  - { dataObject: ${dataObject}, column: ${column}, operator: eq, value: ${value} }\ndimensions:\n`
/** The join of orders with customers. */
const CUSTOMER = 'many-to-one, joinTo: Customers, columnsFrom: [Customer]'

const TRAPS: readonly Trap[] = [
  { what: 'a group key', query: by(['Customer']), joins: [] },
  { what: 'a filter', query: by([], ['Amount'], filtered('Customer', '=', 1)), joins: [] },
  { what: 'a filter for NULL', query: by([], ['Amount'], filtered('Customer', 'is_null')), joins: [] },
  { what: 'the input of a measure', query: by([], ['Buyers']), joins: [] },
  { what: 'raw rows', query: { select: { fields: ['Orders.Amount', 'Customers.Id'] } }, joins: [] },
  { what: 'a chain: the key of the country is read from the customer', query: by(['Country']), joins: ['customers'] },
  {
    what: 'a chain: the key of the order, then of the customer',
    query: by(['Order', 'Customer'], ['Quantity']),
    joins: ['orders_names'],
  },
  { what: 'a name is looked up for each key', query: by(['Customer', 'Customer Name']), joins: ['customers_names'] },
  {
    what: 'the rows that a name is looked up for have a key, so no condition says so',
    query: by(['Customer', 'Customer Name'], ['Amount'], filtered('Customer', 'is_not_null')),
    joins: ['customers_names'],
    without: /LEFT JOIN|IS NOT NULL/,
  },
  {
    what: 'a value that is looked up as well: the condition stays',
    query: by(['Customer', 'Customer Name'], ['Amount', 'Payers'], filtered('Customer', 'is_not_null')),
    joins: ['customers_names', 'orders_coarser'],
    where: /IS NOT NULL/,
  },
  {
    what: 'a total of the groups: the condition stays',
    query: by(['Customer', 'Customer Name', 'Paid By'], ['Amount', 'Whole Amount'], filtered('Customer', 'is_not_null')),
    joins: ['customers_names', 'orders_coarser'],
    where: /IS NOT NULL/,
  },
  {
    what: 'names without their key: the sums by key have one',
    query: by(['Customer Name', 'Country'], ['Amount'], filtered('Customer', 'is_not_null')),
    joins: ['customers'],
    without: /LEFT JOIN|IS NOT NULL/,
  },
  { what: 'whether a computed value has a row is read from the key', query: by(['Known']), joins: ['customers'] },
  { what: 'a double has several forms of zero', query: by(['Rate']), joins: ['rates'] },
  { what: 'one-to-one: the declaring side', query: { select: { fields: ['Profiles.Score', 'Customers.Id'] } }, joins: [] },
  {
    what: 'one-to-one: not every customer has a profile',
    query: { select: { fields: ['Customers.Name', 'Orders.Id', 'Profiles.Customer'] } },
    joins: ['customers', 'profiles'],
  },
  {
    what: 'one-to-one from orders: neither has every customer a profile',
    query: by(['Profile']),
    joins: ['profiles'],
  },
  {
    what: 'a pinned path that is no foreign key',
    query: by(['Customer'], ['Amount'], { use_path_names: [{ source: 'Orders', target: 'Customers', path_name: 'payer' }] }),
    joins: ['customers'],
  },
  {
    what: 'several columns: a NULL in one of them leaves no match, whatever the other is',
    query: by(['Depot'], ['Quantity']),
    joins: ['stock'],
  },
  { what: 'several columns: the one beside a key column', query: by(['Zone'], ['Quantity']), joins: [] },
  { what: 'several columns: a key column beside one that may be NULL', query: by(['Place'], ['Quantity']), joins: ['places'] },
  {
    what: 'a static filter of the target is read on its rows',
    query: by(['Customer']),
    joins: ['customers'],
    change: ['dimensions:\n', filterOf('Customers', 'Name', 'Ann')],
  },
  {
    what: 'a static filter on the key of the target',
    query: by(['Customer']),
    joins: [],
    where: /"customer" = 1/,
    change: ['dimensions:\n', filterOf('Customers', 'Id', '1')],
  },
  {
    what: 'a required join is a condition on the own column',
    query: by([]),
    joins: [],
    where: /"customer" IS NOT NULL/,
    change: [CUSTOMER, `${CUSTOMER}, required: true`],
  },
  {
    what: 'a required join whose row is read',
    query: by(['Customer Name']),
    joins: ['customers'],
    change: [CUSTOMER, `${CUSTOMER}, required: true`],
  },
  {
    what: 'a required join by key columns is no condition',
    query: by([], ['Quantity']),
    joins: [],
    change: ['columnsFrom: [Order], columnsTo: [Id]', 'columnsFrom: [Order], columnsTo: [Id], required: true'],
  },
  {
    what: 'a required join further away',
    query: by([], ['Quantity']),
    joins: ['orders'],
    change: [CUSTOMER, `${CUSTOMER}, required: true`],
  },
  {
    what: 'exists: the link of the subject',
    query: by(['Customer'], ['Amount'], {
      where: [{ field: 'Customers.Id', op: 'exists', subquery: { data_object: 'Profiles' } }],
    }),
    joins: [],
  },
  {
    what: 'columns of different types',
    query: by(['Customer']),
    joins: ['customers'],
    change: [
      '{ code: customer, abstractType: int }\n      Payer',
      '{ code: customer, abstractType: float, sqlType: "decimal(18, 0)" }\n      Payer',
    ],
  },
]

const changed = (model: string, change: Trap['change']): SemanticModel => loadText(change ? model.replace(...change) : model)
const withoutKeys = (text: string): string => text.replaceAll(', foreignKey: true', '')

for (const { what, query, joins, where, without, change } of TRAPS)
  t.test(what, async (t) => {
    const { sql } = compileFor(query, changed(TEXT, change))
    t.same(joinsIn(sql), joins, sql)
    if (where) t.match(sql, where)
    if (without) t.notMatch(sql, without)
    const wanted = await db.rows(compileFor(query, changed(withoutKeys(TEXT), change)).sql)
    t.ok(wanted.length > 0)
    t.same((await db.rows(sql)).map(String).toSorted(), wanted.map(String).toSorted())
  })

t.test('the declaration changes something in these statements', async (t) => {
  const texts = (model: SemanticModel) => TRAPS.flatMap(({ query, change }) => (change ? [] : [compileFor(query, model).sql]))
  const wanted = texts(plain)
  t.not(texts(declared).filter((sql, i) => sql !== wanted[i]).length, 0)
})

t.test('columns that the database stores differently keep their join', async (t) => {
  const stored = (customer: string, id: string): PhysicalTypes =>
    new Map([
      [
        'Orders',
        new Map([
          ['customer', { sqlType: customer }],
          ['amount', { sqlType: 'BIGINT' }],
        ]),
      ],
      ['Customers', new Map([['id', { sqlType: id }]])],
    ])
  const joins = (physical: PhysicalTypes) =>
    joinsIn(
      compile(parseQuery(by(['Customer'])), declared, {
        dialect: duckdb,
        functions: builtInFunctions,
        aggregates: builtInAggregates,
        now: NOW,
        storedTypes: physical,
      }).sql,
    )
  t.same(joins(stored('INTEGER', 'BIGINT')), [], 'integers of any width are the same number')
  t.same(joins(stored('DECIMAL(18,0)', 'BIGINT')), ['customers'])
})
