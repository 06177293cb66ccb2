/** Every portable function on PostgreSQL against its truth table: the same values and types as on DuckDB. */
import t from 'tap'
import { compileFor, DIALECTS } from '../../corpus/corpus.js'
import { functionCases } from '../../corpus/function-table.js'
import { difference } from '../../support/answers.js'
import { askPostgres } from './answer.js'
import { openPostgres } from './open.js'

const engine = await openPostgres()
if (typeof engine === 'string') t.plan(0, engine)
else {
  const { client, close } = engine
  t.teardown(close)
  for (const { name, tables, model, query, expected } of functionCases()) {
    t.test(name, async (t) => {
      await client.query(tables)
      const { sql, columns } = compileFor(DIALECTS[1]!, query, model)
      t.equal(difference(await askPostgres(client, sql, columns), expected, true), undefined, sql)
    })
  }
}
