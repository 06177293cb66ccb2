import { DATE, type DataType, TIMESTAMP } from '../model/data-type.js'
import type { Expr } from '../model/expression/ast.js'
import type { TimeGrain } from '../model/grain.js'
import type { AsOf, End, PeriodReading, Within } from '../model/join-term.js'
import type { ModelSettings } from '../model/semantic-model.js'
import { bucket, onClocks } from './bucket.js'
import type { TimeContext } from './clock.js'
import { anyOf, binary, call, integer, isNull, text } from './expressions.js'
import { periodAfter, periodsBetween, truncated } from './grain-expressions.js'
import type { Typed } from './in-clocks.js'

/**
 * The clocks by which a join reads the day of a time: those of its zone, or of the data. The zone of a query moves groups, but never the row that a time
 * finds, and so no amount.
 */
export function clocksOfPeriod(
  reading: Pick<PeriodReading, 'zone'>,
  { defaultTimezone: written }: ModelSettings,
  time: TimeContext,
): TimeContext {
  const zone = reading.zone ?? written ?? 'UTC'
  return { ...time, zone, naiveZone: written !== undefined && zone !== written ? written : undefined, daysIn: written ?? 'UTC' }
}

/** The term with a value and ends that can be compared. */
export function comparable<L>(term: Within<Typed<L>>, time: TimeContext): Within<Typed<L>> {
  const { value, start, end, reading } = term
  if (!reading) return term
  const isOfDays = start.at.type.kind === 'date'
  if (isOfDays && value.type.kind !== 'date')
    return { ...term, value: { expression: bucket(value.expression, value.type, 'day', time), type: DATE } }
  if (isOfDays || value.type.kind !== 'date') return term
  return momentOfDay({ ...term, start: local(start, time), end: local(end, time) }, reading.holds)
}

/** The term with a time that can be compared: against days, its day. */
export function comparableTimes<L>(term: AsOf<Typed<L>>, time: TimeContext): AsOf<Typed<L>> {
  const { value, at } = term
  if (at.type.kind !== 'date' || value.type.kind === 'date') return term
  return { ...term, value: { expression: bucket(value.expression, value.type, 'day', time), type: DATE } }
}

/** That the time of a row is not too far away, if there is a limit. Days of instants have 24 hours. */
export function nearEnough<L>(
  { direction, within }: Pick<AsOf<unknown>, 'direction' | 'within'>,
  { value, at }: { readonly value: Expr<L>; readonly at: Expr<L> },
  type: DataType,
): Expr<L> | undefined {
  if (!within) return undefined
  const isBack = direction === 'backward'
  const days = type.kind === 'date' ? DAYS_OF[within.unit] : undefined
  // The last date has none after it.
  if (days !== undefined) {
    const [earlier, later] = isBack ? [at, value] : [value, at]
    return binary('<=', periodsBetween('day', earlier, later), integer(within.count * days))
  }
  const plain = (time: Expr<L>): Expr<L> => (type.kind === 'timestamp_tz' ? call('in_zone', time, text('UTC')) : time)
  const farthest = periodAfter(within.unit, integer(isBack ? -within.count : within.count), plain(value))
  return binary(isBack ? '>=' : '<=', plain(at), farthest)
}

const DAYS_OF: Partial<Record<TimeGrain, number>> = { day: 1, week: 7 }

/** An end as the time that clocks show. */
const local = <L>({ at, ...rest }: End<Typed<L>>, time: TimeContext): End<Typed<L>> => {
  const { value: expression, type } = onClocks(at.expression, at.type, time)
  return { ...rest, at: { expression, type } }
}

/** A day in an interval of times: its first moment, its last one, or any. */
function momentOfDay<L>(term: Within<Typed<L>>, holds: PeriodReading['holds']): Within<Typed<L>> {
  const { value, start, end } = term
  const first = asTime(value.expression)
  switch (holds) {
    case 'start':
      return { ...term, value: first }
    case 'end': {
      // The last moment is before the next day, and the next day at most the end.
      const next = asTime(periodAfter<L>('day', integer(1), value.expression))
      return { ...term, value: next, start: { ...start, isIncluded: false }, end: { ...end, isIncluded: true } }
    }
    case 'any': {
      const [from, to] = [start.at.expression, end.at.expression]
      const isSome = anyOf([isNull(to), binary('<', from, to)])
      const at = asTime<L>({ kind: 'case', branches: [{ when: isSome, then: truncated('day', from) }], otherwise: undefined })
      return { ...term, value: first, start: { ...start, at } }
    }
  }
}

const asTime = <L>(operand: Expr<L>): Typed<L> => ({ expression: { kind: 'cast', operand, type: TIMESTAMP }, type: TIMESTAMP })
