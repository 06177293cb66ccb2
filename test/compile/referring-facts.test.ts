/** A fact, and one that it refers to, are read once if conditions on the first limit both, and the answers are those of each fact alone. */
import { DuckDBInstance } from '@duckdb/node-api'
import t from 'tap'
import { duckdb } from '../../plugins/dialect-duckdb/src/index.js'
import { ask, type Cell } from '../support/answers.js'
import { compileFor, loadText } from '../support/compile.js'

const modelOf = (foreignKey: boolean) =>
  loadText(`
version: 1
name: shop
dataObjects:
  Customers: { code: customers, columns: { Id: { code: id, abstractType: int, primaryKey: true }, City: { code: city, abstractType: string } } }
  Items: { code: items, columns: { Id: { code: id, abstractType: int, primaryKey: true }, Color: { code: color, abstractType: string } } }
  Orders:
    code: orders
    columns:
      Id: { code: id, abstractType: int, primaryKey: true }
      Customer: { code: customer_id, abstractType: int }
      State: { code: state, abstractType: string }
      Freight: { code: freight, abstractType: float, sqlType: 'DECIMAL(9, 2)' }
      Weight: { code: weight, abstractType: float }
      Note: { code: note, abstractType: json }
      Paid: { expression: 'coalesce({Freight}, 1)', abstractType: float, sqlType: 'DECIMAL(9, 2)' }
    joins: [{ joinType: many-to-one, joinTo: Customers, columnsFrom: [Customer], columnsTo: [Id] }]
  Lines:
    code: lines
    columns:
      Id: { code: id, abstractType: int, primaryKey: true }
      Order: { code: order_id, abstractType: int }
      Item: { code: item_id, abstractType: int }
      Buyer: { code: buyer_id, abstractType: int }
      Mode: { code: mode, abstractType: string }
      Pieces: { code: pieces, abstractType: int }
      Volume: { code: volume, abstractType: float }
    joins:
      - { joinType: many-to-one, joinTo: Orders, columnsFrom: [Order], columnsTo: [Id], foreignKey: ${foreignKey} }
      - { joinType: many-to-one, joinTo: Items, columnsFrom: [Item], columnsTo: [Id] }
      - { joinType: many-to-one, joinTo: Buyers, columnsFrom: [Buyer], columnsTo: [Id] }
  Buyers: { code: customers, columns: { Id: { code: id, abstractType: int, primaryKey: true }, City: { code: city, abstractType: string } } }
dimensions:
  City: { dataObject: Customers, column: City }
  State: { dataObject: Orders, column: State }
  Order: { dataObject: Orders, column: Id }
  Color: { dataObject: Items, column: Color }
  Mode: { dataObject: Lines, column: Mode }
measures:
  Freight: { aggregation: sum, columns: [{ dataObject: Orders, column: Freight }] }
  Orders: { aggregation: count, columns: [{ dataObject: Orders, column: Id }] }
  Dear: { aggregation: count, columns: [{ dataObject: Orders, column: Id }], filters: [{ field: Orders.Freight, op: '>', value: 3 }] }
  Freights: { aggregation: count_distinct, columns: [{ dataObject: Orders, column: Freight }] }
  Mean: { aggregation: avg, columns: [{ dataObject: Orders, column: Weight }] }
  Paid: { aggregation: sum, columns: [{ dataObject: Orders, column: Paid }] }
  Middle: { aggregation: median, columns: [{ dataObject: Orders, column: Weight }] }
  Notes: { aggregation: count, columns: [{ dataObject: Orders, column: Note }] }
  Pieces: { aggregation: sum, columns: [{ dataObject: Lines, column: Pieces }] }
  Lines: { aggregation: count, columns: [{ dataObject: Lines, column: Id }] }
  Volume: { aggregation: sum, columns: [{ dataObject: Lines, column: Volume }] }
`)

/** Orders without lines, lines of no order and of one that does not exist, orders of no customer, two customers of one city. */
const DATA = `
CREATE TABLE customers AS SELECT i AS id, ['Rome', 'Oslo', NULL, 'Rome'][i] AS city FROM range(1, 5) AS t(i);
CREATE TABLE items AS SELECT i AS id, ['red', 'blue', NULL][i] AS color FROM range(1, 4) AS t(i);
CREATE TABLE orders AS SELECT i AS id, nullif(i % 6, 0) AS customer_id, ['new', 'done', NULL][i % 3 + 1] AS state,
  CASE WHEN i % 5 > 0 THEN CAST(i % 7 AS DECIMAL(9, 2)) END AS freight, i / 4 AS weight,
  CAST(i AS JSON) AS note FROM range(1, 31) AS t(i);
CREATE TABLE lines AS SELECT i AS id, nullif(i * 7 % 36, 0) AS order_id, nullif(i % 5, 0) AS item_id, i % 4 AS buyer_id,
  ['air', 'rail', NULL][i % 3 + 1] AS mode, nullif(i % 9, 4) AS pieces, i / 8 AS volume FROM range(1, 101) AS t(i);
`

const AIR = [{ field: 'Mode', op: '=', value: 'air' }]

interface Asked {
  readonly dimensions: readonly string[]
  readonly referred: readonly string[]
  readonly own: readonly string[]
  readonly where?: readonly object[]
}

const TOGETHER: Readonly<Record<string, Asked>> = {
  'by a column of the row that is referred to': { dimensions: ['State'], referred: ['Freight'], own: ['Pieces'], where: AIR },
  'by its key, of which each group has one row': {
    dimensions: ['Order'],
    referred: ['Freight', 'Orders'],
    own: ['Pieces'],
    where: AIR,
  },
  'by what it refers to itself': { dimensions: ['City', 'State'], referred: ['Orders', 'Dear'], own: ['Lines'], where: AIR },
  'by what only the fact has': {
    dimensions: ['Color', 'State'],
    referred: ['Freight', 'Orders'],
    own: ['Lines', 'Pieces'],
    where: AIR,
  },
  'different values, an average, and a value that is not NULL without a row': {
    dimensions: ['City'],
    referred: ['Freights', 'Mean', 'Paid'],
    own: ['Pieces'],
    where: [{ field: 'Color', op: 'in', value: ['red', 'blue'] }],
  },
  'with a condition on the row that is referred to': {
    dimensions: ['City'],
    referred: ['Orders', 'Freight'],
    own: ['Lines'],
    where: [...AIR, { field: 'State', op: '=', value: 'done' }],
  },
}

const APART: Readonly<Record<string, Asked>> = {
  'no condition needs a row of the fact': { dimensions: ['Mode'], referred: ['Freight'], own: ['Pieces'] },
  'a condition that rows without lines meet': {
    dimensions: ['State'],
    referred: ['Freight'],
    own: ['Pieces'],
    where: [{ field: 'Mode', op: 'is_null' }],
  },
  'doubles, which are added in an order': { dimensions: ['State'], referred: ['Freight'], own: ['Volume'], where: AIR },
  'documents, which not every engine compares': { dimensions: ['State'], referred: ['Notes'], own: ['Pieces'], where: AIR },
  'a median, which no test of this plan covers': { dimensions: ['State'], referred: ['Middle'], own: ['Pieces'], where: AIR },
}

const isTogether = (sql: string): boolean => sql.includes('"orders_once"') && !sql.includes('SELECT DISTINCT')

/** Without rows they are 0. */
const COUNTS: ReadonlySet<string> = new Set(['Orders', 'Dear', 'Freights', 'Notes'])

const cellsOf = (row: readonly Cell[], count: number): string => JSON.stringify(row.slice(0, count))

for (const [foreignKey, data] of [
  [false, DATA],
  [true, `${DATA} UPDATE lines SET order_id = NULL WHERE order_id > 30;`],
] as const) {
  const model = modelOf(foreignKey)
  t.test(foreignKey ? 'by a foreign key' : 'by a join of which rows may have no partner', async (t) => {
    const instance = await DuckDBInstance.create(':memory:')
    const connection = await instance.connect()
    await connection.run(data)
    for (const [title, { dimensions, referred, own, where = [] }] of [...Object.entries(TOGETHER), ...Object.entries(APART)]) {
      const asked = (measures: readonly string[]) => compileFor({ select: { dimensions, measures }, where }, model, duckdb).sql
      const sql = asked([...referred, ...own])
      t.equal(isTogether(sql), title in TOGETHER, title)
      const found = await ask(connection, sql)
      const alone = await ask(connection, asked(own))
      const others = new Map((await ask(connection, asked(referred))).rows.map((row) => [cellsOf(row, dimensions.length), row]))
      const keys = new Set(found.rows.map((row) => cellsOf(row, dimensions.length)))
      t.equal(keys.size, found.rows.length, 'each group once')
      if (title in TOGETHER) t.equal(found.rows.length, alone.rows.length, 'the groups of the fact')
      const wanted = found.rows.map((row) => {
        const key = cellsOf(row, dimensions.length)
        const theirs = others.get(key)?.slice(dimensions.length) ?? referred.map((name) => (COUNTS.has(name) ? '0' : null))
        const ours = alone.rows.find((one) => cellsOf(one, dimensions.length) === key)?.slice(dimensions.length)
        return [...row.slice(0, dimensions.length), ...theirs, ...(ours ?? [null])]
      })
      t.same(found.rows, wanted, `${title}: the values of each fact alone`)
    }
    connection.closeSync()
    instance.closeSync()
  })
}
