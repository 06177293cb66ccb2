/** FROM with joins: subqueries and relations of WITH unchanged, models as model queries. */
import type { NamedModel } from '@grainline/core/language'
import {
  bodyOf,
  type ColumnRef,
  everyOf,
  functionName,
  type JoinExpr,
  locationOf,
  type Node,
  nodesIn,
  type RangeFunction,
  type RangeVar,
  type SelectStmt,
  theBody,
  wordsOf,
} from '../grammar/node.js'
import { quoted } from '../grammar/quoted.js'
import { isAbout, type ModelRelation, modelRelation, readsOf } from '../model-relation.js'
import { mainName, notAModel } from '../model-scope.js'
import { unsupported } from '../refusal.js'
import { conjunctsOf } from '../select/conditions.js'
import { readModelSelect } from '../select/model-select.js'
import { asRows } from './as-rows.js'
import { countsRows } from './counts-rows.js'
import { expressionText } from './expression.js'
import { modelText } from './model-text.js'
import { columnNames, type Scope } from './scope.js'
import { relationOf } from './sole-relation.js'
import type { StatementWriter } from './writer.js'

interface Joined<M extends NamedModel> {
  readonly node: Node
  readonly alias: string
  readonly relation: ModelRelation<M>
  /** The conditions of the relation itself. */
  readonly where: Node | undefined
  /** Its rows may be missing because of an outer join. */
  readonly optional: boolean
}

/** The text of FROM, the meaning of names in its SELECT, and the SELECT without the parts that moved into the model queries. */
export function relationsText<M extends NamedModel>(stmt: SelectStmt, writer: StatementWriter<M>, outer: Scope) {
  const models = (stmt.fromClause ?? []).flatMap((each) => modelsIn(each, writer, outer, false))
  refuseStars(stmt, models, writer)
  const owner = ownerAmong(
    models,
    (stmt.fromClause ?? []).every((each) => readsOnlyModels(each, models)),
  )
  const moved = new Map<Joined<M>, Node[]>()
  const kept = conjunctsOf(stmt.whereClause).filter((condition) => {
    const home = homeOf(condition, models, owner)
    if (home) moved.set(home, [...(moved.get(home) ?? []), condition])
    return home === undefined
  })
  const rest: SelectStmt = { ...stmt }
  delete rest.whereClause
  if (kept.length > 0) rest.whereClause = everyOf(kept)
  const texts = new Map(
    models.map((joined) => [
      joined.node,
      leafText(joined, { stmt: rest, conditions: moved.get(joined) ?? [], owner }, writer, outer),
    ]),
  )
  const spelled = (node: Node): string | undefined => spelledOf(node, owner, writer) ?? outer.spelled(node)
  const scope: Scope = { ...outer, spelled }
  const text = (stmt.fromClause ?? []).map((each) => fromText(each, texts, writer, scope)).join(', ')
  return { text, scope, rest }
}

/** The model of a column: the one that it is qualified with, or the only one that has it if there are only models. */
function ownerAmong<M extends NamedModel>(models: readonly Joined<M>[], alone: boolean) {
  const found = new Map<Node, Joined<M> | undefined>()
  const find = (column: ColumnRef): Joined<M> | undefined => {
    const words = wordsOf(column.fields)
    if (words.length > 1 || !alone) return models.find(({ relation }) => relation.owns(words))
    const having = models.filter(({ relation }) => relation.has(column))
    return having.length === 1 ? having[0] : undefined
  }
  return (node: Node): Joined<M> | undefined => {
    const column = bodyOf(node, 'ColumnRef')
    if (!column) return undefined
    if (!found.has(node)) found.set(node, find(column))
    return found.get(node)
  }
}

function readsOnlyModels<M extends NamedModel>(node: Node, models: readonly Joined<M>[]): boolean {
  const join = bodyOf(node, 'JoinExpr')
  if (join) return readsOnlyModels(join.larg, models) && readsOnlyModels(join.rarg, models)
  return models.some((joined) => joined.node === node)
}

function modelsIn<M extends NamedModel>(node: Node, writer: StatementWriter<M>, scope: Scope, optional: boolean): Joined<M>[] {
  const join = bodyOf(node, 'JoinExpr')
  if (join) {
    const full = join.jointype === 'JOIN_FULL'
    return [
      ...modelsIn(join.larg, writer, scope, optional || full || join.jointype === 'JOIN_RIGHT'),
      ...modelsIn(join.rarg, writer, scope, optional || full || join.jointype === 'JOIN_LEFT'),
    ]
  }
  const found = relationOf(node, writer.models, scope.made)
  if (!found) return []
  const alias = found.alias ?? bodyOf(node, 'RangeVar')?.relname ?? ''
  return [{ node, alias, optional, where: found.where, relation: modelRelation(found.model, alias, writer) }]
}

/** The model that has all fields of a condition: it then restricts the rows that are counted, as in a SELECT from that model alone. */
function homeOf<M extends NamedModel>(
  condition: Node,
  models: readonly Joined<M>[],
  owner: (node: Node) => Joined<M> | undefined,
): Joined<M> | undefined {
  const columns = nodesIn(condition).filter((node) => 'ColumnRef' in node)
  const home = columns[0] && owner(columns[0])
  if (!home || !models.includes(home) || columns.some((column) => owner(column) !== home)) return undefined
  if (isAbout(condition, home.relation) || readsOf(condition, home.relation).some((read) => read.role === 'measure'))
    return undefined
  if (!home.optional) return home
  return unsupported('WHERE', `A condition on '${home.alias}', whose rows the join may not find, cannot be moved into it`, {
    at: home.relation.sql.place(locationOf(columns[0])),
    rewrite: `JOIN (SELECT … FROM ${quoted(mainName(home.relation.named))} WHERE …) AS ${quoted(home.alias)}`,
  })
}

/** The position of a model in a statement. */
interface LeafContext<M extends NamedModel> {
  readonly stmt: SelectStmt
  readonly conditions: readonly Node[]
  readonly owner: (node: Node) => Joined<M> | undefined
}

/** A model as the subquery of the fields that the statement reads from it. */
function leafText<M extends NamedModel>(
  { node, alias, relation, where }: Joined<M>,
  { stmt, conditions, owner }: LeafContext<M>,
  writer: StatementWriter<M>,
  scope: Scope,
): string {
  const fields = new Map<string, Node>()
  for (const each of nodesIn(stmt)) {
    if ('ColumnRef' in each && owner(each)?.node === node) fields.set(relation.name(theBody(each, 'ColumnRef')).text, each)
  }
  if (fields.size === 0)
    unsupported('FROM', `The statement reads no field of '${alias}' by its name`, {
      at: writer.sql.place(bodyOf(node, 'RangeVar')?.location),
      rewrite: `${quoted(alias)}."…" for its fields`,
    })
  const targetList: Node[] = [...fields].map(([name, val]) => ({ ResTarget: { name, val } }))
  const args = [...(where ? [where] : []), ...conditions]
  const whereClause: Node | undefined = args.length > 0 ? { BoolExpr: { boolop: 'AND_EXPR', args } } : undefined
  const own: SelectStmt = { targetList, fromClause: [node], ...(whereClause && { whereClause }) }
  const select = readModelSelect({ written: own, named: relation.named, alias }, writer)
  return `(${modelText(countsRows(stmt, writer) ? asRows(select, own) : select, writer, scope)}) AS ${quoted(alias)}`
}

/** A field of a joined model. A measure is a finished value here, so it must not be aggregated over joined rows. */
function spelledOf<M extends NamedModel>(
  node: Node,
  owner: (node: Node) => Joined<M> | undefined,
  writer: StatementWriter<M>,
): string | undefined {
  const column = bodyOf(node, 'ColumnRef')
  const own = column && owner(node)
  if (own) return `${quoted(own.alias)}.${quoted(own.relation.name(column).text)}`
  const call = bodyOf(node, 'FuncCall')
  if (!call) return undefined
  const name = functionName(call.funcname)
  const argument = call.args?.[0]
  const from = argument && 'ColumnRef' in argument ? owner(argument) : undefined
  if (from && argument && /^(measure|agg|aggregate)$/.test(name))
    return from.relation.measure(call) && spelledOf(argument, owner, writer)
  if (Object.hasOwn(writer.evaluator.functions, name) && writer.evaluator.functions[name]?.kind === 'scalar') return undefined
  for (const each of nodesIn(call.over ? [] : (call.args ?? []))) {
    const home = 'ColumnRef' in each ? owner(each) : undefined
    if (home?.relation.name(theBody(each, 'ColumnRef')).role !== 'measure') continue
    unsupported('aggregate', `${name.toUpperCase()} would repeat a measure of '${home.alias}' for every joined row`, {
      at: writer.sql.place(call.location),
      rewrite: `JOIN (SELECT … FROM ${quoted(mainName(home.relation.named))}) AS ${quoted(home.alias)}, grouped as the measure should be`,
    })
  }
  return undefined
}

function refuseStars<M extends NamedModel>(
  { targetList = [] }: SelectStmt,
  models: readonly Joined<M>[],
  writer: StatementWriter<M>,
): void {
  for (const each of targetList) {
    const val = bodyOf(each, 'ResTarget')?.val
    const fields = bodyOf(val, 'ColumnRef')?.fields ?? []
    if (!fields.some((field) => 'A_Star' in field) || models.length === 0) continue
    const words = wordsOf(fields.slice(0, -1))
    if (words.length > 0 && !models.some(({ relation }) => relation.owns([...words, '*']))) continue
    unsupported('*', '* of a joined model is not known', {
      at: writer.sql.place(locationOf(val)),
      rewrite: 'the fields that are wanted',
    })
  }
}

const JOINS: Partial<Record<string, string>> = {
  JOIN_INNER: 'JOIN',
  JOIN_LEFT: 'LEFT JOIN',
  JOIN_RIGHT: 'RIGHT JOIN',
  JOIN_FULL: 'FULL JOIN',
}

function fromText<M extends NamedModel>(
  node: Node,
  texts: ReadonlyMap<Node, string>,
  writer: StatementWriter<M>,
  scope: Scope,
): string {
  const model = texts.get(node)
  if (model !== undefined) return model
  const join = bodyOf(node, 'JoinExpr')
  if (join) return joinText(join, texts, writer, scope)
  const relation = bodyOf(node, 'RangeVar')
  if (relation) return madeText(relation, writer, scope)
  const function_ = bodyOf(node, 'RangeFunction')
  if (function_) return seriesText(function_, node, writer, scope)
  if (bodyOf(node, 'RangeTableSample'))
    unsupported('TABLESAMPLE', 'TABLESAMPLE is not understood: a measure of some rows is another number', {
      rewrite: 'the model with a condition in WHERE',
    })
  const subquery = bodyOf(node, 'RangeSubselect')
  if (!subquery || subquery.lateral)
    return unsupported('FROM', 'This relation is not understood', { rewrite: 'a subquery without LATERAL' })
  const text = writer.select(theBody(subquery.subquery, 'SelectStmt'), { ...scope, spelled: () => undefined, counted: true })
  return `(${text})${aliasText(subquery.alias)}`
}

const aliasText = (alias: RangeVar['alias']): string =>
  alias?.aliasname === undefined ? '' : ` AS ${quoted(alias.aliasname)}${columnNames(alias.colnames)}`

function madeText<M extends NamedModel>(relation: RangeVar, writer: StatementWriter<M>, { made }: Scope): string {
  const { relname = '', schemaname, alias } = relation
  if (schemaname === undefined && made.has(relname)) return `${quoted(relname)}${aliasText(alias)}`
  return notAModel(relation, writer.models, writer.sql.place(relation.location))
}

function joinText<M extends NamedModel>(
  { jointype, isNatural, larg, rarg, usingClause, quals, alias }: JoinExpr,
  texts: ReadonlyMap<Node, string>,
  writer: StatementWriter<M>,
  scope: Scope,
): string {
  if (isNatural) unsupported('NATURAL JOIN', 'NATURAL JOIN is not understood', { rewrite: 'JOIN … USING (…)' })
  if (alias) unsupported('JOIN', 'A join cannot have an alias')
  const [left, right] = [larg, rarg].map((side) => fromText(side, texts, writer, scope))
  const condition = usingClause ? `USING ${columnNames(usingClause)}` : quals && `ON ${expressionText(quals, writer, scope)}`
  if (condition === undefined) return `${left} CROSS JOIN ${right}`
  const word = JOINS[jointype ?? ''] ?? unsupported('JOIN', 'A join of this kind is not understood')
  return `(${left} ${word} ${right} ${condition})`
}

/** `generate_series` is the only function that may create rows. Its column has the name of its alias. */
function seriesText<M extends NamedModel>(
  { functions, alias, ordinality, lateral }: RangeFunction,
  node: Node,
  writer: StatementWriter<M>,
  scope: Scope,
): string {
  const call = bodyOf(bodyOf(functions?.[0], 'List')?.items?.[0], 'FuncCall')
  const at = writer.sql.place(call?.location ?? locationOf(node))
  if (functionName(call?.funcname) !== 'generate_series' || functions?.length !== 1 || ordinality || lateral) {
    unsupported('FROM', `${functionName(call?.funcname)} makes no rows here; generate_series does`, { at })
  }
  const args = (call?.args ?? []).map((each) => expressionText(each, writer, scope))
  if (args.length < 2 || args.length > 3)
    unsupported('generate_series', 'generate_series takes a start, a stop and maybe a step', { at })
  const name = alias?.aliasname ?? 'generate_series'
  const column = wordsOf(alias?.colnames)[0] ?? name
  return `(SELECT * FROM generate_series(${args.join(', ')}) AS "series"(${quoted(column)})) AS ${quoted(name)}`
}
