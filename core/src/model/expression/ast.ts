/**
 * Scalar expressions as data, from the model's text to the SQL that is rendered. `L` is the type of the leaves: a column of the
 * model, of a plan, of a statement. A stage that changes an expression returns a new one.
 */
import { spend } from '../../work.js'
import type { DataType } from '../data-type.js'

/** An expression of the model over leaves `L`, such as the fields that a text names. */
export type Expr<L> = L | InnerNode<L>

/** A value is always data. Decimals are exact strings; dates are `YYYY-MM-DD`, timestamps `YYYY-MM-DD HH:MM:SS[.ffffff]`. */
export interface Literal {
  readonly kind: 'literal'
  readonly value: string | number | bigint | boolean | null
  readonly type: DataType
}

/**
 * A value that is given when a statement is written, and not before. No stage knows it, so that nothing is folded or decided by it: a plan is the plan of every value.
 */
export interface Parameter {
  readonly kind: 'parameter'
  readonly name: string
  /** For an element of a list, its position. */
  readonly at?: number
  readonly type: DataType
  /** A value of access rules, which is never missing; of a text, what is known of it. */
  readonly form?: HeldForm
}

/** What is known of each text of a value: whether it is the text of a UUID, or at least has no space at its end. */
export type HeldForm = 'uuid' | 'trimmed' | 'any'

export type UnaryOperator = 'not' | '-'
export interface Unary<L> {
  readonly kind: 'unary'
  readonly operator: UnaryOperator
  readonly operand: Expr<L>
}

/** The operators between two expressions. */
export type BinaryOperator = '+' | '-' | '*' | '/' | '=' | '<>' | '<' | '<=' | '>' | '>=' | 'and' | 'or'
export interface Binary<L> {
  readonly kind: 'binary'
  readonly operator: BinaryOperator
  readonly left: Expr<L>
  readonly right: Expr<L>
}

/** A function of the catalogue (docs/reference/functions.md), in lower case. `||` parses to `concat`, `%` to `mod`. `portable: false` marks a call the catalogue does not know. */
export interface Call<L> {
  readonly kind: 'call'
  readonly name: string
  readonly args: readonly Expr<L>[]
  readonly portable: boolean
}

/** `CASE WHEN … THEN … ELSE … END`; a simple CASE is parsed into this form. */
export interface Case<L> {
  readonly kind: 'case'
  readonly branches: readonly { readonly when: Expr<L>; readonly then: Expr<L> }[]
  readonly otherwise: Expr<L> | undefined
}

export interface Cast<L> {
  readonly kind: 'cast'
  readonly operand: Expr<L>
  readonly type: DataType
}

export interface InList<L> {
  readonly kind: 'in'
  readonly operand: Expr<L>
  readonly list: readonly Expr<L>[]
}

/** SQL LIKE, case-sensitive, with backslash as the escape. */
export interface Like<L> {
  readonly kind: 'like'
  readonly operand: Expr<L>
  readonly pattern: Expr<L>
}

export interface IsNull<L> {
  readonly kind: 'is-null'
  readonly operand: Expr<L>
}

/** A column of the model: a leaf of computed columns and measures. */
export interface ColumnRef {
  readonly kind: 'column'
  readonly object: string
  readonly column: string
}

/** A measure or metric: a leaf of a derived metric. */
export interface FieldRef {
  readonly kind: 'field'
  readonly name: string
}

const INNER_KINDS = new Set<string>(['literal', 'parameter', 'unary', 'binary', 'call', 'case', 'cast', 'in', 'like', 'is-null'])

/** True for the nodes of the expression itself, false for a leaf. Leaves must use other kinds. */
export function isInner<L extends { readonly kind: string }>(expr: Expr<L>): expr is InnerNode<L> {
  // Most expressions are a column.
  return expr.kind !== 'column' && INNER_KINDS.has(expr.kind)
}

/** The expression as an inner node, for any type of leaves; `undefined` for a leaf. */
export function nodeOf<L>(expr: Expr<L>): InnerNode<L> | undefined {
  const node = expr as InnerNode<L>
  return INNER_KINDS.has(node.kind) ? node : undefined
}

/** Whether an expression of any stage is a literal. */
export const isLiteral = (expr: { readonly kind: string }): expr is Literal => expr.kind === 'literal'

/** Replaces every leaf; the shape stays. */
export function mapLeaves<L extends { readonly kind: string }, M>(expr: Expr<L>, change: (leaf: L) => Expr<M>): Expr<M> {
  return isInner<L>(expr) ? mapOperands<L, M>(expr, (e) => mapLeaves(e, change)) : change(expr)
}

/** Replaces every node for which `replacement` returns one, the outermost first, without visiting a replaced node. */
export function replaceNodes<L extends { readonly kind: string }>(
  expr: Expr<L>,
  replacement: (node: Expr<L>) => Expr<L> | undefined,
): Expr<L> {
  const found = replacement(expr)
  if (found) return found
  return isInner<L>(expr) ? mapOperands<L, L>(expr, (e) => replaceNodes(e, replacement)) : expr
}

/** Replaces the operands of a node. */
export function mapOperands<L, M>(node: InnerNode<L>, go: (operand: Expr<L>) => Expr<M>): Expr<M> {
  // A list may have thousands of literals, which need no work.
  if (node.kind === 'literal' || node.kind === 'parameter') return node
  spend()
  switch (node.kind) {
    case 'unary':
      return { ...node, operand: go(node.operand) }
    case 'binary':
      return { ...node, left: go(node.left), right: go(node.right) }
    case 'call':
      return { ...node, args: node.args.map(go) }
    case 'case':
      return {
        ...node,
        branches: node.branches.map((b) => ({ when: go(b.when), then: go(b.then) })),
        otherwise: node.otherwise && go(node.otherwise),
      }
    case 'cast':
    case 'is-null':
      return { ...node, operand: go(node.operand) }
    case 'in':
      return { ...node, operand: go(node.operand), list: node.list.map(go) }
    case 'like':
      return { ...node, operand: go(node.operand), pattern: go(node.pattern) }
  }
}

/** The nodes that are not leaves, listed so that a `switch` over them is checked. */
export type InnerNode<L> =
  | Literal
  | Parameter
  | Unary<L>
  | Binary<L>
  | Call<L>
  | Case<L>
  | Cast<L>
  | InList<L>
  | Like<L>
  | IsNull<L>

/** Whether some node or leaf of an expression satisfies the predicate. */
export function someNode<L extends { readonly kind: string }>(expr: Expr<L>, test: (node: Expr<L>) => boolean): boolean {
  if (!isInner<L>(expr)) return test(expr)
  const ahead: Expr<L>[] = [expr]
  for (let next = ahead.pop(); next !== undefined; next = ahead.pop()) {
    if (test(next)) return true
    if (isInner<L>(next)) for (const operand of operandsOf<L>(next)) ahead.push(operand)
  }
  return false
}

/** Every leaf, in reading order. */
export function leavesOf<L extends { readonly kind: string }>(expr: Expr<L>): L[] {
  // Most expressions are a column.
  if (!isInner<L>(expr)) return [expr]
  const found: L[] = []
  const ahead: Expr<L>[] = [expr]
  for (let next = ahead.pop(); next !== undefined; next = ahead.pop()) {
    if (isInner<L>(next)) for (const operand of operandsOf<L>(next).toReversed()) ahead.push(operand)
    else found.push(next)
  }
  return found
}

/** In reading order, which is the order in which `mapOperands` replaces them. */
export function operandsOf<L>(node: InnerNode<L>): readonly Expr<L>[] {
  switch (node.kind) {
    case 'literal':
    case 'parameter':
      return []
    case 'unary':
    case 'cast':
    case 'is-null':
      return [node.operand]
    case 'binary':
      return [node.left, node.right]
    case 'call':
      return node.args
    case 'case':
      return [...node.branches.flatMap((branch) => [branch.when, branch.then]), ...(node.otherwise ? [node.otherwise] : [])]
    case 'in':
      return [node.operand, ...node.list]
    case 'like':
      return [node.operand, node.pattern]
  }
}
