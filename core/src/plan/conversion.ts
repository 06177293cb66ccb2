import type { BoundEvents, ConvertedEvents } from '../bind/bound-block.js'
import { itemAt } from '../invariant.js'
import { INT } from '../model/data-type.js'
import { binary, call, integer, text } from '../resolve/expressions.js'
import { type RowExpr, relationColumn } from '../resolve/relation-column.js'
import { equal, holds } from '../resolve/row-terms.js'
import { type LogicalPlan, sameColumn } from './logical-plan.js'

/** The base events that a conversion event follows in time, each once. */
export function planConverted(events: ConvertedEvents, plan: (events: BoundEvents) => LogicalPlan): LogicalPlan {
  const { base, alias, hit } = events
  return {
    kind: 'distinct',
    input: followed(events, plan(base), plan(events.next)),
    alias,
    columns: [...base.block.dimensions.map((d) => sameColumn(d, base.alias)), { name: hit, expression: integer(1), type: INT }],
    reason: 'each event once, however many events follow it',
  }
}

/** The columns of the entity and the time of events. */
const [ENTITY, TIME] = [0, 1] as const

/** Events with every later event of the same entity within the time limit. */
function followed(
  { base, next, conversion: { unit, count } }: ConvertedEvents,
  left: LogicalPlan,
  right: LogicalPlan,
): LogicalPlan {
  const read = ({ alias, block }: BoundEvents, place: number): RowExpr => {
    const { name, type } = itemAt(block.dimensions, place)
    return relationColumn(alias, name, type)
  }
  const [who, when] = [read(base, ENTITY), read(base, TIME)]
  const [whoNext, whenNext] = [read(next, ENTITY), read(next, TIME)]
  const time = itemAt(base.block.dimensions, TIME)
  const at = (value: RowExpr): RowExpr => (time.type.kind === 'timestamp_tz' ? call('in_zone', value, text('UTC')) : value)
  const last = call('date_add', text(unit), integer(count), at(when))
  const on = [equal(who, whoNext), holds(binary('>', at(whenNext), at(when))), holds(binary('<=', at(whenNext), last))]
  const label = {
    from: base.block.base,
    to: next.block.base,
    columns: base.block.dimensions.map((d) => d.label),
    reason: `a later event of the same entity within ${count} ${unit}`,
  }
  return { kind: 'join', type: 'inner', left, right, on, label }
}
