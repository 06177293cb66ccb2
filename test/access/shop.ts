/** A shop of two regions, whose sales people see their own regions, and three keys. */
export const MODEL = `
version: 1
name: shop
settings: { defaultDialect: duckdb }
dataObjects:
  Regions:
    code: regions
    columns: { Name: { code: name, abstractType: string, primaryKey: true } }
  Customers:
    code: customers
    columns:
      Id: { code: id, abstractType: int, primaryKey: true }
      Name: { code: name, abstractType: string }
      Region: { code: region, abstractType: string }
      Zip: { code: zip, abstractType: string }
      Zip No: { expression: 'cast({Zip} as int)', abstractType: int }
    joins: [{ joinType: many-to-one, joinTo: Regions, columnsFrom: [Region], columnsTo: [Name] }]
  Orders:
    code: orders
    columns:
      Id: { code: id, abstractType: int, primaryKey: true }
      Customer Id: { code: customer_id, abstractType: int }
      Referrer Id: { code: referrer_id, abstractType: int }
      Amount: { code: amount, abstractType: int }
    joins:
      - { joinType: many-to-one, joinTo: Customers, columnsFrom: [Customer Id], columnsTo: [Id], foreignKey: true }
      - { joinType: many-to-one, joinTo: Customers, columnsFrom: [Referrer Id], columnsTo: [Id], secondary: true, pathName: referrer, foreignKey: true }
  Products:
    code: products
    columns: { Id: { code: id, abstractType: int, primaryKey: true } }
dimensions:
  Customer: { dataObject: Customers, column: Name }
  Region: { dataObject: Customers, column: Region }
  Zip No: { dataObject: Customers, column: Zip No }
measures:
  Revenue: { columns: [{ dataObject: Orders, column: Amount }], aggregation: sum }
metrics:
  Average: { expression: '{[Revenue]} / {[Orders Count]}' }
examples: [{ name: revenue, query: { select: { dimensions: [Region], measures: [Revenue] } } }]
access:
  attributes: { regions: { type: string, list: true } }
  rows:
    - { name: own regions, label: Your regions, dataObject: Customers, where: { field: Customers.Region, op: in, value: { attribute: regions } }, unless: [auditor, admin] }
    - { name: regions, label: Your regions, dataObject: Regions, where: { field: Regions.Name, op: in, value: { attribute: regions } }, unless: [auditor, admin] }
  unbound: [Products]
  sql: [developer]
`

/** The zip of the customer of the south is no number. */
export const TABLES = [
  "CREATE TABLE regions AS SELECT * FROM (VALUES ('North'), ('South')) AS t(name)",
  "CREATE TABLE customers AS SELECT * FROM (VALUES (1, 'Ann & Co', 'North', '101'), (2, 'Bob Ltd', 'South', 'none'), (3, 'Lost', NULL, '7')) AS t(id, name, region, zip)",
  'CREATE TABLE orders AS SELECT * FROM (VALUES (1, 1, 2, 10), (2, 2, 1, 100), (3, 9, 1, 1000), (4, NULL, NULL, 10000), (5, 1, 1, 20)) AS t(id, customer_id, referrer_id, amount)',
  'CREATE TABLE products AS SELECT 1 AS id',
]

const keyOf = (name: string) => `svc_pat_${name}_0123456789abcdef0123456789abcdef`
export const KEYS = {
  north: keyOf('north'),
  also: keyOf('also'),
  south: keyOf('south'),
  none: keyOf('none'),
  empty: keyOf('empty'),
  developer: keyOf('developer'),
  auditor: keyOf('auditor'),
  ops: keyOf('ops'),
  app: keyOf('app'),
} as const
export type Who = keyof typeof KEYS

export const KEYS_FILE = `
- { name: north, key: ${KEYS.north}, roles: [sales], attributes: { regions: [North] } }
- { name: also, key: ${KEYS.also}, roles: [sales], attributes: { regions: North } }
- { name: south, key: ${KEYS.south}, roles: [sales], attributes: { regions: [South] } }
- { name: none, key: ${KEYS.none}, roles: [sales] }
- { name: empty, key: ${KEYS.empty}, roles: [sales], attributes: { regions: [] } }
- { name: developer, key: ${KEYS.developer}, roles: [developer], attributes: { regions: [North] } }
- { name: auditor, key: ${KEYS.auditor}, roles: [auditor] }
- { name: ops, key: ${KEYS.ops}, roles: [admin] }
- { name: app, key: ${KEYS.app}, roles: [impersonate, sales] }
`
