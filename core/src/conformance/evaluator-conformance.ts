/**
 * What every evaluator must do, as a function that its own test calls with itself:
 *
 *     evaluatorConformance(t, { open: () => myEvaluator(), forbidden: ["SELECT * FROM read_csv('/etc/passwd')"] })
 */
import { strict as assert } from 'node:assert'
import { GrainlineError } from '../errors.js'
import type { TestRunner } from '../execute/vendor-conformance.js'
import type { EvaluatedRelation, Evaluation, EvaluationRequest, Evaluator } from '../language/evaluator.js'
import { BOOLEAN, DATE, type DataType, decimal, FLOAT, INT, STRING, TIME, TIMESTAMP, TIMESTAMP_TZ } from '../model/data-type.js'
import { batchFromRows } from '../result/column-builder.js'
import type { RecordBatch, ResultSchema } from '../result/record-batch.js'
import { type Value, rowsOf as valuesOf } from '../result/value-at.js'

/** How the suite gets an evaluator, and statements in its dialect. */
export interface EvaluatorUnderTest {
  readonly open: () => Evaluator & { close?(): void | Promise<void> }
  /** Statements that would reach beyond the given relations: files, settings, the network, the catalogue. */
  readonly forbidden: readonly string[]
}

const TYPES: readonly (readonly [DataType, unknown])[] = [
  [STRING, "it's ünï 🦆"],
  [INT, 9_007_199_254_740_993n],
  [FLOAT, 0.1],
  [BOOLEAN, true],
  [decimal(18, 4), '-12345678901234.5678'],
  [DATE, '2024-02-29'],
  [TIME, '23:59:59.999999'],
  [TIMESTAMP, '2024-02-29T23:59:59.999999'],
  [TIMESTAMP_TZ, '2024-02-29T23:59:59.999999Z'],
]
const SCHEMA: ResultSchema = TYPES.map(([type], i) => ({ name: `c${i + 1}`, type, role: 'field' }))
const NUMBERS: ResultSchema = [{ name: 'c1', type: INT, role: 'field' }]

/** Runs the tests that every evaluator passes: values of every type, what it may read, and how it is stopped. */
export function evaluatorConformance(t: TestRunner, { open, forbidden }: EvaluatorUnderTest): void {
  const test = (name: string, body: (evaluate: Ask) => Promise<void>) =>
    t.test(name, async () => {
      const evaluator = open()
      const ask: Ask = (sql, relations = [], { signal = new AbortController().signal, zone = 'UTC' } = {}) =>
        evaluator.evaluate({ sql, relations, signal, zone })
      try {
        await body(ask)
      } finally {
        await evaluator.close?.()
      }
    })

  testValues(test)

  test('relations are joined, grouped, filtered and sorted', async (ask) => {
    const numbers = relation([batchFromRows(NUMBERS, [[1], [2]]), batchFromRows(NUMBERS, [[2], [3]])], NUMBERS)
    const other = { ...relation([batchFromRows(NUMBERS, [[2], [3]])], NUMBERS), name: 'model_query_2' }
    const sql =
      'SELECT a.c1, COUNT(*) AS n FROM model_query_1 AS a JOIN model_query_2 AS b ON a.c1 = b.c1 WHERE a.c1 > 0 GROUP BY a.c1 ORDER BY 2 DESC, 1 LIMIT 2'
    assert.deepEqual(
      (await rowsOf(await ask(sql, [numbers, other]))).map((row) => row.map(Number)),
      [
        [2, 2],
        [3, 1],
      ],
    )
  })

  test('concurrent statements do not see relations of each other', async (ask) => {
    const answers = Array.from({ length: 8 }, async (_, i) =>
      rowsOf(
        await ask('SELECT SUM(t.c1) AS s FROM model_query_1 AS t', [relation([batchFromRows(NUMBERS, [[i], [i]])], NUMBERS)]),
      ),
    )
    assert.deepEqual(
      (await Promise.all(answers)).map((rows) => Number(rows[0]![0])),
      [0, 2, 4, 6, 8, 10, 12, 14],
    )
  })

  test('instants are read in the zone of the request, also beside others', async (ask) => {
    const zones = ['Asia/Tokyo', 'UTC', 'America/New_York', 'Asia/Tokyo']
    assert.deepEqual(await Promise.all(zones.map((zone) => hourIn(zone, ask))), [21, 12, 8, 21])
  })

  for (const sql of ['SELECT * FROM model_query_9', 'this is no statement', ...forbidden])
    test(`it refuses other statements and reads nothing else: ${sql}`, async (ask) => {
      const refusal = await ask(sql)
        .then(rowsOf)
        .then(
          () => undefined,
          (error: unknown) => error,
        )
      assert.ok(refusal instanceof GrainlineError, `answered, or failed otherwise: ${refusal}`)
      assert.equal(refusal.code, 'EVALUATION_REFUSED')
    })

  testStops(test)
}

/** Values of every type, and the columns of an answer. */
function testValues(test: Tests): void {
  test('every value is returned unchanged, NULL too', async (ask) => {
    const batch = batchFromRows(SCHEMA, [TYPES.map(([, value]) => value), TYPES.map(() => null)])
    const answer = await ask(`SELECT ${SCHEMA.map(({ name }) => `t.${name}`).join(', ')} FROM model_query_1 AS t`, [
      relation([batch], SCHEMA),
    ])
    const rows = await rowsOf(answer)
    assert.deepEqual(
      rows.find(([first]) => first !== null),
      valuesIn(batch)[0],
    )
    assert.deepEqual(
      rows.find(([first]) => first === null),
      TYPES.map(() => null),
    )
    assert.deepEqual(
      answer.schema.map(({ type }) => type.kind),
      SCHEMA.map(({ type }) => type.kind),
    )
  })

  test('the columns are known without rows', async (ask) => {
    const answer = await ask('SELECT t.c1 AS one FROM model_query_1 AS t', [relation([], NUMBERS)])
    assert.deepEqual(
      answer.schema.map(({ name, type }) => [name, type.kind]),
      [['one', 'int']],
    )
    assert.deepEqual(await rowsOf(answer), [])
  })
}

/** A statement that is aborted, and one whose rows fail. */
function testStops(test: Tests): void {
  test('an aborted statement rejects with the reason and releases its rows', async (ask) => {
    const controller = new AbortController()
    let released = false
    async function* endless(): AsyncGenerator<RecordBatch> {
      const batch = batchFromRows(NUMBERS, [[1]])
      try {
        for (;;) {
          yield batch
          controller.abort(new Error('the client has left'))
          await new Promise((resolve) => setImmediate(resolve))
        }
      } finally {
        released = true
      }
    }
    const relation = { name: 'model_query_1', schema: NUMBERS, batches: endless() }
    await assert.rejects(
      ask('SELECT SUM(t.c1) AS s FROM model_query_1 AS t', [relation], { signal: controller.signal }).then(rowsOf),
      /the client has left/,
    )
    assert.ok(released, 'the rows are still held')
  })

  test('an error while rows are read is the error of the statement', async (ask) => {
    async function* failing(): AsyncGenerator<RecordBatch> {
      yield batchFromRows(NUMBERS, [[1]])
      throw new GrainlineError('DATABASE_ERROR', 'the database has gone')
    }
    const relation = { name: 'model_query_1', schema: NUMBERS, batches: failing() }
    await assert.rejects(ask('SELECT SUM(t.c1) AS s FROM model_query_1 AS t', [relation]).then(rowsOf), /the database has gone/)
  })
}

type Tests = (name: string, body: (ask: Ask) => Promise<void>) => void
type Ask = (
  sql: string,
  relations?: readonly EvaluatedRelation[],
  more?: Partial<Pick<EvaluationRequest, 'signal' | 'zone'>>,
) => Promise<Evaluation>

async function hourIn(zone: string, ask: Ask): Promise<number> {
  const schema: ResultSchema = [{ name: 'c1', type: TIMESTAMP_TZ, role: 'field' }]
  const instant = relation([batchFromRows(schema, [['2024-07-01T12:30:00Z']])], schema)
  const sql = 'SELECT EXTRACT(HOUR FROM CAST(t.c1 AS TIMESTAMP)) AS h FROM model_query_1 AS t'
  return Number((await rowsOf(await ask(sql, [instant], { zone })))[0]![0])
}

function relation(batches: readonly RecordBatch[], schema: ResultSchema): EvaluatedRelation {
  async function* given(): AsyncGenerator<RecordBatch> {
    yield* batches
  }
  return { name: 'model_query_1', schema, batches: given() }
}

async function rowsOf({ batches }: Evaluation): Promise<Value[][]> {
  const rows: Value[][] = []
  for await (const batch of batches) rows.push(...valuesIn(batch))
  return rows
}

const valuesIn = (batch: RecordBatch): Value[][] => [...valuesOf(batch, batch.schema)]
