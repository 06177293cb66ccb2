import type { Draft, Entry } from '../draft.js'
import type { Part, Place } from '../part.js'
import type { SqlReader } from '../sql-expression.js'

/** What has columns and members: a cube, or a view under one of its names. It becomes a data object. */
export interface Owner {
  readonly name: string
  readonly place: Place
  readonly entry: Entry
  readonly columns: Record<string, Entry>
  /** The columns of the table that are written, by their names there. */
  readonly codes: Map<string, string>
  /** The column of each dimension that is written. */
  readonly written: Map<string, string>
  /** Columns whose type is assumed. */
  readonly assumed: Set<string>
  readonly measures: ReadonlyMap<string, Part>
}

/** The words of a format. */
export interface OwnerWords {
  /** The format, as its users call it. */
  readonly format: string
  readonly owner: string
  /** Several members. */
  readonly members: string
  /** How a column of another owner is written. */
  readonly hint: string
}

/** The model that is being written, owner by owner. */
export interface OwnerContext<O extends Owner> {
  readonly owners: ReadonlyMap<string, O>
  readonly words: OwnerWords
  readonly draft: Draft
  readonly sql: SqlReader
  /** Members that are being written, each for one that reads it. */
  readonly open: Set<string>
  /** The name of a measure in the model, which is written before. Throws for one that is left out. */
  readonly measure: (owner: O, name: string) => string
}

/** The name of a member in the model. */
export const fullName = ({ name }: Owner, member: string): string => `${name}.${member}`

/** The data object of a table, before anything of it is written. */
export function emptyOwner(name: string, place: Place, source: Entry, measures: Owner['measures']): Owner {
  const columns: Record<string, Entry> = {}
  const entry = { ...source, countable: false, columns }
  return { name, place, entry, columns, measures, codes: new Map(), written: new Map(), assumed: new Set() }
}
