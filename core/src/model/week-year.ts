import type { CalendarGrain, Grain, WeekStart } from './grain.js'

/** Years of whole weeks: a week belongs to the year of its fourth day. */
const yearOf = (firstWeekday: number, weekOffset: number): CalendarGrain => ({
  name: 'week_year',
  unit: 'year',
  calendar: { kind: 'weeks', name: 'week', firstWeekday, weekOffset, month: 0, reach: 3, longMonth: 2 },
})

const FROM_MONDAY = yearOf(1, 0)
const FROM_SUNDAY = yearOf(0, 0)
const ISO_BESIDE_SUNDAYS = yearOf(1, 1)

export const isWeekYear = (grain: Grain): boolean =>
  grain === FROM_MONDAY || grain === FROM_SUNDAY || grain === ISO_BESIDE_SUNDAYS

/** The years of the weeks of a model, or of ISO weeks. Grains are compared as objects, so there is one of each. */
export function weekYear(weekStart: WeekStart, isIso: boolean): CalendarGrain {
  if (weekStart === 'monday') return FROM_MONDAY
  return isIso ? ISO_BESIDE_SUNDAYS : FROM_SUNDAY
}
