import { type Finding, fail, GrainlineError, warning } from '../errors.js'
import type { Grain } from '../model/grain.js'
import { computedModel, type SemanticModel } from '../model/semantic-model.js'
import type { QueryFilter, QueryObject } from '../query/query-object.js'
import { readFilters } from '../query/read-filters.js'
import { isZoneName, zoneFault, zonesMeant } from '../time-zones/zone-names.js'
import { adHocDimension } from './ad-hoc.js'
import { type AggregateRequest, resolveAggregate } from './aggregate.js'
import { columnNamer } from './aliases.js'
import { resolveBehind } from './behind.js'
import { calendarTimes } from './calendar-times.js'
import { clockAt, type TimeContext } from './clock.js'
import { withComparedMeasures } from './compared-measures.js'
import { dimensionOutput } from './dimension-output.js'
import { withEveryUnknownName } from './every-unknown-name.js'
import { resolveDimension } from './fields.js'
import { fillOf } from './fill.js'
import { relativeUnits, resolveWhere } from './filters.js'
import { sampleParameters, withValues } from './given-parameters.js'
import { resolveGrouped } from './grouping.js'
import { joinGraph } from './join-graph.js'
import { find, refuseTwice, unknownName } from './lookup.js'
import { naiveReading, warnNaive } from './naive.js'
import { resolveOrder } from './order.js'
import { withPerColumns } from './per-columns.js'
import { resolveRaw } from './raw.js'
import type { QueryBase, ResolveContext, ResolvedDimension, ResolvedQuery, ResolveOptions, ShownTypes } from './resolved-query.js'
import { withoutSegments } from './segments.js'
import { warnOfStatus } from './status-warnings.js'
import { withFieldNames } from './synonyms.js'
import { withPeriodNumbers } from './table-periods.js'
import { warnOfWholePeriods, warnOverTime } from './time-warnings.js'
import { resolveTop, withTop } from './top.js'

/** Replaces every name of the query by the thing that it names. Throws a `GrainlineError` with the path of the error in the query. */
export function resolveQuery(asked: QueryObject, shown: SemanticModel, options: ResolveOptions): ResolvedQuery {
  const computed = withPeriodNumbers(computedModel(shown))
  const { query: written, warnings: synonyms } = withFieldNames(asked, shown)
  const catalogue = { ...options, time: timeContext(written, computed, options.now) }
  const { query, model } = withComparedMeasures(withPerColumns({ query: written, model: computed }, catalogue))
  refuseGrouping(query)
  const warnings: Finding[] = [...synonyms]
  const units = [...clockUnits(query, model)]
  const context = resolveContext(query, model, options, { warnings, units })
  try {
    return resolveIn(context, { query, model, options, warnings, units })
  } catch (error) {
    throw withEveryUnknownName(error, query, context)
  }
}

interface ResolveRequest extends Noted {
  readonly query: QueryObject
  readonly model: SemanticModel
  readonly options: ResolveOptions
}

function resolveIn(context: ResolveContext, { query, model, options, warnings, units }: ResolveRequest): ResolvedQuery {
  if (query.select.fields.length > 0 && query.fill_gaps)
    fail('INVALID_QUERY', 'fill_gaps reports periods of measures or dimensions; raw rows have none', { path: 'fill_gaps' })
  if (query.select.fields.length > 0 && query.top) refuseTop('top chooses among groups, and raw rows have no groups')
  if (query.select.fields.length > 0 && query.rows_of !== undefined)
    fail('INVALID_QUERY', 'rows_of adds combinations of dimensions, and raw rows have none', { path: 'rows_of' })
  warnOfStatus(query, context)
  if (query.select.fields.length > 0) return resolveRaw(query, context, options, { warnings, clockUnits: units })
  const columnNames = new Set<string>()
  const columnName = columnNamer(columnNames)
  const selected = selectedDimensions(query, context, options.shownAs).map((d) => ({
    ...d,
    name: columnName(`dimension ${d.label}`, d.label),
  }))
  const dimensions = withTop(query, selected)
  for (const { label, grain, members, path } of dimensions) if (grain) warnNaive(label, members[0].type, path, context)
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
    columnNames,
    clockUnits: units,
    rowsOf: resolveRowsOf(query, model),
  }
  const measures = query.select.measures.map((name, i) => ({ name, path: measurePath(query, name, i) }))
  warnOverTime(measures, dimensions, base.where, context)
  if (query.dimensions_exclude) {
    refuseExclude(query)
    const outputs = dimensions.map(dimensionOutput)
    const sorting = { ...context, functions: options.functions, columnName, inner: base }
    const ordered = resolveOrder(query, { outputs, dimensions, absent: [], rowSet: undefined, context: sorting }, base)
    return { kind: 'exclude', ...base, dimensions, outputs, ...ordered }
  }
  const timesFor = calendarTimes({
    ...{ graph: context.graph, clocks: context.time, dimensions, where: base.where, columnName },
    names: namesRead(query),
    fillsGaps: query.fill_gaps !== undefined && query.fill_gaps !== false && !dimensions.some(({ grain }) => grain),
  })
  const times = timesFor(dimensions)
  warnOfWholePeriods(measures, times, base.where, context)
  const fill = fillOf(query, [...dimensions, ...times], context.graph)
  const request: AggregateRequest = {
    query,
    context,
    options,
    base,
    dimensions,
    measures,
    fill,
    calendarTimes: timesFor,
    columnName,
  }
  const resolved = resolveKind(request)
  return query.top ? { ...resolved, top: resolveTop(query.top, request) } : resolved
}

function resolveKind(request: AggregateRequest): ResolvedQuery {
  const { query, options } = request
  if (options.behind) return resolveBehind(options.behind, request)
  return query.grouping ? resolveGrouped(query.grouping, request) : resolveAggregate(request)
}

/** The fields that an answer reads by name; those of expressions show no time. */
const namesRead = ({ select, having, order_by }: QueryObject): readonly string[] => [
  ...select.measures,
  ...having.flatMap(fieldsIn),
  ...order_by.flatMap(({ field }) => (typeof field === 'string' ? [field] : [])),
]

const fieldsIn = (filter: QueryFilter): readonly string[] =>
  'filters' in filter ? filter.filters.flatMap(fieldsIn) : 'field' in filter ? [filter.field] : []

const clockUnits = ({ where, having }: QueryObject, model: SemanticModel): QueryBase['clockUnits'] =>
  relativeUnits([...withoutSegments(where, model), ...having], model)

type Asking = Pick<QueryObject, 'use_path_names' | 'timezone'>

function resolveContext(query: Asking, model: SemanticModel, options: Catalogue, noted: Noted): ResolveContext {
  const pins = query.use_path_names.map((p, i) => ({
    source: p.source,
    target: p.target,
    pathName: p.path_name,
    path: `use_path_names[${i}]`,
  }))
  return {
    model,
    graph: joinGraph(model, pins),
    time: timeContext(query, model, options.now),
    functions: options.functions,
    aggregates: options.aggregates,
    warn: (code, message, details) => void noted.warnings.push(warning(code, message, details)),
    readClock: (unit) => void noted.units.push(unit),
  }
}

/** What is found about a query while it is resolved. */
interface Noted {
  readonly warnings: Finding[]
  readonly units: Grain[]
}

type Catalogue = Pick<ResolveOptions, 'functions' | 'aggregates' | 'now'>

const NO_QUERY: QueryObject = {
  select: { dimensions: [], measures: [], fields: [], distinct: false },
  ...{ where: [], having: [], order_by: [], use_path_names: [] },
  ...{ allow_fan_out: false, dimensions_exclude: false },
}

/** The errors in the segments and views of a model, found before any query uses them. */
export function filterFaults(model: SemanticModel, options: Catalogue): Finding[] {
  const checked = (where: readonly QueryFilter[], path: string): Finding[] => {
    try {
      const settled = withValues({ query: { ...NO_QUERY, where }, model }, sampleParameters(model))
      resolveWhere(settled.query.where, [], resolveContext(NO_QUERY, settled.model, options, { warnings: [], units: [] }))
      return []
    } catch (error) {
      if (error instanceof GrainlineError) return [{ ...error.toFinding(), path }]
      throw error
    }
  }
  const ofSegments = [...model.segments.keys()].flatMap((name) => {
    const path = `segments.${name}`
    return checked([{ kind: 'segment', name, path }], path)
  })
  const ofViews = [...model.views.values()].flatMap(({ name, where }) => {
    const read = readFilters(where)
    return 'fault' in read ? [{ ...read.fault, path: `views.${name}` }] : checked(read.filters, `views.${name}`)
  })
  return [...ofSegments, ...ofViews]
}

export function timeContext(query: Pick<QueryObject, 'timezone'>, model: SemanticModel, now: Date): TimeContext {
  const asked = query.timezone ?? model.settings.queryTimezone
  const zone = asked ?? 'UTC'
  if (!isZoneName(zone)) fail('INVALID_QUERY', zoneFault(zone), { path: 'timezone', suggestions: zonesMeant(zone) })
  const { weekStart } = model.settings
  return { clock: clockAt(now, zone, weekStart), zone, weekStart, ...naiveReading(asked, model.settings) }
}

function selectedDimensions(query: QueryObject, context: ResolveContext, shownAs: ShownTypes = {}): ResolvedDimension[] {
  const dimensions = query.select.dimensions.map((d, i) => {
    const path = `select.dimensions[${i}]`
    if (d.kind === 'per') return fail('INTERNAL_ERROR', `'${d.as}' is no dimension of the model`, { path })
    return d.kind === 'expression' ? adHocDimension(d, path, context) : resolveDimension(d, context.model, path)
  })
  refuseTwice(
    dimensions.map((d) => d.label),
    'select.dimensions',
  )
  return dimensions.map((d) => (shownAs[d.label] ? { ...d, shownAs: { type: shownAs[d.label]!, zone: context.time.zone } } : d))
}

function refuseExclude(query: QueryObject): void {
  if (query.fill_gaps)
    fail('INVALID_QUERY', 'dimensions_exclude asks which combinations never occur; it fills no gaps', { path: 'fill_gaps' })
  if (query.top) refuseTop('dimensions_exclude asks which combinations never occur; these have no measure to choose by')
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

const refuseTop = (why: string): never => fail('INVALID_QUERY', why, { path: 'top' })

/** Subtotals need measures. Without them `grouping` is refused, not silently ignored. */
function refuseGrouping({ grouping, select, dimensions_exclude }: QueryObject): void {
  if (grouping === undefined || (select.measures.length > 0 && select.fields.length === 0 && !dimensions_exclude)) return
  const what = typeof grouping === 'string' ? `'${grouping}'` : 'a list of sets'
  fail('INVALID_QUERY', `${what} adds subtotals of measures, and the query selects none`, { path: 'grouping' })
}

/** Where a query asks for a selected measure: in its list, or by its comparison. */
const measurePath = ({ compare }: QueryObject, name: string, at: number): string =>
  compare?.columns?.includes(name) ? 'compare' : `select.measures[${at}]`

/** The data object whose tuples are rows of the answer. Throws `UNKNOWN_DATA_OBJECT`. */
function resolveRowsOf({ rows_of: name }: QueryObject, { dataObjects }: SemanticModel): string | undefined {
  if (name === undefined) return undefined
  const unknown = { name, what: 'not a data object of this model', known: dataObjects.keys() }
  return find(name, dataObjects)?.name ?? unknownName('UNKNOWN_DATA_OBJECT', unknown, 'rows_of')
}
