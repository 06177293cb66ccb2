/**
 * A Fastify server with one route, which runs the statement of the environment through the driver of DuckDB: the lower bound for a small
 * query over HTTP.
 */
import { DuckDBInstance } from '@duckdb/node-api'
import Fastify from 'fastify'

const { INIT, SQL } = process.env
const instance = await DuckDBInstance.create(':memory:')
const connection = await instance.connect()
await connection.run(INIT)
const statement = await connection.prepare(SQL)
const app = Fastify()
app.post('/', async () => {
  const answer = await statement.runAndReadAll()
  return { columns: answer.columnNames(), rows: answer.getRows() }
})
console.log(`the driver listens on ${await app.listen({ port: 0 })}`)
