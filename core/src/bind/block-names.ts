import { relationName } from '../resolve/aliases.js'

/*
 * The names of relations within a block. They depend on the position in the block, so that they are unique and independent of the order of reading. A name
 * of the model is one part, and cannot contain a separator. `plan/unique-names.ts` replaces them by the names in the statement.
 */

/** The rows of an object, or of a pair, from which other objects are reached. */
export const rootName = (node: string): string => node.replace(/[%/<:>]/g, encodeURIComponent)

/** The object at the end of a join: of several joins from one object to another, the `n`th. */
export const roleName = (from: string, object: string, n: number): string => `${from}${'/'.repeat(n)}${rootName(object)}`

/** An object on the path back from the rows of an `exists`. */
export const backName = (from: string, object: string): string => `${from}<${rootName(object)}`

/** The values of a measure that is a column of a role. */
export const measuredName = (role: string, column: string): string => `${role}>${rootName(column)}:${relationName(column)}`

/** The role and the column of such a name; `undefined` for another name. */
export function measuredAt(name: string): { readonly role: string; readonly column: string } | undefined {
  const [role = '', rest] = name.split('>')
  return rest === undefined ? undefined : { role, column: decodeURIComponent(rest.slice(0, rest.indexOf(':'))) }
}

/** A derived relation; `at` is its position, and its number among several. */
export const madeName = (at: readonly string[], of: string, suffix: string): string =>
  [...at.map(rootName), relationName(of, suffix)].join(':')

/** Whether a relation is one of the rows that `root` names. */
export const isAmong = (name: string, root: string): boolean =>
  name.startsWith(root) && (name.length === root.length || '/<:>'.includes(name.charAt(root.length)))

/** The name of such a relation if no other relation has it. */
export const nameWithoutPlace = (name: string): string => name.slice(name.lastIndexOf(':') + 1)
