import { type Expr, type InnerNode, isInner, type Literal } from '../model/expression/ast.js'
import { binary, FALSE } from './expressions.js'
import type { Conjunct, WhereLeaf } from './resolved-query.js'
import { type Micros, parseTime } from './time.js'

/** The end of what a condition on time admits: nothing, no time at all, anything, or all on one side of a literal. */
type Bound =
  | { readonly kind: 'nothing' }
  | { readonly kind: 'missing' }
  | { readonly kind: 'any' }
  | {
      readonly kind: 'at'
      readonly at: Micros
      readonly inclusive: boolean
      readonly sides: readonly [Expr<WhereLeaf>, Expr<WhereLeaf>]
    }

type End = 'lower' | 'upper'

const ANY: Bound = { kind: 'any' }
const NOTHING: Bound = { kind: 'nothing' }
const MISSING: Bound = { kind: 'missing' }

/** A conjunct on time without its lower end; `undefined` where it has no upper one. */
export function upperBound(conjunct: Conjunct): Conjunct | undefined {
  const bound = boundOf(conjunct.expression, 'upper', false)
  if (bound.kind === 'any' || bound.kind === 'missing') return undefined
  const expression = bound.kind === 'nothing' ? FALSE : binary<WhereLeaf>(bound.inclusive ? '<=' : '<', ...bound.sides)
  return { ...conjunct, expression }
}

/** The first or last moment that a conjunct on time admits; `undefined` where there is none. */
export function momentAt(end: End, conjunct: Conjunct): Micros | undefined {
  const bound = boundOf(conjunct.expression, end, false)
  return bound.kind === 'at' ? bound.at : undefined
}

function boundOf(expression: Expr<WhereLeaf>, end: End, negated: boolean): Bound {
  if (!isInner<WhereLeaf>(expression)) return ANY
  const node = expression as InnerNode<WhereLeaf>
  switch (node.kind) {
    case 'literal':
      return (node.value === true) === negated ? NOTHING : ANY
    case 'unary':
      return node.operator === 'not' ? boundOf(node.operand, end, !negated) : ANY
    case 'in':
      return negated ? ANY : node.list.map((value) => upTo(node.operand, value, true)).reduce((a, b) => wider(a, b, end), NOTHING)
    case 'binary':
      return binaryBound(node, end, negated)
    case 'is-null':
      // A missing time is no moment, and bounds none.
      return negated ? ANY : MISSING
    default:
      return ANY
  }
}

function binaryBound(node: InnerNode<WhereLeaf> & { kind: 'binary' }, end: End, negated: boolean): Bound {
  const { operator, left, right } = node
  if (operator === 'and' || operator === 'or') {
    const both = (operator === 'and') !== negated
    return (both ? narrower : wider)(boundOf(left, end, negated), boundOf(right, end, negated), end)
  }
  const asked = negated ? NEGATED[operator] : operator
  const strict = end === 'upper' ? '<' : '>'
  if (asked === strict) return upTo(left, right, false)
  return asked === `${strict}=` || asked === '=' ? upTo(left, right, true) : ANY
}

const NEGATED: Readonly<Record<string, string>> = { '<': '>=', '<=': '>', '>': '<=', '>=': '<', '=': '<>', '<>': '=' }

/** The field itself, or its wall clock put into a zone: of what is computed from it, no moment is known. */
function isTheTime(expression: Expr<WhereLeaf>): boolean {
  if (!isInner<WhereLeaf>(expression)) return true
  const node = expression as InnerNode<WhereLeaf>
  return node.kind === 'call' && node.name === 'from_zone' && isTheTime(node.args[0]!)
}

function upTo(time: Expr<WhereLeaf>, literal: Expr<WhereLeaf>, inclusive: boolean): Bound {
  const at = isTheTime(time) ? momentOf(literal) : undefined
  return at === undefined ? ANY : { kind: 'at', at, inclusive, sides: [time, literal] }
}

/** A moment is a literal, or a wall clock put into a zone; all literals of one conjunct are of one kind. */
function momentOf(expression: Expr<WhereLeaf>): Micros | undefined {
  const node = expression as InnerNode<WhereLeaf>
  if (node.kind === 'call' && node.name === 'from_zone') return momentOf(node.args[0]!)
  return node.kind === 'literal' ? parseTime(String((node as Literal).value))?.micros : undefined
}

/** Whether `a` admits more than `b` beyond this end. */
const admitsMore = (a: Bound & { kind: 'at' }, b: Bound & { kind: 'at' }, end: End): boolean =>
  a.at === b.at ? a.inclusive : a.at > b.at === (end === 'upper')

function wider(a: Bound, b: Bound, end: End): Bound {
  if (a.kind === 'any' || b.kind === 'nothing') return a
  if (b.kind === 'any' || a.kind === 'nothing') return b
  if (b.kind === 'missing') return a
  if (a.kind === 'missing') return b
  return admitsMore(a, b, end) ? a : b
}

function narrower(a: Bound, b: Bound, end: End): Bound {
  if (a.kind === 'nothing' || b.kind === 'any' || b.kind === 'missing') return a
  if (b.kind === 'nothing' || a.kind === 'any' || a.kind === 'missing') return b
  return admitsMore(a, b, end) ? b : a
}
