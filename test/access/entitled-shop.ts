/** The shop in which a table lists who may see which region, in place of attributes of keys. */
import { MODEL, TABLES } from './shop.js'

const GRANTS = `  Grants:
    code: grants
    columns:
      Who: { code: who, abstractType: string }
      Area: { code: area, abstractType: string }
      Since: { code: since, abstractType: date }
    joins: [{ joinType: many-to-one, joinTo: Regions, columnsFrom: [Area], columnsTo: [Name] }]
  Sellers:
    code: sellers
    columns: { Name: { code: name, abstractType: string, primaryKey: true } }
  Shifts:
    code: shifts
    columns: { Seller: { code: seller, abstractType: string }, Area: { code: area, abstractType: string } }
    joins:
      - { joinType: many-to-one, joinTo: Sellers, columnsFrom: [Seller], columnsTo: [Name] }
      - { joinType: many-to-one, joinTo: Regions, columnsFrom: [Area], columnsTo: [Name] }
`

const ROWS = `  rows:
    - { name: granted, label: Granted regions, dataObject: Regions, where: { exists: Grants, filters: [{ field: Who, op: '=', value: { principal: name } }, { field: Grants.Since, op: '<=', value: { relative: today } }] }, unless: [auditor, admin] }
    - { name: on shift, label: Granted regions, dataObject: Regions, where: { exists: Shifts }, unless: [north, auditor, admin, sales] }
  unbound: [Products, Sellers]
`

/** Grants are the way between sellers and regions for nobody: shifts are. */
export const ENTITLED = MODEL.replace('  Products:\n', `${GRANTS}  Products:\n`)
  .replace(/ {2}rows:\n[\s\S]*? {2}unbound: \[Products\]\n/, ROWS)
  .replace(/ {2}attributes:.*\n/, '')
  .replace(
    'dimensions:\n',
    'dimensions:\n  Grantee: { dataObject: Grants, column: Who }\n  Seller: { dataObject: Sellers, column: Name }\n  Regional: { dataObject: Regions, column: Name }\n',
  )
  .replace(
    'metrics:\n',
    `  Granted Revenue: { columns: [{ dataObject: Orders, column: Amount }], aggregation: sum, filters: [{ field: Regions, op: exists, subquery: { dataObject: Grants } }] }
metrics:
  Revenue per Grant: { expression: '{[Revenue]} / {[Grants Count]}' }
`,
  )

/** The north twice, the south from tomorrow on, and both for nobody. */
export const grantsTable = (rows: readonly string[]): readonly string[] => [
  `CREATE TABLE grants AS SELECT * FROM (VALUES ${rows.join(', ')}) AS t(who, area, since)`,
  "CREATE TABLE sellers AS SELECT * FROM (VALUES ('Sue'), ('Tom')) AS t(name)",
  "CREATE TABLE shifts AS SELECT * FROM (VALUES ('Sue', 'North'), ('Tom', 'South')) AS t(seller, area)",
]

export const OWN_GRANTS = [
  "('north', 'North', DATE '2020-01-01')",
  "('north', 'North', DATE '2021-01-01')",
  "('also', 'North', DATE '2020-01-01')",
]
const OTHER_GRANTS = [
  "('north', 'South', DATE '2999-01-01')",
  "('south', 'South', DATE '2020-01-01')",
  "(NULL, 'North', DATE '2020-01-01')",
  '(NULL, NULL, NULL)',
  "('south', NULL, DATE '2020-01-01')",
]
export const ENTITLED_TABLES = [...TABLES, ...grantsTable([...OWN_GRANTS, ...OTHER_GRANTS])]
