import { columnsOfCondition, type Fields } from '../columns-read.js'
import { reachable } from '../graph.js'
import type { Segments } from '../parse/locate.js'
import type { DataObject, WindowSource } from '../semantic-model.js'
import type { Context } from './context.js'
import { forwardGraph } from './join-graph.js'

/** Reports window functions over rows without a key, and conditions that these rows do not reach. */
export function* checkWindowColumns(columns: readonly WindowColumn[], fields: Fields, context: Context): Generator<undefined> {
  for (const column of columns) {
    checkObject(column, context)
    checkRead(column, fields.dataObjects, context)
    yield
  }
}

export interface WindowColumn {
  readonly object: DataObject
  readonly name: string
  readonly source: WindowSource
}

export const windowColumnsOf = ({ dataObjects }: Fields): readonly WindowColumn[] =>
  [...dataObjects.values()].flatMap((object) =>
    [...object.columns.values()].flatMap(({ name, source }) => (source.kind === 'window' ? [{ object, name, source }] : [])),
  )

const placeOf = ({ object, name }: WindowColumn): Segments => ['dataObjects', object.name, 'columns', name]

/** The key finds the value of a row, and orders rows that are equal otherwise. */
function checkObject(column: WindowColumn, { faults }: Context): void {
  const { object, name } = column
  if (object.key.length === 0) {
    const message = `'${name}' is a window function over the rows of '${object.name}', which have no key to order and find them by; mark the key columns with primaryKey`
    faults.error('KEY_REQUIRED', placeOf(column), message, { onKey: true })
  }
  if (object.calendar?.generated) {
    const message = `'${object.name}' is a generated calendar, whose columns are functions of its days`
    faults.error('INVALID_COLUMN', placeOf(column), message, { onKey: true })
  }
}

/** The conditions are on the object and what it reaches. */
function checkRead(column: WindowColumn, dataObjects: Fields['dataObjects'], { faults }: Context): void {
  const { object, source } = column
  if (source.filters.length === 0) return
  const joins = [...dataObjects.values()].flatMap((one) => one.joins.filter(({ secondary }) => !secondary))
  const reached = reachable(object.name, forwardGraph(joins, false).forward)
  for (const [i, filter] of source.filters.entries()) {
    const far = columnsOfCondition(filter).find((ref) => !reached.has(ref.object))
    if (!far) continue
    const message = `'${object.name}' does not reach '${far.object}' by its primary joins; for rows of it, add a column with exists to '${object.name}' and read it here`
    faults.error('NO_JOIN_PATH', [...placeOf(column), 'window', 'filters', i], message)
  }
}
