/** Times in an expression: their zone, their period, and literals. */
import { DATE, type DataType, TIMESTAMP } from '../model/data-type.js'
import type { Expr } from '../model/expression/ast.js'
import type { Grain } from '../model/grain.js'
import type { TimeContext } from './clock.js'
import { call, literal, text } from './expressions.js'
import { startBefore, truncated } from './grain-expressions.js'
import { asInstant } from './naive.js'
import type { ResolvedDimension } from './resolved-query.js'
import { dateText, isSubDay, type Micros, timestampText } from './time.js'

/** Day and coarser grains give a DATE, finer ones a TIMESTAMP. */
export const bucketType = (grain: Grain): DataType => (isSubDay(grain) ? TIMESTAMP : DATE)

/** The value at `grain`, in the zone of the query. */
export const bucket = <L>(value: Expr<L>, type: DataType, grain: Grain, time: TimeContext): Expr<L> =>
  truncated(grain, onClocks(value, type, time).value)

/** The value by which a dimension groups: in its periods, if it has a grain, or in those whose moved range contains the value. */
export const groupedBy = <L>(
  value: Expr<L>,
  type: DataType,
  { grain, movedBy = [] }: Pick<ResolvedDimension, 'grain' | 'movedBy'>,
  time: TimeContext,
): Expr<L> => (grain ? startBefore(grain, movedBy, onClocks(value, type, time)) : value)

/** An instant, or a timestamp without zone whose zone is known, as a local time in the zone of the query; any other value unchanged. */
export function onClocks<L>(
  value: Expr<L>,
  type: DataType,
  time: TimeContext,
): { readonly value: Expr<L>; readonly type: DataType } {
  const moved = asInstant(value, type, time)
  if (moved.type.kind !== 'timestamp_tz') return { value, type }
  return { value: call('in_zone', moved.expression, text(time.zone)), type: TIMESTAMP }
}

/** A literal of the temporal `type` as its column stores it: an instant, or a local time. */
export const timeLiteral = <L>(at: Micros, type: DataType): Expr<L> =>
  type.kind === 'date' ? literal(dateText(at), DATE) : literal(timestampText(at), type)
