/** The values of parameters, and the model and the query as they are written for these values. */
import { fail, GrainlineError } from '../errors.js'
import type { DataType } from '../model/data-type.js'
import {
  type GivenValue,
  isListed,
  isReference,
  type ModelParameter,
  type ParameterReference,
  type ParameterValues,
  parameterFault,
  plainValueOf,
} from '../model/parameter.js'
import type {
  Column,
  DataObject,
  ExistsSource,
  FilterValue,
  ModelCondition,
  SemanticModel,
  WindowSource,
} from '../model/semantic-model.js'
import { isRecord } from '../model/shape.js'
import type { QueryFilter, QueryObject, QueryValue } from '../query/query-object.js'
import { find, unknownName } from './lookup.js'

/** The value of each parameter for one query. */
export interface GivenParameters {
  readonly values: ReadonlyMap<string, GivenValue>
  /** Those that the query does not give, and the model does. */
  readonly defaults: ReadonlySet<string>
}

/** The values that a query gives, and the defaults of the others. Throws `UNKNOWN_PARAMETER`, `INVALID_PARAMETER_VALUE`. */
export function givenParameters(
  { parameters = {} }: { readonly parameters?: QueryObject['parameters'] | undefined },
  model: SemanticModel,
): GivenParameters {
  const given = new Map<string, GivenValue>()
  for (const [name, value] of Object.entries(parameters)) {
    const path = `parameters.${name}`
    const parameter =
      find(name, model.parameters) ??
      unknownName('UNKNOWN_PARAMETER', { name, what: 'not a parameter of this model', known: model.parameters.keys() }, path)
    if (given.has(parameter.name)) fail('INVALID_QUERY', `the parameter '${parameter.name}' is given twice`, { path })
    const fault = parameterFault(parameter, value)
    if (fault !== undefined) fail('INVALID_PARAMETER_VALUE', fault, { path })
    given.set(parameter.name, plainValueOf(parameter, value))
  }
  const defaults = [...model.parameters.values()].flatMap(({ name, default: value }) =>
    value === undefined || given.has(name) ? [] : [[name, value] as const],
  )
  return { values: new Map([...given, ...defaults]), defaults: new Set(defaults.map(([name]) => name)) }
}

/** A value of each parameter with which a model can be checked before there is a query. */
export const sampleParameters = ({ parameters }: SemanticModel): GivenParameters => ({
  values: new Map([...parameters.values()].map((parameter) => [parameter.name, parameter.default ?? sampleOf(parameter)])),
  defaults: new Set(),
})

function sampleOf({ type, list, values, min, max }: ModelParameter): GivenValue {
  const one = values?.[0] ?? min ?? max ?? SAMPLES[type.kind] ?? 0
  return list ? [one] : one
}

const SAMPLES: Partial<Record<DataType['kind'], FilterValue>> = {
  string: 'a',
  boolean: true,
  date: '2024-01-01',
  timestamp: '2024-01-01 00:00:00',
  time: '00:00:00',
}

/** What the renderer writes: a parameter without a value is NULL, which only a description shows. */
export const writtenValues = (model: SemanticModel, { values }: GivenParameters): ParameterValues =>
  new Map([...model.parameters.keys()].map((name) => [name, values.get(name) ?? null]))

interface QueryOnModel {
  readonly query: QueryObject
  readonly model: SemanticModel
}

/** The query, and the model, with values in place of the references in their filters. */
export function withValues({ query, model }: QueryOnModel, given: GivenParameters): QueryOnModel {
  return { query: queryWith(query, model, given), model: modelWith(model, given) }
}

function queryWith(query: QueryObject, model: SemanticModel, given: GivenParameters): QueryObject {
  if (![...query.where, ...query.having].some(readsParameter)) return query
  const settled = (filter: QueryFilter): QueryFilter => filterWith(filter, model, given)
  return { ...query, where: query.where.map(settled), having: query.having.map(settled) }
}

function readsParameter(filter: QueryFilter): boolean {
  if (filter.kind === 'group') return filter.filters.some(readsParameter)
  if (filter.kind !== 'leaf') return false
  return referencesIn(filter).length > 0 || (filter.subquery?.filter.some(readsParameter) ?? false)
}

/** The parameters of a comparison. */
export const referencesIn = ({ value }: QueryFilter & { kind: 'leaf' }): readonly ParameterReference[] =>
  [value].flat().filter((item) => isReference(item))

function filterWith(filter: QueryFilter, model: SemanticModel, given: GivenParameters): QueryFilter {
  const all = (filters: readonly QueryFilter[]) => filters.map((each) => filterWith(each, model, given))
  if (filter.kind === 'group') return { ...filter, filters: all(filter.filters) }
  if (filter.kind !== 'leaf') return filter
  const { subquery } = filter
  const inner = subquery ? { ...filter, subquery: { ...subquery, filter: all(subquery.filter) } } : filter
  const references = referencesIn(filter)
  if (references.length === 0) return inner
  for (const { parameter } of references) {
    const known = { name: parameter, what: 'not a parameter of this model', known: model.parameters.keys() }
    if (!find(parameter, model.parameters)) unknownName('UNKNOWN_PARAMETER', known, `${filter.path}.value`)
  }
  return { ...inner, ...comparedWith(filter.value as QueryValue | readonly QueryValue[], model, given) }
}

/** The value of a filter with those of its parameters. If one has none, no row is equal to it. */
function comparedWith(
  written: QueryValue | readonly QueryValue[],
  model: SemanticModel,
  given: GivenParameters,
): { readonly op?: 'in'; readonly value: FilterValue | readonly FilterValue[] } {
  const values = valuesOf([written].flat(), model, given)
  if (values === undefined) return { op: 'in', value: [] }
  const isOne = isReference(written) && !find(written.parameter, model.parameters)?.list
  return { value: isOne ? (values[0] ?? null) : values }
}

/** The values with those of parameters in their places; `undefined` if one has none. */
function valuesOf(
  written: readonly QueryValue[],
  model: SemanticModel,
  { values }: GivenParameters,
): readonly FilterValue[] | undefined {
  const found: FilterValue[] = []
  for (const item of written) {
    const parameter = isReference(item) ? find(item.parameter, model.parameters) : undefined
    const value = isReference(item) ? parameter && values.get(parameter.name) : item
    if (value === undefined) return undefined
    found.push(...(isListed(value) ? value : [value]))
  }
  return found
}

const latest = new WeakMap<SemanticModel, Map<string, SemanticModel>>()
/** Most queries repeat a few values. What is found about a model is found again for each, so only a few are kept. */
const MOST = 8

/** One value for the same values, because what is found about a model is kept by it. */
function modelWith(model: SemanticModel, given: GivenParameters): SemanticModel {
  if (model.parameters.size === 0) return model
  const key = JSON.stringify([...given.values].toSorted(([a], [b]) => (a < b ? -1 : 1)))
  const known = latest.get(model) ?? new Map<string, SemanticModel>()
  latest.set(model, known)
  const found = known.get(key)
  if (found) return found
  if (known.size >= MOST) known.clear()
  const settled = written(model, given)
  known.set(key, settled)
  return settled
}

function written(model: SemanticModel, given: GivenParameters): SemanticModel {
  const settled = (condition: ModelCondition): ModelCondition => conditionWith(condition, model, given)
  return {
    ...model,
    dataObjects: new Map([...model.dataObjects].map(([name, object]) => [name, withSettledColumns(object, settled)])),
    filters: model.filters.map((filter) => ({ ...filter, condition: settled(filter.condition) })),
    measures: new Map(
      [...model.measures].map(([name, measure]) => [name, { ...measure, filters: measure.filters.map(settled) }]),
    ),
    segments: new Map(
      [...model.segments].map(([name, segment]) => [
        name,
        { ...segment, filters: segment.filters.map((filter) => segmentWith(filter, model, given)) },
      ]),
    ),
  }
}

/** The object with settled conditions in its columns; the same object if it has none. */
function withSettledColumns(object: DataObject, settled: (condition: ModelCondition) => ModelCondition): DataObject {
  if (![...object.columns.values()].some(({ source }) => hasConditions(source))) return object
  const columns = [...object.columns].map(([name, column]): [string, Column] => {
    const { source } = column
    return [name, hasConditions(source) ? { ...column, source: { ...source, filters: source.filters.map(settled) } } : column]
  })
  return { ...object, columns: new Map(columns) }
}

const hasConditions = (source: Column['source']): source is ExistsSource | WindowSource =>
  source.kind === 'exists' || source.kind === 'window'

function conditionWith(condition: ModelCondition, model: SemanticModel, given: GivenParameters): ModelCondition {
  if (condition.kind === 'group' || condition.kind === 'exists')
    return { ...condition, filters: condition.filters.map((member) => conditionWith(member, model, given)) }
  if (condition.kind === 'expression' || !condition.values.some(isReference)) return condition
  const values = valuesOf(condition.values, model, given)
  return values === undefined ? { ...condition, operator: 'in', values: [] } : { ...condition, values }
}

/** The filter of a segment is JSON until it is used. */
function segmentWith(filter: unknown, model: SemanticModel, given: GivenParameters): unknown {
  if (Array.isArray(filter)) return filter.map((item) => segmentWith(item, model, given))
  if (!isRecord(filter)) return filter
  const { value } = filter
  if (![value].flat().some(isReference))
    return Object.fromEntries(Object.entries(filter).map(([key, inner]) => [key, segmentWith(inner, model, given)]))
  return { ...filter, ...comparedWith(value as QueryValue | readonly QueryValue[], model, given) }
}

/** A condition whose values are known. Parameters have been replaced before. */
export const settledValues = (values: readonly QueryValue[]): readonly FilterValue[] =>
  values.map((value) => {
    if (!isReference(value)) return value
    throw new GrainlineError('INTERNAL_ERROR', `the parameter '${value.parameter}' has no value yet`)
  })
