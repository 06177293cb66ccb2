/** NaN, the infinities and −0 on DuckDB. */
import { DuckDBInstance } from '@duckdb/node-api'
import { duckdb } from '@grainline/dialect-duckdb'
import t from 'tap'
import { specialNumbersOn } from '../interop/suites.js'
import { type Cell, exact } from '../support/answers.js'

await specialNumbersOn(t, async () => {
  const connection = await (await DuckDBInstance.create(':memory:', { threads: '1' })).connect()
  return {
    dialect: duckdb,
    load: async (statements) => void (await connection.run(statements)),
    async ask(sql) {
      const reader = await connection.runAndReadAll(sql)
      const rows = reader
        .getRows()
        .map((row) =>
          row.map(
            (cell): Cell => (typeof cell === 'number' || typeof cell === 'boolean' || cell === null ? cell : exact(String(cell))),
          ),
        )
      return { columns: reader.columnNames(), rows }
    },
    close: async () => connection.closeSync(),
  }
})
