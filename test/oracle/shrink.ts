/** Reduces a failing case: removes parts as long as it still fails in the same way. */
import type { Case } from './generate/case.js'
import { holdsForeignKeys } from './generate/later-foreign.js'
import type { FilterJson, MeasureJson, ModelJson, QueryJson, Tables, WrittenJson } from './model.js'

/** `fails` returns whether a smaller case still shows the fault. At most `budget` tries. */
export async function shrink(one: Case, fails: (smaller: Case) => Promise<boolean>, budget = 400): Promise<Case> {
  let current = one
  let tries = 0
  for (let progress = true; progress && tries < budget; ) {
    progress = false
    for (const smaller of reductions(current)) {
      if (tries++ >= budget) break
      if (await fails(smaller)) {
        current = smaller
        progress = true
        break
      }
    }
  }
  return current
}

function* reductions(one: Case): Generator<Case> {
  for (const query of smallerQueries(one.query)) yield { ...one, query }
  for (const data of smallerTables(one.data)) if (holdsForeignKeys(one.model, data)) yield { ...one, data }
  for (const model of smallerModels(one.model)) yield { ...one, model }
}

const without = <T>(items: readonly T[], index: number): T[] => items.filter((_, i) => i !== index)

function* smallerQueries(query: QueryJson): Generator<QueryJson> {
  for (const key of [
    'where',
    'having',
    'order_by',
    'limit',
    'offset',
    'use_path_names',
    'strict_filters',
    'dimensions_exclude',
    'grouping',
    'top',
    'rows_of',
  ] as const) {
    if (query[key] === undefined) continue
    const { [key]: _, ...rest } = query
    yield rest as QueryJson
  }
  for (const key of ['dimensions', 'measures', 'fields'] as const) {
    const list: readonly unknown[] = query.select[key] ?? []
    for (let i = 0; i < list.length; i++) yield { ...query, select: { ...query.select, [key]: without(list, i) } }
  }
  if (query.select.distinct) yield { ...query, select: { ...query.select, distinct: false } }
  for (const key of ['where', 'having'] as const)
    for (const list of smallerLists((query[key] ?? []) as readonly WrittenJson[]))
      yield { ...query, [key]: list as readonly FilterJson[] }
  for (let i = 0; i < (query.order_by ?? []).length; i++) yield { ...query, order_by: without(query.order_by!, i) }
}

function* smallerLists(filters: readonly WrittenJson[]): Generator<readonly WrittenJson[]> {
  for (let i = 0; i < filters.length; i++) {
    if (filters.length > 1) yield without(filters, i)
    for (const smaller of smallerFilters(filters[i]!)) yield filters.map((f, j) => (i === j ? smaller : f))
  }
}

function* smallerFilters(filter: WrittenJson): Generator<WrittenJson> {
  if (typeof filter === 'string' || 'segment' in filter || 'expression' in filter || 'column' in filter) return
  if (filter.orMissing) yield omit(filter, 'orMissing') as WrittenJson
  if (!('logic' in filter)) {
    const inner = filter.subquery?.filter ?? []
    if (filter.subquery && inner.length > 0) yield { ...filter, subquery: { ...filter.subquery, filter: [] } } as FilterJson
    return
  }
  yield* filter.filters
  if (filter.negated) yield { ...omit(filter, 'orMissing'), negated: false } as WrittenJson
  for (const filters of smallerLists(filter.filters)) yield { ...filter, filters }
}

function* smallerTables(data: Tables): Generator<Tables> {
  // An object that was left out of the model can still have an entry.
  const tables = Object.entries(data).filter(([, rows]) => Array.isArray(rows))
  for (const [name, rows] of tables) {
    if (rows.length > 1) yield { ...data, [name]: [] }
    if (rows.length > 3) yield { ...data, [name]: rows.slice(0, rows.length / 2) }
    if (rows.length > 3) yield { ...data, [name]: rows.slice(rows.length / 2) }
  }
  for (const [name, rows] of tables) for (let i = 0; i < rows.length; i++) yield { ...data, [name]: without(rows, i) }
}

function* smallerModels(model: ModelJson): Generator<ModelJson> {
  for (const key of ['settings', 'filters', 'metrics', 'segments', 'views'] as const) {
    if (model[key] === undefined) continue
    const { [key]: _, ...rest } = model
    yield rest as ModelJson
  }
  for (const key of ['metrics', 'measures', 'dimensions'] as const) {
    for (const name of Object.keys(model[key] ?? {})) yield { ...model, [key]: omit(model[key]!, name) }
  }
  for (let i = 0; i < (model.filters ?? []).length; i++) yield { ...model, filters: without(model.filters!, i) }
  for (const [name, measure] of Object.entries(model.measures ?? {})) {
    for (const key of [
      'filters',
      'defaultValue',
      'dataType',
      'distinct',
      'grain',
      'filterContext',
      'total',
      'semiAdditive',
      'orderBy',
    ] as const) {
      if (measure[key] !== undefined) yield { ...model, measures: { ...model.measures, [name]: omit(measure, key) } } as ModelJson
    }
  }
  yield* smallerMeasureFilters(model)
  for (const [name, metric] of Object.entries(model.metrics ?? {})) {
    for (const key of [
      'dataType',
      'partitionBy',
      'cumulativeType',
      'window',
      'grainToDate',
      'onlyFull',
      'untilNow',
      'orderDirection',
      'offset',
    ] as const) {
      if (metric[key] !== undefined) yield { ...model, metrics: { ...model.metrics, [name]: omit(metric, key) } } as ModelJson
    }
  }
  yield* smallerObjects(model)
}

/** Each filter of a measure without one of its parts. */
function* smallerMeasureFilters(model: ModelJson): Generator<ModelJson> {
  for (const [name, measure] of Object.entries(model.measures ?? {}))
    for (const filters of smallerLists((measure.filters ?? []) as readonly WrittenJson[]))
      yield {
        ...model,
        measures: { ...model.measures, [name]: { ...measure, filters: filters as MeasureJson['filters'] } },
      } as ModelJson
}

function* smallerObjects(model: ModelJson): Generator<ModelJson> {
  for (const [name, object] of Object.entries(model.dataObjects)) {
    yield { ...model, dataObjects: omit(model.dataObjects, name) }
    for (const key of ['weight', 'bridge'] as const)
      if (object[key] !== undefined) yield withObject(model, name, omit(object, key) as typeof object)
    for (let i = 0; i < (object.joins ?? []).length; i++)
      yield withObject(model, name, { ...object, joins: without(object.joins!, i) })
    for (const [column, definition] of Object.entries(object.columns))
      for (const key of ['filters', 'pathName'] as const)
        if (definition[key] !== undefined)
          yield withObject(model, name, { ...object, columns: { ...object.columns, [column]: omit(definition, key) } })
    for (const [column, definition] of Object.entries(object.columns))
      for (const key of ['filters', 'partitionBy', 'orderBy', 'direction', 'offset'] as const)
        if (definition.window?.[key] !== undefined)
          yield withObject(model, name, {
            ...object,
            columns: { ...object.columns, [column]: { ...definition, window: omit(definition.window, key) } },
          })
    for (const column of Object.keys(object.columns)) {
      if (Object.keys(object.columns).length > 1)
        yield withObject(model, name, { ...object, columns: omit(object.columns, column) })
    }
  }
}

const withObject = (model: ModelJson, name: string, object: ModelJson['dataObjects'][string]): ModelJson => ({
  ...model,
  dataObjects: { ...model.dataObjects, [name]: object },
})

function omit<T extends object>(record: T, key: string): T {
  return Object.fromEntries(Object.entries(record).filter(([k]) => k !== key)) as T
}
