import type { DuckDBType } from '@duckdb/node-api'
import type { LogicalType } from '@duckdb/node-bindings'
import type { Driver } from './driver.js'

/** A column as DuckDB has it in memory. `label` is its type for messages. */
export type SourceType = { readonly label: string; readonly type: DuckDBType } & (
  | ScaledInteger
  | { readonly family: 'boolean'; readonly bytes: 1 }
  | { readonly family: 'real'; readonly bytes: 4 | 8 }
  | { readonly family: 'date'; readonly bytes: 4 }
  /** Since midnight, or since 1970-01-01: `value * factor / divisor` is microseconds. */
  | {
      readonly family: 'time' | 'timestamp' | 'timestamp_tz'
      readonly bytes: 8
      readonly factor: bigint
      readonly divisor: bigint
    }
  | { readonly family: 'text'; readonly bytes: 16 }
  | { readonly family: 'enum'; readonly bytes: 1 | 2 | 4; readonly words: readonly string[] }
  /** Read value by value through the TypeScript layer. */
  | { readonly family: 'other'; readonly bytes: 0 }
)

/** Integers and decimals are one thing: a whole number of `bytes` bytes that counts units of 10^-scale and has at most `digits` digits. */
export interface ScaledInteger {
  readonly family: 'scaled'
  readonly bytes: 1 | 2 | 4 | 8 | 16
  readonly signed: boolean
  readonly scale: number
  readonly digits: number
}

export function sourceType(logicalType: LogicalType, { api }: Driver): SourceType {
  const type = api.DuckDBLogicalType.create(logicalType).asType()
  return { label: String(type), type, ...layoutOf(type, api) }
}

type Layout = SourceType extends infer S ? (S extends unknown ? Omit<S, 'label' | 'type'> : never) : never

function layoutOf(type: DuckDBType, { DuckDBTypeId: Id }: Driver['api']): Layout {
  switch (type.typeId) {
    case Id.BOOLEAN:
      return { family: 'boolean', bytes: 1 }
    case Id.TINYINT:
      return integer(1, true, 3)
    case Id.SMALLINT:
      return integer(2, true, 5)
    case Id.INTEGER:
      return integer(4, true, 10)
    case Id.BIGINT:
      return integer(8, true, 19)
    case Id.HUGEINT:
      return integer(16, true, 39)
    case Id.UTINYINT:
      return integer(1, false, 3)
    case Id.USMALLINT:
      return integer(2, false, 5)
    case Id.UINTEGER:
      return integer(4, false, 10)
    case Id.UBIGINT:
      return integer(8, false, 20)
    case Id.UHUGEINT:
      return integer(16, false, 39)
    case Id.DECIMAL: {
      const { width, scale } = type as DuckDBType & { readonly width: number; readonly scale: number }
      return {
        family: 'scaled',
        bytes: width <= 4 ? 2 : width <= 9 ? 4 : width <= 18 ? 8 : 16,
        signed: true,
        scale,
        digits: width,
      }
    }
    case Id.FLOAT:
      return { family: 'real', bytes: 4 }
    case Id.DOUBLE:
      return { family: 'real', bytes: 8 }
    case Id.DATE:
      return { family: 'date', bytes: 4 }
    case Id.TIME:
      return { family: 'time', bytes: 8, factor: 1n, divisor: 1n }
    case Id.TIME_NS:
      return { family: 'time', bytes: 8, factor: 1n, divisor: 1000n }
    case Id.TIMESTAMP:
      return { family: 'timestamp', bytes: 8, factor: 1n, divisor: 1n }
    case Id.TIMESTAMP_S:
      return { family: 'timestamp', bytes: 8, factor: 1_000_000n, divisor: 1n }
    case Id.TIMESTAMP_MS:
      return { family: 'timestamp', bytes: 8, factor: 1000n, divisor: 1n }
    case Id.TIMESTAMP_NS:
      return { family: 'timestamp', bytes: 8, factor: 1n, divisor: 1000n }
    case Id.TIMESTAMP_TZ:
      return { family: 'timestamp_tz', bytes: 8, factor: 1n, divisor: 1n }
    case Id.VARCHAR:
      return { family: 'text', bytes: 16 }
    case Id.ENUM:
      return enumeration((type as DuckDBType & { readonly values: readonly string[] }).values)
    default:
      return { family: 'other', bytes: 0 }
  }
}

const integer = (bytes: ScaledInteger['bytes'], signed: boolean, digits: number): Layout => ({
  family: 'scaled',
  bytes,
  signed,
  scale: 0,
  digits,
})

const enumeration = (words: readonly string[]): Layout => ({
  family: 'enum',
  bytes: words.length <= 256 ? 1 : words.length <= 65_536 ? 2 : 4,
  words,
})
