import { formatDataType } from '@grainline/core/format'
import {
  componentsOf,
  type Granularity,
  granularityOf,
  nameOfGrain,
  textOfSpread,
  unitOfField,
  unitOfGrain,
} from '@grainline/core/language'
import type { SemanticModel, Service } from '../context.js'

type Entry<M> = M extends ReadonlyMap<string, infer T> ? T : never
export type Dimension = Entry<SemanticModel['dimensions']>
export type Measure = Entry<SemanticModel['measures']>
export type Metric = Entry<SemanticModel['metrics']>

export function describeDimension(dimension: Dimension, model: SemanticModel) {
  const { name, dataObject, column, timeGrain, via, format, sortBy, hierarchy } = dimension
  const finer = finerThan(name, model)
  return {
    name,
    result_type: dimension.resultType ?? bucketType(dimension),
    data_object: dataObject,
    column: column ?? null,
    time_grain: timeGrain === undefined ? null : nameOfGrain(timeGrain),
    via,
    ...(sortBy && { sort_by: sortBy.column }),
    ...(hierarchy.length > 0 && { hierarchy }),
    ...(finer.length > 0 && { drill_to: finer }),
    format,
    unit: unitOfField(model, name),
    ...described(dimension),
  }
}

/** The dimensions whose next coarser one this is. */
const finerThan = (name: string, { dimensions }: SemanticModel): readonly string[] =>
  [...dimensions.values()].filter(({ hierarchy: [next], hidden }) => next === name && !hidden).map((finer) => finer.name)

export function describeMeasure(measure: Measure, model: SemanticModel, service: Service) {
  const { name, aggregation, distinct, total, defaultValue, format, dataType } = measure
  return {
    name,
    result_type: measure.resultType ?? formatDataType(service.measureType(model, measure)),
    aggregation,
    expression: written(model, 'measures', name).expression,
    columns: measure.inputs.flatMap((input) =>
      input.kind === 'column' && !model.hiding?.published.has(name) ? [{ data_object: input.object, column: input.column }] : [],
    ),
    anchor: measure.anchor ?? measure.rowCountOf,
    distinct,
    total,
    defaultValue,
    format,
    unit: unitOfField(model, name),
    dataType: dataType && formatDataType(dataType),
    ...modifiers(model, name),
    ...coarseness(granularityOf(measure, model)),
    ...described(measure),
  }
}

/** The properties besides the aggregation that change the value, as the author wrote them. */
function modifiers(model: SemanticModel, name: string) {
  const { filters, grain, filterContext, semiAdditive } = entryOf(model, 'measures', name)
  return { filters, grain, filter_context: filterContext, semi_additive: semiAdditive }
}

/** How coarse data are along their time. */
export const coarseness = (granularity: Granularity | undefined) =>
  granularity && {
    granularity: nameOfGrain(granularity.grain),
    ...(granularity.spread && { spread: textOfSpread(granularity.spread) }),
  }

export type MetricTypes = Awaited<ReturnType<Service['metricTypes']>>

export function describeMetric(metric: Metric, model: SemanticModel, types: MetricTypes) {
  const { expression, measure, timeDimension } = written(model, 'metrics', metric.name)
  // A published metric is shown without its definition, which reads what is hidden.
  const isPublished = model.hiding?.published.has(metric.name) === true
  return {
    name: metric.name,
    type: metric.type,
    result_type: typeNamed(types.get(metric.name)),
    expression,
    measure,
    timeDimension: metric.type === 'period_over_period' && !isPublished ? metric.timeDimension : timeDimension,
    component_measures: isPublished ? [] : componentsOf(metric),
    format: metric.format,
    unit: unitOfField(model, metric.name),
    dataType: metric.dataType && formatDataType(metric.dataType),
    ...described(metric),
  }
}

const typeNamed = (type: Parameters<typeof formatDataType>[0] | undefined) => (type === undefined ? null : formatDataType(type))

function described({ description, owner, synonyms, status, use }: Dimension | Measure | Metric) {
  return { description, owner, synonyms, status, use }
}

/** A period of at least a day is a date, a shorter one a timestamp. */
function bucketType({ type, timeGrain }: Dimension): string {
  if (timeGrain === undefined) return formatDataType(type)
  return ['second', 'minute', 'hour'].includes(unitOfGrain(timeGrain)) ? 'timestamp' : 'date'
}

/** The text properties of an entry, as the author wrote them. */
function written(model: SemanticModel, section: 'measures' | 'metrics', name: string): Record<string, string | undefined> {
  const entries = Object.entries(entryOf(model, section, name))
  return Object.fromEntries(entries.flatMap(([key, value]) => (typeof value === 'string' ? [[key, value]] : [])))
}

function entryOf({ document }: SemanticModel, section: 'measures' | 'metrics', name: string): Readonly<Record<string, unknown>> {
  const entries: Readonly<Record<string, object>> = document[section] ?? {}
  return Object.hasOwn(entries, name) ? { ...entries[name] } : {}
}
