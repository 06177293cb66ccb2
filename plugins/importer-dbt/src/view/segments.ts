/** Named filters → segments. */
import { type Draft, type Entry, LeftOut } from '../draft.js'
import { Refused } from '../part.js'
import { SqlFault } from '../sql-expression.js'
import { columnReading, type ModelObject, type Objects } from './objects.js'
import type { Item, View } from './view.js'

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

/** Conditions of every question. Without one, every number would be another one: a text whose condition cannot be said is refused. */
export function staticFiltersOf({ filters = [], tables }: View, objects: Objects, draft: Draft): readonly Entry[] {
  const object = objects.all.get(tables[0]?.key ?? '')
  if (!object) return []
  return filters.map((filter, at) => {
    draft.places.push({ path: ['filters', at], place: filter.sqlPlace })
    try {
      return staticFilter(filter, object, objects, draft)
    } catch (error) {
      if (!(error instanceof LeftOut) && !(error instanceof SqlFault)) throw error
      throw new Refused(`The filter cannot be said in a model: ${error.message}.`, filter.sqlPlace, ADVICE)
    }
  })
}

const ADVICE = 'Write the filter in a view of the database, and use that as the source.'

function staticFilter({ name, sql, sqlPlace, odd }: Item, object: ModelObject, objects: Objects, draft: Draft): Entry {
  if (odd !== undefined) throw new LeftOut(odd)
  const expression = objects.sql.expression(sql, columnReading(sql, object, objects, draft), 'boolean')
  if (Object.hasOwn(object.columns, name)) throw new LeftOut(`a column is called '${name}'`)
  // A condition that is none is an error of this column, which has a place.
  object.columns[name] = { expression: `(${expression} AND TRUE)` }
  draft.places.push({ path: ['dataObjects', object.name, 'columns', name], place: sqlPlace })
  draft.noteDivision(expression, name, sqlPlace)
  return { dataObject: object.name, column: name, operator: 'equals', value: true }
}
