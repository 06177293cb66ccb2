/** The parameters that a query reads, through the fields that it names and everything that these are computed from. */
import { dimensionsRead } from '../model/dimensions-named.js'
import { addNames, parametersIn, parametersInColumn, parametersInCondition } from '../model/parameters-in.js'
import { componentsOf, type Measure, type Metric, type SemanticModel } from '../model/semantic-model.js'
import { readFilter } from '../query/parse-filter.js'
import type { QueryDimension, QueryFilter, QueryObject } from '../query/query-object.js'
import { QueryReader } from '../query/reader.js'
import { splitGrain } from './fields.js'
import { givenParameters, referencesIn } from './given-parameters.js'
import { find, findColumn } from './lookup.js'

/** `dataObjects`: the objects whose rows it reads, with the filters of the model on them. */
export function parametersOfQuery(
  { select, where, having, order_by, top, columns = [] }: QueryObject,
  model: SemanticModel,
  dataObjects: readonly string[],
): ReadonlySet<string> {
  const names = new Set<string>()
  if (model.parameters.size === 0) return names
  const field = (name: string): void => {
    for (const parameter of parametersOfField(name, model)) names.add(parameter)
  }
  for (const dimension of select.dimensions) addDimension(dimension, field, names)
  for (const { measure } of columns) field(measure)
  for (const name of [...select.measures, ...select.fields]) field(name)
  for (const filter of [...where, ...having]) addFilter(filter, model, field, names)
  for (const order of order_by) if (typeof order.field === 'string') field(order.field)
  if (top) field(top.by)
  for (const { dataObject, condition } of model.filters)
    if (dataObjects.includes(dataObject)) for (const name of parametersInCondition(condition, model.dataObjects)) names.add(name)
  return names
}

const known = new WeakMap<SemanticModel, Map<string, ReadonlySet<string>>>()

/** The parameters of a dimension (with or without a grain), measure, metric, or `Object.Column`. */
export function parametersOfField(name: string, model: SemanticModel): ReadonlySet<string> {
  const fields = known.get(model) ?? new Map<string, ReadonlySet<string>>()
  known.set(model, fields)
  const found = fields.get(name) ?? readField(name, model, new Set())
  fields.set(name, found)
  return found
}

function readField(name: string, model: SemanticModel, seen: Set<string>): ReadonlySet<string> {
  const { dataObjects } = model
  const dimension = find(name, model.dimensions) ?? find(splitGrain(name, model).name, model.dimensions)
  if (dimension) return parametersIn(dimension.expression, dataObjects)
  const measure = find(name, model.measures)
  if (measure) return parametersOfMeasure(measure, model)
  const metric = find(name, model.metrics)
  if (metric) return parametersOfMetric(metric, model, seen)
  const column = findColumn(name, model)
  return column ? parametersInColumn(column.ref.object, column.ref.column, dataObjects) : new Set()
}

function parametersOfMeasure(
  { inputs, filters, withinGroup, orderBy }: Measure,
  { dataObjects }: SemanticModel,
): ReadonlySet<string> {
  const columns = [...inputs, ...[withinGroup ?? [], orderBy].flat().map(({ column }) => column)]
  return new Set([
    ...columns.flatMap((expression) => [...parametersIn(expression, dataObjects)]),
    ...filters.flatMap((filter) => [...parametersInCondition(filter, dataObjects)]),
  ])
}

function parametersOfMetric(metric: Metric, model: SemanticModel, seen: Set<string>): ReadonlySet<string> {
  if (seen.has(metric.name)) return new Set()
  seen.add(metric.name)
  const names = new Set<string>()
  if ('expression' in metric) addNames(metric.expression, names)
  for (const name of [...componentsOf(metric), ...dimensionsRead(metric)])
    for (const parameter of readField(name, model, seen)) names.add(parameter)
  return names
}

/** Fields whose values are not known, and the parameters that they need. */
export interface EmptyFields {
  readonly fields: ReadonlySet<string>
  readonly parameters: ReadonlySet<string>
}

/** The selected fields, by their names in the answer, that read a parameter without a value. */
export function fieldsWithoutValue({ select, parameters }: SelectedFields, model: SemanticModel): EmptyFields {
  const fields = new Set<string>()
  const missing = new Set<string>()
  if (model.parameters.size === 0) return { fields, parameters: missing }
  const { values } = givenParameters({ parameters }, model)
  const look = (as: string, read: ReadonlySet<string>): void => {
    for (const name of read)
      if (!values.has(name)) {
        fields.add(as)
        missing.add(name)
      }
  }
  for (const name of select.measures ?? []) look(name, parametersOfField(name, model))
  for (const dimension of select.dimensions ?? []) {
    if (typeof dimension === 'string') look(dimension, parametersOfField(dimension, model))
    else look(dimension.as, parametersOfText(dimension.expression, model))
  }
  return { fields, parameters: missing }
}

interface SelectedFields {
  readonly select: {
    readonly dimensions?: readonly (string | { readonly expression: string; readonly as: string })[]
    readonly measures?: readonly string[]
  }
  readonly parameters?: QueryObject['parameters'] | undefined
}

function parametersOfText(text: string, model: SemanticModel): ReadonlySet<string> {
  const names = new Set<string>()
  addExpression(
    text,
    (name) => {
      for (const each of parametersOfField(name, model)) names.add(each)
    },
    names,
  )
  return names
}

type Field = (name: string) => void

function addDimension(dimension: QueryDimension, field: Field, names: Set<string>): void {
  if (dimension.kind === 'name') field(dimension.text)
  else if (dimension.kind === 'coalesce') for (const member of dimension.members) field(member)
  else if (dimension.kind === 'per') field(dimension.measure)
  else addExpression(dimension.expression, field, names)
}

function addFilter(filter: QueryFilter, model: SemanticModel, field: Field, names: Set<string>): void {
  switch (filter.kind) {
    case 'expression':
      addExpression(filter.expression, field, names)
      return
    case 'group':
      for (const member of filter.filters) addFilter(member, model, field, names)
      return
    case 'segment': {
      const reader = new QueryReader()
      const segment = find(filter.name, model.segments)
      for (const inner of reader.list(segment?.filters, '', (item, at) => readFilter(item, at, reader)))
        addFilter(inner, model, field, names)
      return
    }
    case 'leaf': {
      field(filter.of?.measure ?? filter.field)
      for (const { parameter } of referencesIn(filter)) names.add(find(parameter, model.parameters)?.name ?? parameter)
      const { subquery } = filter
      for (const inner of subquery?.filter ?? []) {
        if (inner.kind === 'leaf' && subquery) field(`${subquery.dataObject}.${inner.field}`)
        addFilter(inner, model, field, names)
      }
    }
  }
}

/** The names in the braces of an expression: `{@Parameter}`, `{[Name]}`, `{[Object].[Column]}`. */
function addExpression(text: string, field: Field, names: Set<string>): void {
  for (const [, written = ''] of text.matchAll(/\{([^{}]*)\}/g)) {
    const name = written.trim()
    if (name.startsWith('@')) names.add(name.slice(1).trim())
    else
      field(
        name
          .replace(/^\[/, '')
          .replace(/\]$/, '')
          .replace(/\]\s*\.\s*\[/, '.'),
      )
  }
}
