/** The model that is being written, cube by cube. */
import { type Draft, type Entry, LeftOut, type SqlReader } from '@grainline/importer-dbt/foreign'
import type { Cube } from './cubes.js'

/** A cube, and the data object that it became. */
export interface CubeObject {
  readonly cube: Cube
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
  readonly objects: ReadonlyMap<string, CubeObject>
  readonly draft: Draft
  readonly sql: SqlReader
  /** Members that are being written, each for one that reads it. */
  readonly open: Set<string>
  /** The name of a measure in the model, which is written before. Throws for one that is left out. */
  readonly measure: (object: CubeObject, name: string) => string
}

export function objectNamed(name: string, { objects }: Pick<Context, 'objects'>): CubeObject {
  const object = objects.get(name)
  if (!object) throw new LeftOut(`there is no cube '${name}'`)
  return object
}

/** The name of a member in the model. */
export const fullName = ({ cube }: CubeObject, member: string): string => `${cube.name}.${member}`

/** Writes a member. Throws if it is being written already, or if too many are. */
export function opened<T>(full: string, { open }: Pick<Context, 'open'>, write: () => T): T {
  if (open.has(full)) throw new LeftOut(`'${full}' reads itself`)
  if (open.size > MOST_OPEN) throw new LeftOut(`more than ${MOST_OPEN} members read each other`)
  open.add(full)
  try {
    return write()
  } finally {
    open.delete(full)
  }
}

const MOST_OPEN = 100
