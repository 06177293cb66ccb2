import { fail } from '@grainline/core'
import type { ColumnVector, ResultColumn } from '@grainline/core/format'
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

type Kind = ColumnVector['kind']
type Vector<K extends Kind> = ColumnVector & { readonly kind: K }
/** Creates the writer for a vector of the column. */
type Open = (vector: ColumnVector) => ValueWriter

const isOf = <K extends Kind>(vector: ColumnVector, kind: K): vector is Vector<K> => vector.kind === kind

/** Checks that a vector has the kind that belongs to the type of the column. */
const of =
  <K extends Kind>(kind: K, write: (vector: Vector<K>) => ValueWriter): Open =>
  (vector) =>
    isOf(vector, kind) ? write(vector) : fail('INTERNAL_ERROR', `A column of ${kind} has a vector of ${vector.kind}`)

/** Writes the values of a column, one batch at a time, as text or in binary. */
export function columnWriter({ type }: ResultColumn, format: Format, style: TextStyle): Open {
  const binary = format === BINARY_FORMAT
  switch (type.kind) {
    case 'string':
    case 'json':
      return of('utf8', writeUtf8)
    case 'boolean':
      return of('boolean', (vector) => writeBoolean(vector, binary))
    case 'int':
      return of('int64', binary ? writeInt64Binary : writeInt64Text)
    case 'float':
      return of('float64', (vector) => (binary ? writeFloatBinary(vector) : writeFloatText(vector, style.floatDigits)))
    case 'decimal':
      return of('decimal128', (vector) => (binary ? writeDecimalBinary : writeDecimalText)(vector, type.scale))
    case 'date':
      return of('date32', (vector) => (binary ? writeDateBinary : writeDateText)(vector, style))
    case 'time':
      return of('int64', binary ? writeTimeBinary : writeTimeText)
    case 'timestamp':
      return of('int64', (vector) => (binary ? writeTimestampBinary : writeTimestampText)(vector, style, undefined))
    case 'timestamp_tz':
      return of('int64', (vector) => (binary ? writeTimestampBinary : writeTimestampText)(vector, style, style.zone))
  }
}
