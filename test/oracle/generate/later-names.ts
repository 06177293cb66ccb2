/** Names of objects without their keys: several rows may share them, and some are NULL. */
import type { DimensionJson, MeasureJson, ModelJson, QueryJson } from '../model.js'
import { kindOf } from '../world.js'
import { addresses, parentsOf } from './measures.js'
import type { Random } from './random.js'

/** Attributes of an object: no key, and no column of a join. */
const NAME = /^(name|qty|flag|day|price)$/
const FOLDING: ReadonlySet<string> = new Set(['sum', 'count', 'count_if', 'min', 'max'])

/** The model with dimensions over the attributes of its objects, and with sums and distinct counts. */
export function withNameDimensions(model: ModelJson): ModelJson {
  const names = Object.keys(model.dataObjects)
    .flatMap((dataObject) => addresses(model.dataObjects, dataObject))
    .filter(({ column }) => NAME.test(column))
    .map(({ dataObject, column }): [string, DimensionJson] => [`name ${dataObject} ${column}`, { dataObject, column }])
  const different = Object.entries(model.measures ?? {})
    .filter(([, { aggregation, columns = [] }]) => /^(sum|count)$/.test(aggregation) && columns.length === 1)
    .map(([name, measure]): [string, MeasureJson] => [`different ${name}`, { ...measure, distinct: true }])
  return {
    ...model,
    dimensions: { ...model.dimensions, ...Object.fromEntries(names) },
    measures: { ...model.measures, ...Object.fromEntries(different) },
  }
}

/** The query, sometimes with one or two measures by the names of the objects on their path, and by years. */
export function withNames(random: Random, model: ModelJson, query: QueryJson): QueryJson {
  const isPlain =
    (query.grouping ?? query.fill_gaps ?? query.top ?? query.dimensions_exclude ?? query.select.fields) === undefined
  const measures = Object.entries(model.measures ?? {}).filter(([, measure]) => isFolding(measure))
  if (!isPlain || measures.length === 0 || !random.chance(0.3)) return query
  const [name, measure] = random.pick(measures)
  const above = objectsAbove(model, baseOf(measure))
  const named = Object.entries(model.dimensions ?? {}).filter(
    ([dimension, { dataObject }]) => dimension.startsWith('name ') && above.includes(dataObject),
  )
  const [first] = random.some(
    named.filter(([, { column }]) => column === 'name'),
    1,
  )
  if (!first) return query
  const own = named
    .filter(([, { dataObject }]) => dataObject === first[1].dataObject || random.chance(0.2))
    .map(([dimension]) => dimension)
  const { where, having: _groups, order_by: _order, ...rest } = query
  const names = [...new Set([first[0], ...random.some(own, 3)])]
  const dimensions = [...names, ...(random.chance(0.3) ? yearsIn(random, model) : [])]
  const other = random.chance(0.4) ? random.some(measures, 1).map(([another]) => another) : []
  const asked = { ...rest, select: { dimensions, measures: [...new Set([name, ...other])] } }
  return where && random.chance(0.5) ? { ...asked, where } : asked
}

/** Measures over the rows of a group alone, without parts. */
const isFolding = ({ aggregation, grain, filterContext, total }: MeasureJson): boolean =>
  FOLDING.has(aggregation) && (grain ?? filterContext ?? total) === undefined

/** The object of the first column that a measure reads. */
export const baseOf = ({ columns = [], expression = '' }: MeasureJson): string =>
  columns[0]?.dataObject ?? /\{\[([^\]]+)\]/.exec(expression)?.[1] ?? ''

/** The objects that joins lead to, at most three steps away. */
function objectsAbove(model: ModelJson, base: string, steps = 3): readonly string[] {
  const object = model.dataObjects[base]
  if (!object || steps === 0) return []
  return parentsOf(object).flatMap((parent) => [parent, ...objectsAbove(model, parent, steps - 1)])
}

function yearsIn(random: Random, model: ModelJson): readonly string[] {
  const times = Object.entries(model.dimensions ?? {}).filter(([, { dataObject, column = '', timeGrain }]) => {
    const kind = model.dataObjects[dataObject]!.columns[column]
    return timeGrain === undefined && kind !== undefined && kindOf(kind) === 'date'
  })
  return random.some(times, 1).map(([name]) => `${name}:year`)
}
