import { type Finding, fail, warning } from '../errors.js'
import type { SemanticModel } from '../model/semantic-model.js'
import type { QueryFilter, QueryObject } from '../query/query-object.js'
import { Aliases } from './aliases.js'
import { condition, type TimeContext } from './conditions.js'
import { allOf } from './expressions.js'
import { resolveDimension } from './fields.js'
import { comparisonOf, resolveTree, resolveWhere } from './filters.js'
import { joinGraph } from './join-graph.js'
import { find, unknownName } from './lookup.js'
import { resolveOrder } from './order.js'
import { resolveRaw } from './raw.js'
import { type RelationColumn, type RowExpr, relationColumn } from './relation-column.js'
import type { Output, ResolveContext, ResolvedDimension, ResolvedQuery, ResolveOptions } from './resolved-query.js'
import { type RowField, RowSet } from './row-set.js'

/** Replaces every name of the question by the thing it names. Throws a `GrainlineError` with the path of the fault in the query. */
export function resolveQuery(query: QueryObject, model: SemanticModel, options: ResolveOptions): ResolvedQuery {
  refuseLater(query)
  const warnings: Finding[] = []
  const pins = query.use_path_names.map((p, i) => ({
    source: p.source,
    target: p.target,
    pathName: p.path_name,
    path: `use_path_names[${i}]`,
  }))
  const context: ResolveContext = {
    model,
    graph: joinGraph(model, pins),
    time: timeContext(query, model, options.now),
    warn: (code, message, details) => void warnings.push(warning(code, message, details)),
  }
  if (query.select.fields.length > 0) return resolveRaw(query, context, options, warnings)
  const columnName = columnNamer()
  const dimensions = selectedDimensions(query, model).map((d) => ({ ...d, name: columnName(`dimension ${d.label}`, d.label) }))
  if (dimensions.length === 0 && query.select.measures.length === 0) {
    fail('INVALID_QUERY', 'the query selects nothing; name dimensions, measures or fields', { path: 'select' })
  }
  const base = {
    model,
    graph: context.graph,
    time: context.time,
    where: resolveWhere(query.where, dimensions, context),
    limit: query.limit ?? options.defaultLimit,
    offset: query.offset,
    strictFilters: query.strict_filters ?? model.settings.strictFilters,
    warnings,
  }
  if (query.dimensions_exclude) {
    refuseExclude(query)
    const outputs = dimensions.map(dimensionOutput)
    return { kind: 'exclude', ...base, dimensions, outputs, order: resolveOrder(query, outputs, dimensions, undefined, base) }
  }
  const rowSet = new RowSet({
    graph: context.graph,
    functions: options.functions,
    aggregates: options.aggregates,
    dimensions,
    where: base.where,
    columnName: (key, name) => columnName(`field ${key}`, name),
  })
  const selected = query.select.measures.map((name, i) => selectedField(name, rowSet, model, `select.measures[${i}]`))
  const outputs = [...dimensions.map(dimensionOutput), ...selected.map(fieldOutput)]
  const having = allOf(query.having.map((filter) => resolveHaving(filter, rowSet, dimensions, context)))
  const order = resolveOrder(query, outputs, dimensions, rowSet, base)
  return {
    kind: 'aggregate',
    ...base,
    dimensions,
    atoms: rowSet.atoms,
    steps: rowSet.steps,
    outputs,
    having,
    order,
    fanOut: query.allow_fan_out,
  }
}

export function timeContext(query: QueryObject, model: SemanticModel, now: Date): TimeContext {
  const zone = query.timezone ?? model.settings.queryTimezone ?? 'UTC'
  try {
    new Intl.DateTimeFormat('en-US', { timeZone: zone })
  } catch {
    fail('INVALID_QUERY', `'${zone}' is not a time zone of the IANA database`, { path: 'timezone' })
  }
  return { now, zone, weekStart: model.settings.weekStart }
}

function dimensionOutput({ name, label, type, format }: ResolvedDimension): Output {
  return { name: label, role: 'dimension', type, expression: relationColumn('', name, type), displayAs: undefined, format }
}

function fieldOutput({ name, expression, type, displayAs, format, role }: RowField): Output {
  return { name, role, type, expression, displayAs, format }
}

function selectedField(name: string, rowSet: RowSet, model: SemanticModel, path: string): RowField {
  const field = rowSet.field(name, true, path)
  if (field) return field
  if (find(name, model.dimensions)) {
    return fail('UNKNOWN_MEASURE', `'${name}' is a dimension, not a measure; move it to select.dimensions`, { path })
  }
  return unknownName(
    'UNKNOWN_MEASURE',
    name,
    'not a measure or metric of this model',
    [...model.measures.keys(), ...model.metrics.keys()],
    path,
  )
}

function resolveHaving(
  filter: QueryFilter,
  rowSet: RowSet,
  dimensions: readonly ResolvedDimension[],
  context: ResolveContext,
): RowExpr {
  return resolveTree<RelationColumn>(filter, (leaf) => {
    const path = `${leaf.path}.field`
    const dimension = dimensions.find((d) => d.label === leaf.field)
    const field = dimension
      ? { expression: relationColumn('', dimension.name, dimension.type), type: dimension.type, name: dimension.name }
      : rowSet.field(leaf.field, false, path)
    if (!field) {
      const { model } = context
      if (find(leaf.field, model.dimensions)) {
        fail('UNKNOWN_FILTER_FIELD', `'${leaf.field}' is a dimension; a condition on it belongs in where`, {
          path,
          hint: 'move this filter to where',
        })
      }
      return unknownName(
        'UNKNOWN_FILTER_FIELD',
        leaf.field,
        'not a measure or metric of this model',
        [...model.measures.keys(), ...model.metrics.keys()],
        path,
      )
    }
    return condition(
      { expression: field.expression, type: field.type, grain: undefined, name: field.name },
      comparisonOf(leaf),
      context.time,
    )
  })
}

/** Names for the columns of the row set: each like its field, told apart by a number where another differs in case alone. */
function columnNamer(): (field: string, name: string) => string {
  const aliases = new Aliases()
  const known = new Map<string, string>()
  return (field, name) => {
    const found = known.get(field) ?? aliases.column(name)
    known.set(field, found)
    return found
  }
}

function selectedDimensions(query: QueryObject, model: SemanticModel): ResolvedDimension[] {
  const dimensions = query.select.dimensions.map((d, i) => resolveDimension(d, model, `select.dimensions[${i}]`))
  const seen = new Set<string>()
  for (const { label, path } of dimensions) {
    if (seen.has(label)) fail('INVALID_QUERY', `'${label}' is selected twice`, { path })
    seen.add(label)
  }
  return dimensions
}

function refuseExclude(query: QueryObject): void {
  if (query.select.measures.length > 0 || query.having.length > 0) {
    fail('DIMENSIONS_EXCLUDE_WITH_MEASURES', 'dimensions_exclude asks which combinations never occur; it takes no measures', {
      path: 'select.measures',
    })
  }
  if (query.select.dimensions.length < 2) {
    fail('DIMENSIONS_EXCLUDE_INSUFFICIENT', 'dimensions_exclude needs at least two dimensions to combine', {
      path: 'select.dimensions',
    })
  }
}

function refuseLater(query: QueryObject): void {
  if (query.grouping)
    fail('UNSUPPORTED_FEATURE', `grouping '${query.grouping}' is not planned by this version yet`, { path: 'grouping' })
  if (query.fill_gaps) fail('UNSUPPORTED_FEATURE', 'fill_gaps is not planned by this version yet', { path: 'fill_gaps' })
}
