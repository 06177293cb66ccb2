/**
 * A declared decimal of doubles depends neither on the order of rows nor on the number of threads, and is the exact sum or average, rounded. The expected
 * decimals are computed of whole numbers; in the long run of a million rows. ANSWERS_ROWS, ANSWERS_QUESTIONS and ANSWERS_SEED select others.
 */
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api'
import t from 'tap'
import { parseModelSync } from '../../core/src/model/load-model.js'
import { amount } from '../support/amount.js'
import { compileQuery } from './compiled.js'
import { randomFrom } from './generate/random.js'

const seed = Number(process.env['ANSWERS_SEED'] ?? 20261126)
const rows = Number(process.env['ANSWERS_ROWS'] ?? amount(20_000, 1_000_000))
const questions = Number(process.env['ANSWERS_QUESTIONS'] ?? amount(60, 1000))

const of = { columns: [{ dataObject: 'Sales', column: 'Amount' }], dataType: 'decimal(18, 2)' }
const { model, errors } = parseModelSync({
  json: {
    dataObjects: {
      Sales: {
        code: 'sales',
        columns: {
          Id: { code: 'id', abstractType: 'int', primaryKey: true },
          Kind: { code: 'kind', abstractType: 'int' },
          Day: { code: 'day', abstractType: 'date' },
          Amount: { code: 'amount', abstractType: 'float' },
        },
      },
    },
    dimensions: { Kind: { dataObject: 'Sales', column: 'Kind' }, Day: { dataObject: 'Sales', column: 'Day' } },
    measures: { Total: { aggregation: 'sum', ...of }, Mean: { aggregation: 'avg', ...of } },
    metrics: {
      Running: { type: 'cumulative', measure: 'Total', timeDimension: 'Day' },
      Week: { type: 'cumulative', measure: 'Total', timeDimension: 'Day', window: 7, windowGrain: 'day' },
      Before: {
        type: 'period_over_period',
        measure: 'Total',
        periodOverPeriod: { timeDimension: 'Day', offset: -1, offsetGrain: 'day' },
      },
      Last: { type: 'window', windowFunction: 'lag', offset: 1, measure: 'Total', timeDimension: 'Day' },
      Half: { expression: '{[Running]} / 2', dataType: 'decimal(18, 2)' },
    },
  },
})
if (!model) throw new Error(JSON.stringify(errors))

/** Thousandths, so that many sums and averages lie between two hundredths. */
const SALES = `SELECT id, CAST(hash(id + ${seed}) % 7 AS BIGINT) AS kind, CAST(hash(id * 31 + ${seed}) % 2000000 AS BIGINT) AS mills, DATE '2024-01-01' + CAST(id % 60 AS INTEGER) AS day FROM range(${rows}) AS r(id)`

async function shuffled(order: number, threads: number): Promise<DuckDBConnection> {
  const connection = await (await DuckDBInstance.create(':memory:', { threads: String(threads) })).connect()
  await connection.run(
    `CREATE TABLE sales AS SELECT id, kind, day, CAST(mills AS DOUBLE) / 1000 AS amount, mills FROM (${SALES}) ORDER BY hash(id + ${order})`,
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

t.test(`running totals, windows and periods over ${rows} rows have one answer in any order (ANSWERS_SEED=${seed})`, async (t) => {
  const select = { dimensions: ['Day'], measures: ['Total', 'Running', 'Week', 'Before', 'Last', 'Half'] }
  const { sql } = compileQuery({ select, order_by: [{ field: 'Day' }] } as never, model)
  const rounded = (mills: string, parts = 10) => `CAST((${mills} + ${parts / 2}) // ${parts} AS DECIMAL(38, 2)) / 100`
  const exact = `WITH d AS (SELECT day, CAST(SUM(mills) AS HUGEINT) AS m FROM sales GROUP BY 1),
    w AS (SELECT day, m, SUM(m) OVER (ORDER BY day) AS r, SUM(m) OVER (ORDER BY day ROWS 6 PRECEDING) AS w, LAG(m) OVER (ORDER BY day) AS b FROM d)
    SELECT day, ${rounded('m')}, ${rounded('r')}, ${rounded('w')}, ${rounded('b')}, ${rounded('b')}, ${rounded('r', 20)} FROM w ORDER BY 1`
  const answers = []
  for (const [order, threads] of [
    [1, 1],
    [2, 3],
    [3, 2],
    [4, 4],
  ] as const) {
    const connection = await shuffled(order, threads)
    answers.push(await read(connection, sql))
    const numbers = (json: string) =>
      (JSON.parse(json) as unknown[][]).map(([day, ...row]) => [day, ...row.map((n) => (n === null ? n : Number(n)))])
    t.same(numbers(answers.at(-1)!), numbers(await read(connection, exact)), `order ${order}, ${threads} threads`)
  }
  t.equal(new Set(answers).size, 1)
})
