/** Models that many tests ask, so that a test shows its question first. */
import { parse } from 'yaml'
import type { SemanticModel } from '../../core/src/model/semantic-model.js'
import { loadText } from './compile.js'

const pop = (measure: string, offset: number, grain: string): string =>
  `{ type: period_over_period, measure: ${measure}, periodOverPeriod: { timeDimension: Day, offset: ${offset}, offsetGrain: ${grain}, comparison: previousValue } }`

/**
 * A shop: customers live in regions, orders and returns are theirs, and items are parts of orders. Payer is a second join from orders to customers. Coupons are of customers,
 * and of no order.
 */
export const SHOP = `
version: 1
name: shop
dataObjects:
  Regions:
    code: regions
    columns:
      Id: { code: id, abstractType: int, primaryKey: true }
      Name: { code: name, abstractType: string }
  Customers:
    code: customers
    columns:
      Id: { code: id, abstractType: int, primaryKey: true }
      Name: { code: name, abstractType: string }
      Region Id: { code: region_id, abstractType: int }
    joins:
      - { joinTo: Regions, joinType: many-to-one, columnsFrom: [Region Id], columnsTo: [Id] }
  Orders:
    code: orders
    columns:
      Id: { code: id, abstractType: int, primaryKey: true }
      Customer Id: { code: customer_id, abstractType: int }
      Payer Id: { code: payer_id, abstractType: int }
      Day: { code: day, abstractType: date }
      Status: { code: status, abstractType: string }
      Amount: { code: amount, abstractType: int, numClass: additive }
    joins:
      - { joinTo: Customers, joinType: many-to-one, columnsFrom: [Customer Id], columnsTo: [Id] }
      - { joinTo: Customers, joinType: many-to-one, columnsFrom: [Payer Id], columnsTo: [Id], secondary: true, pathName: payer }
  Items:
    code: items
    columns:
      Order Id: { code: order_id, abstractType: int, primaryKey: true }
      Line: { code: line, abstractType: int, primaryKey: true }
      Product: { code: product, abstractType: string }
      Quantity: { code: quantity, abstractType: int, numClass: additive }
    joins:
      - { joinTo: Orders, joinType: many-to-one, columnsFrom: [Order Id], columnsTo: [Id] }
  Returns:
    code: returns
    columns:
      Id: { code: id, abstractType: int, primaryKey: true }
      Customer Id: { code: customer_id, abstractType: int }
      Day: { code: day, abstractType: date }
      Amount: { code: amount, abstractType: int, numClass: additive }
    joins:
      - { joinTo: Customers, joinType: many-to-one, columnsFrom: [Customer Id], columnsTo: [Id] }
dimensions:
  Region: { dataObject: Regions, column: Name }
  Customer: { dataObject: Customers, column: Name }
  Day: { dataObject: Orders, column: Day }
  Status: { dataObject: Orders, column: Status }
  Product: { dataObject: Items, column: Product }
measures:
  Sales: { aggregation: sum, columns: [{ dataObject: Orders, column: Amount }] }
  Order Count: { aggregation: count, columns: [{ dataObject: Orders, column: Id }] }
  Paid Sales: { aggregation: sum, columns: [{ dataObject: Orders, column: Amount }], filters: [{ field: Orders.Status, op: equals, value: paid }] }
  Paid Orders: { aggregation: count, columns: [{ dataObject: Orders, column: Id }], filters: [{ field: Orders.Status, op: equals, value: paid }] }
  Buyers: { aggregation: count_distinct, columns: [{ dataObject: Orders, column: Customer Id }] }
  Customer Count: { aggregation: count, columns: [{ dataObject: Customers, column: Id }] }
  Sales of Region: { aggregation: sum, columns: [{ dataObject: Orders, column: Amount }], grain: { mode: FIXED, include: [Region] } }
  Sales of All: { aggregation: sum, columns: [{ dataObject: Orders, column: Amount }], total: true }
  Units: { aggregation: sum, columns: [{ dataObject: Items, column: Quantity }] }
  Returned: { aggregation: sum, columns: [{ dataObject: Returns, column: Amount }] }
metrics:
  Sales Last Month: ${pop('Sales', -1, 'month')}
  Sales Last Year: ${pop('Sales', -1, 'year')}
  Paid Sales Last Month: ${pop('Paid Sales', -1, 'month')}
  Paid Orders Last Month: ${pop('Paid Orders', -1, 'month')}
  Running Sales: { type: cumulative, measure: Sales, timeDimension: Day }
  Net: { expression: '{[Sales]} - {[Returned]}' }
`

export const shop = loadText(SHOP)

/** The shop with changes: an object adds to what is there, and anything else is in its place. */
export const shopWith = (...changes: readonly object[]): SemanticModel =>
  loadText(JSON.stringify(changes.reduce((document, change) => merged(document, change), parse(SHOP) as object)))

function merged(before: object, change: object): object {
  const values = new Map(Object.entries(before))
  for (const [name, value] of Object.entries(change)) {
    const known: unknown = values.get(name)
    values.set(name, isRecord(known) && isRecord(value) ? merged(known, value) : value)
  }
  return Object.fromEntries(values)
}

const isRecord = (value: unknown): value is object => typeof value === 'object' && value !== null && !Array.isArray(value)

/** A join to the column `Id`. */
export const manyToOne = (joinTo: string, from: string, more: object = {}): object => ({
  joinType: 'many-to-one',
  joinTo,
  columnsFrom: [from],
  columnsTo: ['Id'],
  ...more,
})

/** A change of the shop: other joins of an object. */
export const joining = (object: string, ...joins: readonly object[]): object => ({ dataObjects: { [object]: { joins } } })

/** The shop with more measures and metrics, each as YAML by its name. */
export function shopAnd({
  measures = {},
  metrics = {},
}: Partial<Record<'measures' | 'metrics', Readonly<Record<string, string>>>>): typeof shop {
  const lines = (all: Readonly<Record<string, string>>): string =>
    Object.entries(all)
      .map(([name, text]) => `  ${name}: ${text}\n`)
      .join('')
  return loadText(`${SHOP.replace(/^metrics:$/m, `${lines(measures)}metrics:`)}${lines(metrics)}`)
}

const key = { code: 'id', abstractType: 'int', primaryKey: true }
const reference = (code: string): object => ({ code, abstractType: 'int' })

/** An object beside those of the shop, which also belongs to a region. */
export const SHOPS = {
  code: 'shops',
  columns: { Id: key, Region: reference('region_id') },
  joins: [manyToOne('Regions', 'Region')],
}

/** A change of the shop: parcels are of items, and labels of orders, of which a bridge table has the shares. */
export const PARCELS_AND_LABELS = {
  dataObjects: {
    Items: { columns: { Id: key } },
    Parcels: { code: 'parcels', columns: { Id: key, Item: reference('item_id') }, joins: [manyToOne('Items', 'Item')] },
    Labels: { code: 'labels', columns: { Id: key, Name: { code: 'name', abstractType: 'string' } } },
    'Order Labels': {
      code: 'order_labels',
      bridge: true,
      weight: 'Share',
      columns: { Order: reference('order_id'), Label: reference('label_id'), Share: { code: 'share', abstractType: 'float' } },
      joins: [manyToOne('Orders', 'Order'), manyToOne('Labels', 'Label')],
    },
  },
  dimensions: { Label: { dataObject: 'Labels', column: 'Name' }, Parcel: { dataObject: 'Parcels', column: 'Id' } },
}

/** A change of the shop: customers and returns match by their numbers, many to many. */
export const MATCHING_RETURNS = {
  dataObjects: {
    Customers: {
      joins: [
        manyToOne('Regions', 'Region Id'),
        { joinType: 'many-to-many', joinTo: 'Returns', columnsFrom: ['Id'], columnsTo: ['Customer Id'] },
      ],
    },
    Returns: { joins: [] },
  },
}

/** The join of a time to the days of a calendar. */
export const toDays = (calendar: string, day: string, time = 'Day') => manyToOne(calendar, time, { columnsTo: [day] })

/** A change of the shop: a calendar without a table, and a table of days. Nothing joins them. */
export const CALENDARS = {
  dataObjects: {
    Dates: { calendar: { from: '2024-01-01', to: '2024-12-31' } },
    Calendar: {
      code: 'calendar',
      calendar: { key: 'Day', periods: { 'Year No': 'year' } },
      columns: {
        Day: { code: 'day', abstractType: 'date', primaryKey: true },
        'Year No': { code: 'year_no', abstractType: 'int' },
        Kind: { code: 'kind', abstractType: 'string' },
      },
    },
  },
  dimensions: {
    'Last Day': { dataObject: 'Dates', column: 'Is Last of Month' },
    Year: { dataObject: 'Calendar', column: 'Year No' },
    Kind: { dataObject: 'Calendar', column: 'Kind' },
  },
}

/** A change of the shop: budgets of whole months, with the days of a calendar table. */
export const BUDGETS = {
  dataObjects: {
    Dates: {
      code: 'dates',
      calendar: { key: 'Day', periods: { 'Month No': 'month_of_year', 'Year No': 'year', 'Week No': 'week_of_week_year' } },
      columns: {
        Day: { code: 'day', abstractType: 'date', primaryKey: true },
        'Month No': reference('month_no'),
        'Year No': reference('year_no'),
        'Week No': reference('week_no'),
        Holiday: { code: 'holiday', abstractType: 'boolean' },
      },
    },
    Budgets: {
      code: 'budgets',
      columns: {
        Id: key,
        Month: { code: 'month', abstractType: 'date', granularity: 'month' },
        Year: { expression: "extract('year', {Month})", abstractType: 'int' },
        Quarter: { expression: "date_trunc('quarter', {Month})", abstractType: 'date' },
        'Day of Month': { expression: "extract('day', {Month})", abstractType: 'int' },
        Amount: reference('amount'),
      },
      joins: [manyToOne('Dates', 'Month', { columnsTo: ['Day'] })],
    },
  },
  dimensions: {
    Date: { dataObject: 'Dates', column: 'Day' },
    'Month No': { dataObject: 'Dates', column: 'Month No' },
    'Year No': { dataObject: 'Dates', column: 'Year No' },
    'Week No': { dataObject: 'Dates', column: 'Week No' },
    Holiday: { dataObject: 'Dates', column: 'Holiday' },
    Budgeted: { dataObject: 'Budgets', column: 'Month' },
    Year: { dataObject: 'Budgets', column: 'Year' },
    Quarter: { dataObject: 'Budgets', column: 'Quarter' },
    'Day of Month': { dataObject: 'Budgets', column: 'Day of Month' },
    'Budget Id': { dataObject: 'Budgets', column: 'Id' },
  },
  measures: { Budget: { aggregation: 'sum', columns: [{ dataObject: 'Budgets', column: 'Amount' }] } },
}
