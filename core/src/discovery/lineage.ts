import { entryOf } from '../invariant.js'
import { withholdsSql } from '../model/access.js'
import { objectsSought } from '../model/columns-read.js'
import { formatDataType } from '../model/data-type.js'
import { type Expr, leavesOf } from '../model/expression/ast.js'
import { addNames, parametersInCondition } from '../model/parameters-in.js'
import {
  type Column,
  componentsOf,
  type DataObject,
  type Dimension,
  type Measure,
  type Metric,
  type SemanticModel,
  type WindowSource,
} from '../model/semantic-model.js'
import { columnsOf } from '../resolve/conditions.js'

export type LineageType = 'metric' | 'measure' | 'dimension' | 'parameter' | 'column' | 'data_object' | 'table'

export interface LineageStep {
  readonly type: LineageType
  /** Columns are `Object.Column`. */
  readonly name: string
  readonly detail?: string
}

export interface Lineage {
  readonly name: string
  readonly type: 'metric' | 'measure' | 'dimension'
  readonly lineage: readonly LineageStep[]
}

/** What a field is computed from, down to the tables if the view shows them, each once; `undefined` if the model has no such field. */
export function lineage(name: string, model: SemanticModel): Lineage | undefined {
  const type = typeOfField(name, model)
  if (!type) return undefined
  const steps = new Map<string, LineageStep>()
  const queue: LineageStep[] = []
  const add = (step: LineageStep): void => {
    const key = `${step.type} ${step.name}`
    if (steps.has(key)) return
    steps.set(key, step)
    queue.push(step)
  }
  steps.set(`${type} ${name}`, { type, name })
  for (const part of partsOf({ type, name }, model)) add(part)
  for (const step of queue) for (const part of partsOf(step, model)) add(part)
  steps.delete(`${type} ${name}`)
  return { name, type, lineage: [...steps.values()] }
}

function typeOfField(name: string, model: SemanticModel): Lineage['type'] | undefined {
  if (model.metrics.has(name)) return 'metric'
  if (model.measures.has(name)) return 'measure'
  return model.dimensions.has(name) ? 'dimension' : undefined
}

function partsOf({ type, name }: LineageStep, model: SemanticModel): readonly LineageStep[] {
  if ((type === 'metric' || type === 'measure') && model.hiding?.published.has(name)) return []
  switch (type) {
    case 'metric':
      return partsOfMetric(entryOf(model.metrics, name), model)
    case 'measure':
      return partsOfMeasure(entryOf(model.measures, name), model)
    case 'dimension':
      return partsOfDimension(entryOf(model.dimensions, name), model)
    case 'column':
      return partsOfColumn(name, model)
    case 'data_object':
      return [...(withholdsSql(model) ? [] : [table(entryOf(model.dataObjects, name))]), ...bridgesTo(name, model)]
    case 'parameter':
    case 'table':
      return []
  }
}

function partsOfMetric(metric: Metric, model: SemanticModel): LineageStep[] {
  const parts = componentsOf(metric).flatMap((name) => fieldStep(name, model) ?? [])
  const time =
    'timeDimension' in metric && metric.timeDimension !== undefined ? model.dimensions.get(metric.timeDimension) : undefined
  const own = 'expression' in metric ? parametersNamed([metric.expression], model) : []
  const all = [...parts, ...own]
  return time ? [...all, { type: 'dimension', name: time.name, detail: 'the time it runs along' }] : all
}

function fieldStep(name: string, model: SemanticModel): LineageStep | undefined {
  const metric = model.metrics.get(name)
  if (metric) return { type: 'metric', name, detail: metric.type }
  const measure = model.measures.get(name)
  return measure && { type: 'measure', name, detail: measure.distinct ? `${measure.aggregation}, distinct` : measure.aggregation }
}

function partsOfMeasure(measure: Measure, model: SemanticModel): LineageStep[] {
  const read = measure.inputs.flatMap((input) => leavesOf(input))
  const ordering = [...measure.orderBy, ...(measure.withinGroup ? [measure.withinGroup] : [])].map((o) => o.column)
  const filters = measure.filters.flatMap(columnsOf)
  const sought = measure.filters.flatMap(objectsSought).map((object) => objectStep(object, SOUGHT))
  const counted = measure.rowCountOf === undefined ? [] : [objectStep(measure.rowCountOf, 'its rows are counted')]
  const anchor = measure.anchor === undefined ? [] : [objectStep(measure.anchor, 'the anchor, whose rows are counted')]
  return [
    ...read.map((ref) => columnStep(ref, model)),
    ...ordering.map((ref) => columnStep(ref, model, 'orders the rows')),
    ...filters.map((ref) => columnStep(ref, model, 'filters the rows')),
    ...sought,
    ...counted,
    ...anchor,
    ...parametersNamed(measure.inputs, model),
    ...measure.filters.flatMap((filter) => parameterSteps(parametersInCondition(filter, NO_OBJECTS), model)),
  ]
}

function partsOfDimension(dimension: Dimension, model: SemanticModel): LineageStep[] {
  const read = leavesOf(dimension.expression).map((ref) => columnStep(ref, model))
  const via = dimension.via === undefined ? [] : [objectStep(dimension.via, 'reached via')]
  return [...read, ...parametersNamed([dimension.expression], model), objectStep(dimension.dataObject), ...via]
}

/** The bridge tables by which facts that do not reach an object are grouped by it. */
function bridgesTo(name: string, { dataObjects }: SemanticModel): LineageStep[] {
  const bridges = [...dataObjects.values()].filter((o) => o.bridge && o.joins.some((join) => join.to === name))
  return bridges.map((o) =>
    objectStep(o.name, o.weight === undefined ? 'a bridge to it' : `a bridge to it, weighted by ${o.weight}`),
  )
}

/** For a computed column: the columns, or the measure, that it is computed from. */
function partsOfColumn(name: string, model: SemanticModel): LineageStep[] {
  for (const object of model.dataObjects.values()) {
    if (!name.startsWith(`${object.name}.`)) continue
    const column = object.columns.get(name.slice(object.name.length + 1))
    if (!column) continue
    return [...partsOfSource(column, model), objectStep(object.name)]
  }
  return []
}

function partsOfSource({ source }: Column, model: SemanticModel): LineageStep[] {
  switch (source.kind) {
    case 'physical':
      return []
    case 'expression':
      return [...leavesOf(source.expression).map((ref) => columnStep(ref, model)), ...parametersNamed([source.expression], model)]
    case 'measure':
      return [fieldStep(source.measure, model) ?? []].flat()
    case 'window':
      return partsOfWindow(source, model)
    case 'exists': {
      const read = source.filters.flatMap(columnsOf).map((ref) => columnStep(ref, model))
      const names = source.filters.flatMap((filter) => [...parametersInCondition(filter, NO_OBJECTS)])
      return [objectStep(source.target, SOUGHT), ...read, ...parameterSteps(new Set(names), model)]
    }
  }
}

function partsOfWindow({ partitionBy, orderBy, column, filters }: WindowSource, model: SemanticModel): LineageStep[] {
  const names = filters.flatMap((filter) => [...parametersInCondition(filter, NO_OBJECTS)])
  return [
    ...(column ? [columnStep(column, model)] : []),
    ...partitionBy.map((ref) => columnStep(ref, model, 'divides the rows')),
    ...orderBy.map((ref) => columnStep(ref, model, 'orders the rows')),
    ...filters.flatMap(columnsOf).map((ref) => columnStep(ref, model, 'filters the rows')),
    ...parameterSteps(new Set(names), model),
  ]
}

/** The parameters that a definition itself names: those of its columns are parts of these. */
function parametersNamed<L extends { readonly kind: string }>(
  expressions: readonly Expr<L>[],
  model: SemanticModel,
): LineageStep[] {
  const names = new Set<string>()
  for (const expression of expressions) addNames(expression, names)
  return parameterSteps(names, model)
}

const parameterSteps = (names: ReadonlySet<string>, { parameters }: SemanticModel): LineageStep[] =>
  [...names].flatMap((name) => {
    const parameter = parameters.get(name)
    return parameter
      ? [{ type: 'parameter' as const, name, detail: formatDataType(parameter.type) + (parameter.list ? ', a list' : '') }]
      : []
  })

const SOUGHT = 'its rows are looked for'

const NO_OBJECTS: SemanticModel['dataObjects'] = new Map()

function columnStep(
  { object, column }: { readonly object: string; readonly column: string },
  model: SemanticModel,
  role?: string,
): LineageStep {
  const declared = model.dataObjects.get(object)?.columns.get(column)
  const detail = [role, declared && describe(declared, model)].filter((part) => part !== undefined).join('; ')
  return { type: 'column', name: `${object}.${column}`, detail }
}

function describe({ source, type }: Column, model: SemanticModel): string {
  if (source.kind === 'measure') return `a measure for each row, ${formatDataType(type)}`
  if (source.kind === 'exists') return `whether rows of '${source.target}' connect, ${formatDataType(type)}`
  if (source.kind === 'window') return `${source.function} over the rows, ${formatDataType(type)}`
  if (source.kind === 'expression') return `computed, ${formatDataType(type)}`
  return withholdsSql(model) ? formatDataType(type) : `${source.code}, ${formatDataType(type)}`
}

const objectStep = (name: string, detail?: string): LineageStep => ({
  type: 'data_object',
  name,
  ...(detail !== undefined && { detail }),
})

function table({ name, source, closure }: DataObject): LineageStep {
  if (source.kind === 'closure')
    return { type: 'table', name, detail: `the closure of '${closure?.dataObject}', by '${closure?.parent}'` }
  if (source.kind === 'days') return { type: 'table', name, detail: 'a generated calendar' }
  if (source.kind === 'sql') return { type: 'table', name, detail: 'a SELECT of the model' }
  return { type: 'table', name: [source.database, source.schema, source.name].filter((part) => part !== undefined).join('.') }
}
