import { fail } from '../errors.js'
import type { CalendarBound, GeneratedDays } from '../model/calendar-table.js'
import type { TimeContext } from '../resolve/clock.js'
import { relativeDay } from '../resolve/clock.js'
import { dateText, MICROS_PER_DAY, type Micros, parseTime } from '../resolve/time.js'
import type { DayNumbers } from './bound-block.js'

/** The days of a calendar without a table. Throws `CALENDAR_RANGE_REQUIRED`. */
export function dayNumbers(object: string, { from, to }: GeneratedDays, time: TimeContext): DayNumbers {
  const [first, last] = [from && momentOf(from, time), to && momentOf(to, time)]
  if (first === undefined || last === undefined) {
    const missing = first === undefined && last === undefined ? "'from' and 'to'" : first === undefined ? "'from'" : "'to'"
    return fail(
      'CALENDAR_RANGE_REQUIRED',
      `the query needs the days of '${object}', a calendar without ${missing}; declare its first and last day`,
      {
        path: `dataObjects.${object}.calendar`,
      },
    )
  }
  const count = Number((last - first) / MICROS_PER_DAY) + 1
  return { first: dateText(first), count: Math.max(count, 0) }
}

const momentOf = (bound: CalendarBound, { clock }: TimeContext): Micros | undefined =>
  bound.kind === 'date' ? parseTime(bound.date)?.micros : relativeDay(bound, clock)
