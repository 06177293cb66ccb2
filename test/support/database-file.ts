import { DuckDBInstance } from '@duckdb/node-api'

/** A database of DuckDB in a file, made by these statements and closed; its path. */
export async function databaseFile(file: string, statements: string): Promise<string> {
  const instance = await DuckDBInstance.create(file)
  const connection = await instance.connect()
  await connection.run(statements)
  connection.closeSync()
  instance.closeSync()
  return file
}
