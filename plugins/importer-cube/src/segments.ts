/** Segments → segments over hidden dimensions. */
import { fullName, LeftOut, type Part } from '@grainline/importer-dbt/foreign'
import { rowsOf } from './columns.js'
import type { Context, CubeObject } from './context.js'
import { publicIn } from './keys.js'
import { described } from './objects.js'
import { expressionOf } from './references.js'

export function segmentsOf(context: Context): void {
  for (const object of context.owners.values())
    for (const [name, part] of object.cube.segments)
      context.draft.attemptNow(`The segment '${fullName(object, name)}'`, part.place, () => segment(name, object, part, context))
}

/** A condition is a column of the rows; a segment is the filter on it. */
function segment(name: string, object: CubeObject, part: Part, context: Context): void {
  const { draft } = context
  const full = fullName(object, name)
  const expression = expressionOf(part, object, rowsOf(context), context, 'boolean')
  const column = `${name} (segment)`
  const dimension = `${full} (segment)`
  if (Object.hasOwn(object.columns, column)) throw new LeftOut('a column has its name')
  // A condition that is none is an error of this column, which has a place.
  object.columns[column] = { expression: `(${expression} AND TRUE)` }
  draft.places.push({ path: ['dataObjects', object.name, 'columns', column], place: part.at('sql') })
  draft.add('dimensions', dimension, { dataObject: object.name, column, hidden: true }, part.place)
  draft.add('segments', full, { filters: [{ field: dimension, op: '=', value: true }], ...described(part) }, part.place)
  draft.noteDivision(expression, full, part.at('sql'))
  if (publicIn(part) === false) draft.lose('rewritten', `'${full}' is not public, and is offered here.`, part.place)
}
