/** What must hold between two questions on time, on DuckDB; `test/interop` asks the other engines. */
import t from 'tap'
import { compileFor } from '../support/compile.js'
import { lawsOn } from '../time/laws.js'
import { database } from './database.js'

const { connection, rows } = await database("SET TimeZone = 'UTC'")
await lawsOn(t, {
  load: async (statements) => void (await connection.run(statements)),
  ask: (query, model) => rows(compileFor(query, model).sql),
})
