/** Times in an expression: by which clocks they are read, the periods they lie in, and moments written out. */
import { DATE, type DataType, TIMESTAMP } from '../model/data-type.js'
import type { Expr } from '../model/expression/ast.js'
import type { Grain } from '../model/grain.js'
import type { TimeContext } from './clock.js'
import { call, literal, text } from './expressions.js'
import { truncated } from './grain-expressions.js'
import { asInstant } from './naive.js'
import { dateText, isSubDay, type Micros, timestampText } from './time.js'

/** Day and coarser grains give a DATE, finer ones a TIMESTAMP. */
export const bucketType = (grain: Grain): DataType => (isSubDay(grain) ? TIMESTAMP : DATE)

/** The value at `grain`, by the clocks of the query's zone. */
export const bucket = <L>(value: Expr<L>, type: DataType, grain: Grain, time: TimeContext): Expr<L> =>
  truncated(grain, onClocks(value, type, time).value)

/** What the clocks of the query's zone show at an instant, and at a naive timestamp of which the zone is known; any other value as it is. */
export function onClocks<L>(
  value: Expr<L>,
  type: DataType,
  time: TimeContext,
): { readonly value: Expr<L>; readonly type: DataType } {
  const moved = asInstant(value, type, time)
  if (moved.type.kind !== 'timestamp_tz') return { value, type }
  return { value: call('in_zone', moved.expression, text(time.zone)), type: TIMESTAMP }
}

/** A literal of the temporal `type` for what its column holds: an instant, or a wall clock. */
export const timeLiteral = <L>(at: Micros, type: DataType): Expr<L> =>
  type.kind === 'date' ? literal(dateText(at), DATE) : literal(timestampText(at), type)
