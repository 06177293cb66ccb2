/** Facts whose data have one value for a period, such as budgets by month. */
import { isOwn, nestsIn, type PeriodGrain } from './calendar-table.js'
import { type CalendarGrain, type Grain, lengthOfGrain, unitOfGrain } from './grain.js'

/** How coarse the data of a fact are along one of its times. */
export interface Granularity {
  readonly grain: Grain
  /** How sums are divided among the days of a period; undefined if they are not. */
  readonly spread: 'even' | SpreadOver | undefined
}

/** Only the days of a calendar with true in a column have a part. */
export interface SpreadOver {
  readonly calendar: string
  /** The column of its days. */
  readonly day: string
  readonly column: string
}

/** For people: `even`, or the days among which sums are divided. */
export const textOfSpread = (spread: NonNullable<Granularity['spread']>): string =>
  spread === 'even' ? spread : `over ${spread.calendar}.${spread.column}`

/** Whether each period of `longer` consists of whole periods of `shorter`. */
export function consistsOf(longer: PeriodGrain, shorter: Grain): boolean {
  if (nestsIn(shorter, longer)) return true
  if (longer === 'week_year' || isOwn(longer)) return false
  if (unitOfGrain(shorter) === 'week') {
    const begin = firstDayOfWeeks(shorter)
    return begin !== undefined && begin === firstDayOfWeeks(longer)
  }
  const [own, theirs] = [monthsOf(shorter), monthsOf(longer)]
  if (!own || !theirs || lengthOfGrain(shorter) > lengthOfGrain(longer)) return false
  return (theirs.first - own.first) % own.length === 0
}

/** The start of the weeks of which a grain consists, in days after that of the model's weeks. */
function firstDayOfWeeks(grain: Grain): number | undefined {
  if (typeof grain === 'string') return grain === 'week' ? 0 : undefined
  return grain.calendar.kind === 'weeks' ? grain.calendar.weekOffset : undefined
}

/** The number of calendar months of a period, and the first of them in a year, if it begins on the first day of a month. */
function monthsOf(grain: Grain): { readonly length: number; readonly first: number } | undefined {
  const length = MONTHS[unitOfGrain(grain)]
  if (length === undefined) return undefined
  if (typeof grain === 'string') return { length, first: 0 }
  const first = firstMonth(grain)
  return first === undefined ? undefined : { length, first }
}

const MONTHS: Readonly<Record<string, number>> = { month: 1, quarter: 3, year: 12 }

const firstMonth = ({ calendar }: CalendarGrain): number | undefined =>
  calendar.kind === 'months' && calendar.day === 1 ? calendar.month : undefined
