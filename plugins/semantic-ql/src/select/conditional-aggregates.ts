/** Aggregates of a CASE, `SUM(CASE WHEN … THEN "Measure" END)`, as the equivalent FILTER. */

import { zip } from '@grainline/core'
import {
  bodiesOf,
  bodyOf,
  type CaseExpr,
  everyOf,
  type FuncCall,
  functionName,
  integerNode,
  isNotTrue,
  type Node,
  notASubquery,
  operation,
  type SelectStmt,
  theBody,
  wordNodes,
} from '../grammar/node.js'
import { rewritten } from '../grammar/rewrite.js'
import { isAggregate, type ModelRelation, readsOf } from '../model-relation.js'
import { mainName } from '../model-scope.js'
import { unsupported } from '../refusal.js'
import { nameOf } from '../targets.js'

/** The SELECT with every aggregate of a CASE over measures and constants, and every count of a dimension, as one with a FILTER. */
export function withFilters(stmt: SelectStmt, relation: ModelRelation): SelectStmt {
  const change = (node: Node): Node | undefined => {
    const target = bodyOf(node, 'ResTarget')
    if (target) return withName(node, rewritten(target.val, change, notASubquery))
    const call = bodyOf(node, 'FuncCall')
    return call && filtered(call, relation)
  }
  return rewritten(stmt, change, notASubquery)
}

/** An item keeps the name that SQL gives it. */
function withName(node: Node, val: Node): Node {
  const target = theBody(node, 'ResTarget')
  return val === target.val ? node : { ResTarget: { ...target, name: target.name ?? nameOf(target.val), val } }
}

interface Branch {
  /** `undefined`: all rows. */
  readonly when: Node | undefined
  readonly then: Node
}

function filtered(call: FuncCall, relation: ModelRelation): Node | undefined {
  const [argument, ...more] = call.args ?? []
  if (!argument || more.length > 0 || call.over || call.agg_distinct || call.agg_order || !isAggregate(call, relation))
    return undefined
  const cases = bodyOf(argument, 'CaseExpr')
  if (!cases)
    return isCount(call) && isOfDimensions(argument, relation) ? countOf(call, { when: undefined, then: argument }) : undefined
  const branches = branchesOf(cases)
  if (!branches.every(({ then }) => isCount(call) || numberOf(then) !== undefined || readsMeasure(then, relation)))
    return undefined
  if (bodiesOf(cases.args, 'CaseWhen').some(({ expr }) => readsMeasure(expr, relation))) return refuseCondition(call, relation)
  const terms = branches.map((branch) => termOf(call, branch, relation))
  const counted = (): Node => (terms.length === 0 ? integerNode(0) : terms.reduce((sum, term) => operation('+', sum, term)))
  switch (functionName(call.funcname)) {
    case 'count':
      return counted()
    case 'sum':
      return sumOf(branches, terms)
    case 'avg':
      if (branches.every(({ then }) => isConstant(then))) return meanOf(call, branches, terms, relation)
  }
  const [branch, ...others] = branches
  return branch && others.length === 0 && readsMeasure(branch.then, relation) ? terms[0] : undefined
}

/** The average of constants: their sum divided by the number of rows with a constant. */
function meanOf(call: FuncCall, branches: readonly Branch[], terms: readonly Node[], relation: ModelRelation): Node {
  const count: FuncCall = { ...call, funcname: wordNodes('count') }
  const counts = branches.map((branch) => termOf(count, branch, relation))
  return operation(
    '/',
    sumOf(branches, terms),
    counts.reduce((sum, term) => operation('+', sum, term)),
  )
}

/** The branches with a value, each with its complete condition. */
function branchesOf({ arg, args = [], defresult }: CaseExpr): Branch[] {
  const whens = bodiesOf(args, 'CaseWhen')
  const tests = whens.map(({ expr }) => (arg ? operation('=', arg, expr) : expr))
  const branches = zip(whens, tests).map(([{ result }, test], i) => ({
    when: everyOf([...tests.slice(0, i).map(isNotTrue), test]),
    then: result,
  }))
  const last = defresult ? [{ when: everyOf(tests.map(isNotTrue)), then: defresult }] : []
  return [...branches, ...last].filter(({ then }) => !isNull(then))
}

function termOf(call: FuncCall, branch: Branch, relation: ModelRelation): Node {
  if (isCount(call) && !readsMeasure(branch.then, relation)) return countOf(call, branch)!
  if (!isConstant(branch.then)) return { FuncCall: { ...call, args: [branch.then], ...filterOf(call, branch.when) } }
  // A sum over no rows is NULL.
  const count: Node = countOf({ ...call, args: [] }, { ...branch, then: integerNode(1) })!
  const none: Node = { A_Expr: { kind: 'AEXPR_NULLIF', name: wordNodes('='), lexpr: count, rexpr: integerNode(0) } }
  return operation('*', none, branch.then)
}

/** Rows that meet the condition and have a value. */
function countOf(call: FuncCall, { when, then }: Branch): Node | undefined {
  const given: Node[] = isConstant(then) ? [] : [{ NullTest: { arg: then, nulltesttype: 'IS_NOT_NULL' } }]
  const tests = [...(when ? [when] : []), ...given]
  const { args: _args, ...bare } = call
  return {
    FuncCall: {
      ...bare,
      funcname: wordNodes('count'),
      agg_star: true,
      ...(tests.length > 0 && filterOf(call, everyOf(tests))),
    },
  }
}

/** With its own condition, if it has one. */
const filterOf = ({ agg_filter }: FuncCall, when: Node | undefined): { readonly agg_filter?: Node } =>
  when ? { agg_filter: agg_filter ? everyOf([agg_filter, when]) : when } : {}

/** A branch with zero makes the sum over no rows zero. */
function sumOf(branches: readonly Branch[], terms: readonly Node[]): Node {
  const isZero = branches.map(({ then }) => numberOf(then) === 0)
  const counted = terms.filter((_, i) => !isZero[i])
  const zero = integerNode(0)
  const [first, ...others] = counted
  if (first && others.length === 0) return isZero.includes(true) ? orZero(first) : first
  const total = counted.map(orZero).reduce<Node>((sum, term) => (sum === zero ? term : operation('+', sum, term)), zero)
  if (isZero.includes(true)) return total
  const none = everyOf(counted.map((arg): Node => ({ NullTest: { arg, nulltesttype: 'IS_NULL' } })))
  return {
    CaseExpr: { args: [{ CaseWhen: { expr: none, result: { A_Const: { isnull: true } } } }], defresult: total },
  }
}

const orZero = (arg: Node): Node => ({ CoalesceExpr: { args: [arg, integerNode(0)] } })

const isCount = ({ funcname }: FuncCall): boolean => functionName(funcname) === 'count'

const readsMeasure = (node: Node, relation: ModelRelation): boolean =>
  readsOf(node, relation).some(({ role }) => role === 'measure')

/** `COUNT("Dimension")`: rows that have a value of it. */
function isOfDimensions(node: Node, relation: ModelRelation): boolean {
  const reads = readsOf(node, relation)
  return reads.length > 0 && reads.every(({ role }) => role === 'dimension')
}

const isNull = (node: Node): boolean => bodyOf(node, 'A_Const')?.isnull === true || isNullCast(node)
const isNullCast = (node: Node): boolean => {
  const arg = bodyOf(node, 'TypeCast')?.arg
  return arg !== undefined && isNull(arg)
}

/** A constant or its negative, with casts. */
function isConstant(node: Node): boolean {
  if (bodyOf(node, 'A_Const') || bodyOf(node, 'ParamRef')) return true
  const arg = bodyOf(node, 'TypeCast')?.arg
  return arg !== undefined && isConstant(arg)
}

function numberOf(node: Node): number | undefined {
  const constant = bodyOf(node, 'A_Const')
  if (constant?.ival) return constant.ival.ival ?? 0
  if (constant?.fval) return Number(constant.fval.fval ?? 0)
  const arg = bodyOf(node, 'TypeCast')?.arg
  return arg && numberOf(arg)
}

function refuseCondition(call: FuncCall, relation: ModelRelation): never {
  const name = functionName(call.funcname).toUpperCase()
  return unsupported('aggregate', `A condition inside ${name} chooses rows, and no row has a value of a measure`, {
    at: relation.sql.place(call.location),
    rewrite: `${name}(…) over (SELECT dimensions, measures FROM ${mainName(relation.named)} GROUP BY …) AS t`,
  })
}
