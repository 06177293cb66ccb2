/**
 * What every vendor must do, as a function that the vendor's own test calls with itself:
 *
 *     import t from 'tap'
 *     vendorConformance(t, { connect: () => myVendor.connect({ logger: silentLogger, poolSize: 2 }), sql: { … } })
 *
 * Statements differ from engine to engine, so the vendor's test brings its own; what must come out is the same for all.
 */
import { strict as assert } from 'node:assert'
import { GrainlineError } from '../errors.js'
import { type DataType, formatDataType, INT } from '../model/data-type.js'
import type { RecordBatch, ResultSchema } from '../result/record-batch.js'
import { isPresent } from '../result/validity.js'
import { type Value, valueAt } from '../result/value-at.js'
import type { VendorConnection } from './vendor.js'

/** The part of a test runner that the suite needs; `tap`, `node:test` and others have it. */
export interface TestRunner {
  test(name: string, body: () => Promise<void>): unknown
}

/** The size of the pool that the suite is written for. */
export const CONFORMANCE_POOL_SIZE = 2

/** How the suite connects, and statements in the words of the engine. */
export interface VendorUnderTest {
  /** A fresh connection with a pool of `CONFORMANCE_POOL_SIZE`, a wait for a connection of at most two seconds. */
  readonly connect: () => Promise<VendorConnection>
  /** False if the tested engine is too old to explain a statement, and so to check one. Then the test of another version must cover it. */
  readonly explains?: boolean
  readonly sql: {
    /** One column of the integers 0 … count - 1, in order. */
    readonly rows: (count: number) => string
    /** One row with one integer column, after running far longer than a test. */
    readonly endless: string
    /** A statement that fails only after it has returned rows for a while. */
    readonly failsLate: string
    /** Typed literals: statements of one row and one column with the expected value. Every kind of type must be among them. */
    readonly values: readonly ConformanceValue[]
    /** Attempts to change a connection for its next user: settings, locks, temporary tables, prepared names, transactions. */
    readonly traces: readonly ConformanceTrace[]
  }
}

/** Something that a statement may leave on its connection, and how the next one would see it. */
export interface ConformanceTrace {
  readonly what: string
  /** A statement of one integer column that leaves something on its connection, or fails. */
  readonly leave: string
  /** One integer, which is the same before and after. */
  readonly seen: string
}

/** A statement of one value, with its planned type and the expected value. */
export interface ConformanceValue {
  readonly sql: string
  readonly type: DataType
  readonly value: Value
}

const NUMBERS: ResultSchema = [{ name: 'n', type: INT, role: 'dimension' }]
const KINDS: readonly DataType['kind'][] = [
  'string',
  'boolean',
  'int',
  'float',
  'decimal',
  'date',
  'time',
  'timestamp',
  'timestamp_tz',
  'json',
]

/**
 * Runs the tests that every vendor passes: each type, long answers, errors, cancellation, time limits, the pool, and connections that are
 * returned in their original state.
 */
export function vendorConformance(t: TestRunner, vendor: VendorUnderTest): void {
  const { sql, explains = true } = vendor
  const test: Suite['test'] = (name, body) =>
    t.test(name, async () => {
      const connection = await vendor.connect()
      try {
        await body(connection)
      } finally {
        await connection.close()
      }
    })
  const suite: Suite = { test, sql, explains }

  t.test('the suite has a value and a NULL of every kind', async () => {
    for (const kind of KINDS) {
      assert.ok(
        sql.values.some(({ type, value }) => type.kind === kind && value !== null),
        `no ${kind}`,
      )
      assert.ok(
        sql.values.some(({ type, value }) => type.kind === kind && value === null),
        `no NULL ${kind}`,
      )
    }
  })
  answersConform(suite)
  errorsConform(suite)
  abortsConform(suite)
  poolConforms(suite)
  connectionsConform(suite)

  t.test('closing cancels running statements', async () => {
    const connection = await vendor.connect()
    const running = collect(connection.query(sql.endless, { schema: NUMBERS }))
    const refused = rejects(running, 'QUERY_CANCELLED')
    await new Promise((resolve) => setTimeout(resolve, 30))
    await connection.close()
    await refused
  })
}

/** Statements of an engine, and tests of which each has another connection. */
interface Suite {
  readonly test: (name: string, body: (connection: VendorConnection) => Promise<void>) => unknown
  readonly sql: VendorUnderTest['sql']
  readonly explains: boolean
}

/** Values, batches and schemas. */
function answersConform({ test, sql }: Suite): void {
  test('every value arrives with its planned type', async (connection) => {
    for (const { sql: statement, type, value } of sql.values) {
      const schema: ResultSchema = [{ name: 'v', type, role: 'field' }]
      const batches = await collect(connection.query(statement, { schema }))
      assert.deepEqual(valuesOf(batches), [value], `${formatDataType(type)}: ${statement}`)
    }
  })

  test('a long answer arrives in order, in consistent batches', async (connection) => {
    const batches = await collect(connection.query(sql.rows(10_000), { schema: NUMBERS }))
    assert.deepEqual(
      valuesOf(batches),
      Array.from({ length: 10_000 }, (_, n) => BigInt(n)),
    )
    for (const batch of batches) {
      assert.equal(batch.schema, NUMBERS)
      assert.equal(batch.columns.length, 1)
      assert.equal(batch.columns[0]?.length, batch.rowCount)
      assert.ok(batch.rowCount > 0, 'no batch is empty')
    }
  })

  test('an answer without rows has no batches', async (connection) => {
    assert.deepEqual(await collect(connection.query(sql.rows(0), { schema: NUMBERS })), [])
  })

  test('a batch keeps its values when later batches arrive', async (connection) => {
    const batches = await collect(connection.query(sql.rows(50_000), { schema: NUMBERS }))
    assert.equal(valuesOf(batches.slice(0, 1))[0], 0n)
    assert.equal(valuesOf(batches)[49_999], 49_999n)
  })

  test('a plan with a different number of columns is refused', async (connection) => {
    const schema: ResultSchema = [...NUMBERS, { name: 'm', type: INT, role: 'field' }]
    await rejects(collect(connection.query(sql.rows(1), { schema })), 'RESULT_TYPE_MISMATCH')
  })
}

/** Statements that fail, and what they leave. */
function errorsConform({ test, sql, explains }: Suite): void {
  test('an invalid statement is a DATABASE_ERROR, and check returns the reason', async (connection) => {
    await rejects(collect(connection.query('THIS IS NO STATEMENT', { schema: NUMBERS })), 'DATABASE_ERROR')
    const check = await connection.check('THIS IS NO STATEMENT')
    assert.equal(check.valid, false)
    assert.ok(check.valid === false && check.message.length > 0)
    if (explains) assert.deepEqual(await connection.check(sql.rows(1)), { valid: true })
  })

  test('an error in the middle of an answer reaches the reader and frees the connection', async (connection) => {
    for (let i = 0; i <= CONFORMANCE_POOL_SIZE; i++)
      await rejects(collect(connection.query(sql.failsLate, { schema: NUMBERS })), /^(DATABASE_ERROR|NUMERIC_OVERFLOW)$/)
    await usable(connection, sql.rows)
  })

  if (explains)
    test('explain shows a plan without running the statement', async (connection) => {
      const { output } = await connection.explain(sql.endless)
      assert.ok(output.length > 0)
    })
}

/** Statements that somebody or a time limit stops. */
function abortsConform({ test, sql }: Suite): void {
  test('aborting rejects with the reason of the signal and frees the connection', async (connection) => {
    for (let i = 0; i <= CONFORMANCE_POOL_SIZE; i++) {
      const abort = new AbortController()
      const reason = new Error(`enough ${i}`)
      const answer = collect(connection.query(sql.endless, { schema: NUMBERS, signal: abort.signal }))
      setTimeout(() => abort.abort(reason), 20)
      await assert.rejects(answer, (error) => error === reason)
    }
    await usable(connection, sql.rows)
  })

  test('aborting between two batches frees the connection, even if the caller reads no further', async (connection) => {
    for (let i = 0; i <= CONFORMANCE_POOL_SIZE; i++) {
      const abort = new AbortController()
      const stream = connection.query(sql.rows(1_000_000), { schema: NUMBERS, signal: abort.signal })[Symbol.asyncIterator]()
      assert.equal((await stream.next()).done, false)
      abort.abort(new Error('gone'))
    }
    await usable(connection, sql.rows)
  })

  test('with a signal that was aborted before, no statement is sent', async (connection) => {
    const reason = new Error('never mind')
    const answer = collect(connection.query(sql.rows(1), { schema: NUMBERS, signal: AbortSignal.abort(reason) }))
    await assert.rejects(answer, (error) => error === reason)
  })

  test('aborting one query does not affect the others', async (connection) => {
    const abort = new AbortController()
    const other = collect(connection.query(sql.rows(300_000), { schema: NUMBERS }))
    const doomed = collect(connection.query(sql.endless, { schema: NUMBERS, signal: abort.signal }))
    setTimeout(() => abort.abort(new Error('gone')), 5)
    await assert.rejects(doomed, { message: 'gone' })
    assert.equal(valuesOf(await other).length, 300_000)
  })

  test('a statement that runs out of time is cancelled with QUERY_TIMEOUT and frees the connection', async (connection) => {
    for (let i = 0; i <= CONFORMANCE_POOL_SIZE; i++) {
      await rejects(collect(connection.query(sql.endless, { schema: NUMBERS, timeoutMs: 30 })), 'QUERY_TIMEOUT')
    }
    await usable(connection, sql.rows)
  })

  test('ending the iteration early frees the connection', async (connection) => {
    for (let i = 0; i <= CONFORMANCE_POOL_SIZE; i++) {
      for await (const batch of connection.query(sql.rows(1_000_000), { schema: NUMBERS })) {
        assert.ok(batch.rowCount > 0)
        break
      }
    }
    await usable(connection, sql.rows)
  })
}

/** Queries that wait for one another. */
function poolConforms({ test, sql }: Suite): void {
  test('more queries than connections wait for a free connection', async (connection) => {
    const answers = Array.from({ length: 5 * CONFORMANCE_POOL_SIZE }, (_, n) =>
      collect(connection.query(sql.rows(n + 1), { schema: NUMBERS })),
    )
    const counts = (await Promise.all(answers)).map((batches) => valuesOf(batches).length)
    assert.deepEqual(
      counts,
      counts.map((_, n) => n + 1),
    )
  })

  test('a query that waits too long for a connection is refused with POOL_EXHAUSTED', async (connection) => {
    const abort = new AbortController()
    const busy = Array.from({ length: CONFORMANCE_POOL_SIZE }, () =>
      collect(connection.query(sql.endless, { schema: NUMBERS, signal: abort.signal })).catch(() => {}),
    )
    await rejects(collect(connection.query(sql.rows(1), { schema: NUMBERS })), 'POOL_EXHAUSTED')
    abort.abort(new Error('done'))
    await Promise.all(busy)
    await usable(connection, sql.rows)
  })

  test('a reader that does not read gives way to a query that waits, and gets the rest or an error', async (connection) => {
    const readers = Array.from({ length: CONFORMANCE_POOL_SIZE }, () =>
      connection.query(sql.rows(1_000_000), { schema: NUMBERS })[Symbol.asyncIterator](),
    )
    const begun = await Promise.all(readers.map((reader) => reader.next()))
    assert.ok(begun.every(({ done }) => done === false))
    assert.equal(valuesOf(await patiently(() => collect(connection.query(sql.rows(1000), { schema: NUMBERS })))).length, 1000)
    const ends = await Promise.all(
      readers.map(async (reader, i) => {
        let rows = begun[i]!.value.rowCount
        try {
          for (let next = await reader.next(); !next.done; next = await reader.next()) rows += next.value.rowCount
        } catch (error) {
          return error instanceof GrainlineError ? error.code : error
        }
        return rows
      }),
    )
    const whole = ends.filter((end) => end === 1_000_000).length
    assert.ok(whole >= CONFORMANCE_POOL_SIZE - 1, 'one query needs one connection')
    assert.ok(
      ends.every((end) => end === 1_000_000 || end === 'READER_TOO_SLOW'),
      `an answer ended with ${ends}`,
    )
    await usable(connection, sql.rows)
  })
}

/** What a statement leaves on its connection. */
function connectionsConform({ test, sql }: Suite): void {
  for (const { what, leave, seen } of sql.traces) {
    test(`a connection is returned in its original state: ${what}`, async (connection) => {
      const look = async () => valuesOf(await collect(connection.query(seen, { schema: NUMBERS })))
      const before = await look()
      assert.equal(before.length, 1, 'there is something to see')
      for (let i = 0; i < 2 * CONFORMANCE_POOL_SIZE; i++)
        await collect(connection.query(leave, { schema: NUMBERS })).catch((error) => assert.equal(error.code, 'DATABASE_ERROR'))
      const everywhere = () => Promise.all(Array.from({ length: 2 * CONFORMANCE_POOL_SIZE }, look))
      // One connection may be checked while another is still being reset, whose state is visible from here.
      let after = await everywhere()
      for (let round = 0; round < 50 && after.some(([found]) => found !== before[0]); round++) after = await everywhere()
      for (const found of after) assert.deepEqual(found, before)
    })
  }

  test('the time zone of the connection is UTC', async (connection) => {
    assert.equal(await connection.timezone(), 'UTC')
  })
}

/** Asks again while no connection is free: the longest wait of a test is short, and reading what is left takes a busy machine longer. */
async function patiently<T>(ask: () => Promise<T>, tries = 30): Promise<T> {
  try {
    return await ask()
  } catch (error) {
    if (tries === 0 || !(error instanceof GrainlineError) || error.code !== 'POOL_EXHAUSTED') throw error
    return patiently(ask, tries - 1)
  }
}

/** Both connections of the pool answer. */
async function usable(connection: VendorConnection, rows: (count: number) => string): Promise<void> {
  const answers = [3000, 3001].map((count) => collect(connection.query(rows(count), { schema: NUMBERS })))
  assert.deepEqual(
    (await Promise.all(answers)).map((batches) => valuesOf(batches).length),
    [3000, 3001],
  )
}

async function collect(batches: AsyncIterable<RecordBatch>): Promise<RecordBatch[]> {
  const all: RecordBatch[] = []
  for await (const batch of batches) all.push(batch)
  return all
}

const valuesOf = (batches: readonly RecordBatch[]): Value[] =>
  batches.flatMap(({ columns: [column], schema: [described], rowCount }) =>
    Array.from({ length: rowCount }, (_, row) =>
      column && described && isPresent(column.validity, row) ? valueAt(column, row, described.type) : null,
    ),
  )

const rejects = (promise: Promise<unknown>, code: string | RegExp): Promise<void> => assert.rejects(promise, { code })
