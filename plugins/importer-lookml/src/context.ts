/** The model that is being written, view by view. */
import { type Draft, type Entry, LeftOut, type SqlReader } from '@grainline/importer-dbt/foreign'
import type { LookView } from './views.js'

/** A view under the name that explores give it, and the data object that it became. */
export interface Role {
  readonly name: string
  readonly view: LookView
  readonly entry: Entry
  readonly columns: Record<string, Entry>
  /** The columns of the table that are written, by their names there. */
  readonly codes: Map<string, string>
  /** The column of each dimension that is written. */
  readonly written: Map<string, string>
  /** Columns whose type is assumed. */
  readonly assumed: Set<string>
}

export interface Context {
  readonly roles: ReadonlyMap<string, Role>
  readonly draft: Draft
  readonly sql: SqlReader
  /** Fields that are being written, each for one that reads it. */
  readonly open: Set<string>
  /** The name of a measure in the model, which is written before. Throws for one that is left out. */
  readonly measure: (role: Role, name: string) => string
}

export function roleNamed(name: string, { roles }: Pick<Context, 'roles'>): Role {
  const role = roles.get(name)
  if (!role) throw new LeftOut(`there is no view '${name}' in an explore`)
  return role
}

/** The name of a field in the model. */
export const fullName = ({ name }: Role, member: string): string => `${name}.${member}`

/** Writes a field. Throws if it is being written already, or if too many are. */
export function opened<T>(full: string, { open }: Pick<Context, 'open'>, write: () => T): T {
  if (open.has(full)) throw new LeftOut(`'${full}' reads itself`)
  if (open.size > MOST_OPEN) throw new LeftOut(`more than ${MOST_OPEN} fields read each other`)
  open.add(full)
  try {
    return write()
  } finally {
    open.delete(full)
  }
}

const MOST_OPEN = 100
