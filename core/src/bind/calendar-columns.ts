import { type ColumnRef, type Expr, mapLeaves } from '../model/expression/ast.js'
import type { SemanticModel } from '../model/semantic-model.js'
import { freeName } from '../resolve/aliases.js'
import { bucket } from '../resolve/bucket.js'
import { truncated } from '../resolve/grain-expressions.js'
import { type RelationColumn, type RowExpr, relationColumn, tablesIn } from '../resolve/relation-column.js'
import { columnOf, type Fill, objectOf } from '../resolve/resolved-query.js'
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
  if (calendar?.generated) {
    const at = relationColumn('', time.name, time.type)
    const columns = following.map((d) => ({
      name: d.name,
      type: d.type,
      expression: onDay(d.members[0].expression, at, context.model),
    }))
    return { kind: 'computed', columns }
  }
  const rows = rowsOf(context, object)
  const day = readColumn(rows, rows.root, calendar!.key)
  const name = freeName('period', following)
  const period = { name, type: time.type, expression: bucket(day, { kind: 'date' }, time.grain ?? 'day', context.time) }
  const columns = following.map((d) => ({ name: d.name, type: d.type, expression: readField(rows, d.members[0]) }))
  const tables = [period, ...columns].flatMap(({ expression }) => tablesIn(expression))
  return { kind: 'looked-up', rows: boundRows(rows, tables), period, columns }
}

/** An expression over the columns of a generated calendar, for one of its days. */
const onDay = (expression: Expr<ColumnRef>, day: RowExpr, model: SemanticModel): RowExpr =>
  mapLeaves<ColumnRef, RelationColumn>(expression, (ref) => {
    const { source, grain } = columnOf(model, ref)
    if (source.kind === 'physical') return day
    const value = onDay(source.expression, day, model)
    return grain ? truncated(grain, value) : value
  })
