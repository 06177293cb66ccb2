/** The answers of a rule for speed: the same with it as without it, on the rows of a small shop in DuckDB. */
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api'
import type { SemanticModel } from '../../core/src/model/semantic-model.js'
import { randomFrom } from '../oracle/generate/random.js'
import { ask, difference } from './answers.js'
import { compileWithout } from './compile.js'

/** Two or three rows of a key, some without one, so that groups of one row, of several and of NULL exist. */
export async function shopRows(seed = 1): Promise<DuckDBConnection> {
  const { below, chance } = randomFrom(seed)
  const connection = await (await DuckDBInstance.create(':memory:', { threads: '1' })).connect()
  const maybe = (value: number | string): string => (chance(0.15) ? 'NULL' : String(value))
  const day = (): string => `DATE '2024-11-01' + ${below(200)}`
  const status = (): string => `'${['paid', 'open', 'sent'][below(3)]}'`
  const rows = (count: number, row: (id: number) => readonly (number | string)[]): string =>
    Array.from({ length: count }, (_, id) => `(${row(id).join(', ')})`).join(', ')
  const tables = {
    'regions (id BIGINT, name VARCHAR)': rows(3, (id) => [id, maybe(`'region ${id}'`)]),
    'customers (id BIGINT, name VARCHAR, region_id BIGINT)': rows(8, (id) => [
      id,
      maybe(`'customer ${id % 6}'`),
      maybe(below(3)),
    ]),
    'orders (id BIGINT, customer_id BIGINT, payer_id BIGINT, day DATE, status VARCHAR, amount BIGINT)': rows(60, (id) => [
      id,
      maybe(below(9)),
      maybe(below(8)),
      maybe(day()),
      maybe(status()),
      maybe(below(20) - 5),
    ]),
    'items (order_id BIGINT, line BIGINT, product VARCHAR, quantity BIGINT)': rows(90, (id) => [
      id % 45,
      id,
      maybe(`'product ${below(4)}'`),
      maybe(below(5)),
    ]),
    'returns (id BIGINT, customer_id BIGINT, day DATE, amount BIGINT)': rows(20, (id) => [
      id,
      maybe(below(8)),
      day(),
      maybe(below(9)),
    ]),
  }
  for (const [table, values] of Object.entries(tables)) {
    await connection.run(`CREATE TABLE ${table}`)
    await connection.run(`INSERT INTO ${table.split(' ')[0]} VALUES ${values}`)
  }
  return connection
}

/** Whether the rule changes the plan of a query, and how its answer then differs. */
export async function withRule(
  rule: string,
  query: unknown,
  model: SemanticModel,
  connection: DuckDBConnection,
): Promise<string> {
  const compiled = compileWithout(query, model, [])
  if (!compiled.explain().rules.includes(rule)) return 'left alone'
  const [found, wanted] = [await ask(connection, compiled.sql), await ask(connection, compileWithout(query, model, [rule]).sql)]
  return difference(found, wanted, false) ?? 'the same answer'
}
