/** The corpus on PostgreSQL: the same rows and types as on DuckDB. */
import { DuckDBInstance } from '@duckdb/node-api'
import t from 'tap'
import { compileFor, DIALECTS, dataSql, modelText, readQuestions } from '../../corpus/corpus.js'
import { ask, difference } from '../../support/answers.js'
import { loadText } from '../../support/compile.js'
import { askPostgres } from './answer.js'
import { openPostgres } from './open.js'

const engine = await openPostgres()
if (typeof engine === 'string') t.plan(0, engine)
else {
  const { client, close } = engine
  t.teardown(close)
  const [duckdb, postgres] = DIALECTS
  const model = loadText(modelText())
  const connection = await (await DuckDBInstance.create(':memory:')).connect()
  t.teardown(() => connection.closeSync())
  await connection.run(`SET TimeZone = 'UTC'; ${dataSql()}`)
  await client.query(dataSql())

  for (const { name, query, ordered = false } of readQuestions()) {
    t.test(name, async (t) => {
      const wanted = await ask(connection, compileFor(duckdb!, query, model).sql)
      const compiled = compileFor(postgres!, query, model)
      t.equal(difference(await askPostgres(client, compiled.sql, compiled.columns), wanted, ordered), undefined)
    })
  }
}
