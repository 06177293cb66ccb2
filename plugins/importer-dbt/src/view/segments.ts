/** Named filters → segments. */
import { type Draft, LeftOut } from '../draft.js'
import { columnReading, type ModelObject, type Objects } from './objects.js'
import type { Item } from './view.js'

export async function segmentsOf(objects: Objects, draft: Draft): Promise<void> {
  for (const object of objects.all.values())
    for (const filter of object.table.filters)
      await draft.attempt(`The filter '${filter.name}' of '${object.name}'`, filter.place, () =>
        segment(filter, object, objects, draft),
      )
}

/** A condition is a column of the rows; a segment is the filter on it. */
function segment(filter: Item, object: ModelObject, objects: Objects, draft: Draft): void {
  const { name, sql, description, synonyms, place } = filter
  const expression = objects.sql.expression(sql, columnReading(sql, object, objects, draft, filter), 'boolean')
  const dimension = `${name} (filter)`
  if (
    Object.hasOwn(object.columns, dimension) ||
    Object.hasOwn(draft.dimensions, dimension) ||
    Object.hasOwn(draft.segments, name)
  )
    throw new LeftOut('another filter has its name')
  // A condition that is none is an error of this column, which has a place.
  object.columns[dimension] = { expression: `(${expression} AND TRUE)` }
  draft.places.push({ path: ['dataObjects', object.name, 'columns', dimension], place: filter.sqlPlace })
  draft.add('dimensions', dimension, { dataObject: object.name, column: dimension, hidden: true }, place)
  const described = { ...(description && { description }), ...(synonyms.length > 0 && { synonyms }) }
  draft.add('segments', name, { filters: [{ field: dimension, op: '=', value: true }], ...described }, place)
  draft.noteDivision(expression, name, filter.sqlPlace)
}
