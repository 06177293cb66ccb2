import { fail } from '../errors.js'
import { DATE, INT } from '../model/data-type.js'
import { numberLiteral } from '../model/expression/written-literal.js'
import { type Grain, nameOfGrain, unitOfGrain } from '../model/grain.js'
import type { SpreadOver } from '../model/granularity.js'
import { madeOf } from '../relation/relation.js'
import { anyOf, binary, call, coalesce, integer, isNull, text } from '../resolve/expressions.js'
import { periodAfter, truncated } from '../resolve/grain-expressions.js'
import { type RelationColumn, type RowExpr, relationColumn, tablesIn } from '../resolve/relation-column.js'
import { equal, holds } from '../resolve/row-terms.js'
import type { DividedTime } from './block-request.js'
import type { TypedExpr } from './bound-block.js'
import { boundRows } from './bound-rows.js'
import { readColumn } from './read-rows.js'
import { type Rows, rowsOf } from './rows.js'
import { staticConditions } from './rows-conditions.js'

/** The rows once for each day of their period. A row without a time remains as it is. */
export function rowsInDays(rows: Rows, divided: DividedTime): Rows {
  const { spread } = divided.granularity
  return typeof spread === 'object' ? rowsOverDays(rows, divided, spread) : rowsInAllDays(rows, divided)
}

/** Once for each day of their period that counts. If none does, the value is that of the first day. */
function rowsOverDays(rows: Rows, { column, granularity: { grain } }: DividedTime, over: SpreadOver): Rows {
  const time = readColumn(rows, rows.root, column)
  const start = truncated<RelationColumn>(grain, time)
  const alias = madeOf(rows.root.object, '_days', [rows.node])
  const [day, place, n] = [
    relationColumn(alias, 'day', DATE),
    relationColumn(alias, 'place', INT),
    relationColumn(alias, 'n', INT),
  ]
  const calendar = rowsOf(rows.context, over.calendar)
  const own = readColumn(calendar, calendar.root, over.day)
  const where = [...staticConditions(calendar), readColumn(calendar, calendar.root, over.column)]
  const right = {
    kind: 'counted-days',
    rows: boundRows(calendar, [own, ...where].flatMap(tablesIn)),
    where,
    day: own,
    period: truncated<RelationColumn>(grain, own),
    alias,
  } as const
  const label = {
    from: rows.root.object,
    to: over.calendar,
    columns: [column],
    reason: `the days of each ${nameOfGrain(grain)} that count, among which sums are divided`,
  }
  return {
    ...rows,
    days: {
      column,
      day: coalesce(day, start),
      part: (value) => ({
        kind: 'case',
        branches: [{ when: isNull(n), then: value.expression }],
        otherwise: partOf(value, binary('-', place, integer(1)), n),
      }),
      join: { type: 'left', right, on: [equal(start, relationColumn(alias, 'period', DATE))], label, findsSeveral: true },
    },
  }
}

function rowsInAllDays(rows: Rows, { column, granularity: { grain } }: DividedTime): Rows {
  const time = readColumn(rows, rows.root, column)
  const alias = madeOf(rows.root.object, '_days', [rows.node])
  const number = relationColumn(alias, 'number', INT)
  const start = truncated<RelationColumn>(grain, time)
  // The period after the last one has no first day on some engines.
  const counted = truncated<RelationColumn>(grain, call('before_last_dates', time))
  const count = call<RelationColumn>('date_diff', text('day'), counted, periodAfter(grain, integer(1), counted))
  const isDay = anyOf<RelationColumn>([binary('<', number, count), binary('and', isNull(time), binary('=', number, integer(0)))])
  const label = {
    from: rows.root.object,
    to: '',
    columns: [column],
    reason: `the days of each ${nameOfGrain(grain)}, among which sums are divided`,
  }
  const right = {
    kind: 'scan',
    object: '',
    source: { kind: 'days' },
    alias,
    days: { first: undefined, count: longest(grain) },
  } as const
  return {
    ...rows,
    days: {
      column,
      day: call<RelationColumn>('date_add', text('day'), number, start),
      part: (value) => ({
        kind: 'case',
        branches: [{ when: isNull(time), then: value.expression }],
        otherwise: partOf(value, number, count),
      }),
      join: { type: 'inner', right, on: [holds(isDay)], label, findsSeveral: true },
    },
  }
}

/** Periods of whole weeks can be a week longer. */
const longest = (grain: Grain): number => {
  const days = { week: 7, month: 31, quarter: 92, year: 366 }[unitOfGrain(grain) as 'week']
  return typeof grain === 'object' && grain.calendar.kind === 'weeks'
    ? { week: 7, month: 35, quarter: 98, year: 371 }[grain.unit]
    : days
}

/** The greatest power of ten among whole numbers. */
const MOST_DIGITS = 18

/**
 * round(v·d/n) − round(v·(d−1)/n) for the day d of n, at the scale of v, without a quotient that an engine would round: v is q times n units, and a
 * remainder.
 */
function partOf({ expression: value, type }: TypedExpr, number: RowExpr, count: RowExpr): RowExpr {
  if (type.kind === 'int') return binary('+', call('div', value, count), remainderPart(call('mod', value, count), number, count))
  if (type.kind !== 'decimal') return binary('/', value, count)
  if (type.scale > MOST_DIGITS)
    return fail('FINER_THAN_DATA', `a value with ${type.scale} digits after the point is not divided among days`)
  const unit = unitOf(type.scale)
  const units = unit ? binary('*', count, unit) : count
  const rest = call<RelationColumn>('mod', value, units)
  const remainder: RowExpr = { kind: 'cast', operand: unit ? binary('*', rest, integer(10 ** type.scale)) : rest, type: INT }
  const whole = binary('+', call('div', value, units), remainderPart(remainder, number, count))
  return { kind: 'cast', operand: unit ? binary('*', whole, unit) : whole, type }
}

const unitOf = (scale: number): RowExpr | undefined => (scale === 0 ? undefined : numberLiteral(`0.${'1'.padStart(scale, '0')}`))

/** The part of a remainder, which is less than n units: what is rounded up to the day, less what is rounded up to the day before. */
function remainderPart(remainder: RowExpr, number: RowExpr, count: RowExpr): RowExpr {
  const isNegative = binary<RelationColumn>('<', remainder, integer(0))
  const half: RowExpr = {
    kind: 'case',
    branches: [{ when: isNegative, then: { kind: 'unary', operator: '-', operand: count } }],
    otherwise: count,
  }
  const upTo = (days: RowExpr): RowExpr =>
    call('div', binary('+', binary('*', binary('*', integer(2), remainder), days), half), binary('*', integer(2), count))
  return binary('-', upTo(binary('+', number, integer(1))), upTo(number))
}
