import type { DataChunk } from '@duckdb/node-bindings'
import { GrainlineError } from '@grainline/core'
import type { RecordBatch, ResultSchema } from '@grainline/core/vendor'
import { columnReader } from './column-reader.js'
import type { Driver } from './driver.js'
import type { ColumnReader } from './fixed-reader.js'
import type { Running } from './running.js'
import { sourceType } from './source-type.js'

/** A batch is handed on when it has this many bytes: enough to make its overhead small, little enough to stay in the caches. */
const TARGET_BYTES = 256 * 1024
const MOST_ROWS = 64 * 2048

/**
 * The rows of a running statement as batches. The first chunk goes out at once, later ones are gathered. While one chunk is read the
 * next is fetched on DuckDB's thread; `pending` tells of that fetch, which must end before the connection does anything else, and gives what
 * is waited for.
 */
export async function* readBatches(
  running: Running,
  schema: ResultSchema,
  driver: Driver,
  pending: <T>(fetch: Promise<T>) => Promise<T>,
): AsyncGenerator<RecordBatch, void> {
  const { bindings } = driver
  const readers = readersFor(running, schema, driver)
  // A finished result has a known number of rows, after which nothing is fetched.
  let left = rowsOf(running, driver)
  const fetch = async (): Promise<DataChunk | null> => (left > 0 ? pending(bindings.fetch_chunk(running.result)) : null)
  let rows = 0
  let target = 1
  for (let chunk = await fetch(); chunk !== null; ) {
    const count = bindings.data_chunk_get_size(chunk)
    left -= count
    const next = fetch()
    for (const [index, reader] of readers.entries()) reader.append(bindings.data_chunk_get_vector(chunk, index), count)
    rows += count
    if (rows >= MOST_ROWS || (rows > 0 && sizeOf(readers) >= target)) {
      yield batchOf(readers, schema, rows)
      rows = 0
      target = TARGET_BYTES
    }
    chunk = await next
    // The end of a result is an empty chunk or no chunk.
    if (chunk !== null && bindings.data_chunk_get_size(chunk) === 0) chunk = null
  }
  if (rows > 0) yield batchOf(readers, schema, rows)
}

function rowsOf({ result }: Running, { bindings }: Driver): number {
  return bindings.result_is_streaming(result) ? Number.POSITIVE_INFINITY : bindings.row_count(result)
}

function readersFor({ result }: Running, schema: ResultSchema, driver: Driver): ColumnReader[] {
  const { bindings } = driver
  const count = bindings.column_count(result)
  if (count !== schema.length) {
    throw new GrainlineError(
      'RESULT_TYPE_MISMATCH',
      `The plan promises ${schema.length} columns, but the database returned ${count}`,
    )
  }
  return schema.map((column, index) =>
    columnReader(column, sourceType(bindings.column_logical_type(result, index), driver), driver),
  )
}

const batchOf = (readers: readonly ColumnReader[], schema: ResultSchema, rowCount: number): RecordBatch => ({
  schema,
  rowCount,
  columns: readers.map((reader) => reader.take()),
})

const sizeOf = (readers: readonly ColumnReader[]): number => readers.reduce((sum, reader) => sum + reader.bytes, 0)
