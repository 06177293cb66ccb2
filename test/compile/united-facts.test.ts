/** The rows of three facts are united before they are joined with the same objects, and the answers are those of facts that are aggregated apart. */
import { DuckDBInstance } from '@duckdb/node-api'
import t from 'tap'
import { duckdb } from '../../plugins/dialect-duckdb/src/index.js'
import { ask, difference } from '../support/answers.js'
import { compileFor, loadText } from '../support/compile.js'
import { impliedBy, withTerms } from '../support/other-terms.js'

interface FactOf {
  readonly item: string
  readonly day: string
  readonly shipped: string
}

const fact = (name: string, { item, day, shipped }: FactOf): string => `
  ${name}:
    code: ${name.toLowerCase()}
    columns:
      Id: { code: id, abstractType: int, primaryKey: true }
      Item: { code: ${item}, abstractType: int }
      Day: { code: ${day}, abstractType: int }
      Shipped: { code: ${shipped}, abstractType: int }
      Price: { code: price, abstractType: float, sqlType: 'DECIMAL(9, 2)' }
      Pieces: { code: pieces, abstractType: int }
      Weight: { code: weight, abstractType: float }
    joins:
      - { joinType: many-to-one, joinTo: Items, columnsFrom: [Item], columnsTo: [Id] }
      - { joinType: many-to-one, joinTo: Days, columnsFrom: [Day], columnsTo: [Id] }
      - { joinType: many-to-one, joinTo: Shipped Days, columnsFrom: [Shipped], columnsTo: [Id] }`

const measures = (name: string): string => `
  ${name} Price: { aggregation: sum, columns: [{ dataObject: ${name}, column: Price }] }
  ${name} Rows: { aggregation: count, columns: [{ dataObject: ${name}, column: Id }] }
  ${name} Most: { aggregation: max, columns: [{ dataObject: ${name}, column: Pieces }] }
  ${name} Mean: { aggregation: avg, columns: [{ dataObject: ${name}, column: Pieces }] }
  ${name} Kinds: { aggregation: count_distinct, columns: [{ dataObject: ${name}, column: Pieces }] }
  ${name} Large: { aggregation: count, columns: [{ dataObject: ${name}, column: Id }], filters: [{ field: ${name}.Pieces, op: '>', value: 3 }] }
  ${name} Weight: { aggregation: sum, columns: [{ dataObject: ${name}, column: Weight }] }
  ${name} Dear: { aggregation: sum, columns: [{ dataObject: ${name}, column: Price }], filters: [{ field: Color, op: '=', value: red }] }`

const FACTS = {
  Shop: ['item_id', 'day_id', 'sent_id'],
  Web: ['web_item', 'web_day', 'web_day'],
  Mail: ['item', 'mailed', 'mailed'],
} as const
const names = Object.keys(FACTS)

const model = loadText(`
version: 1
name: channels
dataObjects:
  Items: { code: items, columns: { Id: { code: id, abstractType: int, primaryKey: true }, Color: { code: color, abstractType: string }, Kind: { code: kind, abstractType: string } } }
  Days: { code: days, columns: { Id: { code: id, abstractType: int, primaryKey: true }, Year: { code: year, abstractType: int }, Month: { code: month, abstractType: int } } }
  Shipped Days: { code: days, columns: { Id: { code: id, abstractType: int, primaryKey: true }, Month: { code: month, abstractType: int } } }
${Object.entries(FACTS)
  .map(([name, [item, day, shipped]]) => fact(name, { item, day, shipped }))
  .join('')}
dimensions:
  Color: { dataObject: Items, column: Color }
  Kind: { dataObject: Items, column: Kind }
  Year: { dataObject: Days, column: Year }
  Month: { dataObject: Days, column: Month }
  Pieces: { dataObject: Shop, column: Pieces }
  Shipped Month: { dataObject: Shipped Days, column: Month }
measures:${names.map(measures).join('')}
metrics:
  All Prices: { expression: 'coalesce({[Shop Price]}, 0) + coalesce({[Web Price]}, 0) + coalesce({[Mail Price]}, 0)' }
`)

const all = (measure: string): string[] => names.map((name) => `${name} ${measure}`)
const IN_2024 = [{ field: 'Year', op: '=', value: 2024 }]

const ROWS: readonly (readonly [title: string, query: object, isUnited: boolean])[] = [
  ['sums', { select: { dimensions: ['Color'], measures: all('Price') }, where: IN_2024 }, true],
  ['a metric over them', { select: { dimensions: ['Color', 'Month'], measures: ['All Prices'] }, where: IN_2024 }, true],
  ['counts and extremes', { select: { dimensions: ['Kind'], measures: [...all('Rows'), ...all('Most')] }, where: IN_2024 }, true],
  [
    'means and different values',
    { select: { dimensions: ['Kind'], measures: [...all('Mean'), ...all('Kinds')] }, where: IN_2024 },
    true,
  ],
  [
    'filters of rows of the facts',
    {
      select: { dimensions: ['Month'], measures: [...all('Large'), ...all('Rows')] },
      where: [{ field: 'Color', op: 'in', value: ['red', null] }],
    },
    true,
  ],
  [
    'more than one condition',
    { select: { dimensions: ['Kind'], measures: all('Rows') }, where: [...IN_2024, { field: 'Color', op: '<>', value: 'red' }] },
    true,
  ],
  [
    'what is kept',
    {
      select: { dimensions: ['Kind'], measures: all('Price') },
      where: IN_2024,
      having: [{ field: 'Web Price', op: '>', value: 10 }],
    },
    true,
  ],
  [
    'another date, which is a column of its own in one of them',
    { select: { dimensions: ['Shipped Month', 'Month'], measures: all('Rows') }, where: IN_2024 },
    true,
  ],
  ['a filter that every measure has', { select: { dimensions: ['Month'], measures: all('Dear') } }, true],
  ['not without a condition', { select: { dimensions: ['Color'], measures: all('Price') } }, false],
  ['not two facts', { select: { dimensions: ['Color'], measures: all('Price').slice(1) }, where: IN_2024 }, false],
  [
    'not many values',
    { select: { dimensions: ['Color'], measures: ['Price', 'Rows', 'Most'].flatMap(all) }, where: IN_2024 },
    false,
  ],
  ['not sums of doubles', { select: { dimensions: ['Color'], measures: all('Weight') }, where: IN_2024 }, false],
  [
    'not values that read an object',
    { select: { dimensions: ['Month'], measures: [...all('Dear'), ...all('Rows')] }, where: IN_2024 },
    false,
  ],
  [
    'not a condition on one fact',
    { select: { dimensions: ['Color'], measures: all('Price') }, where: [...IN_2024, { field: 'Pieces', op: '>', value: 2 }] },
    false,
  ],
]

t.test('facts united before their joins', async (t) => {
  const connection = await (await DuckDBInstance.create(':memory:')).connect()
  await connection.run(
    `CREATE TABLE items AS SELECT i AS id, ['red', 'blue', NULL][1 + i % 3] AS color, 'kind ' || i % 4 AS kind FROM range(20) AS t(i)`,
  )
  await connection.run('CREATE TABLE days AS SELECT i AS id, 2023 + i % 3 AS year, 1 + i % 5 AS month FROM range(30) AS t(i)')
  for (const [at, [name, [item, day, shipped]]] of Object.entries(FACTS).entries()) {
    // Some keys are NULL, and some have no row.
    const key = (of: string, n: number, most: number): string =>
      `CASE WHEN i % ${n} > 0 THEN (i * ${at + 7 + n} + i // 3) % ${most} END AS ${of}`
    const keys = [key(item, 11, 24), key(day, 13, 33), ...(shipped === day ? [] : [key(shipped, 7, 31)])]
    await connection.run(
      `CREATE TABLE ${name.toLowerCase()} AS SELECT i AS id, ${keys.join(', ')}, CAST(i % 97 AS DECIMAL(9, 2)) / 4 AS price, NULLIF(i % ${at + 5}, 2) AS pieces, i / 7 AS weight FROM range(${150 + 40 * at}) AS t(i)`,
    )
  }
  const apart = { ...duckdb, planner: { ...duckdb.planner, hashJoins: false } }
  for (const [title, query, isUnited] of ROWS) {
    const { sql } = compileFor(query, model)
    t.equal(sql.includes('AS "united"'), isUnited, title)
    const [found, wanted] = [await ask(connection, sql), await ask(connection, compileFor(query, model, apart).sql)]
    t.equal(difference(found, wanted, false), undefined, `${title}: the answer`)
    t.ok(found.rows.length > 2)
    const other = compileFor(
      query,
      withTerms(model, (on) => [...on, ...impliedBy(on, 'to')]),
    ).sql
    t.notMatch(other, 'AS "united"', `${title}: not if joins compare more than equal columns`)
    t.equal(difference(await ask(connection, other), wanted, false), undefined, `${title}: the answer over such joins`)
  }
  connection.closeSync()
})

t.test('facts united over groups that are NaN, NULL and minus zero, of decimals that differ in digits', async (t) => {
  const channel = (name: string): string => `
  ${name}:
    code: ${name.toLowerCase()}
    columns:
      Id: { code: id, abstractType: int, primaryKey: true }
      Item: { code: item, abstractType: int }
      Amount: { code: amount, abstractType: float, sqlType: '${name === 'B' ? 'DECIMAL(38, 10)' : 'DECIMAL(38, 2)'}' }
    joins: [{ joinType: many-to-one, joinTo: Items, columnsFrom: [Item], columnsTo: [Id] }]`
  const channels = ['A', 'B', 'C']
  const odd = loadText(`
version: 1
dataObjects:
  Items: { code: items, columns: { Id: { code: id, abstractType: int, primaryKey: true }, Ratio: { code: ratio, abstractType: float } } }${channels.map(channel).join('')}
dimensions: { Ratio: { dataObject: Items, column: Ratio } }
measures:${channels.map((name) => `\n  In ${name}: { aggregation: sum, columns: [{ dataObject: ${name}, column: Amount }] }`).join('')}
`)
  const connection = await (await DuckDBInstance.create(':memory:')).connect()
  await connection.run(
    `CREATE TABLE items AS SELECT * FROM (VALUES (1, CAST('NaN' AS DOUBLE)), (2, -0.0), (3, 0.0), (4, NULL), (5, 8.0)) v(id, ratio)`,
  )
  // B is empty but for one row, with ten digits after the point; the keys of C are narrower.
  await connection.run(
    `CREATE TABLE a AS SELECT * FROM (VALUES (1, 1, CAST(999999999999999999999999999999999999.25 AS DECIMAL(38, 2))), (2, 2, 1.5), (3, 3, 2.25), (4, 4, 4), (5, NULL, 8), (6, 99, 16)) v(id, item, amount)`,
  )
  await connection.run('CREATE TABLE b AS SELECT 1 AS id, 3 AS item, CAST(0.0000000001 AS DECIMAL(38, 10)) AS amount')
  await connection.run(
    'CREATE TABLE c AS SELECT CAST(i AS SMALLINT) AS id, CAST(i AS SMALLINT) AS item, CAST(i AS DECIMAL(38, 2)) AS amount FROM range(1, 6) r(i)',
  )
  const { sql } = compileFor(
    {
      select: { dimensions: ['Ratio'], measures: channels.map((name) => `In ${name}`) },
      where: [
        {
          logic: 'or',
          filters: [
            { field: 'Ratio', op: '<>', value: 8 },
            { field: 'Ratio', op: 'is_null' },
          ],
        },
      ],
      order_by: [{ field: 'Ratio' }],
    },
    odd,
  )
  t.match(sql, 'AS "united"')
  const { rows } = await ask(connection, sql)
  t.same(rows, [
    [0, '3.75', '0.0000000001', '5'],
    ['NaN', '999999999999999999999999999999999999.25', null, '1'],
    [null, '28', null, '4'],
  ])
  connection.closeSync()
})
