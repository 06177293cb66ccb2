/** What names mean at one place of the statement around the leaves. */
import { type Node, wordsOf } from '../node.js'

export interface Scope {
  /** Names of WITH that are visible here. */
  readonly made: ReadonlySet<string>
  /** The text that stands for a node where it is a column of a leaf; `undefined` where the node is written out. */
  readonly spelled: (node: Node) => string | undefined
}

export const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`

/** The names of columns behind an alias. */
export const columnNames = (names: readonly Node[] | undefined): string =>
  names && names.length > 0 ? `(${wordsOf(names).map(quoted).join(', ')})` : ''
