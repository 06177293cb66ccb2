import type { ColumnVector, ResultColumn } from '@grainline/core/surface'
import type { ValueWriter } from '../wire/message-writer.js'
import { BINARY_FORMAT, type Format } from '../wire/messages.js'
import { writeDecimalBinary, writeDecimalText } from './decimal-writers.js'
import { writeBoolean, writeFloatBinary, writeFloatText, writeInt64Binary, writeInt64Text, writeUtf8 } from './scalar-writers.js'
import {
  writeDateBinary,
  writeDateText,
  writeTimeBinary,
  writeTimestampBinary,
  writeTimestampText,
  writeTimeText,
} from './temporal-writers.js'
import type { TextStyle } from './text-style.js'

type Vector<K extends ColumnVector['kind']> = ColumnVector & { readonly kind: K }
/** The vector of a batch, as the writer of its values sees it. */
type Open = (vector: ColumnVector) => ValueWriter

/** Writes the values of a column, batch after batch, in one of the two formats. */
export function columnWriter({ type }: ResultColumn, format: Format, style: TextStyle): Open {
  const binary = format === BINARY_FORMAT
  switch (type.kind) {
    case 'string':
    case 'json':
      return (vector) => writeUtf8(vector as Vector<'utf8'>)
    case 'boolean':
      return (vector) => writeBoolean(vector as Vector<'boolean'>, binary)
    case 'int':
      return (vector) => (binary ? writeInt64Binary : writeInt64Text)(vector as Vector<'int64'>)
    case 'float':
      return (vector) =>
        binary ? writeFloatBinary(vector as Vector<'float64'>) : writeFloatText(vector as Vector<'float64'>, style.floatDigits)
    case 'decimal':
      return (vector) => (binary ? writeDecimalBinary : writeDecimalText)(vector as Vector<'decimal128'>, type.scale)
    case 'date':
      return (vector) => (binary ? writeDateBinary : writeDateText)(vector as Vector<'date32'>, style)
    case 'time':
      return (vector) => (binary ? writeTimeBinary : writeTimeText)(vector as Vector<'int64'>)
    case 'timestamp':
      return (vector) => (binary ? writeTimestampBinary : writeTimestampText)(vector as Vector<'int64'>, style, undefined)
    case 'timestamp_tz':
      return (vector) => (binary ? writeTimestampBinary : writeTimestampText)(vector as Vector<'int64'>, style, style.zone)
  }
}
