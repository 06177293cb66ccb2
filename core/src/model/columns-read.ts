/** Which columns something in a model is computed from, through computed columns, the measures of columns and the rows that they look for. */
import { dimensionsRead } from './dimensions-named.js'
import { type ColumnRef, leavesOf } from './expression/ast.js'
import {
  type Closure,
  componentsOf,
  type DataObject,
  type Dimension,
  type Measure,
  type Metric,
  type ModelCondition,
  type WindowSource,
} from './semantic-model.js'

export interface Fields {
  readonly dataObjects: ReadonlyMap<string, DataObject>
  readonly dimensions: ReadonlyMap<string, Dimension>
  readonly measures: ReadonlyMap<string, Measure>
  readonly metrics: ReadonlyMap<string, Metric>
}

/** The columns that a column reads itself; none if it is stored. A pair of a closure is of the key and the parent. */
export function columnsOfColumn({ object, column }: ColumnRef, fields: Fields): readonly ColumnRef[] {
  const of = fields.dataObjects.get(object)
  const source = of?.columns.get(column)?.source
  if (source?.kind === 'physical' && of?.closure) return treeColumns(of.closure)
  if (source?.kind === 'expression') return leavesOf<ColumnRef>(source.expression)
  if (source?.kind === 'exists') return source.filters.flatMap(columnsOfCondition)
  if (source?.kind === 'window') return columnsOfWindow(source)
  return source?.kind === 'measure' ? columnsOfField(source.measure, fields) : []
}

/** The columns that a window function reads, itself and in its filters. */
export const columnsOfWindow = ({ partitionBy, orderBy, column, filters }: WindowSource): readonly ColumnRef[] => [
  ...partitionBy,
  ...orderBy,
  ...(column ? [column] : []),
  ...filters.flatMap(columnsOfCondition),
]

/** The columns that say which rows are above which. */
const treeColumns = ({ dataObject, key, parent }: Closure): readonly ColumnRef[] =>
  [key, parent].map((column) => ({ kind: 'column', object: dataObject, column }))

/** These columns and all that they are computed from, each once. */
export function columnsBelow(columns: readonly ColumnRef[], fields: Fields): readonly ColumnRef[] {
  const found = new Map<string, ColumnRef>()
  const ahead = [...columns]
  for (let ref = ahead.pop(); ref !== undefined; ref = ahead.pop()) {
    const key = `${ref.object}\0${ref.column}`
    if (found.has(key)) continue
    found.set(key, ref)
    ahead.push(...columnsOfColumn(ref, fields))
  }
  return [...found.values()]
}

/** Whether its value depends on other rows: it is a measure or a window function, or says whether rows exist. */
export function isOfOtherRows({ object, column }: ColumnRef, { dataObjects }: Pick<Fields, 'dataObjects'>): boolean {
  const kind = dataObjects.get(object)?.columns.get(column)?.source.kind
  return kind === 'measure' || kind === 'exists' || kind === 'window'
}

export function columnsOfCondition(condition: ModelCondition): readonly ColumnRef[] {
  switch (condition.kind) {
    case 'leaf':
      return [condition.column]
    case 'expression':
      return leavesOf<ColumnRef>(condition.expression)
    case 'exists':
    case 'group':
      return condition.filters.flatMap(columnsOfCondition)
  }
}

/** The objects whose rows a condition looks for. */
export function objectsSought(condition: ModelCondition): readonly string[] {
  if (condition.kind === 'group') return condition.filters.flatMap(objectsSought)
  return condition.kind === 'exists' ? [condition.target] : []
}

/** The measures that are columns, among all that these columns are computed from. */
export const measuresOfColumns = (columns: readonly ColumnRef[], fields: Fields): readonly string[] =>
  columnsBelow(columns, fields).flatMap(({ object, column }) => {
    const source = fields.dataObjects.get(object)?.columns.get(column)?.source
    return source?.kind === 'measure' ? [source.measure] : []
  })

/** A measure or metric, and all fields that it is computed from, each once. */
export function fieldsBelow(name: string, { metrics }: Pick<Fields, 'metrics'>): readonly string[] {
  const names = new Set([name])
  // The set grows while it is read.
  for (const each of names) {
    const metric = metrics.get(each)
    for (const component of metric ? componentsOf(metric) : []) names.add(component)
  }
  return [...names]
}

/** The columns that a measure or metric reads, with those of its filters and of the dimensions that it names. */
export function columnsOfField(name: string, fields: Fields): readonly ColumnRef[] {
  return fieldsBelow(name, fields).flatMap((each) => {
    const measure = fields.measures.get(each)
    const metric = fields.metrics.get(each)
    return [
      ...(measure ? columnsOfMeasure(measure, fields) : []),
      ...(metric ? dimensionsRead(metric).flatMap((dimension) => columnsOfDimension(dimension, fields)) : []),
    ]
  })
}

const columnsOfMeasure = (
  { inputs, filters, withinGroup, orderBy, semiAdditive }: Measure,
  fields: Fields,
): readonly ColumnRef[] => [
  ...inputs.flatMap((input) => leavesOf<ColumnRef>(input)),
  ...filters.flatMap(columnsOfCondition),
  ...[withinGroup ?? [], orderBy].flat().map(({ column }) => column),
  ...(semiAdditive ? [semiAdditive.timeDimension, ...semiAdditive.per] : []).flatMap((one) => columnsOfDimension(one, fields)),
]

const columnsOfDimension = (name: string, { dimensions }: Fields): readonly ColumnRef[] => {
  const found = dimensions.get(name)
  return found ? leavesOf<ColumnRef>(found.expression) : []
}
