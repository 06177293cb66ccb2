import { freeName } from '../resolve/aliases.js'
import { bucket } from '../resolve/bucket.js'
import { tablesIn } from '../resolve/relation-column.js'
import { type Fill, objectOf } from '../resolve/resolved-query.js'
import type { BindContext } from './bind-context.js'
import type { CalendarColumns } from './bound-query.js'
import { boundRows } from './bound-rows.js'
import { readColumn, readField } from './read-rows.js'
import { rowsOf } from './rows.js'

/** The dimensions of an answer that are columns of a calendar and follow the time whose gaps are filled; `undefined` if there are none. */
export function calendarColumns({ time, siblingGrains }: Fill, context: BindContext): CalendarColumns | undefined {
  const following = siblingGrains.filter(({ grain }) => grain === undefined)
  const [first] = following
  if (!first) return undefined
  const { object } = first.members[0]
  const { calendar } = objectOf(context.model, object)
  const rows = rowsOf(context, object)
  const day = readColumn(rows, rows.root, calendar!.key)
  const name = freeName('period', following)
  const period = { name, type: time.type, expression: bucket(day, { kind: 'date' }, time.grain ?? 'day', context.time) }
  const columns = following.map((d) => ({ name: d.name, type: d.type, expression: readField(rows, d.members[0]) }))
  const tables = [period, ...columns].flatMap(({ expression }) => tablesIn(expression))
  return { rows: boundRows(rows, tables), period, columns }
}
