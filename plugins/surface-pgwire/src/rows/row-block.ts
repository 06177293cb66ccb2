import type { RecordBatch, ResultSchema } from '@grainline/core/format'
import { columnWriter } from '../types/column-writer.js'
import { OID } from '../types/pg-type.js'
import type { TextStyle } from '../types/text-style.js'
import type { MessageWriter, ValueWriter } from '../wire/message-writer.js'
import { BINARY_FORMAT, type Field, type Format, formatAt } from '../wire/messages.js'
import type { PgError } from '../wire/pg-error.js'

/** Rows in memory, which can be written in any order. */
export interface RowBlock {
  readonly rowCount: number
  /** The column writers for the requested formats. */
  writers(formats: readonly Format[]): readonly ValueWriter[]
}

/** An answer as a stream: the columns, then the rows in blocks. It can be read once. Ending early releases its resources. */
export interface RowStream {
  readonly fields: readonly Field[]
  readonly blocks: AsyncIterator<RowBlock, unknown, void>
  /** The warnings of the answer, which are complete at its end. */
  notices(): readonly PgError[]
}

const none = (): readonly PgError[] => []

/** Converts batches of the service to blocks. */
export async function* blocksOf(
  batches: AsyncIterable<RecordBatch>,
  schema: ResultSchema,
  style: TextStyle,
): AsyncGenerator<RowBlock, void> {
  const opened = new Map<string, readonly ReturnType<typeof columnWriter>[]>()
  const open = (formats: readonly Format[]) => {
    const key = formats.join()
    const known = opened.get(key)
    if (known) return known
    const made = schema.map((column, index) => columnWriter(column, formatAt(formats, index), style))
    opened.set(key, made)
    return made
  }
  for await (const { rowCount, columns } of batches) {
    yield { rowCount, writers: (formats) => open(formats).map((writer, index) => writer(columns[index]!)) }
  }
}

/** A small answer whose rows are texts. Integers and booleans are also available in binary. */
export function textRows(fields: readonly Field[], rows: readonly (readonly (string | null)[])[]): RowStream {
  const writers = (formats: readonly Format[]) =>
    fields.map(({ type }, column): ValueWriter => {
      const write = formatAt(formats, column) === BINARY_FORMAT ? (binaryWriters[type] ?? writeText) : writeText
      return (out, row) => {
        const value = rows[row]?.[column] ?? null
        if (value !== null) write(out, value)
        return value !== null
      }
    })
  return { fields, blocks: once({ rowCount: rows.length, writers }), notices: none }
}

const writeText = (out: MessageWriter, value: string): void => out.text(value)

const binaryWriters: Readonly<Record<number, typeof writeText>> = {
  [OID.int4]: (out, value) => out.int32(Number(value)),
  [OID.bool]: (out, value) => out.int8(value === 't' ? 1 : 0),
}

export async function* once(block: RowBlock): AsyncGenerator<RowBlock, void> {
  yield block
}
