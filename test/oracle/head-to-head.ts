/**
 * Five tables with a missing parent, a parent without region and an order without items; five queries that similar products answer wrongly;
 * the expected values computed by hand.
 */
import type { ModelJson, QueryJson, Tables } from './model.js'

const money = { abstractType: 'float', sqlType: 'DECIMAL(10,2)' } as const
const key = { abstractType: 'int', primaryKey: true } as const
const whole = { abstractType: 'int' } as const
const text = { abstractType: 'string' } as const
const toParent = (joinTo: string, column: string) =>
  ({ joinType: 'many-to-one', joinTo, columnsFrom: [column], columnsTo: ['id'] }) as const

export const model: ModelJson = {
  version: 1,
  name: 'head_to_head',
  dataObjects: {
    Customers: {
      code: 'customers',
      columns: { id: { code: 'id', ...key }, region: { code: 'region', ...text }, credit: { code: 'credit', ...money } },
    },
    Orders: {
      code: 'orders',
      columns: {
        id: { code: 'id', ...key },
        customer_id: { code: 'customer_id', ...whole },
        status: { code: 'status', ...text },
        amount: { code: 'amount', ...money },
        ordered_at: { code: 'ordered_at', abstractType: 'date' },
      },
      joins: [toParent('Customers', 'customer_id')],
    },
    Products: { code: 'products', columns: { id: { code: 'id', ...key }, title: { code: 'title', ...text } } },
    Items: {
      code: 'items',
      columns: {
        id: { code: 'id', ...key },
        order_id: { code: 'order_id', ...whole },
        product_id: { code: 'product_id', ...whole },
        qty: { code: 'qty', ...whole },
      },
      joins: [toParent('Orders', 'order_id'), toParent('Products', 'product_id')],
    },
    Returns: {
      code: 'returns',
      columns: {
        id: { code: 'id', ...key },
        customer_id: { code: 'customer_id', ...whole },
        refund: { code: 'refund', ...money },
      },
      joins: [toParent('Customers', 'customer_id')],
    },
  },
  dimensions: {
    region: { dataObject: 'Customers', column: 'region', resultType: 'string' },
    status: { dataObject: 'Orders', column: 'status', resultType: 'string' },
    ordered: { dataObject: 'Orders', column: 'ordered_at', resultType: 'date' },
    'item qty': { dataObject: 'Items', column: 'qty', resultType: 'int' },
    product: { dataObject: 'Products', column: 'title', resultType: 'string' },
  },
  measures: {
    amount: { aggregation: 'sum', columns: [{ dataObject: 'Orders', column: 'amount' }] },
    qty: { aggregation: 'sum', columns: [{ dataObject: 'Items', column: 'qty' }] },
    refund: { aggregation: 'sum', columns: [{ dataObject: 'Returns', column: 'refund' }] },
    credit: { aggregation: 'sum', columns: [{ dataObject: 'Customers', column: 'credit' }] },
    buyers: { aggregation: 'count_distinct', columns: [{ dataObject: 'Orders', column: 'customer_id' }] },
  },
  metrics: { 'amount per buyer': { expression: '{[amount]} / {[buyers]}' }, net: { expression: '{[amount]} - {[refund]}' } },
}

export const data: Tables = {
  Customers: [
    { id: 1, region: 'EU', credit: '1000.50' },
    { id: 2, region: 'EU', credit: '2000.25' },
    { id: 3, region: 'US', credit: '500.00' },
    { id: 4, region: null, credit: '750.75' },
  ],
  Orders: [
    { id: 1, customer_id: 1, status: 'paid', amount: '100.10', ordered_at: '2025-01-15' },
    { id: 2, customer_id: 1, status: 'paid', amount: '200.20', ordered_at: '2025-02-03' },
    { id: 3, customer_id: 2, status: 'open', amount: '300.30', ordered_at: '2025-02-28' },
    { id: 4, customer_id: 3, status: 'paid', amount: '400.40', ordered_at: '2025-03-01' },
    { id: 5, customer_id: 4, status: 'open', amount: '50.50', ordered_at: '2025-03-15' },
    { id: 6, customer_id: null, status: 'paid', amount: '7.70', ordered_at: '2025-03-31' },
  ],
  Products: [
    { id: 1, title: 'lamp' },
    { id: 2, title: 'chair' },
    { id: 3, title: 'never sold' },
  ],
  Items: [
    { id: 1, order_id: 1, product_id: 1, qty: 1 },
    { id: 2, order_id: 1, product_id: 2, qty: 2 },
    { id: 3, order_id: 1, product_id: 1, qty: 3 },
    { id: 4, order_id: 2, product_id: 1, qty: 1 },
    { id: 5, order_id: 3, product_id: 2, qty: 1 },
    { id: 6, order_id: 4, product_id: 2, qty: 4 },
    { id: 7, order_id: 5, product_id: 1, qty: 1 },
    { id: 8, order_id: 5, product_id: null, qty: 1 },
  ],
  Returns: [
    { id: 1, customer_id: 1, refund: '10.00' },
    { id: 2, customer_id: 1, refund: '20.00' },
    { id: 3, customer_id: 2, refund: '1.00' },
    { id: 4, customer_id: 3, refund: '11.00' },
  ],
}

export interface Question {
  readonly name: string
  readonly query: QueryJson
  readonly columns: readonly string[]
  /** Rows in the form of `show`: exact numbers as written, NULL. */
  readonly rows: readonly (readonly string[])[]
}

const by = (dimension: string, ...measures: string[]): Pick<Question, 'query' | 'columns'> => ({
  query: { select: { dimensions: [dimension], measures }, order_by: [{ field: dimension }] },
  columns: [dimension, ...measures],
})

export const questions: readonly Question[] = [
  {
    name: 'A: amount by region keeps the orphan order in the NULL group',
    ...by('region', 'amount'),
    rows: [
      ['"EU"', '600.60'],
      ['"US"', '400.40'],
      ['NULL', '58.20'],
    ],
  },
  {
    name: 'B: amount beside item quantity by status keeps the order without items',
    ...by('status', 'amount', 'qty'),
    rows: [
      ['"open"', '350.80', '3'],
      ['"paid"', '708.40', '11'],
    ],
  },
  {
    name: 'C: amount by item quantity counts an order once per quantity, and the order without items in the NULL group',
    ...by('item qty', 'amount'),
    rows: [
      ['1', '651.10'],
      ['2', '100.10'],
      ['3', '100.10'],
      ['4', '400.40'],
      ['NULL', '7.70'],
    ],
  },
  {
    name: 'D: amount beside refund by region equals each alone',
    ...by('region', 'amount', 'refund'),
    rows: [
      ['"EU"', '600.60', '31.00'],
      ['"US"', '400.40', '11.00'],
      ['NULL', '58.20', 'NULL'],
    ],
  },
  {
    name: 'E: credit of customers by order status counts each customer once per status',
    ...by('status', 'credit'),
    rows: [
      ['"open"', '2751.00'],
      ['"paid"', '1500.50'],
    ],
  },
]

export const totals: Question = {
  name: 'the totals reconcile, alone and side by side',
  query: { select: { measures: ['amount', 'qty', 'refund', 'credit'] } },
  columns: ['amount', 'qty', 'refund', 'credit'],
  rows: [['1059.20', '14', '42.00', '4251.50']],
}
