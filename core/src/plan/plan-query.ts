import { type Finding, fail, warning } from '../errors.js'
import { sameType } from '../model/data-type.js'
import { mapLeaves } from '../model/expression/ast.js'
import type { FunctionSpec } from '../model/functions/function-spec.js'
import { Aliases } from '../resolve/aliases.js'
import { binary, isNotNull, isNull } from '../resolve/expressions.js'
import { type RelationColumn, type RowExpr, relationColumn } from '../resolve/relation-column.js'
import type {
  AggregateQuery,
  DimensionQuery,
  MetricStep,
  Output,
  RawQuery,
  ResolvedDimension,
  ResolvedOrder,
  ResolvedQuery,
} from '../resolve/resolved-query.js'
import { planBlock } from './block.js'
import { blockRequests } from './block-requests.js'
import { Connections } from './connections.js'
import { conjunctsFor, FilterReport } from './filter-report.js'
import type { Leg, LogicalPlan, NamedExpr, SortKey } from './logical-plan.js'
import type { RowsContext } from './rows.js'

export interface QueryPlan {
  readonly plan: LogicalPlan
  readonly columns: readonly Output[]
  readonly warnings: readonly Finding[]
  /** Home of every block, in plan order. */
  readonly homes: readonly string[]
}

/** The shape of the computation. Throws `NO_JOIN_PATH`, `AMBIGUOUS_JOIN`, `KEY_REQUIRED`, `FILTER_…`. */
export function planQuery(query: ResolvedQuery, functions: ReadonlyMap<string, FunctionSpec>): QueryPlan {
  const aliases = new Aliases(tableNames(query))
  const context: RowsContext = { model: query.model, graph: query.graph, time: query.time, functions, aliases }
  const report = new FilterReport(query)
  const planned = planKind(query, context, report)
  const page = limited(planned.plan, query)
  return { ...planned, plan: page, warnings: [...query.warnings, ...report.finish(), ...(planned.warnings ?? [])] }
}

interface Planned {
  readonly plan: LogicalPlan
  readonly columns: readonly Output[]
  readonly homes: readonly string[]
  readonly warnings?: readonly Finding[]
}

function planKind(query: ResolvedQuery, context: RowsContext, report: FilterReport): Planned {
  switch (query.kind) {
    case 'aggregate':
      return planAggregate(query, context, report)
    case 'exclude':
      return planExclude(query, context, report)
    case 'raw':
      return planRaw(query, context, report)
  }
}

function planAggregate(query: AggregateQuery, context: RowsContext, report: FilterReport): Planned {
  const legs = planLegs(query, context, report)
  if (legs.length === 0)
    fail('INVALID_QUERY', 'the selected metrics read no measure, so there are no rows to answer with', {
      path: 'select.measures',
    })
  const rows = combine(query, legs, context)
  const stepped = withSteps(rows, query, context)
  const having = query.having && stepped.read(query.having)
  const kept: LogicalPlan = having ? { kind: 'filter', input: stepped.plan, condition: having, reason: 'having' } : stepped.plan
  const plan = sorted(kept, query.order, stepped.read)
  const columns = query.outputs.map((o) => display(o, stepped.read))
  return {
    plan: { kind: 'project', input: plan, alias: 'answer', columns },
    columns: query.outputs,
    homes: legs.map((leg) => leg.home),
    warnings: overlapWarnings(legs),
  }
}

interface PlannedLeg extends Leg {
  readonly home: string
  readonly overlapping: readonly string[]
}

function planLegs(query: AggregateQuery, context: RowsContext, report: FilterReport): PlannedLeg[] {
  const legs = blockRequests(query, report).map(({ request, present, overlapping }): PlannedLeg => {
    const name = context.aliases.derived(request.home, '_facts')
    const values = request.atoms.map(({ name: column, type, measure }) => ({
      name: column,
      type,
      emptyIsZero: COUNTS.has(measure.aggregation),
    }))
    return { input: planBlock(request, context, name), name, present, values, home: request.home, overlapping }
  })
  if (legs.some((leg) => leg.present) || query.dimensions.length === 0) return legs
  return [...tupleLegs(query.dimensions, query, context, report), ...legs]
}

const COUNTS = new Set(['count', 'count_distinct', 'count_if', 'approx_count_distinct'])

/** The rows of a dimension-only query: one leg per minimal object that reaches all dimensions (`semantics.md` §4). */
function tupleLegs(
  dimensions: readonly ResolvedDimension[],
  query: AggregateQuery | DimensionQuery,
  context: RowsContext,
  report: FilterReport,
): PlannedLeg[] {
  return tupleHomes(dimensions, query).map((home): PlannedLeg => {
    const name = context.aliases.derived(home, '_tuples')
    const { conjuncts, bridges, apart } = conjunctsFor(home, query, report, `the combinations at '${home}'`)
    const request = { home, atoms: [], dimensions, conjuncts, bridges, apart, bridgeFilters: [], fanOut: false }
    return { input: planBlock(request, context, name), name, present: true, values: [], home, overlapping: [] }
  })
}

function tupleHomes(dimensions: readonly ResolvedDimension[], { graph }: AggregateQuery | DimensionQuery): string[] {
  const reachesAll = (node: string): boolean =>
    dimensions.every((d) => d.members.some((m) => graph.reaches(node, m.object, m.via)))
  const selected = dimensions.flatMap((d) => d.members.map((m) => m.object))
  const homes = graph.minimal(graph.nodes.filter(reachesAll), selected)
  if (homes.length > 0) return homes
  const names = dimensions.map((d) => `'${d.label}'`).join(' and ')
  return fail(
    'NO_JOIN_PATH',
    `no data object reaches ${names}, so their combinations are not known; add a measure that connects them`,
    {
      path: 'select.dimensions',
    },
  )
}

function combine(query: AggregateQuery, legs: readonly PlannedLeg[], context: RowsContext): LogicalPlan {
  const [only] = legs
  if (legs.length === 1 && only) return only.input
  if (query.dimensions.length === 0) return legs.slice(1).reduce<LogicalPlan>((left, leg) => besideIt(left, leg), only!.input)
  return {
    kind: 'combine',
    alias: context.aliases.derived('combined'),
    keys: query.dimensions.map(({ name, type }) => ({ name, type })),
    legs,
    reason:
      'each fact is aggregated alone; the rows are united and regrouped, so that NULL keys meet and no fact repeats another',
  }
}

/** Without dimensions every block is one row, and rows stand side by side. */
function besideIt(left: LogicalPlan, leg: PlannedLeg): LogicalPlan {
  const label = { from: '', to: leg.home, columns: [], reason: 'one row each, side by side' }
  return { kind: 'join', type: 'cross', left, right: leg.input, on: undefined, label }
}

const INLINE_LIMIT = 64

interface Written {
  readonly expression: RowExpr
  /** Leaves when written out. */
  readonly size: number
  /** How many stages of computed metrics lie below. */
  readonly level: number
}

interface Stepped {
  readonly plan: LogicalPlan
  /** An expression over the row set with metric steps written out, or read where they were computed. */
  readonly read: (expression: RowExpr) => RowExpr
}

/**
 * Metrics in dependency order. A small one is written out where it is read; a large one is computed once, in a row set of its own,
 * so that the statement stays as long as the model, however often metrics refer to each other.
 */
function withSteps(rows: LogicalPlan, query: AggregateQuery, context: RowsContext): Stepped {
  const steps = new Map(query.steps.map((step) => [step.name, step]))
  const written = new Map<string, Written>()
  const levels: NamedExpr[][] = []
  const writeOut = (name: string): Written | undefined => {
    const known = written.get(name)
    const step = steps.get(name)
    if (known || !step) return known
    let level = 0
    let size = 0
    const expression: RowExpr = mapLeaves<RelationColumn, RelationColumn>(step.expression, (leaf) => {
      const part: Written | undefined = writeOut(leaf.name)
      level = Math.max(level, part?.level ?? 0)
      size += part?.size ?? 1
      return part?.expression ?? leaf
    })
    const made: Written = size <= INLINE_LIMIT ? { expression, size, level } : computed(step, expression, level)
    written.set(name, made)
    return made
  }
  const computed = (step: MetricStep, expression: RowExpr, level: number) => {
    levels[level] = [...(levels[level] ?? []), { name: step.name, expression, type: step.type }]
    return { expression: relationColumn('', step.name, step.type), size: 1, level: level + 1 }
  }
  for (const step of query.steps) writeOut(step.name)
  const read = (expression: RowExpr): RowExpr => {
    if ((expression as RelationColumn).kind === 'column')
      return written.get((expression as RelationColumn).name)?.expression ?? expression
    return mapLeaves<RelationColumn, RelationColumn>(expression, (leaf) => written.get(leaf.name)?.expression ?? leaf)
  }
  return { plan: computedLevels(rows, levels, query, context), read }
}

function computedLevels(
  rows: LogicalPlan,
  levels: readonly (readonly NamedExpr[])[],
  query: AggregateQuery,
  context: RowsContext,
): LogicalPlan {
  const carried: NamedExpr[] = [...query.dimensions, ...query.atoms].map(({ name, type }) => ({
    name,
    type,
    expression: relationColumn('', name, type),
  }))
  return levels.reduce((input, level) => {
    const plan: LogicalPlan = {
      kind: 'project',
      input,
      alias: context.aliases.derived('metrics'),
      columns: [...carried, ...level],
      stage: true,
    }
    carried.push(...level.map(({ name, type }) => ({ name, type, expression: relationColumn('', name, type) })))
    return plan
  }, rows)
}

function display(output: Output, read: (expression: RowExpr) => RowExpr): NamedExpr {
  const { name, type, displayAs } = output
  const expression = read(output.expression)
  if (displayAs === undefined || sameType(displayAs, type)) return { name, type, expression }
  return { name, type: displayAs, expression: { kind: 'cast', operand: expression, type: displayAs } }
}

function sorted(input: LogicalPlan, order: readonly ResolvedOrder[], read: (expression: RowExpr) => RowExpr): LogicalPlan {
  if (order.length === 0) return input
  const keys: SortKey[] = order.map(({ expression, type, descending, nullsFirst }) => ({
    expression: read(expression),
    type,
    descending,
    nullsFirst,
  }))
  return { kind: 'sort', input, keys }
}

function limited(input: LogicalPlan, { limit, offset }: ResolvedQuery): LogicalPlan {
  return limit === undefined && offset === undefined ? input : { kind: 'limit', input, limit, offset }
}

function overlapWarnings(legs: readonly PlannedLeg[]): Finding[] {
  const found = new Map<string, Finding>()
  for (const leg of legs) {
    for (const dimension of leg.overlapping) {
      const message = `a row of '${leg.home}' can stand in several groups of '${dimension}', so the groups need not add up to the total`
      found.set(message, warning('OVERLAPPING_GROUPS', message, { context: { dataObject: leg.home, dimension } }))
    }
  }
  return [...found.values()]
}

/** The product of each dimension's values, minus the tuples that occur. */
function planExclude(query: DimensionQuery, context: RowsContext, report: FilterReport): Planned {
  const values = query.dimensions.map((d): { plan: LogicalPlan; column: RelationColumn } => {
    const alias = context.aliases.derived(d.label, '_values')
    const legs = valueLegs(d, query, context)
    const tuples = unite([d], legs, context)
    const present: LogicalPlan = {
      kind: 'filter',
      input: tuples,
      condition: isNotNull(relationColumn('', d.name, d.type)),
      reason: 'NULL is no value to combine',
    }
    const columns = [{ name: d.name, type: d.type, expression: relationColumn('', d.name, d.type) }]
    return {
      plan: { kind: 'project', input: present, alias, columns, stage: true },
      column: relationColumn(alias, d.name, d.type),
    }
  })
  const label = { from: '', to: '', columns: [], reason: 'every combination of the values' }
  const product = values
    .slice(1)
    .reduce<LogicalPlan>(
      (left, v) => ({ kind: 'join', type: 'cross', left, right: v.plan, on: undefined, label }),
      values[0]!.plan,
    )
  const legs = tupleLegs(query.dimensions, query, context, report)
  const alias = context.aliases.derived('occurring')
  const occurring: LogicalPlan = {
    kind: 'project',
    input: unite(query.dimensions, legs, context),
    alias,
    columns: query.dimensions.map(({ name, type }) => ({ name, type, expression: relationColumn('', name, type) })),
    stage: true,
  }
  const on = query.dimensions.map((d, i) => binary('=', values[i]!.column, relationColumn(alias, d.name, d.type)))
  const found = isNull(relationColumn(alias, query.dimensions[0]!.name, query.dimensions[0]!.type))
  const joined: LogicalPlan = {
    kind: 'join',
    type: 'left',
    left: product,
    right: occurring,
    on: on.reduce((a, b) => binary('and', a, b)),
    label: { ...label, reason: 'looked up among the combinations that occur' },
  }
  const input: LogicalPlan = { kind: 'filter', input: joined, condition: found, reason: 'combinations that never occur' }
  const read = (expression: RowExpr): RowExpr =>
    mapLeaves<RelationColumn, RelationColumn>(
      expression,
      (leaf) => values.find((v) => v.column.name === leaf.name)?.column ?? leaf,
    )
  const columns = query.outputs.map((o) => display(o, read))
  return {
    plan: { kind: 'project', input: sorted(input, query.order, read), alias: 'answer', columns },
    columns: query.outputs,
    homes: legs.map((l) => l.home),
  }
}

/** The values of one dimension, restricted only by conjuncts whose every field its object reaches directly. */
function valueLegs(dimension: ResolvedDimension, query: DimensionQuery, context: RowsContext): PlannedLeg[] {
  return tupleHomes([dimension], query).map((home): PlannedLeg => {
    const name = context.aliases.derived(home, '_tuples')
    const conjuncts = query.where.filter((c) => {
      const located = conjunctsFor(home, { ...query, where: [c] }, undefined, '')
      return located.conjuncts.length > 0 && located.bridges.size === 0
    })
    const request = {
      home,
      atoms: [],
      dimensions: [dimension],
      conjuncts,
      bridges: new Set<string>(),
      apart: new Set<string>(),
      bridgeFilters: [],
      fanOut: false,
    }
    return { input: planBlock(request, context, name), name, present: true, values: [], home, overlapping: [] }
  })
}

function unite(dimensions: readonly ResolvedDimension[], legs: readonly PlannedLeg[], context: RowsContext): LogicalPlan {
  if (legs.length === 1) return legs[0]!.input
  const keys = dimensions.map(({ name, type }) => ({ name, type }))
  return {
    kind: 'combine',
    alias: context.aliases.derived('combined'),
    keys,
    legs,
    reason: 'tuples of every object that holds them',
  }
}

function planRaw(query: RawQuery, context: RowsContext, report: FilterReport): Planned {
  const { home } = query
  const { conjuncts, bridges, apart } = conjunctsFor(home, query, report, `the rows of '${home}'`)
  const connections = new Connections(context, home, bridges, apart)
  const rows = connections.home
  const names = new Aliases()
  const fields: NamedExpr[] = query.fields.map((f) => ({
    name: names.column(f.name),
    type: f.type,
    expression: rows.expression(f.column),
  }))
  const key = query.model.dataObjects.get(home)!.key
  const keys: NamedExpr[] = key.map((name, i) => {
    const { type } = query.model.dataObjects.get(home)!.columns.get(name)!
    return { name: `key_${i + 1}`, type, expression: rows.column(rows.root, name) }
  })
  const conditions = [
    ...rows.requiredConditions().map((condition) => ({ condition, reason: 'a required join drops rows without a match' })),
    ...rows.staticConditions().map((condition) => ({ condition, reason: 'static filter of the model' })),
    ...conjuncts.map((c) => ({
      condition: connections.where(c.expression, c.path),
      reason: `where on ${c.fields.map((f) => `'${f}'`).join(', ')}`,
    })),
  ]
  const input = conditions.reduce<LogicalPlan>((plan, c) => ({ kind: 'filter', input: plan, ...c }), connections.plan())
  const paged = query.limit !== undefined || query.offset !== undefined
  return {
    plan: rawRows(query, { input, fields, keys, paged, multiplies: connections.multiplies }, context),
    columns: rawOutputs(query),
    homes: [home],
  }
}

interface RawParts {
  readonly input: LogicalPlan
  readonly fields: readonly NamedExpr[]
  readonly keys: readonly NamedExpr[]
  readonly paged: boolean
  readonly multiplies: boolean
}

function rawRows(query: RawQuery, { input, fields, keys, paged, multiplies }: RawParts, context: RowsContext): LogicalPlan {
  const alias = context.aliases.derived('detail')
  const own = (e: NamedExpr): NamedExpr => ({ ...e, expression: relationColumn(alias, e.name, e.type) })
  const through = (plan: LogicalPlan, columns: readonly NamedExpr[], ties: readonly NamedExpr[]): LogicalPlan => {
    const read = (expression: RowExpr): RowExpr =>
      mapLeaves<RelationColumn, RelationColumn>(
        expression,
        (leaf) => columns.find((c) => c.name === leaf.name)?.expression ?? leaf,
      )
    const tie = ties.map(({ expression, type }) => ({ expression, type, descending: false, nullsFirst: false }))
    const keysOfOrder = query.order.map((o) => ({
      expression: read(o.expression),
      type: o.type,
      descending: o.descending,
      nullsFirst: o.nullsFirst,
    }))
    const all = [...keysOfOrder, ...(paged ? tie : [])]
    const ordered: LogicalPlan = all.length > 0 ? { kind: 'sort', input: plan, keys: all } : plan
    return { kind: 'project', input: ordered, alias: 'answer', columns }
  }
  if (query.distinct) {
    const distinct: LogicalPlan = { kind: 'distinct', input, alias, columns: fields, reason: 'distinct rows were asked for' }
    return through(distinct, fields.map(own), fields.map(own))
  }
  if (!multiplies) return through(input, fields, keys.length > 0 ? keys : fields)
  if (keys.length === 0) {
    fail(
      'KEY_REQUIRED',
      `a row of '${query.home}' can meet the filter in several ways; mark its key with primaryKey, so that it stands once`,
      { path: 'where' },
    )
  }
  const distinct: LogicalPlan = {
    kind: 'distinct',
    input,
    alias,
    columns: [...fields, ...keys],
    reason: 'each row once, however often its connections meet the filter',
  }
  return through(distinct, fields.map(own), keys.map(own))
}

const rawOutputs = (query: RawQuery): Output[] =>
  query.fields.map(({ name, type }) => ({
    name,
    role: 'field',
    type,
    expression: relationColumn('', name, type),
    displayAs: undefined,
    format: undefined,
  }))

/** Names that a CTE must not take: some engines read a CTE named like its own table as a circle. */
function* tableNames({ model }: ResolvedQuery): Iterable<string> {
  yield 'answer'
  for (const object of model.dataObjects.values()) if (object.source.kind === 'table') yield object.source.name
}
