/** The syntax tree of `libpg-query`. Each node is a record with one key, which is its kind. */
import type { Node, TypeName } from '@pgsql/types'

export type { Node, TypeName }

type KeysOf<T> = T extends unknown ? keyof T : never
export type NodeKind = KeysOf<Node>
export type Body<K extends NodeKind> = Extract<Node, { [k in K]: unknown }>[K & keyof Extract<Node, { [k in K]: unknown }>]

/** The content of a node of this kind; `undefined` for a node of another kind. */
export function bodyOf<K extends NodeKind>(node: Node | undefined, kind: K): Body<K> | undefined {
  return (node as Record<string, unknown> | undefined)?.[kind] as Body<K> | undefined
}

export const kindOf = (node: Node): NodeKind => Object.keys(node)[0] as NodeKind

/** All nodes within a tree, outer nodes first. */
export function nodesIn(root: unknown): Node[] {
  const found: Node[] = []
  collect(root, found)
  return found
}

/** Collects into one list, because nested generators would resume through all levels for each node. */
function collect(root: unknown, found: Node[]): void {
  if (Array.isArray(root)) for (const item of root) collect(item, found)
  else if (typeof root === 'object' && root !== null) {
    for (const key in root) {
      // Kinds begin with a capital letter, properties do not.
      if (key >= 'A' && key < '[') found.push(root as Node)
      collect(root[key as keyof object], found)
    }
  }
}

/** A constant as text; `null` for NULL, `undefined` for a node that is not a constant. */
export function constantOf(node: Node | undefined): string | null | undefined {
  const constant = bodyOf(node, 'A_Const')
  if (constant) {
    if (constant.isnull) return null
    if (constant.sval) return constant.sval.sval ?? ''
    // The tree omits values that are zero, false or empty.
    if (constant.ival) return String(constant.ival.ival ?? 0)
    if (constant.fval) return constant.fval.fval ?? '0'
    if (constant.boolval) return constant.boolval.boolval === true ? 'on' : 'off'
  }
  return constantOfOther(node)
}

function constantOfOther(node: Node | undefined): string | null | undefined {
  const plain = bodyOf(node, 'Integer')?.ival ?? bodyOf(node, 'Float')?.fval ?? bodyOf(node, 'String')?.sval
  if (plain !== undefined) return String(plain)
  const flag = bodyOf(node, 'Boolean')
  if (flag) return flag.boolval === true ? 'on' : 'off'
  const cast = bodyOf(node, 'TypeCast')
  if (cast) return constantOf(cast.arg)
  const name = bodyOf(node, 'TypeName')
  if (name) return (name.names ?? []).map((word) => bodyOf(word, 'String')?.sval ?? '').at(-1)
  // A negative number is an expression: a minus and a number.
  const sign = bodyOf(node, 'A_Expr')
  const inner = sign?.lexpr === undefined && bodyOf(sign?.name?.[0], 'String')?.sval === '-' ? constantOf(sign?.rexpr) : undefined
  return typeof inner === 'string' ? `-${inner}` : undefined
}
