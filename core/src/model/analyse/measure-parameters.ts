import { columnsOfField, type Fields, measuresOfColumns } from '../columns-read.js'
import type { ColumnRef } from '../expression/ast.js'
import { addNames, parametersIn, parametersInCondition } from '../parameters-in.js'
import { type Column, componentsOf, type DataObject } from '../semantic-model.js'

/** The objects with the parameters of each measure that is a column: a query that reads the column needs their values. */
export function withMeasureParameters(fields: Fields, parameters: ReadonlyMap<string, unknown>): ReadonlyMap<string, DataObject> {
  const { dataObjects } = fields
  if (parameters.size === 0) return dataObjects
  const settled = ([name, column]: readonly [string, Column]): readonly [string, Column] => [
    name,
    column.source.kind === 'measure'
      ? { ...column, source: { ...column.source, parameters: parametersOf(column.source.measure, fields) } }
      : column,
  ]
  return new Map(
    [...dataObjects].map(([name, object]) => [name, { ...object, columns: new Map([...object.columns].map(settled)) }]),
  )
}

/** Those of the measure, of all that it is computed from, and of the measures of columns that it reads. */
function parametersOf(measure: string, fields: Fields): readonly string[] {
  const found = new Set<string>()
  const names = new Set([measure])
  // The set grows while it is read.
  for (const name of names) {
    for (const parameter of ownParameters(name, fields)) found.add(parameter)
    const metric = fields.metrics.get(name)
    for (const component of metric ? componentsOf(metric) : []) names.add(component)
    for (const read of measuresOfColumns(columnsOfField(name, fields), fields)) names.add(read)
  }
  return [...found]
}

function ownParameters(name: string, fields: Fields): ReadonlySet<string> {
  const { dataObjects } = fields
  const names = new Set<string>()
  const [measure, metric] = [fields.measures.get(name), fields.metrics.get(name)]
  if (metric && 'expression' in metric) addNames(metric.expression, names)
  const stored = columnsOfField(name, fields).filter((ref) => !isMeasure(ref, fields))
  const read = [
    ...(measure?.filters ?? []).map((filter) => parametersInCondition(filter, dataObjects)),
    ...[...(measure?.inputs ?? []), ...stored].map((expression) => parametersIn(expression, dataObjects)),
  ]
  return new Set([...names, ...read.flatMap((each) => [...each])])
}

const isMeasure = ({ object, column }: ColumnRef, { dataObjects }: Fields): boolean =>
  dataObjects.get(object)?.columns.get(column)?.source.kind === 'measure'
