import type { BoundEvents, PassedEvents } from '../bind/bound-block.js'
import { itemAt, zip } from '../invariant.js'
import { type DataType, INT } from '../model/data-type.js'
import { madeOf } from '../relation/relation.js'
import { freeName } from '../resolve/aliases.js'
import { binary, call, integer, onlyWhere, text } from '../resolve/expressions.js'
import { type RowExpr, relationColumn } from '../resolve/relation-column.js'
import { ascending } from '../resolve/resolved-query.js'
import { type Leg, type LogicalPlan, type NamedExpr, type Project, sameColumn, staged } from './logical-plan.js'

interface Column {
  readonly name: string
  readonly type: DataType
}

/**
 * The first events from which the entity takes every further step in time. The events of all steps are one row per entity and time. From the last
 * step backwards, a window over the later rows of the entity finds the earliest time at which the rest can be finished. No event is paired with another.
 */
export function planPassed({ window, steps, alias, hit }: PassedEvents, plan: (events: BoundEvents) => LogicalPlan): Project {
  const [who, when] = [0, 1].map((place) => itemAt(itemAt(steps, 0).block.dimensions, place))
  const marks = steps.map((_, i): Column => ({ name: freeName(`step_${i + 1}`, [who!, when!]), type: INT }))
  const key = { who: who!, when: when! }
  const legs = zip(steps, marks).map(([events, mark]) => legOf(events, plan(events), { ...key, mark }))
  const name = 'steps'
  const rows: LogicalPlan = {
    kind: 'combine',
    alias: name,
    keys: [key.who, key.when].map(({ name, type }) => ({ name, type })),
    legs,
    reason: 'the events of every step by entity and time',
  }
  const { input, finished } = finishedBy(rows, key, marks)
  const last = call('date_add', text(window.unit), integer(window.count), atClock(read(key.when)))
  const condition = binary('and', binary('=', read(itemAt(marks, 0)), integer(1)), binary('<=', atClock(finished), last))
  const kept: LogicalPlan = {
    kind: 'filter',
    input,
    condition,
    reason: `the last step within ${window.count} ${window.unit} of the first`,
  }
  return staged(kept, alias, [sameColumn(key.who), sameColumn(key.when), { name: hit, expression: integer(1), type: INT }])
}

interface Key {
  readonly who: Column
  readonly when: Column
}

const read = ({ name, type }: Column): RowExpr => relationColumn('', name, type)

/** Lengths of time between instants do not depend on clocks. */
const atClock = (time: RowExpr): RowExpr =>
  time.kind === 'column' && time.type.kind === 'timestamp_tz' ? call('in_zone', time, text('UTC')) : time

/** The events of one step, with its mark. */
function legOf({ block }: BoundEvents, input: LogicalPlan, { who, when, mark }: Key & { readonly mark: Column }): Leg {
  const [entity, time] = block.dimensions.map((d) => relationColumn('', d.name, d.type))
  const name = madeOf(block.base, '_step')
  const columns: readonly NamedExpr[] = [
    { name: who.name, type: who.type, expression: entity! },
    { name: when.name, type: when.type, expression: time! },
    { ...mark, expression: integer(1) },
  ]
  return { input: staged(input, name, columns), name, contributesRows: true, values: [{ ...mark, emptyIsZero: false }] }
}

/** For each row the earliest time at which the steps after the first can be finished later: one window per step, all in one order. */
function finishedBy(
  rows: LogicalPlan,
  { who, when }: Key,
  marks: readonly Column[],
): { readonly input: LogicalPlan; readonly finished: RowExpr } {
  const kept = [who, when, ...marks].map((c) => sameColumn(c))
  const found = marks.slice(1).toReversed()
  return found.reduce<{ readonly input: LogicalPlan; readonly finished: RowExpr }>(
    ({ input, finished }, mark, i) => {
      const then: Column = { name: freeName(`then_${marks.length - i}`, [who, when]), type: when.type }
      const call = {
        ...then,
        function: 'min',
        args: [onlyWhere(binary('=', read(mark), integer(1)), finished)],
        partitionBy: [read(who)],
        orderBy: [{ ...ascending(read(when), when.type), descending: true }],
        frame: 'before' as const,
      }
      return { input: { kind: 'window', input, alias: 'later_steps', columns: kept, calls: [call] }, finished: read(then) }
    },
    { input: rows, finished: read(when) },
  )
}
