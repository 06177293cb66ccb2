/** An outer statement: the queries that it needs, and its own text over their answers. */

import type { Evaluator, ModelScope, NamedModel, Program } from '@grainline/core/language'
import { attempt, attempted } from '../attempt.js'
import { aboutServer } from '../constant-row.js'
import { bodyOf, locationOf, type Node, type SelectStmt, theBody } from '../grammar/node.js'
import { quoted } from '../grammar/quoted.js'
import type { StatementContext } from '../reader.js'
import { unsupported } from '../refusal.js'
import { boundOf } from '../select/limit.js'
import { readModelSelect } from '../select/model-select.js'
import { nameOf } from '../targets.js'
import { addedUp, shownColumns } from './added-up.js'
import { asRows } from './as-rows.js'
import { merged } from './bare-projection.js'
import { timesOfFrom, timesOfWith } from './column-times.js'
import { expressionText, literalText, sortsText } from './expression.js'
import { withoutSimpleWith } from './inline-with.js'
import { lookupJoin } from './lookup-join.js'
import { MAX_MODEL_QUERIES, ModelQueries } from './model-queries.js'
import { modelText, windowsText } from './model-text.js'
import { pushedDown } from './push-down.js'
import { relationsText } from './relations.js'
import { columnNames, type Scope, within } from './scope.js'
import { semiJoin } from './semi-join.js'
import { soleRelation, withConditions } from './sole-relation.js'
import { topJoin } from './top-join.js'
import { weekStartsOf } from './truncation.js'
import type { StatementWriter } from './writer.js'

interface Options<M extends NamedModel> {
  readonly models: ModelScope<M>
  readonly evaluator: Evaluator
  /** Maximum number of rows if the statement has no limit. */
  readonly defaultLimit: number | undefined
  /** Other relations than models, by name. */
  readonly made?: ReadonlySet<string>
}

/** Throws for every relation except models, and for constructs that the evaluator may not support. */
export function readProgram<M extends NamedModel>(stmt: SelectStmt, context: StatementContext, options: Options<M>): Program<M> {
  const { evaluator, defaultLimit } = options
  const modelQueries = new ModelQueries<M>()
  const writer: StatementWriter<M> = {
    ...context,
    evaluator,
    models: options.models,
    modelQueries,
    weekStarts: () => weekStartsOf(stmt, options.models),
    notices: [],
    select: (inner, scope) => selectText(inner, writer, scope),
  }
  const spelled = (node: Node): string | undefined => {
    const said = aboutServer(node)
    return said === undefined ? undefined : literalText(said)
  }
  const text = selectText(stmt, writer, { made: options.made ?? new Set(), spelled }, context.sql.withGrouping)
  if (modelQueries.all.length > MAX_MODEL_QUERIES)
    unsupported('statement', `The statement reads more than ${MAX_MODEL_QUERIES} queries`)
  const cut = defaultLimit !== undefined && stmt.limitCount === undefined ? `\nLIMIT ${defaultLimit}` : ''
  return { modelQueries: modelQueries.all, sql: text + cut, ownLimit: stmt.limitCount !== undefined, notices: writer.notices }
}

function selectText<M extends NamedModel>(
  written: SelectStmt,
  writer: StatementWriter<M>,
  outer: Scope,
  trailing?: 'rollup' | 'cube',
): string {
  const stmt = withoutSimpleWith(written)
  const { text: made, scope } = withText(stmt, writer, outer)
  const isUnion = stmt.op !== undefined && stmt.op !== 'SETOP_NONE'
  const body = isUnion
    ? unionText(stmt, writer, scope)
    : stmt.valuesLists
      ? valuesText(stmt, writer, scope)
      : plainText(stmt, writer, scope, trailing)
  return made + body
}

function withText<M extends NamedModel>({ withClause }: SelectStmt, writer: StatementWriter<M>, outer: Scope) {
  if (!withClause) return { text: '', scope: outer }
  const names = new Set(outer.made)
  const shown = new Map(outer.shown)
  const times = new Map(outer.timesOfWith)
  const parts: string[] = []
  if (withClause.recursive) unsupported('WITH RECURSIVE', 'WITH RECURSIVE is not answered here', { rewrite: 'WITH' })
  for (const each of withClause.ctes ?? []) {
    const { ctename = '', ctequery, aliascolnames } = theBody(each, 'CommonTableExpr')
    const query =
      bodyOf(ctequery, 'SelectStmt') ?? unsupported('WITH', 'WITH takes a SELECT', { at: writer.sql.place(locationOf(each)) })
    const before: Scope = { ...outer, made: new Set(names), shown, timesOfWith: new Map(times) }
    parts.push(`${quoted(ctename)}${columnNames(aliascolnames)} AS (${selectText(query, writer, { ...before, counted: true })})`)
    shown.set(ctename, shownColumns(query, writer, before))
    times.set(ctename, timesOfWith(query, aliascolnames, writer, before))
    names.add(ctename)
  }
  return { text: `WITH ${parts.join(', ')}\n`, scope: { ...outer, made: names, shown, timesOfWith: times } }
}

const SET_OPERATIONS: Partial<Record<string, string>> = {
  SETOP_UNION: 'UNION',
  SETOP_INTERSECT: 'INTERSECT',
  SETOP_EXCEPT: 'EXCEPT',
}

function unionText<M extends NamedModel>(stmt: SelectStmt, writer: StatementWriter<M>, scope: Scope): string {
  const counted = stmt.all === true
  const [left, right] = [stmt.larg, stmt.rarg].map((part) => `(${selectText(part!, writer, { ...scope, counted })})`)
  const order = stmt.sortClause ? [`ORDER BY ${sortsText(stmt.sortClause, writer, scope)}`] : []
  return [`${left} ${SET_OPERATIONS[stmt.op ?? '']}${stmt.all ? ' ALL' : ''} ${right}`, ...order, ...pageText(stmt, writer)].join(
    '\n',
  )
}

function valuesText<M extends NamedModel>(stmt: SelectStmt, writer: StatementWriter<M>, scope: Scope): string {
  const rows = (stmt.valuesLists ?? []).map((row) => {
    const items = (bodyOf(row, 'List')?.items ?? []).map((each) => expressionText(each, writer, scope))
    return `(${items.join(', ')})`
  })
  const names = bodyOf(stmt.valuesLists?.[0], 'List')?.items?.map((_, i) => quoted(`column${i + 1}`)) ?? []
  const order = stmt.sortClause ? [`ORDER BY ${sortsText(stmt.sortClause, writer, scope)}`] : []
  const values = `SELECT * FROM (VALUES ${rows.join(', ')}) AS "values"(${names.join(', ')})`
  return [values, ...order, ...pageText(stmt, writer)].join('\n')
}

function pageText(stmt: SelectStmt, writer: StatementContext): string[] {
  if (stmt.limitOption === 'LIMIT_OPTION_WITH_TIES') unsupported('WITH TIES', 'WITH TIES is not understood', { rewrite: 'LIMIT' })
  const limit = boundOf(stmt.limitCount, 'LIMIT', writer)
  const offset = boundOf(stmt.limitOffset, 'OFFSET', writer)
  return [...(limit === undefined ? [] : [`LIMIT ${limit}`]), ...(offset === undefined ? [] : [`OFFSET ${offset}`])]
}

function plainText<M extends NamedModel>(
  written: SelectStmt,
  writer: StatementWriter<M>,
  outer: Scope,
  trailing: 'rollup' | 'cube' | undefined,
): string {
  const stmt = merged(written, writer, outer.made)
  const scope = within(stmt, outer)
  const sole = soleRelation(stmt, writer.models, scope.made, writer)
  if (sole) {
    const select = readModelSelect(
      { written: withConditions(stmt, sole), named: sole.model, alias: sole.alias, trailing },
      writer,
    )
    return modelText(scope.counted ? asRows(select, stmt) : select, writer, scope)
  }
  const semi = semiJoin(stmt, writer, scope)
  const select = semi && readModelSelect({ written: semi.stmt, named: semi.model.model, alias: semi.model.alias }, writer)
  if (select && semi.compared.every((node) => select.labelOf(node) !== undefined)) return modelText(select, writer, scope)
  const adding = attempted(() => lookupJoin(stmt, writer, scope))
  // A non-additive measure is aggregated again over the rows of the others.
  const top = adding.refusal && attempt(() => topJoin(stmt, writer, scope))
  if (top) return modelText(top, writer, scope)
  if (!adding.refusal) return overRelations(adding.read ?? stmt, writer, scope)
  const asWritten =
    bodyOf(stmt.fromClause?.[0], 'JoinExpr')?.jointype === 'JOIN_INNER' && attempt(() => overRelations(stmt, writer, scope))
  if (asWritten) return asWritten
  throw adding.refusal
}

/** A SELECT from subqueries and joins. */
function overRelations<M extends NamedModel>(stmt: SelectStmt, writer: StatementWriter<M>, scope: Scope): string {
  writer.notices.push(...addedUp(stmt, writer, scope))
  const pushed = pushedDown(stmt, writer, scope)
  return joinedText(pushed?.stmt ?? stmt, writer, scope, pushed?.relation)
}

/** A SELECT from joined relations, or from none. `relation`: the text of its FROM clause, if it is known already. */
function joinedText<M extends NamedModel>(
  stmt: SelectStmt,
  writer: StatementWriter<M>,
  enclosing: Scope,
  relation: string | undefined,
): string {
  const outer: Scope = { ...enclosing, time: timesOfFrom(stmt.fromClause, writer, enclosing) }
  const {
    text: from,
    scope,
    rest,
  } = relation === undefined ? relationsText(stmt, writer, outer) : { text: relation, scope: outer, rest: stmt }
  const go = (node: Node): string => expressionText(node, writer, scope)
  const items = (stmt.targetList ?? []).map((each) => {
    const { name, val } = theBody(each, 'ResTarget')
    if (bodyOf(val, 'ColumnRef')?.fields?.some((field) => 'A_Star' in field)) return go(val)
    return `${go(val)} AS ${quoted(name ?? nameOf(val))}`
  })
  const on = (stmt.distinctClause ?? []).filter((each) => Object.keys(each).length > 0).map(go)
  const distinct = stmt.distinctClause === undefined ? '' : on.length > 0 ? `DISTINCT ON (${on.join(', ')}) ` : 'DISTINCT '
  const clause = (word: string, nodes: readonly Node[] | undefined, separator = ', '): string[] =>
    nodes && nodes.length > 0 ? [`${word} ${nodes.map(go).join(separator)}`] : []
  return [
    `SELECT ${distinct}${items.join(', ')}`,
    ...(from === '' ? [] : [`FROM ${from}`]),
    ...clause('WHERE', rest.whereClause && [rest.whereClause]),
    ...groupText(stmt, go),
    ...clause('HAVING', stmt.havingClause && [stmt.havingClause]),
    ...windowsText(stmt.windowClause ?? [], writer, scope),
    ...(stmt.sortClause ? [`ORDER BY ${sortsText(stmt.sortClause, writer, scope)}`] : []),
    ...pageText(stmt, writer),
  ].join('\n')
}

function groupText({ groupClause }: SelectStmt, go: (node: Node) => string): string[] {
  if (!groupClause) return []
  const set = (node: Node): string => {
    const grouping = bodyOf(node, 'GroupingSet')
    if (!grouping) return go(node)
    const content = `(${(grouping.content ?? []).map(set).join(', ')})`
    return (
      {
        GROUPING_SET_ROLLUP: `ROLLUP ${content}`,
        GROUPING_SET_CUBE: `CUBE ${content}`,
        GROUPING_SET_SETS: `GROUPING SETS ${content}`,
      }[String(grouping.kind)] ?? '()'
    )
  }
  return [`GROUP BY ${groupClause.map(set).join(', ')}`]
}
