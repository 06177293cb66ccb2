/** The join of rows to intervals: which rows find none, and which find several that overlap. Models have such joins by the terms of their joins only. */
import { DuckDBInstance } from '@duckdb/node-api'
import { duckdb } from '@grainline/dialect-duckdb'
import t from 'tap'
import { builtInAggregates } from '../../core/src/model/functions/aggregates.js'
import { builtInFunctions } from '../../core/src/model/functions/catalogue.js'
import type { Join, SemanticModel } from '../../core/src/model/semantic-model.js'
import { verifyModel } from '../../core/src/verify/verify-model.js'
import { compileFor, loadText, NOW } from '../support/compile.js'
import { withTerms } from '../support/other-terms.js'

const model = loadText(`
version: 1
dataObjects:
  Sales:
    code: "(SELECT * FROM (VALUES (1, 'a', 1), (2, 'a', 5), (3, 'a', 9), (4, 'b', 5), (5, 'b', 5), (6, NULL, 5), (7, 'a', NULL), (8, 'c', 5)) t (id, shop, day))"
    columns:
      Id: { code: id, abstractType: int, primaryKey: true }
      Shop: { code: shop, abstractType: string }
      Day: { code: day, abstractType: int }
    joins:
      - { joinTo: Prices, joinType: many-to-one, columnsFrom: [Shop], columnsTo: [Shop] }
  Prices:
    code: "(SELECT * FROM (VALUES ('a', 1, 4), ('a', 4, 8), ('a', NULL, 1), ('b', 3, 6), ('b', 5, 7), ('b', 9, 9), ('c', 6, NULL)) t (shop, since, until))"
    columns:
      Shop: { code: shop, abstractType: string }
      Since: { code: since, abstractType: int }
      Until: { code: until, abstractType: int }
`)

const connection = await (await DuckDBInstance.create(':memory:')).connect()
t.teardown(() => connection.closeSync())

type Terms = (on: Join['on']) => Join['on']
const within = (isOpen: boolean): Join['on'][number] => ({
  kind: 'within',
  interval: 'to',
  value: 'Day',
  start: { at: 'Since', isIncluded: true, isOpen },
  end: { at: 'Until', isIncluded: false, isOpen },
})

const edgeOf = async (terms: Terms) => {
  const { edges, findings } = await verifyModel({
    model: withTerms(model, terms),
    dialect: duckdb,
    functions: builtInFunctions,
    aggregates: builtInAggregates,
    now: NOW,
    storedTypes: 'declared',
    ask: async (sql) => (await connection.runAndReadAll(sql)).getRowsJS() as never,
  })
  return { edge: edges[0], codes: findings.map(({ code }) => code) }
}

for (const [title, terms, expected] of [
  [
    'an equality and an interval',
    (on: Join['on']) => [...on, within(false)],
    {
      rows: 8,
      null_links: 2,
      without_parent: 2,
      missing_parents: 2,
      duplicate_targets: 1,
      examples: [
        ['a', 9],
        ['c', 5],
      ],
      duplicate_examples: [['b', 5]],
    },
  ],
  [
    'an interval without an equality, of which NULL is no bound',
    () => [within(true)],
    { rows: 8, null_links: 1, without_parent: 0, missing_parents: 0, duplicate_targets: 1 },
  ],
] as const)
  t.test(title, async (t) => {
    const { edge, codes } = await edgeOf(terms)
    t.match(edge, expected)
    t.ok(codes.includes('VERIFY_CARDINALITY'))
  })

t.test('intervals that do not overlap at a row break nothing', async (t) => {
  const day = within(false)
  const { edge } = await edgeOf((on) => [
    ...on,
    day.kind === 'within' ? { ...day, end: { ...day.end, at: 'Since', isIncluded: true } } : day,
  ])
  t.match(edge, { duplicate_targets: 0, without_parent: 3 })
})

t.test('a period that a model declares, for instants read as days in the zone of the join', async (t) => {
  const declared = (zone: string) =>
    loadText(`
version: 1
dataObjects:
  Sales:
    code: "(SELECT * FROM (VALUES (1, 'a', TIMESTAMPTZ '2024-01-31 20:00:00+00'), (2, 'a', TIMESTAMPTZ '2024-02-10 00:00:00+00'), (3, 'b', TIMESTAMPTZ '2024-02-10 00:00:00+00')) t (id, shop, at_))"
    columns:
      Id: { code: id, abstractType: int, primaryKey: true }
      Shop: { code: shop, abstractType: string }
      At: { code: at_, abstractType: timestamp_tz }
    joins:
      - { joinTo: Prices, joinType: many-to-one, columnsFrom: [Shop], columnsTo: [Shop], during: { time: At, from: Since, to: Until${zone} } }
  Prices:
    code: "(SELECT * FROM (VALUES ('a', NULL, DATE '2024-02-01'), ('a', DATE '2024-02-05', NULL), ('a', DATE '2024-02-09', DATE '2024-02-11')) t (shop, since, until))"
    columns:
      Shop: { code: shop, abstractType: string }
      Since: { code: since, abstractType: date }
      Until: { code: until, abstractType: date }
`)
  await connection.run("SET TimeZone = 'UTC'")
  for (const [zone, lacking] of [
    ['', 1],
    [', zone: Asia/Tokyo', 2],
  ] as const) {
    const { edges, findings } = await verifyModel({
      model: declared(zone),
      dialect: duckdb,
      functions: builtInFunctions,
      aggregates: builtInAggregates,
      now: NOW,
      storedTypes: 'declared',
      ask: async (sql) => (await connection.runAndReadAll(sql)).getRowsJS() as never,
    })
    t.match(edges[0], { without_parent: lacking, duplicate_targets: 1 }, `holes and overlaps${zone}`)
    t.ok(findings.some(({ code }) => code === 'VERIFY_CARDINALITY'))
  }
})

const ratesOf = (rates: string) =>
  loadText(`
version: 1
dataObjects:
  Sales:
    code: "(SELECT * FROM (VALUES (1, 'a', TIMESTAMPTZ '2024-01-31 20:00:00+00'), (2, 'a', TIMESTAMPTZ '2024-02-10 00:00:00+00'), (3, 'b', TIMESTAMPTZ '2024-01-01 00:00:00+00'), (4, NULL, NULL)) t (id, shop, at_))"
    columns:
      Id: { code: id, abstractType: int, primaryKey: true }
      Shop: { code: shop, abstractType: string }
      At: { code: at_, abstractType: timestamp_tz }
    joins:
      - { joinType: many-to-one, joinTo: Rates, columnsFrom: [Shop], columnsTo: [Shop], asOf: { time: At, to: Day, within: 7 days, zone: Asia/Tokyo } }
  Rates:
    code: "(SELECT * FROM (VALUES ${rates}) t (id, shop, day))"
    columns:
      Id: { code: id, abstractType: int, primaryKey: true }
      Shop: { code: shop, abstractType: string }
      Day: { code: day, abstractType: date }
`)

const verified = (rates: string) => verifiedModel(ratesOf(rates))
const verifiedModel = async (model: SemanticModel) => {
  const { edges, findings } = await verifyModel({
    model,
    dialect: duckdb,
    functions: builtInFunctions,
    aggregates: builtInAggregates,
    now: NOW,
    storedTypes: 'declared',
    ask: async (sql) => (await connection.runAndReadAll(sql)).getRowsJS() as never,
  })
  return { edge: edges[0], codes: findings.map(({ code }) => code) }
}

t.test('several rows of one time are ties, which break no promise; rows that are too far away are none', async (t) => {
  const tied =
    "(1, 'a', DATE '2024-02-01'), (2, 'a', DATE '2024-02-01'), (3, 'b', DATE '2024-02-01'), (4, 'b', NULL), (5, 'b', NULL)"
  const { edge, codes } = await verified(tied)
  t.match(edge, {
    columns_to: ['Shop', 'Day'],
    rows: 4,
    null_links: 1,
    without_parent: 2,
    missing_parents: 2,
    duplicate_targets: 0,
    ties: 1,
    duplicate_examples: [['a', '2024-02-01']],
  })
  t.same(codes, ['VERIFY_TIES', 'VERIFY_ORPHANS'])
})

t.test('after the correction of ties and of times nothing is found', async (t) => {
  const { edge, codes } = await verified("(1, 'a', DATE '2024-02-01'), (2, 'a', DATE '2024-02-09'), (3, 'b', DATE '2024-01-01')")
  t.match(edge, { without_parent: 0, ties: 0 })
  t.same(codes, [])
})

t.test(
  'a column that distinguishes the rows of one time, in the keys of the join, leaves no ties and finds the row that is meant',
  async (t) => {
    const tills = (keys: string) =>
      loadText(`
version: 1
dataObjects:
  Sales:
    code: "(SELECT * FROM (VALUES (1, 'a', 1, DATE '2024-02-02'), (2, 'a', 2, DATE '2024-02-02')) t (id, shop, till, day))"
    columns:
      Id: { code: id, abstractType: int, primaryKey: true }
      Shop: { code: shop, abstractType: string }
      Till: { code: till, abstractType: int }
      Day: { code: day, abstractType: date }
    joins:
      - { joinType: many-to-one, joinTo: Rates, columnsFrom: [${keys}], columnsTo: [${keys}], asOf: { time: Day, to: Day } }
  Rates:
    code: "(SELECT * FROM (VALUES (1, 'a', 1, DATE '2024-02-01', 10), (2, 'a', 2, DATE '2024-02-01', 20)) t (id, shop, till, day, rate))"
    columns:
      Id: { code: id, abstractType: int, primaryKey: true }
      Shop: { code: shop, abstractType: string }
      Till: { code: till, abstractType: int }
      Day: { code: day, abstractType: date }
      Rate: { code: rate, abstractType: int }
dimensions:
  Rate: { dataObject: Rates, column: Rate }
`)
    const query = { select: { dimensions: ['Rate'], measures: ['Sales Count'] }, order_by: [{ field: 'Rate' }] }
    const byRate = async (keys: string) =>
      (await connection.runAndReadAll(compileFor(query, tills(keys)).sql)).getRows().map((row) => row.map(Number))
    t.same((await verifiedModel(tills('Shop'))).codes, ['VERIFY_TIES'])
    t.same(await byRate('Shop'), [[20, 2]], 'the greatest key')
    t.same((await verifiedModel(tills('Shop, Till'))).codes, [])
    t.same(await byRate('Shop, Till'), [
      [10, 1],
      [20, 1],
    ])
  },
)
