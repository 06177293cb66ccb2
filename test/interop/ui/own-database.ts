/** The films of Sakila as a database of one's own, and what SQL says of it. */
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'

const source = path.join(import.meta.dirname, '../../first-model/sakila')

/** The file of the database, and the rows that each statement answers, as texts. */
export async function ownDatabase(folder: string, statements: readonly string[] = []) {
  const file = path.join(folder, 'films.duckdb')
  const instance = await DuckDBInstance.create(file)
  const connection = await instance.connect()
  await connection.run(readFileSync(path.join(source, 'database.sql'), 'utf8').replaceAll('FOLDER', source))
  const answers: string[][][] = []
  for (const sql of statements) {
    const rows = (await connection.runAndReadAll(sql)).getRows()
    answers.push(rows.map((row) => row.map(String)))
  }
  connection.closeSync()
  instance.closeSync()
  return { file, answers }
}
