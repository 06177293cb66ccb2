import { type CatalogueKey, grouped } from '@grainline/core/vendor'

/** A column of a table. */
interface Place {
  readonly schema: string
  readonly table: string
  readonly column: string
}

/** A column of a primary or foreign key. */
export interface KeyColumn extends Place {
  readonly constraint: string
  readonly targetSchema: string
  readonly targetTable: string
  readonly targetColumn: string
  /** `1` unless the server leaves foreign keys unchecked in every new session. */
  readonly checks: string
}

export interface StoredColumn extends Place {
  readonly sqlType: string
  readonly engine: string
  readonly collation: string
}

/** A column of a unique index; the empty text for a part that is none. */
export interface IndexColumn extends Place {
  readonly index: string
}

/** The primary keys, and the foreign keys that refer to one row: InnoDB also allows those to columns that are not unique. */
export function listedKeys(
  keys: readonly KeyColumn[],
  columns: readonly StoredColumn[],
  indexes: readonly IndexColumn[],
): readonly CatalogueKey[] {
  const stored = new Map(columns.map(({ schema, table, column, ...rest }) => [nameOf(schema, table, column), rest]))
  const unique = grouped(indexes, ({ schema, table, index }) => nameOf(schema, table, index))
  const refersToOne = (parts: readonly KeyColumn[]): boolean =>
    [...unique.values()].some((index) =>
      index.every((of) => parts.some((part) => isTarget(part, of) && part.targetColumn === of.column)),
    )
  return [...grouped(keys, ({ schema, table, constraint }) => nameOf(schema, table, constraint)).values()]
    .filter((parts) => parts.some(isPrimary) || refersToOne(parts))
    .flat()
    .map((key) => {
      const own = stored.get(nameOf(key.schema, key.table, key.column))
      const target = stored.get(nameOf(key.targetSchema, key.targetTable, key.targetColumn))
      const { checks, ...listed } = key
      return { ...listed, primary: isPrimary(key), enforced: checks === '1' && isExact(own) && isSame(own, target) }
    })
}

const isPrimary = ({ constraint }: KeyColumn): boolean => constraint === 'PRIMARY'

const isTarget = (key: KeyColumn, { schema, table }: Place): boolean => key.targetSchema === schema && key.targetTable === table

type Stored = Omit<StoredColumn, keyof Place>

/** InnoDB compares texts by their collation: 'A' refers to 'a', or 'a ' does. Only these tell all texts apart. */
const isExact = (column: Stored | undefined): boolean =>
  column !== undefined && (column.collation === '' || /_(0900|nopad)_bin$/.test(column.collation))

const isSame = (own: Stored | undefined, target: Stored | undefined): boolean =>
  own?.engine === 'InnoDB' && target?.engine === 'InnoDB' && own.sqlType === target.sqlType && own.collation === target.collation

const nameOf = (...parts: readonly string[]): string => JSON.stringify(parts)
