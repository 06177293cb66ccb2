/** A model whose tables hold rows without a partner and NULL keys, and the same rows joined by hand to one flat table. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import { createHost, GrainlineError } from '@grainline/core'
import type { SqlRequest } from '@grainline/core/surface'
import { valueAt } from '@grainline/core/vendor'
import duckdbDialect from '@grainline/dialect-duckdb'
import evaluator from '@grainline/evaluator-duckdb'
import semanticQl from '@grainline/semantic-ql'
import duckdb from '@grainline/vendor-duckdb'
import { canonical } from '../by-hand.js'

const TABLES = {
  // No line reads account 7, and no account has currency 4.
  accounts: `SELECT * FROM (VALUES (1, 'cash', 1, 'Ann'), (2, 'cash', 2, 'Ann'), (3, 'bank', 1, 'Bo'), (4, 'bank', NULL, NULL),
    (5, NULL, 3, 'Cy'), (6, 'card', 9, 'bo'), (7, 'loan', 2, 'Dee')) t(id, kind, currency, owner)`,
  currencies: `SELECT * FROM (VALUES (1, 'EUR'), (2, 'USD'), (3, NULL), (4, 'CHF')) t(id, code)`,
  // Some lines have no account, and some one that does not exist.
  lines: `SELECT i AS id, CASE WHEN i % 11 = 0 THEN NULL WHEN i % 13 = 0 THEN 99 ELSE 1 + (i * i) % 6 END AS account,
    CASE WHEN i % 7 = 0 THEN NULL ELSE ((i * 37) % 100) - 20 END AS amount,
    CASE i % 5 WHEN 0 THEN NULL WHEN 1 THEN 'a' WHEN 2 THEN 'B' WHEN 3 THEN 'b' ELSE '' END AS note,
    CASE WHEN i % 17 = 0 THEN NULL ELSE DATE '2025-01-15' + CAST((i % 4) * 20 AS INT) END AS day FROM range(1, 141) r(i)`,
  budgets: `SELECT * FROM (VALUES (1, 100, 'x'), (7, 50, 'y'), (NULL, 5, 'x'), (98, 1, NULL)) t(account, plan, scenario)`,
}

const MODEL = `
version: 1
name: ledger
dataObjects:
  Lines:
    code: lines
    columns:
      Id: { code: id, abstractType: int, primaryKey: true }
      Account: { code: account, abstractType: int }
      Amount: { code: amount, abstractType: int }
      Note: { code: note, abstractType: string }
      Day: { code: day, abstractType: date }
    joins: [{ joinTo: Accounts, joinType: many-to-one, columnsFrom: [Account], columnsTo: [Id] }]
  Accounts:
    code: accounts
    columns:
      Id: { code: id, abstractType: int, primaryKey: true }
      Kind: { code: kind, abstractType: string }
      Currency: { code: currency, abstractType: int }
      Owner: { code: owner, abstractType: string }
    joins: [{ joinTo: Currencies, joinType: many-to-one, columnsFrom: [Currency], columnsTo: [Id] }]
  Currencies:
    code: currencies
    columns:
      Id: { code: id, abstractType: int, primaryKey: true }
      Code: { code: code, abstractType: string }
  Budgets:
    code: budgets
    columns:
      Account: { code: account, abstractType: int }
      Plan: { code: plan, abstractType: int }
      Scenario: { code: scenario, abstractType: string }
    joins: [{ joinTo: Accounts, joinType: many-to-one, columnsFrom: [Account], columnsTo: [Id] }]
dimensions:
  Kind: { dataObject: Accounts, column: Kind }
  Owner: { dataObject: Accounts, column: Owner }
  Currency: { dataObject: Currencies, column: Code }
  Note: { dataObject: Lines, column: Note }
  Day: { dataObject: Lines, column: Day }
  Line Number: { dataObject: Lines, column: Id }
  Scenario: { dataObject: Budgets, column: Scenario }
measures:
  Lines: { aggregation: count, columns: [{ dataObject: Lines, column: Id }] }
  Amount: { aggregation: sum, columns: [{ dataObject: Lines, column: Amount }] }
  Largest: { aggregation: max, columns: [{ dataObject: Lines, column: Amount }] }
  Mean: { aggregation: avg, columns: [{ dataObject: Lines, column: Amount }] }
  Plan: { aggregation: sum, columns: [{ dataObject: Budgets, column: Plan }] }
metrics:
  Per Line: { expression: '{[Amount]} / {[Lines]}' }
`

const FLAT = `CREATE VIEW ledger AS SELECT a.kind AS "Kind", a.owner AS "Owner", c.code AS "Currency", l.note AS "Note", l.day AS "Day",
  l.id AS "Line Number", l.amount FROM lines l LEFT JOIN accounts a ON a.id = l.account LEFT JOIN currencies c ON c.id = a.currency`

export type Rows = readonly (readonly unknown[])[]

/** The ledger as a model of a host, and as one flat table. */
export async function ledger() {
  const folder = await mkdtemp(path.join(tmpdir(), 'ledger-'))
  const connection = await (await DuckDBInstance.create()).connect()
  for (const [name, rows] of Object.entries(TABLES)) {
    await connection.run(`CREATE TABLE ${name} AS ${rows}`)
    await connection.run(`COPY ${name} TO '${folder}/${name}.parquet' (FORMAT parquet)`)
  }
  await connection.run(FLAT)
  const tables = Object.fromEntries(Object.keys(TABLES).map((name) => [name, `${folder}/${name}.parquet`]))
  const plugins = [duckdbDialect, { use: duckdb, with: { tables } }, evaluator, semanticQl]
  await writeFile(`${folder}/ledger.yaml`, MODEL)
  const sessionId = 'ledger'
  const preload = [{ session: sessionId, model: `${folder}/ledger.yaml` }]
  const settings = { QUERY_EXECUTE: true }
  const host = await createHost({ plugins: plugins as never, settings, preload }, { environment: { process: {}, dotenv: {} } })
  await host.start()
  const { service } = host

  async function answered(sql: string, parameters: SqlRequest['parameters'] = []) {
    const { schema, batches, outcome } = await service.executeSql({ asker: undefined, target: { sessionId }, sql, parameters })
    const rows: unknown[][] = []
    for await (const batch of batches)
      for (let row = 0; row < batch.rowCount; row++)
        rows.push(batch.columns.map((column, i) => canonical(valueAt(column, row, schema[i]!.type))))
    return { columns: schema.map(({ name }) => name), rows, warnings: outcome().warnings.map(({ code }) => code) }
  }
  return {
    service,
    sessionId,
    answered,
    model: async (sql: string): Promise<Rows> => (await answered(sql)).rows,
    /** The code of the refusal, and its message. */
    refusal: async (sql: string): Promise<string> => {
      try {
        await answered(sql)
        return 'answered'
      } catch (error) {
        if (error instanceof GrainlineError) return `${error.code}: ${error.message}`
        throw error
      }
    },
    flat: async (sql: string): Promise<Rows> =>
      (await connection.runAndReadAll(sql)).getRowsJson().map((row) => row.map(canonical)),
    close: async () => {
      connection.closeSync()
      await host.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
