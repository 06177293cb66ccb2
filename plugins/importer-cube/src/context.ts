/** The model that is being written, cube by cube. */
import { LeftOut, type Owner, type OwnerContext, type OwnerWords } from '@grainline/importer-dbt/foreign'
import type { Cube } from './cubes.js'

/** A cube, and the data object that it became. */
export interface CubeObject extends Owner {
  readonly cube: Cube
}

export type Context = OwnerContext<CubeObject>

export const WORDS: OwnerWords = { format: 'Cube', owner: 'cube', members: 'members', hint: 'Name the cube in braces.' }

export function objectNamed(name: string, { owners }: Pick<Context, 'owners'>): CubeObject {
  const object = owners.get(name)
  if (!object) throw new LeftOut(`there is no cube '${name}'`)
  return object
}
