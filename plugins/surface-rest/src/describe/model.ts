import { formatDataType } from '@grainline/core/format'
import { isOffered, textOfUnit, unitOfColumn } from '@grainline/core/language'
import type { ModelHandle, SemanticModel, Service } from '../context.js'
import { coarseness, describeDimension, describeMeasure, describeMetric, type MetricTypes } from './fields.js'

export function summarise({ modelId, model }: ModelHandle) {
  return {
    model_id: modelId,
    name: model.name,
    data_objects: model.dataObjects.size,
    dimensions: model.dimensions.size,
    measures: model.measures.size,
    metrics: model.metrics.size,
  }
}

/** `ModelDescription`: the answer of `GET …/models/{model_id}`. */
export async function describeModel(handle: ModelHandle, service: Service) {
  const { model } = handle
  return {
    ...heading(handle),
    data_objects: [...model.dataObjects.values()].map((object) => ({
      label: object.name,
      code: showsTables(model) ? tableCode(object) : '',
      columns: [...object.columns.keys()],
      join_targets: joinTargets(object),
    })),
    ...describeFields(model, service, await service.metricTypes(model)),
    health: { ...handle.health, verification: service.lastVerification(model) },
  }
}

/** `SchemaResponse`: the whole model. */
export async function describeSchema(handle: ModelHandle, service: Service): Promise<object> {
  const { model } = handle
  return {
    ...heading(handle),
    version: String(model.version ?? 1),
    data_objects: [...model.dataObjects.values()].map((object) => describeDataObject(object, showsTables(model), model)),
    ...describeFields(model, service, await service.metricTypes(model)),
    filters: model.filters.flatMap(({ dataObject, condition }) =>
      condition.kind === 'leaf' ? [describeFilter(dataObject, condition)] : [],
    ),
    segments: [...model.segments.values()],
    views: [...model.views.values()].map(describeView),
    parameters: [...model.parameters.values()].map((parameter) => ({
      ...parameter,
      type: formatDataType(parameter.type),
      unit: textOfUnit(parameter.unit),
    })),
    grains: [...model.grains.keys()],
    extends: Array.isArray(model.document.extends) ? model.document.extends : [],
    inherits: typeof model.document.inherits === 'string' ? model.document.inherits : undefined,
  }
}

function describeFields(model: SemanticModel, service: Service, types: MetricTypes) {
  return {
    dimensions: [...model.dimensions.values()]
      .filter((dimension) => !dimension.hidden)
      .map((dimension) => describeDimension(dimension, model)),
    measures: [...model.measures.values()].filter(isOffered).map((measure) => describeMeasure(measure, model, service)),
    metrics: [...model.metrics.values()].filter(isOffered).map((metric) => describeMetric(metric, model, types)),
  }
}

const describeView = ({
  fields,
  mainFact,
  isDefault,
  ...view
}: SemanticModel['views'] extends ReadonlyMap<string, infer V> ? V : never) => ({
  ...view,
  main_fact: mainFact,
  default: isDefault,
  fields: [...fields].map(([name, field]) => ({ name, field })),
})

function heading({ modelId, model }: ModelHandle) {
  return { model_id: modelId, name: model.name, description: model.description, owner: model.owner }
}

type DataObject = SemanticModel['dataObjects'] extends ReadonlyMap<string, infer T> ? T : never
type Column = DataObject['columns'] extends ReadonlyMap<string, infer T> ? T : never
type WindowSource = Extract<Column['source'], { kind: 'window' }>
type Leaf = Extract<SemanticModel['filters'][number]['condition'], { kind: 'leaf' }>

/** Tables and their columns are withheld where SQL is. */
const showsTables = ({ restriction }: SemanticModel): boolean => restriction?.withholdsSql !== true

/** Its filters are in the document of the model. */
function describeWindow({ function: name, partitionBy, orderBy, column, descending, offset }: WindowSource) {
  return {
    function: name,
    partition_by: partitionBy.map((ref) => ref.column),
    order_by: orderBy.map((ref) => ref.column),
    ...(descending && { direction: 'desc' }),
    ...(column && { column: column.column }),
    ...((name === 'lag' || name === 'lead') && { offset }),
  }
}

function describeDataObject(object: DataObject, showsTable: boolean, model: SemanticModel) {
  const { name, source, description, comment, owner, synonyms } = object
  const table = showsTable && source.kind === 'table' ? source : undefined
  return {
    name,
    code: table ? table.name : showsTable && source.kind === 'sql' ? `(${source.sql})` : null,
    database: table?.database ?? '',
    schema: table?.schema ?? '',
    columns: [...object.columns.values()].map((column) => ({
      name: column.name,
      code: showsTable && column.source.kind === 'physical' ? column.source.code : null,
      ...(column.source.kind === 'measure' && { measure: column.source.measure }),
      ...(column.source.kind === 'exists' && { exists: column.source.target }),
      ...(column.source.kind === 'window' && { window: describeWindow(column.source) }),
      abstract_type: column.abstractType,
      primary_key: column.primaryKey,
      num_class: column.numClass,
      ...coarseness(column.granularity),
      unit: unitOfColumn(model, name, column.name),
      description: column.description,
      comment: column.comment,
      owner: column.owner,
      synonyms: column.synonyms,
    })),
    join_targets: joinTargets(object),
    ...(object.closure && { closure: describeClosure(object.closure) }),
    ...(object.bridge && { bridge: true, ...(object.weight !== undefined && { weight: object.weight }) }),
    description,
    comment,
    owner,
    synonyms,
  }
}

const describeClosure = ({ dataObject, key, parent, maxDepth }: NonNullable<DataObject['closure']>) => ({
  data_object: dataObject,
  key,
  parent,
  max_depth: maxDepth,
})

function describeFilter(dataObject: string, { column, operator, values }: Leaf) {
  return { data_object: dataObject, column: column.column, operator, ...(values.length === 1 && { value: values[0] }), values }
}

/** `DATABASE.SCHEMA.TABLE`, or a SELECT in parentheses. */
function tableCode({ source }: DataObject): string {
  if (source.kind === 'days' || source.kind === 'closure') return ''
  if (source.kind === 'sql') return `(${source.sql})`
  return [source.database, source.schema, source.name].filter((part) => part !== undefined).join('.')
}

function joinTargets(object: DataObject): string[] {
  return [...new Set(object.joins.map((join) => join.to))]
}
