import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api'
import t from 'tap'
import { type Answer, ask } from '../support/answers.js'

/** An in-memory DuckDB with the given tables, closed at the end of the test file. */
export async function database(...statements: readonly string[]): Promise<{
  readonly connection: DuckDBConnection
  readonly rows: (sql: string) => Promise<Answer['rows']>
}> {
  const instance = await DuckDBInstance.create(':memory:', { threads: '1' })
  const connection = await instance.connect()
  for (const statement of statements) await connection.run(statement)
  t.teardown(() => {
    connection.closeSync()
    instance.closeSync()
  })
  return { connection, rows: async (sql) => (await ask(connection, sql)).rows }
}

/** The number and kinds of statements that the engine parses from a text. */
export async function statementsIn(connection: DuckDBConnection, sql: string): Promise<readonly number[]> {
  const parsed = await connection.extractStatements(sql)
  const kinds: number[] = []
  for (let i = 0; i < parsed.count; i++) kinds.push((await parsed.prepare(i)).statementType)
  return kinds
}
