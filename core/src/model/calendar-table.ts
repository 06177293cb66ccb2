/** Data objects whose rows are days, and the periods that their columns name. */
import { type Grain, lengthOfGrain, nameOfGrain } from './grain.js'
import { isWeekYear } from './week-year.js'

/** A table with one row a day. */
export interface CalendarTable {
  /** The column with the day. */
  readonly key: string
  /** The columns that are functions of a period, in the order of the document. All other columns are attributes of a day. */
  readonly periods: ReadonlyMap<string, CalendarPeriod>
  /** For the model that resolves a query: the column that numbers the periods of a grain of the table, by that grain. */
  readonly numbers?: ReadonlyMap<number, string>
  /** For the same model: the columns that number periods by their places in longer ones. */
  readonly places?: readonly PlaceNumbers[]
  /** Set if there is no table: its days are computed. */
  readonly generated: GeneratedDays | undefined
}

/** A column that numbers periods of the grain `own` of a table by their places in those of `longer`: `PLACES` of it are one of the longer periods. */
export interface PlaceNumbers {
  readonly own: number
  readonly longer: number
  readonly column: string
}

/** More places than a longer period has that are numbered, and more longer periods than are numbered: the dates are within the range of every engine. */
export const PLACES = 100
export const LONGER_PERIODS = 1000

/** The bounds of a calendar without a table, as far as it has any. */
export interface GeneratedDays {
  readonly from: CalendarBound | undefined
  readonly to: CalendarBound | undefined
}

/** A date, or the first or the last day of the current period. */
export type CalendarBound =
  | { readonly kind: 'date'; readonly date: string }
  | { readonly kind: 'relative'; readonly end: 'start' | 'end'; readonly grain: Grain }

/** A day that the present decides: also one that is so many days before today. */
export type RelativeDay = Extract<CalendarBound, { kind: 'relative' }> | { readonly kind: 'ago'; readonly days: number }

/** The days of a calendar without a table. */
export const generatedDays = ({ calendar }: { readonly calendar: CalendarTable | undefined }): GeneratedDays | undefined =>
  calendar?.generated

/** The period of which a column is a function. */
export interface CalendarPeriod {
  readonly grain: PeriodGrain
  /** For a place in a longer period, such as the month of a year: it names a period of `grain` only together with the longer one. */
  readonly of: PeriodGrain | undefined
}

/** A grain of the model, the years that consist of weeks, or a grain of the table itself, ranked from the finest. */
export type PeriodGrain = Grain | 'week_year' | OwnGrain

export interface OwnGrain {
  readonly own: number
}

export const isOwn = (grain: PeriodGrain): grain is OwnGrain => typeof grain === 'object' && 'own' in grain

/** The name of a grain as documents write it. */
export const nameOfPeriodGrain = (grain: PeriodGrain): string =>
  grain === 'week_year' ? grain : isOwn(grain) ? `own: ${grain.own}` : nameOfGrain(grain)

export const nameOfPeriod = ({ grain, of }: CalendarPeriod): string =>
  of === undefined ? nameOfPeriodGrain(grain) : `${nameOfPeriodGrain(grain)}_of_${nameOfPeriodGrain(of)}`

/** Whether every period of `shorter` is within one of `longer`. Of grains of a table, only a day is known to be. */
export function nestsIn(shorter: Grain, longer: PeriodGrain): boolean {
  if (typeof shorter === 'string' && lengthOfGrain(shorter) <= lengthOfGrain('day')) return true
  if (longer === 'week_year') return shorter === 'week' || isWeekYear(shorter)
  if (isOwn(longer)) return false
  if (shorter === 'week' || longer === 'week') return shorter === longer
  const isOfOne =
    typeof shorter === 'string' ? typeof longer === 'string' : typeof longer === 'object' && shorter.calendar === longer.calendar
  return isOfOne && lengthOfGrain(shorter) <= lengthOfGrain(longer)
}
