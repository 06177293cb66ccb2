/** What a policy on a fact's own column costs the database, beside the same question with that condition in its filter: in turns, on DuckDB. */
import { DuckDBInstance } from '@duckdb/node-api'
import { compile } from '../../core/src/compile.js'
import { restrictedModel } from '../../core/src/model/access.js'
import { builtInAggregates } from '../../core/src/model/functions/aggregates.js'
import { builtInFunctions } from '../../core/src/model/functions/catalogue.js'
import { parseQuery } from '../../core/src/query/parse-query.js'
import { duckdb } from '../../plugins/dialect-duckdb/src/index.js'
import { corpusModel } from '../corpus/compiled-once.js'
import { NOW } from '../corpus/corpus.js'
import { type Measurement, percentile } from './measurement.js'
import { PAID } from './restricted.js'

const ROUNDS = 15
const QUESTIONS = [
  { dimensions: ['Order Month'], measures: ['Freight', 'Buyers'] },
  { dimensions: ['Customer'], measures: ['Freight'] },
  { dimensions: ['Store'], measures: ['Average Freight'] },
]
const TABLES = [
  "CREATE TABLE orders AS SELECT i AS id, i * 7 % 5000 AS customer_id, i % 40 AS store_id, ['paid', 'new', 'void'][i % 3 + 1] AS status, DATE '2020-01-01' + CAST(i % 2000 AS INTEGER) AS ordered_on, CAST(i % 977 AS DECIMAL(10, 2)) AS freight FROM range(3000000) AS r(i)",
  "CREATE TABLE customers AS SELECT i AS id, 'customer ' || i AS name FROM range(5000) AS r(i)",
  "CREATE TABLE stores AS SELECT i AS id, 'store ' || i AS name FROM range(40) AS r(i)",
]
const CONTEXT = {
  ...{ dialect: duckdb, functions: builtInFunctions, aggregates: builtInAggregates, now: NOW },
  storedTypes: 'declared' as const,
}

export async function ownColumnBench(): Promise<readonly Measurement[]> {
  const connection = await (await DuckDBInstance.create(':memory:', { threads: '1' })).connect()
  for (const table of TABLES) await connection.run(table)
  const open = corpusModel()
  const bound = restrictedModel(open, { rows: [PAID], missing: [], withholdsSql: true })
  const asked = QUESTIONS.map((select) => ({
    ours: compile(parseQuery({ select }), bound, CONTEXT).sql,
    theirs: compile(parseQuery({ select, where: [{ field: 'Orders.Status', op: '=', value: 'paid' }] }), open, CONTEXT).sql,
  }))
  // The database runs in this process.
  const taken = async (sql: string): Promise<number> => {
    const started = process.cpuUsage()
    await connection.runAndReadAll(sql)
    const { user, system } = process.cpuUsage(started)
    return user + system
  }
  const ratios: number[] = []
  for (let round = 0; round < ROUNDS; round++)
    for (const { ours, theirs } of asked) {
      const [first, second] = [await taken(ours), await taken(theirs)]
      // The first round reads the tables for both.
      if (round > 0) ratios.push(first / second)
    }
  connection.closeSync()
  const name = "a policy on a fact's own column, beside the condition in the question (median)"
  const value = percentile(
    ratios.toSorted((a, b) => a - b),
    0.5,
  )
  return [{ name, value, unit: '×', target: 1.05, better: 'less', note: `${QUESTIONS.length} questions, 3 million rows` }]
}
