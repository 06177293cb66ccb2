import { relationName } from '../resolve/aliases.js'

/*
 * What relations are called within a block: by where they are in it, so that no two share a name and none depends on what is read first. A name
 * of the model is one part of it, and no separator can come from there. `plan/unique-names.ts` gives them the names that they have in a statement.
 */

/** The rows of an object, or of a pair, from which others are reached. */
export const rootName = (node: string): string => node.replace(/[%/<:]/g, encodeURIComponent)

/** The object at the end of a join: of several joins from one object to another, the `n`th. */
export const roleName = (from: string, object: string, n: number): string => `${from}${'/'.repeat(n)}${rootName(object)}`

/** An object on the way back from the rows that are sought. */
export const backName = (from: string, object: string): string => `${from}<${rootName(object)}`

/** A relation that is made of something; `at` is where, and which of several. */
export const madeName = (at: readonly string[], of: string, suffix: string): string =>
  [...at.map(rootName), relationName(of, suffix)].join(':')

/** The last step of the way that a name spells, and the name from which it leads; `undefined` where the name spells none. */
export function lastStep(name: string): { readonly from: string; readonly object: string; readonly n: number } | undefined {
  const end = name.lastIndexOf('/') + 1
  const object = name.slice(end)
  if (end === 0 || object.includes('<') || object.includes(':')) return undefined
  let start = end - 1
  while (name[start - 1] === '/') start--
  return { from: name.slice(0, start), object: object.includes('%') ? decodeURIComponent(object) : object, n: end - start }
}

/** Whether a relation is one of the rows that `root` names. */
export const isAmong = (name: string, root: string): boolean =>
  name.startsWith(root) && (name.length === root.length || '/<:'.includes(name.charAt(root.length)))

/** What such a relation is called where nothing beside it is called so. */
export const nameWithoutPlace = (name: string): string => name.slice(name.lastIndexOf(':') + 1)
