import { firstOf } from '@grainline/core'
import type { NamedModel, RelationQuery } from '@grainline/core/language'
import { bodyOf, type Node, theBody } from '../grammar/node.js'
import { quoted } from '../grammar/quoted.js'
import { unsupported } from '../refusal.js'
import type { ModelSelect, RestOfSelect } from '../select/model-select.js'
import type { ValueAggregate } from '../select/value-aggregates.js'
import { timesOfModel } from './column-times.js'
import { expressionText, sortText, windowOf } from './expression.js'
import { relationColumn } from './model-queries.js'
import type { Scope } from './scope.js'
import type { StatementWriter, Writer } from './writer.js'

/** A SELECT from one model: its query, and the remaining evaluation over the query's rows. */
export function modelText<M extends NamedModel>(
  select: ModelSelect<M>,
  writer: StatementWriter<M>,
  outer: Scope,
  query = select.query,
): string {
  writer.notices.push(...select.notices)
  // If only values of dimensions are needed there is one row, and no query creates it.
  const modelQuery = Object.keys(query.select).length > 0 ? writer.modelQueries.add(select, query) : undefined
  const values = valuesText(select, modelQuery, writer, outer)
  const spelled = (node: Node) => values.get(node) ?? (modelQuery && spelledIn(node, select, modelQuery)) ?? outer.spelled(node)
  const time = timesOfModel(select.relation, (node) => select.labelOf(node) !== undefined, outer)
  const scope: Scope = { ...outer, spelled, time }
  const items = select.items.map(({ node, name, column }) => {
    const text = column === undefined ? expressionText(node, writer, scope) : relationColumn(modelQuery!, column)
    return `${text} AS ${quoted(name)}`
  })
  const clauses = select.rest ? restText(select.rest, writer, scope) : []
  const from = modelQuery
    ? [`FROM ${quoted(modelQuery.name)}${select.rest?.repeated ? timesText(modelQuery, select.rest) : ''}`]
    : []
  return [`SELECT ${distinctText(select.rest, writer, scope)}${items.join(', ')}`, ...from, ...clauses].join('\n')
}

function distinctText(rest: RestOfSelect | undefined, writer: Writer, scope: Scope): string {
  if (!rest || rest.on.length === 0) return rest?.distinct ? 'DISTINCT ' : ''
  return `DISTINCT ON (${rest.on.map((node) => expressionText(node, writer, scope)).join(', ')}) `
}

/** As many rows as the only number of the model query, up to the limit of the statement. */
function timesText(modelQuery: RelationQuery, { limit, offset = 0 }: RestOfSelect): string {
  const count = relationColumn(modelQuery, firstOf(modelQuery.columns))
  return `, generate_series(1, ${limit === undefined ? count : `LEAST(${count}, ${limit + offset})`}) AS "times"("n")`
}

/** A value with a separate query, for the row that it belongs to. */
function valuesText<M extends NamedModel>(
  select: ModelSelect<M>,
  modelQuery: RelationQuery | undefined,
  writer: StatementWriter<M>,
  outer: Scope,
): ReadonlyMap<Node, string> {
  const text = ({ node, argument, query, columns, shared, column, isCount }: ValueAggregate): string => {
    const asked = writer.modelQueries.add({ relation: select.relation, columns, preview: undefined }, query)
    const own = { ...asked, name: 'values' }
    const spelled = (each: Node) => (each === argument ? relationColumn(own, column) : undefined)
    const same = modelQuery
      ? shared.map((label) => `${relationColumn(own, label)} IS NOT DISTINCT FROM ${relationColumn(modelQuery, label)}`)
      : []
    const where = same.length > 0 ? ` WHERE ${same.join(' AND ')}` : ''
    const shown =
      argument === node ? relationColumn(own, column) : expressionText(withoutFilter(node), writer, { ...outer, spelled })
    const value = `(SELECT ${shown} FROM ${quoted(asked.name)} AS "values"${where})`
    return isCount ? `COALESCE(${value}, 0)` : value
  }
  return new Map(select.values.map((value) => [value.node, text(value)]))
}

/** The condition is part of the query. */
function withoutFilter(node: Node): Node {
  const { agg_filter: _, ...call } = theBody(node, 'FuncCall')
  return { FuncCall: call }
}

function spelledIn(node: Node, select: ModelSelect, modelQuery: RelationQuery): string | undefined {
  const label = select.labelOf(node)
  if (label !== undefined) return relationColumn(modelQuery, label)
  const grouping = bodyOf(node, 'GroupingFunc')
  if (!grouping) return undefined
  const flags = (grouping.args ?? []).map((arg) => {
    const total = `${select.labelOf(arg) ?? ''} is total`
    if (!select.columns.includes(total)) unsupported('GROUPING', 'GROUPING takes what ROLLUP, CUBE or GROUPING SETS group by')
    return `CAST(${relationColumn(modelQuery, total)} AS INTEGER)`
  })
  // The first is the most significant bit.
  return `(${flags.reduce((bits, flag) => `(${bits} * 2 + ${flag})`)})`
}

function restText(rest: RestOfSelect, writer: Writer, scope: Scope): string[] {
  const conditions = rest.conditions.map((node) => expressionText(node, writer, scope))
  const order = rest.order.map(({ sort, node, position }) =>
    sortText(sort, writer, scope, position === undefined ? expressionText(node, writer, scope) : String(position)),
  )
  return [
    ...(conditions.length > 0 ? [`WHERE ${conditions.join(' AND ')}`] : []),
    ...windowsText(rest.windows, writer, scope),
    ...(order.length > 0 ? [`ORDER BY ${order.join(', ')}`] : []),
    ...(rest.limit === undefined ? [] : [`LIMIT ${rest.limit}`]),
    ...(rest.offset === undefined ? [] : [`OFFSET ${rest.offset}`]),
  ]
}

export function windowsText(windows: readonly Node[], writer: Writer, scope: Scope): string[] {
  if (windows.length === 0) return []
  const texts = windows.map((each) => {
    const window = theBody(each, 'WindowDef')
    return `${quoted(window.name ?? '')} AS ${windowOf(window, writer, scope)}`
  })
  return [`WINDOW ${texts.join(', ')}`]
}
