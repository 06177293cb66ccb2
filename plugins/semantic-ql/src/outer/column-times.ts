/** Which columns and expressions of an outer statement are times: the evaluator gives a literal beside one another meaning than a filter does. */
import { type DataType, isTemporal, type NamedModel } from '@grainline/core/language'
import { attempt } from '../attempt.js'
import { typeNamed } from '../constants.js'
import { readExpression } from '../expression.js'
import { bodiesOf, bodyOf, type ColumnRef, functionName, type Node, type SelectStmt, theBody, wordsOf } from '../grammar/node.js'
import { type ModelRelation, modelRelation } from '../model-relation.js'
import { typeOfExpr } from '../reader.js'
import { nameOf } from '../targets.js'
import type { OuterTime, Scope, TimesOf } from './scope.js'
import { relationOf, soleRelation } from './sole-relation.js'
import type { StatementWriter } from './writer.js'

type Columns = readonly (readonly [name: string, time: OuterTime | undefined])[]
type Find = (column: ColumnRef) => OuterTime | undefined

/** The times among the columns of FROM, found when the first is asked for. */
export function timesOfFrom<M extends NamedModel>(
  fromClause: readonly Node[] | undefined,
  writer: StatementWriter<M>,
  outer: Scope,
): TimesOf {
  let relations: readonly Find[] | undefined
  return (node) => {
    const column = bodyOf(node, 'ColumnRef')
    if (!column) return outer.time?.(node)
    relations ??= (fromClause ?? []).flatMap((each) => relationsIn(each, writer, outer))
    for (const find of relations) {
      const time = find(column)
      if (time) return time
    }
    return outer.time?.(node)
  }
}

/** The times among what a SELECT from one model writes. */
export function timesOfModel<M extends NamedModel>(
  relation: ModelRelation<M>,
  isColumn: (node: Node) => boolean,
  outer: Scope,
): TimesOf {
  return (node) => (isColumn(node) ? timeIn(relation, node) : outer.time?.(node))
}

/** The columns of a relation of WITH. */
export function timesOfWith<M extends NamedModel>(
  query: SelectStmt,
  names: readonly Node[] | undefined,
  writer: StatementWriter<M>,
  scope: Scope,
) {
  let columns: ReadonlyMap<string, OuterTime> | undefined
  return (name: string): OuterTime | undefined => {
    columns ??= named(columnsOf(query, writer, scope), names)
    return columns.get(name)
  }
}

const timeOfType = (type: DataType | undefined, zone: string): OuterTime | undefined =>
  type?.kind === 'date' || type?.kind === 'timestamp' || type?.kind === 'timestamp_tz' ? { kind: type.kind, zone } : undefined

const timeIn = (relation: ModelRelation, node: Node): OuterTime | undefined =>
  timeOfType(
    attempt(() => typeOfExpr(readExpression(node, relation), relation)),
    relation.zone,
  )

const key = (name: string): string => name.toLowerCase()

const named = (columns: Columns, names: readonly Node[] | undefined): ReadonlyMap<string, OuterTime> =>
  new Map(columns.flatMap(([name, time], i) => (time ? [[key(wordsOf(names)[i] ?? name), time] as const] : [])))

function relationsIn<M extends NamedModel>(node: Node, writer: StatementWriter<M>, scope: Scope): Find[] {
  const join = bodyOf(node, 'JoinExpr')
  if (join) return [join.larg, join.rarg].flatMap((side) => relationsIn(side, writer, scope))
  const model = relationOf(node, writer.models, scope.made)
  if (model) {
    const relation = modelRelation(model.model, model.alias ?? bodyOf(node, 'RangeVar')?.relname, writer)
    return [
      (column) =>
        relation.owns(wordsOf(column.fields)) || relation.has(column) ? timeIn(relation, { ColumnRef: column }) : undefined,
    ]
  }
  const made = bodyOf(node, 'RangeVar')
  if (made) {
    const find = scope.timesOfWith?.get(made.relname ?? '')
    return find ? [ofAlias(made.alias?.aliasname ?? made.relname, find)] : []
  }
  const subquery = bodyOf(node, 'RangeSubselect')
  const inner = bodyOf(subquery?.subquery, 'SelectStmt')
  return inner ? [ofAlias(subquery?.alias?.aliasname, timesOfWith(inner, subquery?.alias?.colnames, writer, scope))] : []
}

const ofAlias =
  (alias: string | undefined, find: (name: string) => OuterTime | undefined): Find =>
  ({ fields }) => {
    const words = wordsOf(fields)
    return words.length === 1 || words.at(-2) === alias ? find(key(words.at(-1) ?? '')) : undefined
  }

/** Every enclosing SELECT asks for the columns of those within it: each is read once. */
const known = new WeakMap<SelectStmt, { readonly writer: unknown; readonly made: Scope['made']; readonly columns: Columns }>()

function columnsOf<M extends NamedModel>(stmt: SelectStmt, writer: StatementWriter<M>, scope: Scope): Columns {
  const before = known.get(stmt)
  if (before?.writer === writer && before.made === scope.made) return before.columns
  const columns = columnsOnce(stmt, writer, scope)
  known.set(stmt, { writer, made: scope.made, columns })
  return columns
}

function columnsOnce<M extends NamedModel>(stmt: SelectStmt, writer: StatementWriter<M>, outer: Scope): Columns {
  if (stmt.valuesLists) return []
  const scope = withTimes(stmt, writer, outer)
  if (stmt.larg) return columnsOf(stmt.larg, writer, scope)
  const sole = soleRelation(stmt, writer.models, scope.made, writer)
  const relation = sole && modelRelation(sole.model, sole.alias, writer)
  const inside: Scope = { ...scope, time: timesOfFrom(stmt.fromClause, writer, scope) }
  return (stmt.targetList ?? []).flatMap((each): Columns => {
    const { name, val } = theBody(each, 'ResTarget')
    if (bodyOf(val, 'ColumnRef')?.fields?.some((field) => 'A_Star' in field))
      return relation ? ofSchema(relation) : everyColumn(stmt.fromClause, writer, scope)
    const time = periodIn(val, inside) ?? (relation && timeIn(relation, val)) ?? timeOf(val, inside)
    return [[name ?? nameOf(val, relation), time]]
  })
}

const ofSchema = ({ named: model, relationColumns, zone }: ModelRelation): Columns =>
  (relationColumns.get(model)?.schema ?? []).map(({ name, type }) => [name, timeOfType(type, zone)])

function everyColumn<M extends NamedModel>(
  nodes: readonly Node[] | undefined,
  writer: StatementWriter<M>,
  scope: Scope,
): Columns {
  return (nodes ?? []).flatMap((node): Columns => {
    const join = bodyOf(node, 'JoinExpr')
    if (join) return everyColumn([join.larg, join.rarg], writer, scope)
    const inner = bodyOf(bodyOf(node, 'RangeSubselect')?.subquery, 'SelectStmt')
    return inner ? columnsOf(inner, writer, scope) : []
  })
}

/** The scope of a SELECT with the relations of its WITH. */
function withTimes<M extends NamedModel>({ withClause }: SelectStmt, writer: StatementWriter<M>, outer: Scope): Scope {
  if (!withClause) return outer
  const made = new Set(outer.made)
  const times = new Map(outer.timesOfWith)
  for (const { ctename = '', ctequery, aliascolnames } of bodiesOf(withClause.ctes, 'CommonTableExpr')) {
    const query = bodyOf(ctequery, 'SelectStmt')
    const before: Scope = { ...outer, made: new Set(made), timesOfWith: new Map(times) }
    if (query) times.set(ctename, timesOfWith(query, aliascolnames, writer, before))
    made.add(ctename)
  }
  return { ...outer, made, timesOfWith: times }
}

/** Functions with the type of their first argument. */
const KEEPING: ReadonlySet<string> = new Set('min max any_value first_value last_value nth_value lag lead mode'.split(' '))

/** A value of several types has the last of them. */
const KINDS: readonly OuterTime['kind'][] = ['date', 'timestamp', 'timestamp_tz']

/** `date_trunc('unit', instant)`. */
function periodIn(node: Node, scope: Scope): OuterTime | undefined {
  const call = bodyOf(node, 'FuncCall')
  if (!call || functionName(call.funcname) !== 'date_trunc') return undefined
  const period = bodyOf(call.args?.[0], 'A_Const')?.sval?.sval
  const time = timeOf(call.args?.[1], scope)
  return period !== undefined && time?.kind === 'timestamp_tz' ? { ...time, period } : undefined
}

/** The time that an expression is; `undefined` for any other type, and where it is not known. */
export function timeOf(node: Node | undefined, scope: Scope): OuterTime | undefined {
  if (!node) return undefined
  const direct = scope.time?.(node)
  const periodical = periodIn(node, scope)
  if (periodical) return periodical
  if (direct) return direct
  const anyOf = (nodes: readonly (Node | undefined)[]): OuterTime | undefined =>
    nodes
      .flatMap((each) => timeOf(each, scope) ?? [])
      .toSorted((a, b) => KINDS.indexOf(b.kind) - KINDS.indexOf(a.kind))
      .map(({ kind, zone }) => ({ kind, zone }))
      .at(0)
  const call = bodyOf(node, 'FuncCall')
  if (call) {
    const name = functionName(call.funcname)
    if (name === 'date_trunc') return timeOf(call.args?.[1], scope)
    return KEEPING.has(name) ? timeOf(call.args?.[0], scope) : undefined
  }
  const several = bodyOf(node, 'CoalesceExpr') ?? bodyOf(node, 'MinMaxExpr')
  if (several) return anyOf(several.args ?? [])
  const cases = bodyOf(node, 'CaseExpr')
  if (cases) return anyOf([...bodiesOf(cases.args, 'CaseWhen').map(({ result }) => result), cases.defresult])
  const cast = bodyOf(node, 'TypeCast')
  if (!cast || 'A_Const' in cast.arg) return undefined
  const type = attempt(() => typeNamed(cast.typeName, undefined))
  return type === undefined || type === 'numeric' || !isTemporal(type)
    ? undefined
    : timeOfType(type, timeOf(cast.arg, scope)?.zone ?? 'UTC')
}
