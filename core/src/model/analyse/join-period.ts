import { isZoneName, zoneFault } from '../../time-zones/zone-names.js'
import { isTemporal } from '../data-type.js'
import type { JoinDocument } from '../document.js'
import type { Within } from '../join-term.js'
import type { Segments } from '../parse/locate.js'
import type { Join } from '../semantic-model.js'
import { type Context, knowsColumn } from './context.js'

type During = NonNullable<JoinDocument['during']>

/** The term of `during`. On the target's side a period without a beginning has always held; on this side nothing begins without a time. */
export function periodTerm({
  interval = 'there',
  time,
  from,
  to,
  includesEnd = false,
  zone,
  holds = 'any',
}: During): Within<string> {
  return {
    kind: 'within',
    interval: interval === 'there' ? 'to' : 'from',
    value: time,
    start: { at: from, isIncluded: true, isOpen: interval === 'there' },
    end: { at: to, isIncluded: includesEnd, isOpen: true },
    reading: { zone, holds },
  }
}

/** Whether `during` compares times of known columns, in a way that has one meaning. */
export function checkPeriod(join: Join, during: During, segments: Segments, context: Context): boolean {
  const { interval = 'there', time, from, to, zone } = during
  const [owner, other] = interval === 'there' ? [join.to, join.from] : [join.from, join.to]
  if (!context.objects.has(join.to)) return false
  const knows = (object: string, column: string, key: string) =>
    knowsColumn({ object, column }, [...segments, key], context, { code: 'UNKNOWN_JOIN_COLUMN' })
  const known = [knows(other, time, 'time'), knows(owner, from, 'from'), knows(owner, to, 'to')].every(Boolean)
  if (!known || !checkCardinality(join, during, segments, context)) return false
  if (zone !== undefined && !isZoneName(zone)) {
    context.faults.error('INVALID_SETTING', [...segments, 'zone'], zoneFault(zone))
    return false
  }
  return checkTypes({ owner, other }, during, segments, context)
}

function checkCardinality({ from, to, cardinality }: Join, { interval }: During, segments: Segments, context: Context): boolean {
  if (cardinality === 'one-to-one') {
    const message = `The join from '${from}' to '${to}' is one-to-one and has an interval, in which many times may be. Make it many-to-one`
    return refusePeriod(segments, message, context)
  }
  if (cardinality === 'many-to-one' && interval === 'here') {
    const message = `An interval of '${from}' contains many times of '${to}', so the join is not many-to-one. Make it many-to-many, or use interval: there if '${to}' has the interval`
    return refusePeriod([...segments, 'interval'], message, context)
  }
  return true
}

interface Owners {
  readonly owner: string
  readonly other: string
}

function checkTypes({ owner, other }: Owners, during: During, segments: Segments, context: Context): boolean {
  const { interval = 'there', time, from, to, includesEnd, holds } = during
  const kindOf = (object: string, column: string) => context.objects.get(object)?.columns.get(column)?.type
  const [timeType, fromType, toType] = [kindOf(other, time), kindOf(owner, from), kindOf(owner, to)]
  // A column with a fault has been reported already.
  if (!timeType || !fromType || !toType) return false
  for (const [key, name, type] of [
    ['time', time, timeType],
    ['from', from, fromType],
    ['to', to, toType],
  ] as const)
    if (!isTemporal(type))
      return refusePeriod(
        [...segments, key],
        `'${name}' is ${type.kind}, and a period is of dates or timestamps. Give it the type that it has`,
        context,
      )
  if (fromType.kind !== toType.kind) {
    const message = `'${from}' is ${fromType.kind} and '${to}' is ${toType.kind}, and the ends of a period are of one type. Declare a computed column with the type of the other`
    return refusePeriod([...segments, 'to'], message, context)
  }
  const isOfDays = fromType.kind === 'date'
  if (includesEnd && !isOfDays) {
    const message = `'${to}' is ${toType.kind}, and includesEnd is for periods of days: a moment has no length. Leave includesEnd out, or use date columns`
    return refusePeriod([...segments, 'includesEnd'], message, context)
  }
  if (isOfDays) {
    warnOfClocks({ column: `${other}.${time}`, kind: timeType.kind, zone: during.zone }, segments, context)
    return true
  }
  if (timeType.kind === 'date') return checkDays(interval, { time, from, holds }, segments, context)
  if (timeType.kind === fromType.kind) return true
  const message = `'${time}' is ${timeType.kind} and '${from}' is ${fromType.kind}: one of them has no zone. Give both the type that they have, or compare dates`
  return refusePeriod([...segments, 'time'], message, context)
}

/** Days against a period of times: the period holds at several moments of a day, or at one. */
function checkDays(
  interval: string,
  { time, from, holds = 'any' }: { readonly time: string; readonly from: string; readonly holds: During['holds'] },
  segments: Segments,
  context: Context,
): boolean {
  if (interval === 'here' || holds !== 'any') return true
  const message = `'${time}' is a day and '${from}' a time: several periods may hold on one day. Set holds: start, or holds: end, so that one moment of the day decides`
  return refusePeriod([...segments, 'holds'], message, context)
}

/** Warns if nothing says in which zone an instant has its day. */
export function warnOfClocks(
  { column, kind, zone }: { readonly column: string; readonly kind: string; readonly zone: string | undefined },
  segments: Segments,
  { document, faults }: Context,
): void {
  if (kind !== 'timestamp_tz' || zone !== undefined || document.settings?.defaultTimezone !== undefined) return
  const message = `'${column}' is an instant, and the period is of days: it is read as its day in UTC. Set zone here, or settings.defaultTimezone`
  faults.warn('PERIOD_IN_UTC', [...segments, 'time'], message)
}

/** Reports a join over time that has no single meaning. */
export function refusePeriod(segments: Segments, message: string, { faults }: Context): false {
  faults.error('INVALID_JOIN_PERIOD', segments, message)
  return false
}
