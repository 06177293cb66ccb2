import type { DataObject } from './semantic-model.js'

export type Stored = Pick<DataObject, 'source' | 'nestedIn'>

/**
 * Whether two objects may read one table. A database or schema that one of them leaves out is that of the connection, which may be the one that the other names.
 * SQL text reads what the same text reads. Elements are in the table of their row.
 */
export function mayShareTable(one: Stored, other: Stored): boolean {
  const [name, otherName] = [nameOfTable(one), nameOfTable(other)]
  if (name === undefined || name !== otherName) return false
  const [a, b] = [one.source, other.source]
  if (a.kind !== 'table' || b.kind !== 'table') return a.kind === b.kind
  return mayBeSame(a.schema, b.schema) && mayBeSame(a.database, b.database)
}

/** Objects of one table have one name. */
export function nameOfTable({ source, nestedIn }: Stored): string | undefined {
  if (nestedIn !== undefined) return undefined
  return source.kind === 'table' ? source.name.toLowerCase() : source.kind === 'sql' ? source.sql : undefined
}

const mayBeSame = (one: string | undefined, other: string | undefined): boolean =>
  one === undefined || other === undefined || one.toLowerCase() === other.toLowerCase()
