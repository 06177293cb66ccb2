/** A small model over rows inside its SQL, so that any engine answers it without tables. */
const sales = `(SELECT * FROM (VALUES (1, 'a', 10), (2, 'a', 20), (3, 'b', 5), (4, NULL, 1)) t (id, shop_id, amount))`
const shops = `(SELECT * FROM (VALUES ('a', 'North'), ('b', 'South')) t (id, region))`

export const shopModel = {
  version: 1,
  name: 'shop',
  description: 'Sales of two shops.',
  dataObjects: {
    Sales: {
      code: sales,
      columns: {
        Id: { code: 'id', abstractType: 'int', primaryKey: true },
        'Shop Id': { code: 'shop_id', abstractType: 'string' },
        Amount: { code: 'amount', abstractType: 'int', numClass: 'additive', description: 'Euros.' },
      },
      joins: [{ joinType: 'many-to-one', joinTo: 'Shops', columnsFrom: ['Shop Id'], columnsTo: ['Id'] }],
    },
    Shops: {
      code: shops,
      columns: {
        Id: { code: 'id', abstractType: 'string', primaryKey: true },
        Region: { code: 'region', abstractType: 'string', synonyms: ['area'] },
      },
    },
  },
  dimensions: {
    Region: { dataObject: 'Shops', column: 'Region', description: 'Where the shop is.' },
    'Sale Id': { dataObject: 'Sales', column: 'Id' },
  },
  measures: {
    Revenue: { aggregation: 'sum', columns: [{ dataObject: 'Sales', column: 'Amount' }], format: '0.00', synonyms: ['turnover'] },
  },
  metrics: { 'Revenue per Sale': { type: 'derived', expression: '{[Revenue]} / {[Sales Count]}' } },
  filters: [],
  examples: [
    {
      name: 'by region',
      description: 'Revenue of every region.',
      intent_tags: ['revenue'],
      query: { select: { dimensions: ['Region'], measures: ['Revenue'] } },
    },
  ],
} as const

export const shopQuery = { select: { dimensions: ['Region'], measures: ['Revenue'] }, order_by: [{ field: 'Region' }] } as const
