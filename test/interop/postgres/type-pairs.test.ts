import { DuckDBInstance } from '@duckdb/node-api'
import { duckdb } from '@grainline/dialect-duckdb'
import t from 'tap'
import { ask, difference } from '../../support/answers.js'
import { compileFor } from '../../support/compile.js'
import { chunksOf, modelOf, pairsTable, queryOf, typePairs, verdict } from '../../types/type-pairs.js'
import { withEngine } from '../suites.js'
import { openEngine } from './engine.js'

await withEngine(t, openEngine, async (engine) => {
  const connection = await (await DuckDBInstance.create(':memory:')).connect()
  t.teardown(() => connection.closeSync())
  await connection.run(`SET TimeZone = 'UTC'; ${pairsTable()}`)
  await engine.load(pairsTable())
  const accepted = typePairs().filter((text) => !('refused' in verdict(text)))
  t.test('every expression that is not refused has the same values and types as on DuckDB', async (t) => {
    for (const chunk of chunksOf(accepted)) {
      const { model } = modelOf(chunk)
      if (!model) return void t.fail(chunk.join('\n'))
      const { sql, columns } = compileFor(queryOf(chunk), model, engine.dialect)
      const wanted = await ask(connection, compileFor(queryOf(chunk), model, duckdb).sql)
      const found = await engine.ask(sql, columns).catch((error: Error) => error.message)
      if (typeof found === 'string') t.fail(`${found}\n${chunk.join('\n')}`)
      for (const [i, text] of typeof found === 'string' ? [] : chunk.entries()) {
        const only = ({ rows }: typeof wanted) => ({ columns: [], rows: rows.map((row) => [row[i] ?? null]) })
        const differs = typeof found === 'string' ? undefined : difference(only(found), only(wanted), true)
        if (differs !== undefined) t.fail(`${text}: ${differs}`)
      }
    }
  })
})
