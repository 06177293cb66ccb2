/** A policy that looks into a table of a million grants, beside one with the same list in it: questions of tenants on DuckDB, in turns. */
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api'
import { compile } from '../../core/src/compile.js'
import { restrictedModel } from '../../core/src/model/access.js'
import { builtInAggregates } from '../../core/src/model/functions/aggregates.js'
import { builtInFunctions } from '../../core/src/model/functions/catalogue.js'
import { parseModelSync } from '../../core/src/model/load-model.js'
import { boundBy, viewFor } from '../../core/src/model/restrict.js'
import type { SemanticModel } from '../../core/src/model/semantic-model.js'
import { parseQuery } from '../../core/src/query/parse-query.js'
import { duckdb } from '../../plugins/dialect-duckdb/src/index.js'
import { type Measurement, percentile } from './measurement.js'

const ROUNDS = 9
const TARGET = 1.3
/** Each of a thousand people may see every tenth of ten thousand tenants. The grants of one person are beside each other, as a table with an index or a sort key has them. */
const TABLES = [
  'CREATE TABLE tenants AS SELECT i AS id, i % 7 AS plan FROM range(10000) AS r(i)',
  'CREATE TABLE customers AS SELECT i AS id, i % 10000 AS tenant_id, i % 90 AS age FROM range(200000) AS r(i)',
  'CREATE TABLE orders AS SELECT i AS id, i % 200000 AS customer_id, i * 7 % 100 AS amount, i % 12 AS month FROM range(2000000) AS r(i)',
  "CREATE TABLE grants AS SELECT 'user-' || (i % 1000) AS who, (i // 1000) * 10 % 10000 + i % 10 AS tenant_id FROM range(1000000) AS r(i) ORDER BY who",
]
const MODEL = `
version: 1
dataObjects:
  Tenants:
    code: tenants
    columns: { Id: { code: id, abstractType: int, primaryKey: true }, Plan: { code: plan, abstractType: int } }
  Customers:
    code: customers
    columns:
      Id: { code: id, abstractType: int, primaryKey: true }
      Tenant: { code: tenant_id, abstractType: int }
      Age: { code: age, abstractType: int }
    joins: [{ joinType: many-to-one, joinTo: Tenants, columnsFrom: [Tenant], columnsTo: [Id] }]
  Orders:
    code: orders
    columns:
      Id: { code: id, abstractType: int, primaryKey: true }
      Customer: { code: customer_id, abstractType: int }
      Amount: { code: amount, abstractType: int }
      Month: { code: month, abstractType: int }
    joins: [{ joinType: many-to-one, joinTo: Customers, columnsFrom: [Customer], columnsTo: [Id] }]
  Grants:
    code: grants
    columns: { Who: { code: who, abstractType: string }, Tenant: { code: tenant_id, abstractType: int } }
    joins: [{ joinType: many-to-one, joinTo: Tenants, columnsFrom: [Tenant], columnsTo: [Id] }]
dimensions:
  Plan: { dataObject: Tenants, column: Plan }
  Tenant: { dataObject: Tenants, column: Id }
  Age: { dataObject: Customers, column: Age }
  Month: { dataObject: Orders, column: Month }
measures:
  Revenue: { columns: [{ dataObject: Orders, column: Amount }], aggregation: sum }
  Buyers: { columns: [{ dataObject: Orders, column: Customer }], aggregation: count_distinct }
  People: { columns: [{ dataObject: Customers, column: Id }], aggregation: count }
access:
  rows:
    - { name: granted, dataObject: Tenants, where: { exists: Grants, filters: [{ field: Who, op: '=', value: { principal: name } }] } }
`

const by = (...dimensions: readonly string[]) =>
  [['Revenue'], ['Buyers'], ['People'], ['Revenue', 'People']].map((measures) => ({ select: { dimensions, measures } }))
const QUESTIONS: readonly object[] = [
  ...by(),
  ...by('Plan'),
  ...by('Age'),
  ...by('Plan', 'Age'),
  { select: { dimensions: ['Month'], measures: ['Revenue', 'Buyers'] } },
  { select: { dimensions: ['Tenant'], measures: ['Revenue'] }, order_by: [{ field: 'Revenue' }], limit: 10 },
  { select: { measures: ['Revenue'] }, where: [{ field: 'Plan', op: '=', value: 3 }] },
  { select: { dimensions: ['Plan'] } },
]

export async function entitlementsBench(): Promise<readonly Measurement[]> {
  const instance = await DuckDBInstance.create(':memory:')
  const connection = await instance.connect()
  for (const statement of TABLES) await connection.run(statement)
  const { model, errors } = parseModelSync({ text: MODEL })
  if (!model?.access) throw new Error(errors.map(({ message }) => message).join('; '))
  const rights = { name: 'user-7', roles: [], attributes: {} }
  const granted = viewFor(
    model,
    boundBy(model.access, rights, () => ''),
    '',
  )
  const { rows } = await read(connection, "SELECT DISTINCT tenant_id FROM grants WHERE who = 'user-7' ORDER BY 1")
  const listed = listOf(
    model,
    rows.map(([id]) => Number(id)),
  )
  const ratios: number[] = []
  for (const question of QUESTIONS) ratios.push(await beside(connection, sqlOf(question, granted), sqlOf(question, listed)))
  connection.closeSync()
  instance.closeSync()
  const sorted = ratios.toSorted((a, b) => a - b)
  const note = `${ratios.length} questions, ${rows.length} of 10,000 tenants, p90 ${percentile(sorted, 0.9).toFixed(2)}`
  const name = 'a policy over a million grants, beside the same list in it (median)'
  return [{ name, value: percentile(sorted, 0.5), unit: '×', target: TARGET, better: 'less', note }]
}

function listOf(model: SemanticModel, values: readonly number[]): SemanticModel {
  const column = { kind: 'column', object: 'Tenants', column: 'Id' } as const
  const rows = [
    { label: '', dataObject: 'Tenants', condition: { kind: 'leaf', column, operator: 'in', values, path: '' } as const },
  ]
  return restrictedModel(model, { rows, missing: [], withholdsSql: true })
}

const sqlOf = (question: object, model: SemanticModel): string =>
  compile(parseQuery(question), model, {
    dialect: duckdb,
    functions: builtInFunctions,
    aggregates: builtInAggregates,
    now: new Date(0),
    storedTypes: 'declared',
  }).sql

async function read(connection: DuckDBConnection, sql: string) {
  const started = performance.now()
  const rows = await (await connection.runAndReadAll(sql)).getRows()
  return { rows, taken: performance.now() - started }
}

/** The ratio of the least times, run in turns, of two statements with one answer. */
async function beside(connection: DuckDBConnection, ours: string, theirs: string): Promise<number> {
  const least = { ours: Number.POSITIVE_INFINITY, theirs: Number.POSITIVE_INFINITY }
  for (let round = 0; round < ROUNDS; round++) {
    const [one, other] = [await read(connection, ours), await read(connection, theirs)]
    if (textOf(one.rows) !== textOf(other.rows)) throw new Error(`the answers differ: ${ours}`)
    least.ours = Math.min(least.ours, one.taken)
    least.theirs = Math.min(least.theirs, other.taken)
  }
  return least.ours / least.theirs
}

const textOf = (rows: readonly unknown[]): string =>
  rows
    .map((row) => JSON.stringify(row, (_, value) => (typeof value === 'bigint' ? String(value) : value)))
    .toSorted()
    .join('\n')
