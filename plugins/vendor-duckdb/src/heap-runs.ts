/**
 * Strings of more than 12 bytes live in DuckDB's heap behind pointers. One native call per string would cost more than the string, so
 * strings with less than a page between them are read by one call. That is safe: every page of such a run is touched by a string of the
 * chunk, so it is mapped.
 */

import type * as Bindings from '@duckdb/node-bindings'
import type { ChunkColumn } from './chunk-column.js'

export const INLINE_BYTES = 12
const PAGE = 4096
/** From this many runs on the order of the heap is none, and sorting the pointers pays. */
const MOST_RUNS_IN_ORDER = 16

interface Run {
  readonly low: number
  readonly high: number
  /** The row whose pointer is `low`. */
  readonly lowRow: number
}

export interface OpenRun {
  readonly low: number
  readonly bytes: Uint8Array
  readonly view: DataView
}

export interface HeapRuns {
  /** Which run the string of a row lies in. */
  readonly runOf: Int32Array
  open(run: number): OpenRun
}

/** Where a long string begins: 48 bits of address are exact in a double. */
export const pointerAt = (words: Uint32Array, row: number): number => words[4 * row + 2]! + words[4 * row + 3]! * 4294967296

/** `long` names the rows whose strings lie in the heap. What is returned is good until the next call with the same `runOf`. */
export function heapRuns(
  { data: { buffer, byteOffset } }: ChunkColumn,
  { words, long, runOf }: { readonly words: Uint32Array; readonly long: Int32Array; readonly runOf: Int32Array },
  bindings: typeof Bindings,
): HeapRuns {
  const runs =
    group(long, words, runOf, MOST_RUNS_IN_ORDER) ??
    group(sortedByPointer(long, words), words, runOf, Number.POSITIVE_INFINITY) ??
    []
  const opened: OpenRun[] = []
  return {
    runOf,
    open(index) {
      opened[index] ??= openRun(runs[index]!, buffer as ArrayBuffer, byteOffset, bindings)
      return opened[index]
    },
  }
}

function openRun({ low, high, lowRow }: Run, buffer: ArrayBuffer, offset: number, bindings: typeof Bindings): OpenRun {
  const bytes = bindings.get_data_from_pointer(buffer, offset + lowRow * 16 + 8, high - low)
  return { low, bytes, view: new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength) }
}

const sortedByPointer = (rows: Int32Array, words: Uint32Array): Int32Array =>
  Int32Array.from([...rows].sort((a, b) => pointerAt(words, a) - pointerAt(words, b)))

/**
 * Joins neighbours into runs; `undefined` as soon as there would be more than `most`. The heap grows upwards in an arena and downwards in a
 * table's dictionary, so a run may grow at both ends. Between two strings of a run there is less than a page.
 */
function group(rows: Int32Array, words: Uint32Array, runOf: Int32Array, most: number): Run[] | undefined {
  const runs: Run[] = []
  let [low, high, lowRow] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 0]
  for (let i = 0; i < rows.length; i++) {
    const row = rows[i]!
    const start = pointerAt(words, row)
    const end = start + words[4 * row]!
    const near = start < high + PAGE && end > low - PAGE
    if (!near && i > 0) runs.push({ low, high, lowRow })
    if (!near && runs.length === most) return undefined
    if (!near || start < low) {
      low = start
      lowRow = row
    }
    if (!near || end > high) high = end
    runOf[row] = runs.length
  }
  if (rows.length > 0) runs.push({ low, high, lowRow })
  return runs
}
