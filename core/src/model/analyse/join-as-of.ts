import { isZoneName, zoneFault } from '../../time-zones/zone-names.js'
import { isTemporal } from '../data-type.js'
import type { JoinDocument } from '../document.js'
import { isClock } from '../grain.js'
import type { AsOf } from '../join-term.js'
import type { Segments } from '../parse/locate.js'
import type { Join } from '../semantic-model.js'
import { type Context, knowsColumn } from './context.js'
import { duration } from './duration.js'
import { refusePeriod, warnOfClocks } from './join-period.js'

type AsOfDocument = NonNullable<JoinDocument['asOf']>

/** The term of `asOf`. Columns that are equal in all rows that may match do not order them, and nothing does if there is one row at each time. */
export function asOfTerm(entry: JoinDocument, asOf: AsOfDocument, { document }: Context): AsOf<string> {
  const { time, to, direction = 'backward', within, zone } = asOf
  const target = document.dataObjects?.[entry.joinTo]
  const compared = [...entry.columnsTo, to]
  const key = keyOf(target?.columns)
  const isKnown = (target?.uniqueKeys ?? []).some((each) => each.every((name) => compared.includes(name)))
  const ties = isKnown ? [] : key.filter((name) => !compared.includes(name))
  return {
    kind: 'as-of',
    found: 'to',
    value: time,
    at: to,
    direction,
    within: within === undefined ? undefined : duration(within),
    ties,
    zone,
  }
}

type Columns = NonNullable<NonNullable<Context['document']['dataObjects']>[string]['columns']>

const keyOf = (columns: Columns = {}): readonly string[] =>
  Object.entries(columns).flatMap(([name, { primaryKey }]) => (primaryKey ? [name] : []))

/** Whether `asOf` compares times of known columns, in a way that has one meaning. */
export function checkAsOf(join: Join, entry: JoinDocument, asOf: AsOfDocument, segments: Segments, context: Context): boolean {
  if (!context.objects.has(join.to)) return false
  const knows = (object: string, column: string, key: string) =>
    knowsColumn({ object, column }, [...segments, key], context, { code: 'UNKNOWN_JOIN_COLUMN' })
  const known = [knows(join.from, asOf.time, 'time'), knows(join.to, asOf.to, 'to')].every(Boolean)
  return (
    known &&
    checkForm(join, entry, segments, context) &&
    checkZone(asOf, segments, context) &&
    checkTimes(join, asOf, segments, context)
  )
}

function checkForm({ from, to, cardinality }: Join, { during }: JoinDocument, segments: Segments, context: Context): boolean {
  if (cardinality !== 'many-to-one') {
    const message = `asOf finds one row of '${to}' for each row of '${from}', so the join is not ${cardinality}. Make it many-to-one`
    return refusePeriod(segments, message, context)
  }
  if (during) {
    const message = `The join from '${from}' to '${to}' has during and asOf. Use asOf if a row of '${to}' is valid until the next one begins, and during if it has an end of its own`
    return refusePeriod(segments, message, context)
  }
  if (keyOf(context.document.dataObjects?.[to]?.columns).length > 0) return true
  const message = `'${to}' has no key, which decides between rows of one time. Mark its key columns with primaryKey`
  return refusePeriod(segments, message, context)
}

function checkZone({ zone }: AsOfDocument, segments: Segments, context: Context): boolean {
  if (zone === undefined || isZoneName(zone)) return true
  context.faults.error('INVALID_SETTING', [...segments, 'zone'], zoneFault(zone))
  return false
}

function checkTimes({ from, to }: Join, asOf: AsOfDocument, segments: Segments, context: Context): boolean {
  const kindOf = (object: string, column: string) => context.objects.get(object)?.columns.get(column)?.type
  const [timeType, atType] = [kindOf(from, asOf.time), kindOf(to, asOf.to)]
  // A column with a fault has been reported already.
  if (!timeType || !atType) return false
  for (const [key, name, type] of [
    ['time', asOf.time, timeType],
    ['to', asOf.to, atType],
  ] as const)
    if (!isTemporal(type)) {
      const message = `'${name}' is ${type.kind}, and asOf compares dates or timestamps. Give it the type that it has`
      return refusePeriod([...segments, key], message, context)
    }
  const isOfDays = atType.kind === 'date'
  if (isOfDays) warnOfClocks({ column: `${from}.${asOf.time}`, kind: timeType.kind, zone: asOf.zone }, segments, context)
  else if (timeType.kind === 'date') {
    const message = `'${asOf.time}' is a day and '${asOf.to}' a time: the last row of a day is not known at its beginning. Use a time, or declare a computed column of '${to}' with the day of '${asOf.to}'`
    return refusePeriod([...segments, 'time'], message, context)
  } else if (timeType.kind !== atType.kind) {
    const message = `'${asOf.time}' is ${timeType.kind} and '${asOf.to}' is ${atType.kind}: one of them has no zone. Give both the type that they have, or compare dates`
    return refusePeriod([...segments, 'time'], message, context)
  }
  return checkWithin(asOf, isOfDays, segments, context)
}

function checkWithin({ within, to }: AsOfDocument, isOfDays: boolean, segments: Segments, context: Context): boolean {
  if (within === undefined) return true
  const length = duration(within)
  if (!length) {
    const message = `'${within}' is no length of time. Write a number and a unit, such as 7 days or 12 hours`
    return refusePeriod([...segments, 'within'], message, context)
  }
  if (!isOfDays || !isClock(length.unit)) return true
  const message = `'${to}' is a date, and ${within} is not a number of days. Write days, weeks, months or years`
  return refusePeriod([...segments, 'within'], message, context)
}
