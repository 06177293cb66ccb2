/** The key of an object, or the column that joins it, selected with other fields of the object. */
import type { DimensionJson, ModelJson, QueryJson } from '../model.js'
import type { Random } from './random.js'

const KEY = /^(id|part)$/

/** The model with dimensions over the keys of its objects, and over the columns of their joins. */
export function withKeyDimensions(model: ModelJson): ModelJson {
  const keys = Object.entries(model.dataObjects).flatMap(([dataObject, { columns }]) =>
    Object.keys(columns)
      .filter((column) => KEY.test(column) || column.startsWith('to_'))
      .map((column): [string, DimensionJson] => [`key ${dataObject} ${column}`, { dataObject, column }]),
  )
  return { ...model, dimensions: { ...model.dimensions, ...Object.fromEntries(keys) } }
}

/** The query, sometimes with such keys of the objects whose fields it selects. */
export function withKeys(random: Random, model: ModelJson, query: QueryJson): QueryJson {
  const { dimensions = [], measures = [], fields = [] } = query.select
  const isPlain = (query.grouping ?? query.fill_gaps ?? query.top ?? query.dimensions_exclude) === undefined
  if (dimensions.length === 0 || measures.length === 0 || fields.length > 0 || !isPlain || !random.chance(0.4)) return query
  const joining = random.chance(0.3)
  const all = Object.entries(model.dimensions ?? {})
  const chosen = random.pick(all.filter(([name]) => name.startsWith('key ')).map(([, { dataObject }]) => dataObject))
  const keys = all.flatMap(([name, { dataObject, column = '' }]) =>
    name.startsWith('key ') && (joining ? column.startsWith('to_') : dataObject === chosen && KEY.test(column)) ? [name] : [],
  )
  const names = all.flatMap(([name, { dataObject }]) => (!name.startsWith('key ') && dataObject === chosen ? [name] : []))
  const { where: _rows, having: _groups, order_by: _order, ...unfiltered } = query
  const asked = [...dimensions, ...random.some(names, 2), ...random.some(keys, joining ? 2 : 4)]
  const select = {
    ...query.select,
    dimensions: [...new Set(asked)],
    measures: random.chance(0.3) ? measures : measures.slice(0, 1),
  }
  return random.chance(0.2) ? { ...query, select: { ...select, measures } } : { ...unfiltered, select }
}
