/** The features that a generated case uses: tags of the query and of the parts of the model that it uses. */
import {
  type FilterJson,
  type MeasureFilterJson,
  type MeasureJson,
  type MetricJson,
  type ModelJson,
  type QueryJson,
  type WrittenJson,
  withoutExpressions,
} from '../model.js'
import { isOfShown } from '../shown.js'
import { withoutView } from '../views.js'
import { componentsOf } from './later.js'
import { CALENDAR_GRAIN } from './later-calendars.js'
import { homesOf, reachedFrom } from './later-rows.js'

export const FEATURES = [
  'raw', 'distinct-rows', 'dimensions-only', 'dimensions-exclude', 'multi-fact', 'bridge', 'many-to-many', 'array-elements', 'one-to-one', 'required', 'path-name',
  'via', 'composite-key', 'coalesce', 'time-grain', 'several-grains', 'calendar', 'bins', 'computed-column', 'static-filter', 'where', 'or-not', 'exists', 'relative', 'segment', 'strict',
  'measure-filter', 'default-value', 'data-type', 'distinct-count', 'statistics', 'conditions', 'listagg', 'first-last', 'cross-fact', 'semi-additive', 'grain',
  'filter-context', 'derived', 'pop', 'cumulative', 'cumulative-type', 'window', 'aggregate', 'conversion', 'funnel', 'nested-time', 'rollup', 'cube', 'sets', 'fill-gaps', 'having',
  'fan-out', 'order', 'limit', 'week-sunday', 'time-zone', 'top', 'rows-of', 'sort-by', 'unselected-order', 'parameter', 'measure-column', 'existence-column', 'existence-filter', 'window-column', 'shown',
] as const // biome-ignore format: a table
export type Feature = (typeof FEATURES)[number]

/** The features of a case, in the order of `FEATURES`. */
export function featuresOf(model: ModelJson, asked: QueryJson): readonly Feature[] {
  const { query } = withoutView(model, asked)
  const used = usedBy(model, query)
  const tags: Record<Feature, boolean> = {
    ...queryTags(model, query),
    ...fieldTags(model, query, used),
    ...graphTags(model, query, used),
    ...measureTags(model, used),
    ...metricTags(model, used),
  }
  return FEATURES.filter((f) => tags[f])
}

// ---- what a case uses -------------------------------------------------------------------------------------------------------------

interface Used {
  readonly measures: readonly MeasureJson[]
  readonly metrics: readonly MetricJson[]
  readonly dimensions: readonly string[]
  /** The base objects of measures, and those that are also read. */
  readonly homes: readonly string[]
  readonly read: readonly string[]
  readonly leaves: readonly FilterJson[]
}

function usedBy(model: ModelJson, query: QueryJson): Used {
  const names = new Set<string>()
  const visit = (name: string): void => {
    if (names.has(name)) return
    names.add(name)
    const metric = model.metrics?.[name]
    if (metric) for (const c of componentsOf(metric)) visit(c)
  }
  const ordered = (query.order_by ?? []).flatMap((o) => (typeof o.field === 'string' ? [o.field] : []))
  const by = query.top ? [query.top.by] : []
  for (const name of [
    ...(query.select.measures ?? []),
    ...by,
    ...ordered,
    ...withoutExpressions(query.having).flatMap(leavesOf).flatMap(fieldOf),
  ])
    visit(name)
  const measures = [...names].flatMap((n) => model.measures?.[n] ?? [])
  const counted = [...names].flatMap((n) => (n.endsWith(' Count') && model.dataObjects[n.slice(0, -6)] ? [n.slice(0, -6)] : []))
  const leaves = (query.where ?? []).flatMap(leavesOf)
  const selected = (query.select.dimensions ?? []).flatMap((d) => (typeof d === 'string' ? [plain(model, d)] : d.coalesce))
  const dimensions = [...new Set([...selected, ...leaves.flatMap(fieldOf)])].filter((n) => model.dimensions?.[n])
  const homes = [...new Set([...counted, ...measures.flatMap((m) => homesOf(m).slice(0, 1))])]
  const addressed = [...leaves.flatMap(fieldOf), ...(query.select.fields ?? [])].flatMap((f) =>
    Object.keys(model.dataObjects).filter((o) => f.startsWith(`${o}.`)),
  )
  const read = [
    ...new Set([
      ...homes,
      ...measures.flatMap(homesOf),
      ...addressed,
      ...dimensions.map((n) => model.dimensions![n]!.dataObject),
    ]),
  ]
  return { measures, metrics: [...names].flatMap((n) => model.metrics?.[n] ?? []), dimensions, homes, read, leaves }
}

function leavesOf(filter: WrittenJson): FilterJson[] {
  if (typeof filter === 'string' || 'segment' in filter) return []
  return 'logic' in filter ? filter.filters.flatMap(leavesOf) : [filter as FilterJson]
}

const fieldOf = (leaf: FilterJson): string[] => ('field' in leaf ? [leaf.field] : [])
const plain = (model: ModelJson, text: string): string => (model.dimensions?.[text] ? text : text.replace(/:\w+$/, ''))

// ---- tags -------------------------------------------------------------------------------------------------------------------------

function queryTags(model: ModelJson, { select, ...query }: QueryJson) {
  const { grouping } = query
  const levels = typeof grouping === 'object' ? grouping.sets : grouping
  const text = JSON.stringify(query.where ?? [])
  return {
    raw: select.fields !== undefined,
    'distinct-rows': select.distinct === true,
    'dimensions-only': (select.measures ?? []).length === 0 && select.fields === undefined && !query.dimensions_exclude,
    'dimensions-exclude': query.dimensions_exclude === true,
    'path-name': query.use_path_names !== undefined,
    where: (query.where ?? []).length > 0,
    'or-not': /"logic":"or"|"negated":true/.test(text),
    exists: text.includes('"subquery"'),
    relative: text.includes('"relative"'),
    segment:
      (query.where ?? []).some((f) => typeof f === 'string') ||
      text.includes('"segment"') ||
      namesSegment(model, query.where ?? []),
    strict: query.strict_filters === true,
    rollup: levels === 'rollup',
    cube: levels === 'cube',
    sets: typeof levels === 'object',
    shown: isOfShown(grouping),
    'fill-gaps': query.fill_gaps !== undefined && query.fill_gaps !== false,
    having: (query.having ?? []).length > 0,
    order: (query.order_by ?? []).length > 0,
    limit: query.limit !== undefined || query.offset !== undefined,
    'static-filter': (model.filters ?? []).length > 0,
    'week-sunday': model.settings?.weekStart === 'sunday',
    top: query.top !== undefined,
    'rows-of': query.rows_of !== undefined,
    'unselected-order': ordersByUnselected(model, { select, ...query }),
    parameter: model.parameters !== undefined,
    'measure-column': Object.values(model.dataObjects).some(({ columns }) =>
      Object.values(columns).some((c) => c.measure !== undefined),
    ),
    'existence-column': Object.values(model.dataObjects).some(({ columns }) =>
      Object.values(columns).some((c) => c.exists !== undefined),
    ),
    'window-column': Object.values(model.dataObjects).some(({ columns }) =>
      Object.values(columns).some((c) => c.window !== undefined),
    ),
    'time-zone': query.timezone !== undefined || model.settings?.queryTimezone !== undefined,
  }
}

function namesSegment(model: ModelJson, filters: readonly WrittenJson[]): boolean {
  const names = Object.keys(model.segments ?? {})
  return names.some(
    (n) => JSON.stringify(filters).includes(`[${JSON.stringify(n)}`) || JSON.stringify(filters).includes(`,${JSON.stringify(n)}`),
  )
}

/** By a dimension that is not selected. */
function ordersByUnselected(model: ModelJson, { select, order_by = [] }: QueryJson): boolean {
  const texts = (select.dimensions ?? []).map((d) => (typeof d === 'string' ? d : d.as))
  return order_by.some(
    ({ field }) => typeof field === 'string' && !texts.includes(field) && model.dimensions?.[plain(model, field)] !== undefined,
  )
}

function fieldTags(model: ModelJson, query: QueryJson, { dimensions, metrics }: Used) {
  const { select } = query
  const definitions = dimensions.map((n) => model.dimensions![n]!)
  const texts = (select.dimensions ?? []).flatMap((d) => (typeof d === 'string' ? [d] : []))
  const columns = definitions.flatMap((d) => model.dataObjects[d.dataObject]!.columns[d.column ?? ''] ?? [])
  return {
    coalesce: (select.dimensions ?? []).some((d) => typeof d === 'object'),
    'time-grain': texts.some((t) => !model.dimensions?.[t] || model.dimensions[t].timeGrain !== undefined),
    'several-grains': new Set(texts.map((t) => plain(model, t))).size < texts.length,
    calendar: CALENDAR_GRAIN.test(JSON.stringify([select.dimensions, definitions, metrics, query.where])),
    bins: definitions.some((d) => d.bins !== undefined),
    via: definitions.some((d) => d.via !== undefined),
    'sort-by': definitions.some((d) => d.sortBy !== undefined),
    'computed-column': [...definitions, ...columns].some((c) => c.expression !== undefined),
  }
}

function graphTags(model: ModelJson, { select }: QueryJson, { homes, read }: Used) {
  const around = [...new Set(read.flatMap((o) => reachedFrom(model, o)))]
  const joins = around.flatMap((o) => model.dataObjects[o]!.joins ?? [])
  const grouped = (select.dimensions ?? []).flatMap((d) =>
    typeof d === 'string' ? [model.dimensions![plain(model, d)]!.dataObject] : [],
  )
  const beyond = homes.some((h) => grouped.some((o) => !reachedFrom(model, h).includes(o)))
  return {
    'multi-fact': homes.length > 1,
    bridge: beyond,
    'many-to-many':
      beyond && Object.values(model.dataObjects).some((o) => (o.joins ?? []).some((j) => j.joinType === 'many-to-many')),
    'array-elements': read.some((o) => model.dataObjects[o]!.nestedIn !== undefined),
    'one-to-one': joins.some((j) => j.joinType === 'one-to-one'),
    required: homes
      .flatMap((h) => reachedFrom(model, h))
      .some((o) => (model.dataObjects[o]!.joins ?? []).some((j) => j.required)),
    'composite-key': around.some((o) => 'part' in model.dataObjects[o]!.columns),
  }
}

/** No object that it reads reaches all the others. */
function isCrossFact(model: ModelJson, measure: MeasureJson): boolean {
  const read = [...new Set(homesOf(measure))]
  return read.length > 1 && !read.some((o) => read.every((r) => reachedFrom(model, o).includes(r)))
}

function measureTags(model: ModelJson, { measures }: Used) {
  const aggregations = measures.map((m) => m.aggregation)
  const filters = measures.flatMap((m): readonly MeasureFilterJson[] => m.filters ?? [])
  return {
    'measure-filter': filters.length > 0,
    'default-value': measures.some((m) => m.defaultValue !== undefined),
    'data-type': measures.some((m) => m.dataType !== undefined),
    'distinct-count': aggregations.includes('count_distinct') || measures.some((m) => m.distinct),
    statistics: aggregations.some((a) => /^(median|percentile|mode|stddev|var|corr|covar|regr)/.test(a)),
    conditions: aggregations.some((a) => a === 'count_if' || a.startsWith('bool_')),
    listagg: aggregations.includes('listagg'),
    'first-last': aggregations.includes('first') || aggregations.includes('last'),
    'cross-fact': measures.some((m) => isCrossFact(model, m)),
    'semi-additive': measures.some((m) => m.semiAdditive !== undefined),
    grain: measures.some((m) => m.grain !== undefined || m.total),
    'existence-filter': measures.some((m) => JSON.stringify(m.filters ?? []).includes('"subquery"')),
    'filter-context': measures.some((m) => m.filterContext !== undefined),
    'fan-out': measures.some((m) => m.allowFanOut),
  }
}

function metricTags(model: ModelJson, { metrics }: Used) {
  const types = metrics.map((m) => m.type ?? 'derived')
  const running = metrics.filter((m) => m.type === 'cumulative' || m.type === 'period_over_period')
  return {
    derived: types.includes('derived'),
    pop: types.includes('period_over_period'),
    cumulative: types.includes('cumulative'),
    'cumulative-type': metrics.some((m) => m.cumulativeType !== undefined),
    window: types.includes('window'),
    aggregate: types.includes('aggregate'),
    conversion: types.includes('conversion'),
    funnel: types.includes('funnel'),
    'nested-time': running.some((m) => componentsOf(m).some((c) => runs(model, c))),
  }
}

function runs(model: ModelJson, name: string): boolean {
  const metric = model.metrics?.[name]
  if (!metric || metric.type === 'conversion' || metric.type === 'funnel') return false
  return !['derived', 'aggregate'].includes(metric.type ?? 'derived') || componentsOf(metric).some((c) => runs(model, c))
}
