import { type DataType, GrainlineError } from '@grainline/core'
import { formatDataType, isPresent, type ResultColumn } from '@grainline/core/vendor'
import type { Driver } from './driver.js'
import { booleanReader, type ColumnReader, type FixedLayout, fixedReader } from './fixed-reader.js'
import { decimalFromNumber, floatFromNumber, int64FromNumber, type Refuse } from './numbers.js'
import type { SourceType } from './source-type.js'
import { days, daysFromTicks, microsFromDate, microsFromTicks } from './temporals.js'
import { enumReader, valueReader, varcharReader } from './text-reader.js'
import { jsonText, plainText } from './value-text.js'

/**
 * Reads a DuckDB column as exactly the planned type. What can be converted without loss is; a value that cannot be is refused with
 * `RESULT_TYPE_MISMATCH`, and so is a column of another nature, unless all of it is NULL.
 */
export function columnReader(column: ResultColumn, source: SourceType, driver: Driver): ColumnReader {
  const refuse: Refuse = (value) => {
    throw mismatch(column, source, value)
  }
  const { type } = column
  if (type.kind === 'boolean' && source.family === 'boolean') return booleanReader(driver)
  if (type.kind === 'string' || type.kind === 'json') return textColumn(type.kind, source, driver)
  if (type.kind === 'date')
    return fixedReader(dateLayout(source, refuse) ?? refusing<Int32Array>(source, refuse, 'date32', Int32Array), driver)
  if (type.kind === 'float') {
    const numeric = source.family === 'scaled' || source.family === 'real'
    return fixedReader(
      numeric ? floatFromNumber(source) : refusing<Float64Array>(source, refuse, 'float64', Float64Array),
      driver,
    )
  }
  return wordsColumn(type, source, refuse, driver)
}

function textColumn(kind: 'string' | 'json', source: SourceType, driver: Driver): ColumnReader {
  if (source.family === 'text') return varcharReader(driver)
  if (kind === 'json') return valueReader(source, driver, (value) => jsonText(value, driver))
  if (source.family === 'enum') return enumReader(source, driver)
  return valueReader(source, driver, (value) => plainText(value, driver))
}

function wordsColumn(type: DataType, source: SourceType, refuse: Refuse, driver: Driver): ColumnReader {
  if (type.kind === 'boolean') return refusingBoolean(source, refuse, driver)
  const layout = int64Layout(type, source, refuse)
  return fixedReader(
    layout ?? refusing<BigInt64Array>(source, refuse, type.kind === 'decimal' ? 'decimal128' : 'int64', BigInt64Array),
    driver,
  )
}

function int64Layout(type: DataType, source: SourceType, refuse: Refuse): FixedLayout<BigInt64Array> | undefined {
  const numeric = source.family === 'scaled' || source.family === 'real'
  if (type.kind === 'int') return numeric ? int64FromNumber(source, refuse) : undefined
  if (type.kind === 'decimal') return numeric ? decimalFromNumber(source, type, refuse) : undefined
  if (type.kind === 'timestamp' && source.family === 'date') return microsFromDate(refuse)
  return source.family === type.kind && 'factor' in source ? microsFromTicks(source, refuse) : undefined
}

function dateLayout(source: SourceType, refuse: Refuse): FixedLayout<Int32Array> | undefined {
  if (source.family === 'date') return days()
  return source.family === 'timestamp' ? daysFromTicks(source, refuse) : undefined
}

/** For a column of another nature: any value in it is one too many. */
function refusing<T extends Int32Array | Float64Array | BigInt64Array>(
  { bytes }: SourceType,
  refuse: Refuse,
  kind: FixedLayout<T>['kind'],
  array: FixedLayout<T>['array'],
): FixedLayout<T> {
  return {
    kind,
    array,
    elementsPerValue: kind === 'decimal128' ? 2 : 1,
    sourceBytes: bytes,
    copy: ({ rows, validity }) => {
      for (let i = 0; i < rows; i++) if (isPresent(validity, i)) refuse('')
    },
  }
}

function refusingBoolean(source: SourceType, refuse: Refuse, driver: Driver): ColumnReader {
  const reader = booleanReader(driver)
  const probe = fixedReader(refusing(source, refuse, 'date32', Int32Array), driver)
  return {
    get bytes() {
      return reader.bytes
    },
    append(vector, rows) {
      probe.append(vector, rows)
      probe.take()
      reader.append(vector, rows)
    },
    take: () => reader.take(),
  }
}

function mismatch({ name, type }: ResultColumn, source: SourceType, value: string): GrainlineError {
  const held = value === '' ? source.label : `${value} (${source.label})`
  return new GrainlineError(
    'RESULT_TYPE_MISMATCH',
    `'${name}' is planned as ${formatDataType(type)}, but the database returned ${held}`,
    {
      path: name,
      hint: 'Correct the type in the model, or cast in its expression',
    },
  )
}
