import type { DataType } from '../model/data-type.js'
import type { ColumnVector } from './record-batch.js'
import { formatOffset } from './temporal.js'
import type { CellWriter, TextWriter } from './text-writer.js'
import { valueAt, wholeOf, wordsOf } from './value-at.js'
import type { ZoneOffset } from './zone-offset.js'

/**
 * Writes timestamps as ISO 8601: local times unchanged, instants in the zone of `offset` with the offset, in UTC with a `Z`. Those from
 * 1684 to 2255, which a double represents to the microsecond, are written digit by digit.
 */
export function timestampWriter(
  column: ColumnVector & { readonly kind: 'int64' },
  type: DataType,
  writer: TextWriter,
  offset: ZoneOffset | undefined,
): CellWriter {
  const words = wordsOf(column.values)
  const isInstant = type.kind === 'timestamp_tz'
  return (row) => {
    const micros = wholeOf(words[2 * row]!, words[2 * row + 1]!)
    const ahead = isInstant ? offset?.(column.values[row]!) : undefined
    const clock = micros + (ahead ?? 0) * 1_000_000
    if (!Number.isSafeInteger(micros) || !Number.isSafeInteger(clock))
      return writer.ascii(String(valueAt(column, row, type, offset)))
    writer.timestamp(clock)
    if (isInstant) writer.ascii(ahead === undefined ? 'Z' : formatOffset(ahead))
  }
}
