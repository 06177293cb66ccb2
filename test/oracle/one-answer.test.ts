/**
 * A declared decimal of doubles depends neither on the order of rows nor on the number of threads, and is the exact sum or average, rounded. The expected
 * decimals are computed of whole numbers. ANSWERS_ROWS, ANSWERS_QUESTIONS and ANSWERS_SEED select others.
 */
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api'
import t from 'tap'
import { parseModelSync } from '../../core/src/model/load-model.js'
import { compileQuery } from './compiled.js'
import { randomFrom } from './generate/random.js'

const seed = Number(process.env['ANSWERS_SEED'] ?? 20261126)
const rows = Number(process.env['ANSWERS_ROWS'] ?? 20_000)
const questions = Number(process.env['ANSWERS_QUESTIONS'] ?? 60)

const amount = { columns: [{ dataObject: 'Sales', column: 'Amount' }], dataType: 'decimal(18, 2)' }
const { model, errors } = parseModelSync({
  json: {
    dataObjects: {
      Sales: {
        code: 'sales',
        columns: {
          Id: { code: 'id', abstractType: 'int', primaryKey: true },
          Kind: { code: 'kind', abstractType: 'int' },
          Amount: { code: 'amount', abstractType: 'float' },
        },
      },
    },
    dimensions: { Kind: { dataObject: 'Sales', column: 'Kind' } },
    measures: { Total: { aggregation: 'sum', ...amount }, Mean: { aggregation: 'avg', ...amount } },
  },
})
if (!model) throw new Error(JSON.stringify(errors))

/** Thousandths, so that many sums and averages lie between two hundredths. */
const SALES = `SELECT id, CAST(hash(id + ${seed}) % 7 AS BIGINT) AS kind, CAST(hash(id * 31 + ${seed}) % 2000000 AS BIGINT) AS mills FROM range(${rows}) AS r(id)`

async function shuffled(order: number, threads: number): Promise<DuckDBConnection> {
  const connection = await (await DuckDBInstance.create(':memory:', { threads: String(threads) })).connect()
  await connection.run(
    `CREATE TABLE sales AS SELECT id, kind, CAST(mills AS DOUBLE) / 1000 AS amount, mills FROM (${SALES}) ORDER BY hash(id + ${order})`,
  )
  t.teardown(() => connection.closeSync())
  return connection
}

const read = async (connection: DuckDBConnection, sql: string): Promise<string> =>
  JSON.stringify((await connection.runAndReadAll(sql)).getRowsJson())

t.test(`${questions} questions over ${rows} rows have one answer in any order (ANSWERS_SEED=${seed})`, async (t) => {
  const [one, other] = [await shuffled(1, 1), await shuffled(2, 3)]
  const random = randomFrom(seed)
  for (let number = 0; number < questions; number++) {
    const [from, count] = [random.below(rows), random.pick([18, 20, 1000, rows])]
    const query = {
      select: { dimensions: ['Kind'], measures: ['Total', 'Mean'] },
      where: [{ field: 'Sales.Id', op: 'between', value: [from, from + count] }],
      order_by: [{ field: 'Kind' }],
    }
    const { sql } = compileQuery(query as never, model)
    const exact = await read(
      one,
      `SELECT CAST(kind AS BIGINT), CAST((SUM(mills) + 5) // 10 AS DECIMAL(38, 2)) / 100, CAST((2 * SUM(mills) + 10 * COUNT(*)) // (20 * COUNT(*)) AS DECIMAL(38, 2)) / 100
       FROM sales WHERE id BETWEEN ${from} AND ${from + count} GROUP BY 1 ORDER BY 1`,
    )
    const [answer, again] = [await read(one, sql), await read(other, sql)]
    t.equal(again, answer, `in another order, question ${number}`)
    const numbers = (json: string) => (JSON.parse(json) as unknown[][]).map((row) => row.map(Number))
    t.same(numbers(answer), numbers(exact), `as computed of whole numbers, question ${number}`)
  }
})
