import { type Expr, type InnerNode, isInner, type Literal } from '../model/expression/ast.js'
import { binary, FALSE } from './expressions.js'
import type { Conjunct, WhereLeaf } from './resolved-query.js'
import { type Micros, parseTime } from './time.js'

/** The latest moment that a condition on time admits: nothing, anything, or all before (or up to) a literal. */
type Bound =
  | { readonly kind: 'nothing' }
  | { readonly kind: 'any' }
  | { readonly kind: 'until'; readonly at: Micros; readonly literal: Expr<WhereLeaf>; readonly inclusive: boolean }

const ANY: Bound = { kind: 'any' }
const NOTHING: Bound = { kind: 'nothing' }

/** A conjunct on time without its lower end; `undefined` where it has no upper one. */
export function upperBound(conjunct: Conjunct): Conjunct | undefined {
  const bound = boundOf(conjunct.expression, false)
  if (bound.kind === 'any') return undefined
  const leaf = conjunct.leaves[0]!
  const expression = bound.kind === 'nothing' ? FALSE : binary<WhereLeaf>(bound.inclusive ? '<=' : '<', leaf, bound.literal)
  return { ...conjunct, expression }
}

function boundOf(expression: Expr<WhereLeaf>, negated: boolean): Bound {
  if (!isInner<WhereLeaf>(expression)) return ANY
  const node = expression as InnerNode<WhereLeaf>
  switch (node.kind) {
    case 'literal':
      return (node.value === true) === negated ? NOTHING : ANY
    case 'unary':
      return node.operator === 'not' ? boundOf(node.operand, !negated) : ANY
    case 'in':
      return negated ? ANY : node.list.map((value) => until(value, true)).reduce(latest, NOTHING)
    case 'binary':
      return binaryBound(node, negated)
    case 'is-null':
      // A missing time is no moment.
      return negated ? ANY : NOTHING
    default:
      return ANY
  }
}

function binaryBound(node: InnerNode<WhereLeaf> & { kind: 'binary' }, negated: boolean): Bound {
  const { operator, left, right } = node
  if (operator === 'and' || operator === 'or') {
    const both = (operator === 'and') !== negated
    return (both ? earliest : latest)(boundOf(left, negated), boundOf(right, negated))
  }
  const asked = negated ? NEGATED[operator] : operator
  if (asked === '<') return until(right, false)
  return asked === '<=' || asked === '=' ? until(right, true) : ANY
}

const NEGATED: Readonly<Record<string, string>> = { '<': '>=', '<=': '>', '>': '<=', '>=': '<', '=': '<>', '<>': '=' }

function until(literal: Expr<WhereLeaf>, inclusive: boolean): Bound {
  const at = momentOf(literal)
  return at === undefined ? ANY : { kind: 'until', at, literal, inclusive }
}

/** A moment is a literal, or a wall clock put into a zone; all literals of one conjunct are of one kind. */
function momentOf(expression: Expr<WhereLeaf>): Micros | undefined {
  const node = expression as InnerNode<WhereLeaf>
  if (node.kind === 'call' && node.name === 'from_zone') return momentOf(node.args[0]!)
  return node.kind === 'literal' ? parseTime(String((node as Literal).value))?.micros : undefined
}

const latest = (a: Bound, b: Bound): Bound => {
  if (a.kind === 'any' || b.kind === 'nothing') return a
  if (b.kind === 'any' || a.kind === 'nothing') return b
  return a.at > b.at || (a.at === b.at && a.inclusive) ? a : b
}

const earliest = (a: Bound, b: Bound): Bound => {
  if (a.kind === 'nothing' || b.kind === 'any') return a
  if (b.kind === 'nothing' || a.kind === 'any') return b
  return a.at < b.at || (a.at === b.at && !a.inclusive) ? a : b
}
