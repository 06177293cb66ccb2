/** Two times in one expression, on DuckDB, in an hour that clocks show twice. */
import { DuckDBInstance } from '@duckdb/node-api'
import { duckdb } from '@grainline/dialect-duckdb'
import t from 'tap'
import { repeatedHourOn } from '../interop/suites.js'
import { ask } from '../support/answers.js'

await repeatedHourOn(t, async () => {
  const connection = await (await DuckDBInstance.create(':memory:', { threads: '1' })).connect()
  return {
    dialect: duckdb,
    load: async (statements) => void (await connection.run(`SET TimeZone = 'UTC'; ${statements}`)),
    ask: (sql) => ask(connection, sql),
    close: async () => connection.closeSync(),
  }
})
