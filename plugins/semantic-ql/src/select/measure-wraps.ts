/** Aggregates around an expression of one measure: accepted if SQL over the rows of the measure has the same result, otherwise refused by name. */
import type { Measure } from '@grainline/core/language'
import {
  type A_Expr,
  bodyOf,
  type FuncCall,
  functionName,
  type Node,
  nodesIn,
  notASubquery,
  type SelectStmt,
  theBody,
  wordNodes,
  wordsOf,
} from '../grammar/node.js'
import { rewritten } from '../grammar/rewrite.js'
import { isAggregate, type ModelRelation, readsOf } from '../model-relation.js'
import { unsupported } from '../refusal.js'

/** The SELECT with `SUM(2 * "Sum")` and similar expressions as `2 * "Sum"`. Throws for an aggregate that would change a measure. */
export function withoutWraps(stmt: SelectStmt, relation: ModelRelation): SelectStmt {
  const change = (node: Node): Node | undefined => {
    const call = bodyOf(node, 'FuncCall')
    return call && !call.over ? unwrapped(call, relation) : undefined
  }
  const isWrapped = nodesIn(stmt, notASubquery).some((node) => {
    const call = bodyOf(node, 'FuncCall')
    return call !== undefined && !call.over && measureInside(call, relation) !== undefined
  })
  if (!isWrapped) return stmt
  const targetList = (stmt.targetList ?? []).map((target) => withName(target, relation))
  return rewritten({ ...stmt, targetList }, change, notASubquery)
}

/** An item keeps the name that SQL gives it. */
function withName(node: Node, relation: ModelRelation): Node {
  const target = bodyOf(node, 'ResTarget')
  const call = bodyOf(target?.val, 'FuncCall')
  const isNamed = target?.name !== undefined || !call || call.over || measureInside(call, relation) === undefined
  return isNamed ? node : { ResTarget: { ...target, name: functionName(call.funcname) } }
}

/** The name of the measure that an aggregate reads inside an expression; `undefined` where it reads none, or one by itself. */
function measureInside(call: FuncCall, relation: ModelRelation): string | undefined {
  if (!isAggregate(call, relation) || call.agg_star || relation.measure(call)) return undefined
  const reads = (call.args ?? []).flatMap((arg) => readsOf(arg, relation))
  return reads.find(({ role }) => role === 'measure')?.text
}

function unwrapped(call: FuncCall, relation: ModelRelation): Node | undefined {
  const name = measureInside(call, relation)
  if (name === undefined) return undefined
  const aggregate = functionName(call.funcname)
  const measure = relation.named.model.measures.get(name)
  const argument = call.args?.[0]
  const isPlain = call.args?.length === 1 && !call.agg_distinct && !call.agg_order
  const { agg_filter: filter, ...unfiltered } = call
  if (filter && argument && bodyOf(argument, 'ColumnRef') && relation.measure(unfiltered)) return underFilter(argument, filter)
  const kept = isPlain && measure && KEPT[aggregate]?.measures.includes(measure.aggregation) ? KEPT[aggregate] : undefined
  const inside = kept && argument && stripped(argument, kept, relation)
  if (!inside) return refuseWrap(call, name, measure, relation)
  return filter ? underFilter(inside, filter) : inside
}

/** The expression with its measure under a condition. */
const underFilter = (node: Node, agg_filter: Node): Node =>
  rewritten(node, (each) =>
    'ColumnRef' in each ? { FuncCall: { funcname: wordNodes('measure'), args: [each], agg_filter } } : undefined,
  )

/** The wrappers that are allowed between an aggregate and its measure: they do not change the value of both together. */
interface Kept {
  readonly measures: readonly string[]
  /** A constant may be added. */
  readonly adds: boolean
  /** A factor keeps the order only where it is positive. */
  readonly ordered: boolean
  /** NULLs count as nothing. */
  readonly nullIsZero: boolean
}

const KEPT: Readonly<Record<string, Kept>> = {
  sum: { measures: ['sum', 'count', 'count_if'], adds: false, ordered: false, nullIsZero: true },
  avg: { measures: ['avg'], adds: true, ordered: false, nullIsZero: false },
  min: { measures: ['min'], adds: true, ordered: true, nullIsZero: false },
  max: { measures: ['max'], adds: true, ordered: true, nullIsZero: false },
}

/** The expression over the finished measure; `undefined` if the aggregate would have another value. */
function stripped(node: Node, kept: Kept, relation: ModelRelation): Node | undefined {
  const column = bodyOf(node, 'ColumnRef')
  if (column) return relation.name(column).role === 'measure' ? node : undefined
  const cast = bodyOf(node, 'TypeCast')
  if (cast) return castOf(node, kept, relation)
  const first = bodyOf(node, 'CoalesceExpr')
  if (first) {
    const [arg, other, ...more] = first.args ?? []
    if (!arg || !other || !kept.nullIsZero || more.length > 0 || numberOf(other) !== 0) return undefined
    const inside = stripped(arg, kept, relation)
    return inside && { CoalesceExpr: { ...first, args: [inside, other] } }
  }
  const operator = bodyOf(node, 'A_Expr')
  return operator && operatorOf(operator, kept, relation)
}

/** A lossless cast to a wider number. A cast to `decimal` without a precision changes nothing. */
function castOf(node: Node, kept: Kept, relation: ModelRelation): Node | undefined {
  const { arg, typeName } = theBody(node, 'TypeCast')
  const inside = stripped(arg, kept, relation)
  const [type, isSized] = [wordsOf(typeName?.names).at(-1) ?? '', (typeName?.typmods ?? []).length > 0]
  if (!inside || isSized) return undefined
  if (type === 'numeric') return inside
  return type === 'float8' ? { TypeCast: { arg: inside, typeName: typeName! } } : undefined
}

function operatorOf(expr: A_Expr, kept: Kept, relation: ModelRelation): Node | undefined {
  const symbol = wordsOf(expr.name).at(-1) ?? ''
  const [left, right] = [expr.lexpr, expr.rexpr]
  if (!left || !right || expr.kind !== 'AEXPR_OP') return undefined
  const isLeft = numberOf(left) === undefined
  const number = numberOf(isLeft ? right : left)
  const inside = number === undefined ? undefined : stripped(isLeft ? left : right, kept, relation)
  const isExact = bodyOf(right, 'A_Const')?.fval !== undefined || readsOf(left, relation)[0]?.type.kind !== 'int'
  if (number === undefined || !inside || !keeps(symbol, { number, isLeft, isExact }, kept)) return undefined
  return { A_Expr: { ...expr, ...(isLeft ? { lexpr: inside } : { rexpr: inside }) } }
}

interface Constant {
  readonly number: number
  readonly isLeft: boolean
  /** Its quotient is not truncated. */
  readonly isExact: boolean
}

function keeps(symbol: string, { number, isLeft, isExact }: Constant, { adds, ordered }: Kept): boolean {
  if (symbol === '*') return !ordered || number > 0
  // The quotient of integers is an integer, so a sum of quotients would be another number.
  if (symbol === '/') return isLeft && isExact && number !== 0 && (!ordered || number > 0)
  if (symbol === '+') return adds || number === 0
  return symbol === '-' && isLeft && (adds || number === 0)
}

/** The value of a numeric constant or its negative. */
function numberOf(node: Node | undefined): number | undefined {
  const constant = bodyOf(node, 'A_Const')
  if (constant?.ival) return constant.ival.ival ?? 0
  if (constant?.fval) return Number(constant.fval.fval ?? 0)
  const cast = bodyOf(node, 'TypeCast')
  return cast && numberOf(cast.arg)
}

function refuseWrap(call: FuncCall, name: string, measure: Measure | undefined, relation: ModelRelation): never {
  const aggregate = functionName(call.funcname).toUpperCase()
  const is = measure ? `a measure of kind ${measure.distinct ? 'distinct ' : ''}${measure.aggregation}` : 'a metric'
  return unsupported('aggregate', `${aggregate} of an expression over '${name}', which is ${is}, would be another number`, {
    at: relation.sql.place(call.location),
    rewrite: `the expression over MEASURE("${name}") without ${aggregate}`,
  })
}
