/** The syntax tree of PostgreSQL's grammar, as `libpg-query` returns it: records with one key, the name of their kind. */
import { fail } from '@grainline/core'
import type { CollateClause, Node } from '@pgsql/types'

export type { A_Const, BoolExpr, ColumnRef, ExplainStmt, FuncCall, Node, RangeFunction, RangeVar, TypeName } from '@pgsql/types'

type KeysOf<T> = T extends unknown ? keyof T : never
export type NodeKind = KeysOf<Node>
type Written<K extends NodeKind> = Node extends infer N ? (N extends Record<K, infer B> ? B : never) : never
type Having<B, P extends keyof B> = Omit<B, P> & Readonly<Record<P, Node>>

/**
 * The records of nodes by their kind, with the properties that the grammar always has: in the types of the library any property may be
 * missing.
 */
interface Bodies extends Readonly<{ [K in NodeKind]: Written<K> }> {
  readonly A_Expr: Having<Written<'A_Expr'>, 'rexpr'>
  readonly BooleanTest: Having<Written<'BooleanTest'>, 'arg'>
  readonly CaseWhen: Having<Written<'CaseWhen'>, 'expr' | 'result'>
  readonly CollateClause: Having<Written<'CollateClause'>, 'arg'>
  readonly JoinExpr: Having<Written<'JoinExpr'>, 'larg' | 'rarg'>
  readonly NullTest: Having<Written<'NullTest'>, 'arg'>
  readonly ResTarget: Having<Written<'ResTarget'>, 'val'>
  readonly SortBy: Having<Written<'SortBy'>, 'node'>
  readonly TypeCast: Having<Written<'TypeCast'>, 'arg'>
}

export type A_Expr = Bodies['A_Expr']
export type CaseExpr = Bodies['CaseExpr']
export type JoinExpr = Bodies['JoinExpr']
export type SelectStmt = Bodies['SelectStmt']
export type SortBy = Bodies['SortBy']
export type SubLink = Bodies['SubLink']
export type TypeCast = Bodies['TypeCast']
export type WindowDef = Bodies['WindowDef']

/** The record of a node of this kind; `undefined` when it is of another. */
export function bodyOf<K extends NodeKind>(node: object | undefined, kind: K): Bodies[K] | undefined {
  return (node as Readonly<Record<string, unknown>> | undefined)?.[kind] as Bodies[K] | undefined
}

/** The record of a node that can only be of one kind at its place. */
export function theBody<K extends NodeKind>(node: Node | undefined, kind: K): Bodies[K] {
  const body = bodyOf(node, kind)
  if (body === undefined) fail('INTERNAL_ERROR', `A ${node ? kindOf(node) : 'missing node'} is in place of a ${kind}`)
  return body
}

/** The records of a list whose nodes all have this kind. */
export const bodiesOf = <K extends NodeKind>(nodes: readonly Node[] | undefined, kind: K): Bodies[K][] =>
  (nodes ?? []).map((node) => theBody(node, kind))

export const kindOf = (node: Node): NodeKind => Object.keys(node)[0] as NodeKind

/** The words of a list of names. */
export const wordsOf = (names: readonly Node[] | undefined): string[] =>
  (names ?? []).map((name) => bodyOf(name, 'String')?.sval ?? '')

/** A function's name; the grammar represents its own constructs as functions of `pg_catalog`. */
export function functionName(names: readonly Node[] | undefined): string {
  const words = wordsOf(names)
  return (words.length === 2 && words[0] === 'pg_catalog' ? words.slice(1) : words).join('.').toLowerCase()
}

/** The position of a node, in bytes from the start of the text; `undefined` where the grammar does not give it. */
export function locationOf(node: Node | undefined): number | undefined {
  if (node === undefined) return undefined
  const body = (node as Record<string, unknown>)[kindOf(node)] as { readonly location?: number; readonly arg?: Node } | undefined
  // A cast before its literal has no position of its own.
  if (body?.location === undefined || body.location < 0) return body?.arg && locationOf(body.arg)
  return body.location
}

/** Every node inside, the outer one first. `into` says whether a node is entered. */
export function nodesIn(root: unknown, into?: (node: Node) => boolean): readonly Node[] {
  if (typeof root !== 'object' || root === null) return []
  const known = into === undefined ? large.get(root) : undefined
  if (known) return known
  const found: Node[] = []
  collect(root, into ?? everyNode, found)
  if (into === undefined && found.length > LARGE) large.set(root, found)
  return found
}

const everyNode = () => true
/** The nodes of large trees, which are collected once, because each step of parsing needs them. */
const large = new WeakMap<object, readonly Node[]>()
const LARGE = 1000

/** Collected into one list: generators that delegate to each other resume through all levels for every node. */
function collect(root: unknown, into: (node: Node) => boolean, found: Node[]): void {
  if (Array.isArray(root)) for (const item of root) collect(item, into, found)
  else if (typeof root === 'object' && root !== null) {
    for (const key in root) {
      const isNode = isKind(key)
      if (isNode) found.push(root as Node)
      if (!isNode || into(root as Node)) collect(root[key as keyof object], into, found)
    }
  }
}

/** Kinds of nodes begin with a capital, their properties do not. */
const isKind = (key: string): boolean => key >= 'A' && key < '['

/** True for nodes that are read inside an expression, without its subqueries; the operands of their comparison belong to it. */
export const notASubquery = (node: Node): boolean => !('SelectStmt' in node)

/** True for `COLLATE "C"` and equivalent collations: they compare by code point, as everything here does. */
export const byCodePoint = ({ collname }: CollateClause): boolean =>
  ['C', 'POSIX', 'ucs_basic', 'default'].includes(wordsOf(collname).at(-1) ?? '')

/** The functions below build nodes as the parser would. */
export const wordNodes = (...words: readonly string[]): Node[] => words.map((sval) => ({ String: { sval } }))

export const columnNode = (...words: readonly string[]): Node => ({ ColumnRef: { fields: wordNodes(...words) } })

export const integerNode = (ival: number): Node => ({ A_Const: { ival: { ival } } })

export const operation = (symbol: string, lexpr: Node, rexpr: Node): Node => ({
  A_Expr: { kind: 'AEXPR_OP', name: wordNodes(symbol), lexpr, rexpr },
})

/** The conjunction of the conditions, of which there is at least one. */
export const everyOf = (args: readonly Node[]): Node =>
  args.length === 1 ? args[0]! : { BoolExpr: { boolop: 'AND_EXPR', args: [...args] } }

export const isNotTrue = (arg: Node): Node => ({ BooleanTest: { arg, booltesttype: 'IS_NOT_TRUE' } })
