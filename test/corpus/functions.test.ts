/** Every portable function on DuckDB against its truth table. */
import { DuckDBInstance } from '@duckdb/node-api'
import t from 'tap'
import { ask, difference } from '../support/answers.js'
import { compileFor, DIALECTS } from './corpus.js'
import { functionCases, uncalledFunctions } from './function-table.js'

const ARRIVES_AS: Readonly<Record<string, RegExp>> = {
  string: /^VARCHAR$/,
  boolean: /^BOOLEAN$/,
  int: /^(TINY|SMALL|BIG)?INT(EGER)?$/,
  float: /^DOUBLE$/,
  decimal: /^(DECIMAL\(.+\)|HUGEINT|BIGINT)$/,
  date: /^DATE$/,
  timestamp: /^TIMESTAMP$/,
}

const connection = await (await DuckDBInstance.create(':memory:')).connect()
t.teardown(() => connection.closeSync())

t.test('the table calls every function of the catalogue', async (t) => t.same(uncalledFunctions(), []))

for (const { name, tables, model, query, expected } of functionCases()) {
  t.test(name, async (t) => {
    await connection.run(tables)
    const { sql, columns } = compileFor(DIALECTS[0]!, query, model)
    const found = await ask(connection, sql)
    t.equal(difference(found, expected, true), undefined, sql)
    const described = await connection.runAndReadAll(`DESCRIBE ${sql}`)
    t.match(String(described.getRowsJson()[1]?.[1]), ARRIVES_AS[columns[1]!.type.kind], 'of the type that the plan announced')
  })
}
