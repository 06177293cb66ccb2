import type {
  BoundBridge,
  BoundFrom,
  BoundJoin,
  BoundRows,
  BoundShown,
  BoundTopValues,
  Condition,
  ConvertedEvents,
  CountedDays,
  DayNumbers,
  DayRange,
  FoundRows,
  PassedEvents,
  Scan,
  WindowedRows,
} from '../bind/bound-block.js'
import { lastOf } from '../invariant.js'
import { DATE, INT } from '../model/data-type.js'
import { allOf, binary, integer, literal } from '../resolve/expressions.js'
import { periodAfter } from '../resolve/grain-expressions.js'
import { type RelationColumn, relationColumn } from '../resolve/relation-column.js'
import { ascending } from '../resolve/resolved-query.js'
import { holds } from '../resolve/row-terms.js'
import { type LogicalPlan, type PlannedLeg, plainAggregate, staged } from './logical-plan.js'
import { shownTuples } from './shown-tuples.js'

/** How the inner parts of rows are planned, which are made of blocks themselves. */
export interface Inside {
  readonly events: (events: ConvertedEvents) => LogicalPlan
  readonly passed: (events: PassedEvents) => LogicalPlan
  readonly facts: (facts: NonNullable<BoundFrom['facts']>) => readonly PlannedLeg[]
}

/** The rows of a base with all joined rows. */
export function planFrom({ base, bridges, facts, top, shown = [] }: BoundFrom, inside: Inside): LogicalPlan {
  const start = facts
    ? planRows(base, inside, (scan) => ({
        kind: 'join',
        type: 'left',
        left: { kind: 'combine', alias: facts.alias, keys: facts.keys, legs: inside.facts(facts), reason: facts.reason },
        right: scan,
        on: facts.on,
        label: { from: 'the facts', to: facts.object, columns: [], reason: 'the row where the facts meet, or none' },
      }))
    : planRows(base, inside)
  const rows = bridges.reduce((left, bridge) => besideBridge(left, bridge, inside), start)
  return shown.reduce((left, join) => behindShown(left, join), top ? amongTop(rows, top) : rows)
}

const amongTop = (left: LogicalPlan, { type, alias, on, label }: BoundTopValues): LogicalPlan => ({
  kind: 'join',
  type,
  left,
  right: { kind: 'top-values', alias },
  on,
  label,
})

const behindShown = (left: LogicalPlan, { alias, columns, on, label }: BoundShown): LogicalPlan => ({
  kind: 'join',
  type: 'inner',
  left,
  right: shownTuples(alias, columns),
  on,
  label,
})

/** The scan and its joins, on top of `over` when these rows are joined to others. */
export function planRows(
  { start, joins }: BoundRows,
  inside: Inside,
  over = (scan: LogicalPlan): LogicalPlan => scan,
): LogicalPlan {
  return joins.reduce<LogicalPlan>(
    (left, { right, on, type, matchedBy, label, findsSeveral }) => ({
      kind: 'join',
      type: right.kind === 'day-range' ? 'cross' : type,
      left,
      right: planRight(right, inside),
      on,
      ...(!findsSeveral && { findsOne: true }),
      ...(matchedBy && { matchedBy }),
      label,
    }),
    over(start.days ? planDayNumbers(start, start.days) : start),
  )
}

function planRight(right: BoundJoin['right'], inside: Inside): LogicalPlan {
  switch (right.kind) {
    case 'scan':
      return right.days ? planDayNumbers(right, right.days) : right
    case 'candidates': {
      const reason = 'static filters choose the rows that may be found'
      return filtered(
        planRows(right.rows, inside),
        right.where.map((expression) => ({ expression, reason })),
      )
    }
    case 'found':
      return planFound(right, inside)
    case 'day-range':
      return planDays(right, inside)
    case 'counted-days':
      return planCountedDays(right, inside)
    case 'converted':
      return inside.events(right)
    case 'passed':
      return inside.passed(right)
    case 'measured':
      return { ...right, kind: 'measured-rows' }
  }
}

/** Consecutive days, from the digits of their numbers. */
function planDayNumbers({ alias }: Scan, { first, count }: DayNumbers): LogicalPlan {
  const places = Array.from({ length: String(Math.max(count - 1, 0)).length }, (_, i) => 10 ** i).toReversed()
  const names = places.map((place) => (place === 1 ? 'n' : `n_${place}`))
  const numbers: LogicalPlan = { kind: 'numbers', alias: 'digits', names, places }
  const number = relationColumn('', lastOf(names), INT)
  const input: LogicalPlan = {
    kind: 'filter',
    input: numbers,
    condition: binary('<', number, integer(count)),
    reason: 'up to the last day of the calendar',
  }
  if (first === undefined) return staged(input, alias, [{ name: 'number', type: INT, expression: number }])
  const day = periodAfter<RelationColumn>('day', number, literal(first, DATE))
  return staged(input, alias, [{ name: 'day', type: DATE, expression: day }])
}

function planDays({ rows, where, day, alias }: DayRange, inside: Inside): LogicalPlan {
  const conditions = where.map((expression) => ({ expression, reason: 'the days of the period' }))
  const ends = (['first', 'last'] as const).map((end) => plainAggregate(end, end === 'first' ? 'min' : 'max', [day], DATE))
  return {
    kind: 'aggregate',
    input: filtered(planRows(rows, inside), conditions),
    alias,
    keys: [],
    aggregates: ends,
    reason: 'the first and the last day of the period',
  }
}

function planCountedDays({ rows, where, day, period, alias }: CountedDays, inside: Inside): LogicalPlan {
  const conditions = where.map((expression) => ({ expression, reason: 'the days that count' }))
  const counted = { type: INT, args: [], partitionBy: [period] }
  return {
    kind: 'window',
    input: filtered(planRows(rows, inside), conditions),
    alias,
    columns: [
      { name: 'day', expression: day, type: DATE },
      { name: 'period', expression: period, type: DATE },
    ],
    calls: [
      { ...counted, name: 'place', function: 'row_number', orderBy: [ascending(day, DATE)] },
      { ...counted, name: 'n', function: 'count', args: [integer(1)], orderBy: [] },
    ],
  }
}

/** The distinct links of rows that meet conditions. */
export function planFound({ rows, where, links, alias }: FoundRows, inside: Inside): LogicalPlan {
  const conditions = where.map((expression) => ({ expression, reason: 'rows that may be found' }))
  const input = filtered(planRows(rows, inside), conditions)
  const columns = [...links, { name: 'hit', expression: integer(1), type: INT }]
  return { kind: 'distinct', input, alias, columns, reason: 'each link once, so that finding multiplies no row' }
}

/** The rows that a window function sees, each with its value. */
export function planWindowed({ rows, where, keys, call, alias }: WindowedRows, inside: Inside): LogicalPlan {
  const { running, ...called } = call
  const frame = running ? { frame: 'up-to-row' as const } : {}
  return {
    kind: 'window',
    input: filtered(planRows(rows, inside), where),
    alias,
    columns: keys,
    calls: [{ ...called, ...frame }],
  }
}

function besideBridge(left: LogicalPlan, bridge: BoundBridge, inside: Inside): LogicalPlan {
  const { rows, where, on, label, matchedBy, relation } = bridge
  const type = 'left'
  if (relation === undefined) {
    return planRows(rows, inside, (root) => ({
      kind: 'join',
      type,
      left,
      right: root,
      on: [...on, ...where.map((condition) => holds(condition))],
      ...(matchedBy && { foundBy: matchedBy }),
      label,
    }))
  }
  const conditions = where.map((expression) => ({ expression, reason: 'static filters restrict a bridge before it connects' }))
  const input = filtered(planRows(rows, inside), conditions)
  return { kind: 'join', type, left, right: reduced(input, relation), on, label }
}

/** A bridge that is a separate relation, with only the columns that are read. */
function reduced(input: LogicalPlan, { alias, columns, alike }: NonNullable<BoundBridge['relation']>): LogicalPlan {
  switch (alike) {
    case 'several':
      return { kind: 'project', input, alias, columns }
    case 'one':
      return { kind: 'distinct', input, alias, columns, reason: 'unrelated bridges are reduced to what is read before they meet' }
    default: {
      const { name, expression, type } = alike.weight
      const aggregates = [plainAggregate(name, 'sum', [expression], type)]
      return { kind: 'aggregate', input, alias, keys: columns, aggregates, reason: alike.reason }
    }
  }
}

/** A plan is traversed by recursion, so many conditions are one filter instead of nested ones. */
const MOST_FILTERS = 50

/** The rows that satisfy every condition. */
export function filtered(rows: LogicalPlan, conditions: readonly Condition[]): LogicalPlan {
  const all = conditions.length > MOST_FILTERS ? allOf(conditions.map((c) => c.expression)) : undefined
  if (all) return { kind: 'filter', input: rows, condition: all, reason: `${conditions.length} conditions` }
  return conditions.reduce<LogicalPlan>(
    (input, { expression, reason, isNear }) => ({
      kind: 'filter',
      input,
      condition: expression,
      reason,
      ...(isNear && { isNear }),
    }),
    rows,
  )
}
