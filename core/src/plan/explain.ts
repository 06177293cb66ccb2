import { formatDataType } from '../model/data-type.js'
import type { StoredColumn } from '../model/stored-column.js'
import { measuredColumn } from '../relation/relation.js'
import type { ResolvedQuery } from '../resolve/resolved-query.js'
import { conditionOf, type RowTerm } from '../resolve/row-terms.js'
import { timeRangesIn } from '../resolve/time-ranges.js'
import type { Explain, ExplainJoin, ExplainNode } from './explain-plan.js'
import { inputsOf } from './inputs.js'
import type { Aggregate, JoinLabel, LogicalPlan, NamedExpr, RowExpr, Scan } from './logical-plan.js'
import { isShown } from './shown-tuples.js'

/** What the statement of a plan reads. */
export interface Read {
  /** `DATABASE.SCHEMA.TABLE` of every table, sorted, each once. */
  readonly physical_tables: readonly string[]
  /** Names of the data objects, sorted, each once. */
  readonly data_objects: readonly string[]
}

export function readOf(plan: LogicalPlan): Read {
  const scans = nodesOf(plan).filter(isScan)
  return { physical_tables: sortedOnce(scans.flatMap(tablesOf)), data_objects: sortedOnce(scans.map((scan) => scan.object)) }
}

/** The plan in words: at which rows each number is counted, which tables are joined, and why. */
export function explainPlan(
  plan: LogicalPlan,
  bases: readonly string[],
  query: ResolvedQuery,
  stored: readonly StoredColumn[],
  rules: readonly string[],
  rollups: Explain['rollups'],
): Explain {
  const nodes = nodesOf(plan)
  const combined = nodesOf(withoutValues(plan)).find((n) => n.kind === 'combine')
  const facts = [...new Set(bases)]
  const several = facts.length > 1 || combined !== undefined
  const base = facts[0] ?? ''
  const legs = combined?.kind === 'combine' ? combined.legs : []
  return {
    planner: several ? 'multi-fact' : query.kind === 'aggregate' ? 'single-fact' : query.kind,
    planner_reason: several
      ? 'several row sets are aggregated apart before they meet, so that none repeats the rows of another'
      : 'all measures are computed from the rows of one data object',
    base_object: base,
    base_object_reason: several
      ? 'the first of the facts; none is the base of another'
      : `the object whose rows the question counts`,
    joins: joinsOf(nodes),
    where_filter_count: query.where.length,
    having_filter_count: havingOf(query),
    has_totals:
      query.kind === 'grouped' ||
      (query.kind === 'aggregate' && query.aggregates.some((a) => a.dimensions.length < query.dimensions.length)),
    cfl_legs: legs.map((leg, i) => ({
      measure_source: bases[i] ?? leg.name,
      common_root: bases[i] ?? leg.name,
      reason: leg.contributesRows ? 'its rows are rows of the answer' : 'it only brings values to rows that others make',
      measures: leg.values.map((v) => v.name),
      joins: joinsOf(nodesOf(leg.input)),
    })),
    stored_columns: stored.map(({ name, declared, physical, collation }) => ({
      column: name,
      declared: formatDataType(declared),
      stored: physical?.name ?? null,
      collation: collation ?? null,
    })),
    time_ranges: timeRangesIn(query),
    rules,
    rollups,
    plan: describe(plan),
  }
}

/** The plan of the answer itself, without the values that are computed before it. */
const withoutValues = (plan: LogicalPlan): LogicalPlan =>
  plan.kind === 'chosen' || plan.kind === 'measured' || plan.kind === 'pairs' ? withoutValues(plan.input) : plan

function havingOf(query: ResolvedQuery): number {
  const level = query.kind === 'grouped' ? query.levels[0] : query
  return level?.kind === 'aggregate' && level.having ? 1 : 0
}

/** The plan and everything below it, from the top. */
function nodesOf(plan: LogicalPlan, nodes: LogicalPlan[] = []): readonly LogicalPlan[] {
  nodes.push(plan)
  for (const input of inputsOf(plan)) nodesOf(input, nodes)
  return nodes
}

/** Joins of the model; joins that only combine row sets have no object on either side. */
function joinsOf(nodes: readonly LogicalPlan[]): ExplainJoin[] {
  return nodes.flatMap((n): ExplainJoin[] => (n.kind === 'join' && n.label.from !== '' ? [explainedJoin(n.label)] : [])).reverse()
}

const explainedJoin = ({ from, to, columns, role, way, reason }: JoinLabel): ExplainJoin => ({
  from_object: from,
  to_object: to,
  join_columns: columns,
  ...(role !== undefined && { role }),
  ...(way !== undefined && { way }),
  reason,
})

const isScan = (node: LogicalPlan): node is Scan => node.kind === 'scan'

const tablesOf = ({ source }: Scan): readonly string[] =>
  source.kind === 'table' ? [[source.database, source.schema, source.name].filter((p) => p !== undefined).join('.')] : []

const sortedOnce = (names: readonly string[]): string[] => [...new Set(names)].sort()

function describe(plan: LogicalPlan): ExplainNode {
  return { op: plan.kind, detail: detailOf(plan), children: inputsOf(plan).map(describe) }
}

function detailOf(plan: LogicalPlan): string {
  switch (plan.kind) {
    case 'scan':
      return `${plan.object} as ${plan.alias}`
    case 'join':
      return `${plan.type} ${onText(plan.on)} (${plan.label.reason})`
    case 'filter':
      return `${textOf(plan.condition)} (${plan.reason})`
    case 'project':
      return named(plan.columns)
    case 'distinct':
      return `${named(plan.columns)} (${plan.reason})`
    case 'aggregate':
      return `${plan.aggregates.map((a) => `${a.name} = ${a.aggregate}(${a.args.map(textOf).join(', ')})`).join(', ') || 'distinct'} by ${named(plan.keys) || 'nothing'}${inSets(plan.sets)} (${plan.reason})`
    case 'combine':
      return `by ${plan.keys.map((k) => k.name).join(', ') || 'nothing'} (${plan.reason})`
    case 'union':
    case 'lookup':
      return plan.reason
    case 'shared':
    case 'top-values':
    case 'measured-rows':
      return plan.alias
    case 'chosen':
      return `${plan.name} are the top values, of which the answer makes groups`
    case 'measured':
      return isShown(plan)
        ? `${plan.name} are the detail rows that the answer shows`
        : `${plan.name} are the values of the column ${measuredColumn(plan.of)}, for each key`
    case 'pairs':
      return `${plan.names.pairs} are the pairs of '${plan.object}': a row of '${plan.of}' and one above it, at most ${plan.maxDepth} steps apart`
    case 'numbers':
      return 'whole numbers, one for each period'
    case 'window':
      return plan.calls.map((c) => `${c.name} = ${c.function}`).join(', ')
    case 'sort':
      return plan.keys.map((k) => `${textOf(k.expression)}${k.descending ? ' desc' : ''}`).join(', ')
    case 'limit':
      return [plan.limit !== undefined ? `limit ${plan.limit}` : '', plan.offset ? `offset ${plan.offset}` : '']
        .filter(Boolean)
        .join(' ')
  }
}

const inSets = (sets: Aggregate['sets']): string =>
  sets === undefined ? '' : ` in sets ${sets.map((set) => `(${set.join(', ')})`).join(' ')}`

const named = (columns: readonly NamedExpr[]): string =>
  columns.map((c) => (isColumn(c.expression, c.name) ? c.name : `${c.name} = ${textOf(c.expression)}`)).join(', ')

const isColumn = (e: RowExpr, name: string): boolean => e.kind === 'column' && e.name === name

const MAX_TEXT = 400

function onText(on: readonly RowTerm[]): string {
  const condition = conditionOf(on)
  return condition ? `on ${textOf(condition)}` : ''
}

/** An expression in words; long ones are truncated. */
function textOf(expression: RowExpr): string {
  const text = write(expression, 12)
  return text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT)}…` : text
}

function write(node: RowExpr, depth: number): string {
  if (depth === 0) return '…'
  const go = (e: RowExpr): string => write(e, depth - 1)
  switch (node.kind) {
    case 'column':
      return node.table === '' ? node.name : `${node.table}.${node.name}`
    case 'literal':
      return node.value === null ? 'null' : typeof node.value === 'string' ? `'${node.value}'` : String(node.value)
    case 'parameter':
      return node.form === undefined ? `{@${node.name}}` : `{attribute ${node.name}}`
    case 'unary':
      return `${node.operator === 'not' ? 'not ' : '-'}(${go(node.operand)})`
    case 'binary':
      return `(${go(node.left)} ${node.operator} ${go(node.right)})`
    case 'call':
      return `${node.name}(${node.args.map(go).join(', ')})`
    case 'case':
      return `case ${node.branches.map((b) => `when ${go(b.when)} then ${go(b.then)}`).join(' ')}${node.otherwise ? ` else ${go(node.otherwise)}` : ''} end`
    case 'cast':
      return `cast(${go(node.operand)} as ${formatDataType(node.type)})`
    case 'in':
      return `${go(node.operand)} in (${node.list.slice(0, 5).map(go).join(', ')}${node.list.length > 5 ? ', …' : ''})`
    case 'like':
      return `${go(node.operand)} like ${go(node.pattern)}`
    case 'is-null':
      return `${go(node.operand)} is null`
  }
}
