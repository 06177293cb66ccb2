import { itemAt } from '../../invariant.js'
import { BOOLEAN, type DataType, FLOAT, INT, isNumeric, isTemporal, STRING, TIME } from '../data-type.js'
import type { Parameter } from '../functions/parameter.js'
import { type Expr, type InnerNode, isLiteral, type Literal, mapOperands, operandsOf } from './ast.js'
import { momentOf } from './literal-as.js'

/** An operand of a node that has not the type that is needed there. */
export interface Misfit<L> {
  readonly node: InnerNode<L>
  /** The types of all operands. */
  readonly types: readonly (DataType | undefined)[]
  /** Which operand it is. */
  readonly at: number
  readonly parameter: Parameter
  /** The type that it must share, or be cast to. */
  readonly wanted: DataType | undefined
}

/** What the author probably means; `undefined` if that is not clear. */
export function advice<L extends { readonly kind: string }>(misfit: Misfit<L>): Expr<L> | undefined {
  const { node, types, at, parameter, wanted } = misfit
  if (node.kind === 'cast') return undefined
  const moved = node.kind === 'binary' ? ofTimes<L>(node.operator, [node.left, node.right], types) : undefined
  if (moved) return moved
  const operands = operandsOf<L>(node)
  const type = types[at]
  if (type === undefined) return undefined
  if (wanted) return besides(misfit)
  const better = parameter === 'comparable' ? textIn(itemAt(operands, at)) : as(parameter, itemAt(operands, at), type)
  return better && replaced(node, at, better)
}

/** Days are added by a function, and so are texts. */
function ofTimes<L extends { readonly kind: string }>(
  operator: string,
  [left, right]: readonly [Expr<L>, Expr<L>],
  [a, b]: readonly (DataType | undefined)[],
): Expr<L> | undefined {
  if (operator !== '+' && operator !== '-') return undefined
  const [from, to] = [momentIn(right, b), momentIn(left, a)]
  if (operator === '-' && from && to) return call('date_diff', text('day'), from, to)
  if (operator === '+' && a?.kind === 'string' && b?.kind === 'string') return call('concat', left, right)
  const day = (type: DataType): Literal => text(type.kind === 'time' ? 'hour' : 'day')
  if (a && isClock(a) && b?.kind === 'int') return call('date_add', day(a), operator === '-' ? negated(right) : right, left)
  return operator === '+' && b && isClock(b) && a?.kind === 'int' ? call('date_add', day(b), left, right) : undefined
}

const isClock = (type: DataType): boolean => isTemporal(type) || type.kind === 'time'

function momentIn<L extends { readonly kind: string }>(expr: Expr<L>, type: DataType | undefined): Expr<L> | undefined {
  if (type && isTemporal(type)) return expr
  return isLiteral(expr) && typeof expr.value === 'string' ? momentOf(expr.value) : undefined
}

function negated<L extends { readonly kind: string }>(expr: Expr<L>): Expr<L> {
  if (isLiteral(expr) && typeof expr.value === 'number') return { ...expr, value: -expr.value }
  return { kind: 'unary', operator: '-', operand: expr }
}

/** A value of one type beside one of another. */
function besides<L extends { readonly kind: string }>({ node, types, at, wanted }: Misfit<L>): Expr<L> | undefined {
  const operands = operandsOf<L>(node)
  const shared = types.flatMap((type, i) => (type && i !== at && sameFamily(type, wanted) ? [i] : []))
  const [other = -1] = shared
  const [mine, theirs] = [types[at], types[other]]
  if (mine === undefined || theirs === undefined) return undefined
  const own = made(itemAt(operands, at), mine, theirs)
  if (own) return replaced(node, at, own)
  const its = made(itemAt(operands, other), theirs, mine)
  return its && shared.length === 1 ? replaced(node, other, its) : undefined
}

const sameFamily = (a: DataType, b: DataType | undefined): boolean =>
  b !== undefined && (a.kind === b.kind || (isNumeric(a) && isNumeric(b)) || (isTemporal(a) && isTemporal(b)))

/** A value as one of another type, where one conversion is the obvious one. */
function made<L extends { readonly kind: string }>(expr: Expr<L>, from: DataType, to: DataType): Expr<L> | undefined {
  if (isLiteral(expr) && from.kind === 'string') return undefined
  if (isLiteral(expr) && to.kind === 'boolean' && (expr.value === 1 || expr.value === 0))
    return { ...expr, value: expr.value === 1, type: BOOLEAN }
  if (isLiteral(expr) && to.kind === 'string' && isNumeric(from)) return text(String(expr.value))
  if (from.kind === 'json' && to.kind === 'string') return textIn(expr)
  if (from.kind === 'string' && isTemporal(to)) return call(to.kind === 'date' ? 'parse_date' : 'parse_timestamp', expr)
  if (from.kind === 'string' && to.kind === 'time') return cast(expr, TIME)
  if (isTemporal(from) && to.kind === 'time') return cast(expr, TIME)
  if ((isNumeric(from) || from.kind === 'boolean') && to.kind === 'string') return cast(expr, STRING)
  return from.kind === 'boolean' && isNumeric(to) ? cast(expr, INT) : undefined
}

/** An argument as what a function takes. */
function as<L extends { readonly kind: string }>(parameter: Parameter, expr: Expr<L>, type: DataType): Expr<L> | undefined {
  if (isLiteral(expr) && type.kind === 'string') return undefined
  switch (parameter) {
    case 'text':
      return type.kind === 'json' ? textIn(expr) : cast(expr, STRING)
    case 'number':
      return type.kind === 'string' ? cast(expr, FLOAT) : type.kind === 'boolean' ? cast(expr, INT) : undefined
    case 'whole':
      return isNumeric(type) || type.kind === 'string' || type.kind === 'boolean' ? cast(expr, INT) : undefined
    case 'boolean':
      if (isNumeric(type)) return { kind: 'binary', operator: '<>', left: expr, right: { kind: 'literal', value: 0, type: INT } }
      return type.kind === 'string' ? cast(expr, BOOLEAN) : undefined
    case 'moment':
    case 'clock':
    case 'clock of the unit':
      return type.kind === 'string' ? call('parse_timestamp', expr) : undefined
    default:
      return undefined
  }
}

const textIn = <L>(json: Expr<L>): Expr<L> => call('json_value', json, text('$.name'))
const text = (value: string): Literal => ({ kind: 'literal', value, type: STRING })
const call = <L>(name: string, ...args: readonly Expr<L>[]): Expr<L> => ({ kind: 'call', name, args, portable: true })
const cast = <L>(operand: Expr<L>, type: DataType): Expr<L> => ({ kind: 'cast', operand, type })

function replaced<L>(node: InnerNode<L>, at: number, by: Expr<L>): Expr<L> {
  let next = 0
  return mapOperands<L, L>(node, (operand) => (next++ === at ? by : operand))
}
