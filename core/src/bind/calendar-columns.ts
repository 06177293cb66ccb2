import { fail } from '../errors.js'
import { DATE } from '../model/data-type.js'
import { type ColumnRef, type Expr, mapLeaves } from '../model/expression/ast.js'
import { lengthOfGrain } from '../model/grain.js'
import type { SemanticModel } from '../model/semantic-model.js'
import { freeName } from '../resolve/aliases.js'
import { bucket } from '../resolve/bucket.js'
import { allOf } from '../resolve/expressions.js'
import { truncated } from '../resolve/grain-expressions.js'
import { type RelationColumn, type RowExpr, relationColumn, tablesIn } from '../resolve/relation-column.js'
import {
  type Conjunct,
  columnOf,
  type FieldSource,
  type Fill,
  objectOf,
  type ResolvedDimension,
  type WhereLeaf,
} from '../resolve/resolved-query.js'
import type { BindContext } from './bind-context.js'
import type { CalendarColumns, CalendarDays, DaysOfGaps } from './bound-query.js'
import { boundRows } from './bound-rows.js'
import { readColumn, readField } from './read-rows.js'
import { rowsOf } from './rows.js'

/** The dimensions of an answer that are columns of calendars and follow the time whose gaps are filled, by their calendars. */
export function calendarColumns({ time, siblingGrains }: Fill, context: BindContext): readonly CalendarColumns[] {
  // Numbers of longer periods of a table are looked up, too: no period tells those of another grain.
  const following = siblingGrains.filter(({ grain, ofTable }) => grain === undefined || ofTable !== undefined)
  const calendars = [...new Set(following.map(({ members: [{ object }] }) => object))]
  return calendars.map((object) =>
    columnsOf(
      object,
      time,
      following.filter(({ members: [first] }) => first.object === object),
      context,
    ),
  )
}

/** Whether the time is that of another calendar: rows of one of both need not reach the other. */
function isOfOther({ members }: ResolvedDimension, object: string, { model }: BindContext): boolean {
  return members.some((m) => m.object !== object && objectOf(model, m.object).calendar !== undefined)
}

function columnsOf(
  object: string,
  time: ResolvedDimension,
  following: readonly ResolvedDimension[],
  context: BindContext,
): CalendarColumns {
  const { calendar } = objectOf(context.model, object)
  const isApart = isOfOther(time, object, context)
  if (calendar?.generated) {
    const at = relationColumn('', time.name, time.type)
    const columns = following.map((d) => ({
      name: d.name,
      type: d.type,
      expression: onDay(d.members[0].expression, at, context.model),
    }))
    return { kind: 'computed', isApart, columns }
  }
  const rows = rowsOf(context, object)
  const day = readColumn(rows, rows.root, calendar!.key)
  const name = freeName('period', following)
  const shown = time.ofTable ? readField(rows, time.members[0]) : bucket(day, DATE, time.grain ?? 'day', context.time)
  const period = { name, type: time.type, expression: shown }
  const columns = following.map((d) => ({ name: d.name, type: d.type, expression: readField(rows, d.members[0]) }))
  const tables = [period, ...columns].flatMap(({ expression }) => tablesIn(expression))
  return { kind: 'looked-up', isApart, rows: boundRows(rows, tables), period, columns }
}

/** The days of a calendar that the conditions on it leave, for `fill_gaps: range`. */
export function daysOfGaps({ time, range }: Fill, context: BindContext): DaysOfGaps {
  const { named = [], attributes = [] } = range ?? {}
  const ofCalendar = (conjuncts: readonly Conjunct[]): string | undefined =>
    conjuncts[0]?.leaves.flatMap((leaf) => (leaf.kind === 'where-field' ? [leaf.members[0].object] : []))[0]
  const [table, object] = [ofCalendar(named), ofCalendar(attributes)]
  return {
    named: table === undefined ? undefined : daysLeft(table, named, context),
    left:
      object === undefined
        ? undefined
        : isOfOneDay(time, object, context)
          ? allOf(attributes.map(({ expression }) => onDayOf(expression, time, context)))
          : daysLeft(object, attributes, context),
  }
}

/** A period of a calendar without a table is known by its first day, if it is no longer than that. */
const isOfOneDay = ({ grain }: ResolvedDimension, object: string, { model }: BindContext): boolean =>
  objectOf(model, object).calendar?.generated !== undefined && lengthOfGrain(grain ?? 'day') <= lengthOfGrain('day')

const onDayOf = (expression: Expr<WhereLeaf>, { name, type }: ResolvedDimension, { model }: BindContext): RowExpr => {
  const at = relationColumn('', name, type)
  const day: RowExpr = type.kind === 'date' ? at : { kind: 'cast', operand: at, type: DATE }
  return mapLeaves<WhereLeaf, RelationColumn>(expression, (leaf) => onDay(fieldOf(leaf).expression, day, model))
}

function daysLeft(calendar: string, conjuncts: readonly Conjunct[], context: BindContext): CalendarDays {
  const rows = rowsOf(context, calendar)
  const where = conjuncts.map(({ expression }) => mapLeaves(expression, (leaf) => readField(rows, fieldOf(leaf), rows.root)))
  const day = readColumn(rows, rows.root, objectOf(context.model, calendar).calendar!.key)
  return { kind: 'days', rows: boundRows(rows, [day, ...where].flatMap(tablesIn)), where, day }
}

/** What a condition that names periods or attributes of a calendar reads. */
export const fieldOf = (leaf: WhereLeaf): FieldSource =>
  leaf.kind === 'where-field' ? leaf.members[0] : fail('INTERNAL_ERROR', 'a calendar is read by its columns')

/** An expression over the columns of a generated calendar, for one of its days. */
const onDay = (expression: Expr<ColumnRef>, day: RowExpr, model: SemanticModel): RowExpr =>
  mapLeaves<ColumnRef, RelationColumn>(expression, (ref) => {
    const { source, grain } = columnOf(model, ref)
    if (source.kind !== 'expression') return day
    const value = onDay(source.expression, day, model)
    return grain ? truncated(grain, value) : value
  })
