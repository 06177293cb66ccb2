/** Time grains: those that every model has, and the periods of its calendars. */

export const TIME_GRAINS = ['second', 'minute', 'hour', 'day', 'week', 'month', 'quarter', 'year'] as const
/** A unit to which times are truncated, from `second` to `year`. */
export type TimeGrain = (typeof TIME_GRAINS)[number]

/** Whether a date is too coarse for the unit. */
export const isClock = (unit: TimeGrain): boolean => unit === 'hour' || unit === 'minute' || unit === 'second'

/** The weekday on which weeks begin. */
export type WeekStart = 'monday' | 'sunday'

export const CALENDAR_UNITS = ['week', 'month', 'quarter', 'year'] as const
export type CalendarUnit = (typeof CALENDAR_UNITS)[number]

/** A grain of time, or one of a calendar of the model. */
export type Grain = TimeGrain | CalendarGrain

/** A period of a calendar of the model. There is one such object per model and name. */
export interface CalendarGrain {
  /** The name in models and queries: `fiscal_quarter`. */
  readonly name: string
  readonly unit: CalendarUnit
  readonly calendar: Calendar
}

export type Calendar = MonthCalendar | WeekCalendar

/** Which calendar year names a year of a calendar: that of its start, or that of its end. */
export type YearLabel = 'start' | 'end'

/** Months begin on one day of the calendar month, and years with one of them. */
export interface MonthCalendar {
  readonly kind: 'months'
  readonly name: string
  /** The calendar month in which a year begins; January is 0. */
  readonly month: number
  /** The day on which every month begins. */
  readonly day: number
  /** Set if its periods have names. */
  readonly label?: YearLabel | undefined
}

/** Years of whole weeks, in quarters of thirteen; the months of a quarter have four, four and five of them, in some order. */
export interface WeekCalendar {
  readonly kind: 'weeks'
  readonly name: string
  /** The day on which weeks begin; Sunday is 0. */
  readonly firstWeekday: number
  /** The start of their weeks in days after that of the model's weeks; negative for before. */
  readonly weekOffset: number
  /** A year begins with the week that contains the day `reach` days after the first of this calendar month; January is 0. */
  readonly month: number
  readonly reach: 0 | 3
  /** Which month of a quarter has five weeks, counted from 0. */
  readonly longMonth: number
  /** Set if its periods have names. */
  readonly label?: YearLabel | undefined
}

/** The form of the names of grains; whether a model has the calendar is checked separately. */
export const GRAIN_PATTERN = `^(${TIME_GRAINS.join('|')}|[A-Za-z]\\w*_(${CALENDAR_UNITS.join('|')}))$`

/** The name of a grain in queries, including those of calendars. */
export const nameOfGrain = (grain: Grain): string => (typeof grain === 'string' ? grain : grain.name)
/** The standard grain of about the same length. */
export const unitOfGrain = (grain: Grain): TimeGrain => (typeof grain === 'string' ? grain : grain.unit)
/** Longer periods have greater numbers; those of a calendar have the number of the unit that they are named after. */
export const lengthOfGrain = (grain: Grain): number => TIME_GRAINS.indexOf(unitOfGrain(grain))

/** Whether a shorter period is always within one longer period. Between different calendars that is true only for a day or less. */
export function staysWithin(shorter: Grain, longer: Grain): boolean {
  if (typeof shorter === 'string' && typeof longer === 'string') return true
  if (typeof shorter === 'object' && typeof longer === 'object') return shorter.calendar === longer.calendar
  return typeof shorter === 'string' && lengthOfGrain(shorter) <= TIME_GRAINS.indexOf('day')
}

/** The units that a calendar has. */
export const unitsOf = ({ kind }: Calendar): readonly CalendarUnit[] =>
  kind === 'weeks' ? CALENDAR_UNITS : CALENDAR_UNITS.filter((unit) => unit !== 'week')

/** Whether a year of the calendar ends in a later calendar year than it begins, as far as its months tell. */
export const endsLater = (calendar: Calendar): boolean => calendar.month > 0 || (calendar.kind === 'months' && calendar.day > 1)
