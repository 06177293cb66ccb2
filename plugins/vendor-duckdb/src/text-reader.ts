import { grown, isPresent } from '@grainline/core/vendor'
import { type ChunkColumn, chunkColumn, narrowView, uint32View } from './chunk-column.js'
import type { Driver } from './driver.js'
import type { ColumnReader } from './fixed-reader.js'
import { heapRuns, INLINE_BYTES, pointerAt } from './heap-runs.js'
import type { SourceType } from './source-type.js'
import { TextSink } from './text-sink.js'

/** Reads VARCHAR without making a JS string. */
export function varcharReader(driver: Driver): ColumnReader {
  return textReader(16, driver, (column, sink) => appendStrings(column, sink, driver))
}

/** Reads an ENUM through its dictionary. */
export function enumReader(source: SourceType & { readonly family: 'enum' }, driver: Driver): ColumnReader {
  const words = source.words.map((word) => Buffer.from(word))
  return textReader(source.bytes, driver, (column, sink) => {
    const codes = narrowView(column, source.bytes, false)
    for (let i = 0; i < column.rows; i++) {
      const word = isPresent(column.validity, i) ? words[codes[i]!]! : EMPTY
      const start = sink.reserve(1, word.length)
      sink.bytes.set(word, start)
      sink.endRow(start + word.length)
    }
  })
}

/** Reads any type through the TypeScript layer, value by value. `show` writes a value. */
export function valueReader(source: SourceType, driver: Driver, show: (value: unknown) => string): ColumnReader {
  return textReader(0, driver, (column, sink) => {
    const values = driver.api.DuckDBVector.create(column.vector, column.rows, source.type)
    for (let i = 0; i < column.rows; i++) {
      const value: unknown = values.getItem(i)
      if (value === null) sink.appendEmpty()
      else sink.appendText(show(value))
    }
  })
}

const EMPTY = Buffer.alloc(0)
/** Memory for the properties of the strings of a chunk, reused for each chunk of any column: one is read at a time. */
const scratch = { long: new Int32Array(0), runOf: new Int32Array(0) }

function textReader(sourceBytes: number, driver: Driver, append: (column: ChunkColumn, sink: TextSink) => void): ColumnReader {
  const sink = new TextSink()
  return {
    get bytes() {
      return sink.size
    },
    append(vector, rows) {
      const column = chunkColumn(vector, rows, sourceBytes, driver)
      append(column, sink)
      sink.appendValidity(column.validity, rows)
    },
    take: () => sink.take(),
  }
}

/** A `string_t` is a length and either 12 bytes of text, or 4 bytes and a pointer. In NULL rows it is rubbish. */
function appendStrings(column: ChunkColumn, sink: TextSink, { bindings }: Driver): void {
  const words = uint32View(column)
  scratch.long = grown(scratch.long, column.rows)
  scratch.runOf = grown(scratch.runOf, column.rows)
  const { total, long } = measure(column, words, scratch.long)
  const runs = long.length > 0 ? heapRuns(column, { words, long, runOf: scratch.runOf }, bindings) : undefined
  let at = sink.reserve(column.rows, total)
  for (let row = 0; row < column.rows; row++) {
    const length = isPresent(column.validity, row) ? words[4 * row]! : 0
    if (length > INLINE_BYTES) {
      const run = runs!.open(runs!.runOf[row]!)
      const start = pointerAt(words, row)
      const last = lastOfPiece(column, words, row, start + length)
      const bytes = last === row ? length : pointerAt(words, last) + words[4 * last]! - start
      sink.copy(run, start - run.low, bytes, at)
      for (; row < last; row++) {
        at += words[4 * row]!
        sink.endRow(at)
      }
      at += words[4 * row]!
    } else if (length > 0) {
      copyInline(words, row, sink.view, at)
      at += length
    }
    sink.endRow(at)
  }
}

/** Up to which row texts lie one right after the other in the heap, as DuckDB leaves what it has just made: one copy takes them all. */
function lastOfPiece({ rows, validity }: ChunkColumn, words: Uint32Array, first: number, end: number): number {
  let last = first
  for (let next = first + 1; next < rows && isPresent(validity, next); next++) {
    const length = words[4 * next]!
    if (length <= INLINE_BYTES || pointerAt(words, next) !== end) break
    end += length
    last = next
  }
  return last
}

/** Bytes of all strings, and the rows of those that lie in the heap. */
function measure({ rows, validity }: ChunkColumn, words: Uint32Array, long: Int32Array): { total: number; long: Int32Array } {
  let total = 0
  let count = 0
  for (let row = 0; row < rows; row++) {
    if (validity !== undefined && !isPresent(validity, row)) continue
    const length = words[4 * row]!
    total += length
    if (length > INLINE_BYTES) long[count++] = row
  }
  return { total, long: long.subarray(0, count) }
}

/** Always 12 bytes: the sink has spare room, and the next row overwrites the excess. */
function copyInline(words: Uint32Array, row: number, view: DataView, at: number): void {
  view.setUint32(at, words[4 * row + 1]!, true)
  view.setUint32(at + 4, words[4 * row + 2]!, true)
  view.setUint32(at + 8, words[4 * row + 3]!, true)
}
