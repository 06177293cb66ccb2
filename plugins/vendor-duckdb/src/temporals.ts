import { floorDivide, formatTimestamp, INFINITE_DAYS, INFINITE_MICROS, isPresent } from '@grainline/core/vendor'
import { type ChunkColumn, int32View, int64View } from './chunk-column.js'
import type { FixedLayout } from './fixed-reader.js'
import type { Refuse } from './numbers.js'
import type { SourceType } from './source-type.js'

type Micros = SourceType & { readonly factor: bigint; readonly divisor: bigint }

const MICROS_PER_DAY = 86_400_000_000n
const int64Layout = { kind: 'int64', array: BigInt64Array, elementsPerValue: 1 } as const
const dateLayout = { kind: 'date32', array: Int32Array, elementsPerValue: 1 } as const

/** Times and timestamps of any resolution in microseconds; finer digits are truncated, as by DuckDB's own cast. */
export function microsFromTicks(source: Micros, refuse: Refuse): FixedLayout<BigInt64Array> {
  const layout = { ...int64Layout, sourceBytes: source.bytes }
  if (source.factor === 1n && source.divisor === 1n)
    return { ...layout, copy: (column, target, at) => target.set(int64View(column), at) }
  return {
    ...layout,
    copy: eachPresent(int64View, (ticks) => {
      if (isInfinite(ticks)) return ticks
      const micros = (ticks * source.factor) / source.divisor
      return BigInt.asIntN(64, micros) === micros ? micros : refuse(`${ticks} s since 1970-01-01`)
    }),
  }
}

/** A date as the timestamp of its midnight. */
export function microsFromDate(refuse: Refuse): FixedLayout<BigInt64Array> {
  const convert = (days: number): bigint => {
    if (Math.abs(days) === INFINITE_DAYS) return days > 0 ? INFINITE_MICROS : -INFINITE_MICROS
    const micros = BigInt(days) * MICROS_PER_DAY
    return BigInt.asIntN(64, micros) === micros ? micros : refuse(`day ${days} since 1970-01-01`)
  }
  return { ...int64Layout, sourceBytes: 4, copy: eachPresent(int32View, convert) }
}

export function days(): FixedLayout<Int32Array> {
  return { ...dateLayout, sourceBytes: 4, copy: (column, target, at) => target.set(int32View(column), at) }
}

/** A timestamp at midnight as its date; any other is refused. */
export function daysFromTicks(source: Micros, refuse: Refuse): FixedLayout<Int32Array> {
  const convert = (ticks: bigint): number => {
    if (isInfinite(ticks)) return ticks > 0n ? INFINITE_DAYS : -INFINITE_DAYS
    const scaled = ticks * source.factor
    const perDay = MICROS_PER_DAY * source.divisor
    return scaled % perDay === 0n ? Number(scaled / perDay) : refuse(formatTimestamp(floorDivide(scaled, source.divisor)))
  }
  return { ...dateLayout, sourceBytes: 8, copy: eachPresent(int64View, convert) }
}

const isInfinite = (ticks: bigint): boolean => ticks === INFINITE_MICROS || ticks === -INFINITE_MICROS

function eachPresent<V extends bigint | number, T extends bigint | number>(
  view: (column: ChunkColumn) => { readonly [row: number]: V },
  convert: (value: V) => T,
): (column: ChunkColumn, target: { [row: number]: T }, at: number) => void {
  return (column, target, at) => {
    const values = view(column)
    for (let i = 0; i < column.rows; i++) {
      if (isPresent(column.validity, i)) target[at + i] = convert(values[i]!)
    }
  }
}
