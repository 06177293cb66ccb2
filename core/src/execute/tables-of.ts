/** The tables of a database from the rows of its catalogue: a row per column, and a row per column of a key. */
import { grouped } from '../grouped.js'
import { firstOf, type NonEmpty } from '../invariant.js'
import type { IntrospectedForeignKey, IntrospectedTable } from './introspection.js'
import type { TextRow } from './row-connection.js'

/** A column in the catalogue, with its table. An empty text means that the catalogue has none. */
export interface CatalogueColumn {
  readonly database?: string
  readonly schema: string
  readonly table: string
  /** The comment of the table. */
  readonly comment: string
  readonly isView?: boolean
  readonly column: string
  readonly sqlType: string
  readonly nullable: boolean
  readonly isText?: boolean
  readonly isBinary?: boolean
  /** The comment of the column. */
  readonly note: string
}

/** A column of a primary or foreign key in the catalogue. A primary key has no target. */
export interface CatalogueKey {
  readonly schema: string
  readonly table: string
  /** The properties that the columns of one key share. */
  readonly constraint: string
  readonly primary: boolean
  readonly column: string
  readonly targetSchema: string
  readonly targetTable: string
  readonly targetColumn: string
  /** As of `IntrospectedForeignKey`, as far as this column tells. */
  readonly enforced?: boolean
}

/** Rows with a name for each of their cells. A cell that is NULL is the empty text. */
export const recordsOf = <Name extends string>(
  rows: readonly TextRow[],
  names: readonly Name[],
): readonly Readonly<Record<Name, string>>[] =>
  rows.map((row) => Object.fromEntries(names.map((name, at) => [name, row[at] ?? ''])) as Record<Name, string>)

/** Tables with their columns and keys, each in the order of the rows. */
export function tablesOf(columns: readonly CatalogueColumn[], keys: readonly CatalogueKey[] = []): readonly IntrospectedTable[] {
  const keysByTable = grouped(keys, ({ schema, table }) => JSON.stringify([schema, table]))
  return [...grouped(columns, ({ database, schema, table }) => JSON.stringify([database, schema, table])).values()].map(
    (rows) => {
      const { database, schema, table, comment, isView } = firstOf(rows)
      const own = keysByTable.get(JSON.stringify([schema, table])) ?? []
      return {
        ...(database !== undefined && { database }),
        schema,
        name: table,
        ...(comment !== '' && { comment }),
        ...(isView === true && { isView }),
        columns: rows.map(({ column, sqlType, nullable, isText, isBinary, note }) => ({
          name: column,
          sqlType,
          nullable,
          ...(isText === true && { isText }),
          ...(isBinary === true && { isBinary }),
          ...(note !== '' && { comment: note }),
        })),
        primaryKey: own.filter(({ primary }) => primary).map(({ column }) => column),
        foreignKeys: [
          ...grouped(
            own.filter(({ primary }) => !primary),
            ({ constraint }) => constraint,
          ).values(),
        ].map(foreignKey),
      }
    },
  )
}

function foreignKey(parts: NonEmpty<CatalogueKey>): IntrospectedForeignKey {
  const { targetSchema, targetTable } = firstOf(parts)
  return {
    columns: parts.map(({ column }) => column),
    target: { schema: targetSchema, name: targetTable },
    targetColumns: parts.map(({ targetColumn }) => targetColumn),
    ...(parts.every(({ enforced }) => enforced) && { enforced: true }),
  }
}
