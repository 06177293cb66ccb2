/** Sums and means over subselects of non-additive measures: refused, or with a warning if the subselect names its groups. */

import type { Finding } from '@grainline/core'
import { type NamedModel, warning } from '@grainline/core/language'
import { isLinear } from '../additive.js'
import {
  bodyOf,
  type ColumnRef,
  functionName,
  type Node,
  nodesIn,
  notASubquery,
  type SelectStmt,
  theBody,
  wordsOf,
} from '../grammar/node.js'
import { quoted } from '../grammar/quoted.js'
import { modelRelation, readsOf } from '../model-relation.js'
import { mainName } from '../model-scope.js'
import { refuse } from '../refusal.js'
import { nameOf } from '../targets.js'
import type { Scope, Shown, ShownColumns } from './scope.js'
import { soleRelation } from './sole-relation.js'
import { type ValueColumn, valueColumns } from './value-columns.js'
import type { StatementWriter } from './writer.js'

/** The non-additive columns of a SELECT without its own model. Throws for a sum that the statement cannot mean. */
export function addedUp<M extends NamedModel>(stmt: SelectStmt, writer: StatementWriter<M>, scope: Scope): readonly Finding[] {
  const relations = (stmt.fromClause ?? []).flatMap((each) => relationsIn(each, writer, scope))
  if (relations.every(([, columns]) => columns.size === 0)) return []
  const { targetList, havingClause, sortClause } = stmt
  const found = new Map<string, Finding>()
  for (const node of nodesIn([targetList, havingClause, sortClause], notASubquery)) {
    const call = bodyOf(node, 'FuncCall')
    const name = functionName(call?.funcname)
    if (!call || call.over || (name !== 'sum' && name !== 'avg')) continue
    for (const { column } of (call.args ?? []).flatMap(valueColumns)) {
      for (const shown of shownBy(column, relations)) {
        if (!shown.finished) refuseSum(name.toUpperCase(), shown, writer.sql.place(call.location))
        found.set(`${name} ${shown.measure}`, noticeOf(name.toUpperCase(), shown))
      }
    }
  }
  return [...found.values()]
}

function refuseSum(name: string, { measure, model }: Shown, at: ReturnType<StatementWriter['sql']['place']>): never {
  const what = name === 'SUM' ? 'the sum' : 'the mean'
  return refuse(
    'UNSUPPORTED_SQL_FEATURE',
    `${name} over a subselect of '${measure}', which does not add up, is not '${measure}' of its rows`,
    {
      at,
      clause: 'aggregate',
      rewrite: `SELECT MEASURE(${quoted(measure)}) FROM ${quoted(model)} for the value of all of them, or GROUP BY in the subselect for ${what} of its groups`,
    },
  )
}

const noticeOf = (name: string, { measure }: Shown): Finding =>
  warning(
    'GROUPS_ADDED_UP',
    `${name} is of the groups of the subselect, and '${measure}' does not add up: it is not '${measure}' of all of them`,
    {
      path: 'sql',
      hint: `MEASURE(${quoted(measure)}) without the subselect is the value of all of them.`,
    },
  )

type Relation = readonly [alias: string | undefined, columns: ShownColumns]

const shownBy = ({ fields = [] }: ColumnRef, relations: readonly Relation[]): readonly Shown[] => {
  const words = wordsOf(fields)
  return relations.flatMap(([alias, columns]) =>
    words.length === 1 || words.at(-2) === alias ? (columns.get(words.at(-1) ?? '') ?? []) : [],
  )
}

/** Each measure once, however often an expression reads it. */
const distinct = (shown: readonly Shown[]): readonly Shown[] =>
  shown.length < 2 ? shown : [...new Map(shown.map((each) => [JSON.stringify(each), each])).values()]

function relationsIn<M extends NamedModel>(node: Node, writer: StatementWriter<M>, scope: Scope): Relation[] {
  const join = bodyOf(node, 'JoinExpr')
  if (join) return [join.larg, join.rarg].flatMap((side) => relationsIn(side, writer, scope))
  const made = bodyOf(node, 'RangeVar')
  if (made) return [[made.alias?.aliasname ?? made.relname, scope.shown?.get(made.relname ?? '') ?? new Map()]]
  const subquery = bodyOf(node, 'RangeSubselect')
  const inner = bodyOf(subquery?.subquery, 'SelectStmt')
  return inner ? [[subquery?.alias?.aliasname, shownColumns(inner, writer, scope)]] : []
}

/** The columns of a SELECT that contain non-additive measures. */
export function shownColumns<M extends NamedModel>(stmt: SelectStmt, writer: StatementWriter<M>, scope: Scope): ShownColumns {
  const { made, shown } = scope
  const before = known.get(stmt)
  if (before?.writer === writer && before.made === made && before.shown === shown) return before.columns
  const columns = shownOnce(stmt, writer, scope)
  known.set(stmt, { writer, made, shown, columns })
  return columns
}

/** Every enclosing SELECT needs the result for those within it: each is computed once. */
const known = new WeakMap<SelectStmt, Known>()

interface Known {
  readonly writer: unknown
  readonly made: Scope['made']
  readonly shown: Scope['shown'] | undefined
  readonly columns: ShownColumns
}

function shownOnce<M extends NamedModel>(stmt: SelectStmt, writer: StatementWriter<M>, scope: Scope): ShownColumns {
  if (stmt.larg && stmt.rarg) return both(shownColumns(stmt.larg, writer, scope), shownColumns(stmt.rarg, writer, scope))
  if (stmt.withClause || stmt.valuesLists) return new Map()
  const sole = soleRelation(stmt, writer.models, scope.made, writer)
  const shows = sole ? ofModel(stmt, sole.model, sole.alias, writer) : ofRelations(stmt, writer, scope)
  const columns = new Map<string, readonly Shown[]>()
  for (const each of stmt.targetList ?? []) {
    const { name, val } = theBody(each, 'ResTarget')
    for (const [column, shown] of shows(val, name)) if (shown.length > 0) columns.set(column, distinct(shown))
  }
  return columns
}

type Shows = (node: Node, name: string | undefined) => readonly (readonly [column: string, shown: readonly Shown[]])[]

function ofModel<M extends NamedModel>(stmt: SelectStmt, named: M, alias: string | undefined, writer: StatementWriter<M>): Shows {
  const relation = modelRelation(named, alias, writer)
  const finished = stmt.groupClause !== undefined || stmt.distinctClause !== undefined
  const isMeasure = ({ column }: ValueColumn): boolean => relation.name(column).role === 'measure'
  return (node, name) => {
    if (nodesIn(node).some((each) => 'A_Star' in each)) return []
    const measures = valueColumns(node).filter(isMeasure)
    const isRatio = measures.some(({ divides }) => divides)
    const names = measures.map(({ column }) => relation.name(column).text)
    const wide = isRatio ? names.slice(0, 1) : names.filter((each) => !isLinear(each, named.model))
    const shown = wide.map((measure) => ({ measure, model: mainName(named), finished }))
    return [[name ?? nameOf(node, relation), readsOf(node, relation).length > 0 ? shown : []]]
  }
}

function ofRelations<M extends NamedModel>(stmt: SelectStmt, writer: StatementWriter<M>, scope: Scope): Shows {
  const relations = (stmt.fromClause ?? []).flatMap((each) => relationsIn(each, writer, scope))
  return (node, name) => {
    const fields = bodyOf(node, 'ColumnRef')?.fields ?? []
    if (fields.some((field) => 'A_Star' in field)) {
      const words = wordsOf(fields.slice(0, -1))
      return relations.flatMap(([alias, columns]) => (words.length === 0 || words[0] === alias ? [...columns] : []))
    }
    // A value that is aggregated again is an independent number.
    const isAggregated = nodesIn(node, notASubquery).some((each) => {
      const known = writer.evaluator.functions[functionName(bodyOf(each, 'FuncCall')?.funcname)]
      return known?.kind === 'aggregate'
    })
    return [[name ?? nameOf(node), isAggregated ? [] : valueColumns(node).flatMap(({ column }) => shownBy(column, relations))]]
  }
}

/** The columns of a union have the names of its first part. */
function both(left: ShownColumns, right: ShownColumns): ShownColumns {
  const rest = [...right.values()].flat()
  return new Map([...left].map(([name, shown]) => [name, distinct([...shown, ...rest])]))
}
