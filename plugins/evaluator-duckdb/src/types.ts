/** Types of the model as DuckDB spells them, and back. */
import type * as Api from '@duckdb/node-api'
import type { DataType } from '@grainline/core'
import { BOOLEAN, DATE, decimal, FLOAT, INT, STRING, TIME, TIMESTAMP, TIMESTAMP_TZ } from '@grainline/core/vendor'

export function typeName(type: DataType): string {
  switch (type.kind) {
    case 'decimal':
      return `DECIMAL(${type.precision}, ${type.scale})`
    case 'int':
      return 'BIGINT'
    case 'float':
      return 'DOUBLE'
    case 'timestamp_tz':
      return 'TIMESTAMPTZ'
    case 'string':
    case 'json':
      return 'VARCHAR'
    default:
      return type.kind.toUpperCase()
  }
}

/** The planned type of an answer's column: sums of whole numbers may need more than 64 bits and are decimals. */
export function dataTypeOf(type: Api.DuckDBType, { DuckDBTypeId: Id }: typeof Api): DataType {
  switch (type.typeId) {
    case Id.BOOLEAN:
      return BOOLEAN
    case Id.TINYINT:
    case Id.SMALLINT:
    case Id.INTEGER:
    case Id.BIGINT:
    case Id.UTINYINT:
    case Id.USMALLINT:
    case Id.UINTEGER:
      return INT
    case Id.UBIGINT:
    case Id.HUGEINT:
    case Id.UHUGEINT:
      return decimal(38, 0)
    case Id.FLOAT:
    case Id.DOUBLE:
      return FLOAT
    case Id.DECIMAL: {
      const { width, scale } = type as Api.DuckDBDecimalType
      return decimal(width, scale)
    }
    case Id.DATE:
      return DATE
    case Id.TIME:
      return TIME
    case Id.TIMESTAMP:
    case Id.TIMESTAMP_S:
    case Id.TIMESTAMP_MS:
    case Id.TIMESTAMP_NS:
      return TIMESTAMP
    case Id.TIMESTAMP_TZ:
      return TIMESTAMP_TZ
    default:
      return STRING
  }
}
