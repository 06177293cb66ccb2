/** Calendars, as written. */
import { type Static, Type } from 'typebox'
import { choice, described, maybe, text } from './parts.js'

const CALENDAR_PATTERNS = ['4-4-5', '4-5-4', '5-4-4'] as const

export const WEEKDAYS = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'] as const

export const calendarSchema = Type.Object(
  {
    description: described.description,
    yearStart: text('MM-DD of the first day of a year; months begin on that day of every calendar month.'),
    pattern: maybe(CALENDAR_PATTERNS, 'The weeks of the months of a quarter. With yearEnd, in place of yearStart.'),
    yearEnd: Type.Optional(
      Type.Object(
        {
          weekday: choice(WEEKDAYS, 'The last day of a year, and of every week.'),
          month: Type.Integer({
            minimum: 1,
            maximum: 12,
            description: 'The calendar month at whose end a year ends; January is 1.',
          }),
          rule: choice(['last', 'nearest'], 'On the last such weekday of the month, or on the one nearest to its last day.'),
        },
        { description: 'Where the year of a calendar of whole weeks ends.' },
      ),
    ),
    label: maybe(
      ['start', 'end'],
      'Whether a year is called after the calendar year in which it begins, or in which it ends. Its periods then have names, such as FY2025 and FY2025 Q3.',
    ),
  },
  { description: 'A calendar with grains of its own: <name>_year, _quarter, _month, and _week where it has a pattern.' },
)

export type CalendarDocument = Static<typeof calendarSchema>
