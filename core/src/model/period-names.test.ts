/** Names of the periods of calendars with a label. */
import t from 'tap'
import { periodAfter, startOfPeriod } from './calendar-days.js'
import type { Calendar, CalendarGrain, CalendarUnit } from './grain.js'
import { dayNamed, namesLike, periodName } from './period-names.js'

const october: Calendar = { kind: 'months', name: 'fiscal', month: 9, day: 1, label: 'end' }
const tax: Calendar = { kind: 'months', name: 'tax', month: 3, day: 6, label: 'start' }
const january: Calendar = { kind: 'months', name: 'plain', month: 0, day: 1, label: 'end' }
const weeks = { kind: 'weeks', name: 'retail', firstWeekday: 0, weekOffset: -1, longMonth: 1 } as const
/** Around the end of January, of December, and up to the last Saturday of August. */
const retail: Calendar = { ...weeks, month: 1, reach: 3, label: 'start' }
const december: Calendar = { ...weeks, month: 0, reach: 3, label: 'end' }
const august: Calendar = { ...weeks, month: 8, reach: 0, label: 'end' }

const grainOf = (calendar: Calendar, unit: CalendarUnit): CalendarGrain => ({ name: `${calendar.name}_${unit}`, unit, calendar })
const startOf = (name: string, calendar: Calendar, unit: CalendarUnit) => {
  const day = dayNamed(name, grainOf(calendar, unit))
  return day === undefined ? undefined : new Date(day * 86_400_000).toISOString().slice(0, 10)
}

for (const [name, calendar, unit, first] of [
  ['FY2025', october, 'year', '2024-10-01'],
  ['FY2025 Q3', october, 'quarter', '2025-04-01'],
  ['Q3 FY25', october, 'quarter', '2025-04-01'],
  ['fy25 m1', october, 'month', '2024-10-01'],
  ['FY2024', tax, 'year', '2024-04-06'],
  ['M12 FY2024', tax, 'month', '2025-03-06'],
  ['FY2025', january, 'year', '2025-01-01'],
  // The Sundays nearest to the ends of January, and those within a week of a new year.
  ['FY2012', retail, 'year', '2012-01-29'],
  ['FY2012 W53', retail, 'week', '2013-01-27'],
  ['FY2013 M02', retail, 'month', '2013-03-03'],
  ['FY2025', december, 'year', '2024-12-29'],
  ['FY2025', august, 'year', '2024-09-01'],
] as const)
  t.test(`${name} of ${calendar.name} begins on ${first}`, async (t) => t.equal(startOf(name, calendar, unit), first))

t.test('what names no period of the grain', async (t) => {
  for (const name of ['FY2025 Q5', 'FY2025 Q0', 'FY2025 M03', 'FY2025', '2025 Q1', 'FY202', 'FY2025 Q1 ago', ''])
    t.equal(startOf(name, october, 'quarter'), undefined, name)
  t.equal(startOf('FY2013 W53', retail, 'week'), undefined, 'a year of 52 weeks')
  t.equal(dayNamed('FY2025', 'year'), undefined)
  const { label: _, ...unnamed } = october
  t.equal(startOf('FY2025', unnamed, 'year'), undefined)
  t.equal(periodName(0, grainOf(unnamed, 'year')), undefined)
  t.equal(periodName(0, 'year'), undefined)
})

t.test('what a text may mean', async (t) => {
  t.same(namesLike('FY2025 Q5', grainOf(october, 'quarter'))[0], 'FY2025 Q1')
  t.same(namesLike('2024', grainOf(october, 'year')), ['FY2024'])
  t.same(namesLike('soon', grainOf(october, 'month')), ['FY2025 M01'])
})

t.test('each period of sixty years has a name, which means it', async (t) => {
  for (const calendar of [october, tax, january, retail, december, august])
    for (const unit of ['year', 'quarter', 'month', ...(calendar.kind === 'weeks' ? (['week'] as const) : [])] as const) {
      const grain = grainOf(calendar, unit)
      const from = 365
      const names = new Set<string>()
      let day = startOfPeriod(from, grain)
      for (; day < from + 22_000; day = periodAfter(day, grain, 1)) {
        const name = periodName(day, grain)!
        const [year, place] = name.split(' ')
        if (names.has(name)) t.fail(`${name} is the name of two periods`)
        if (!names.add(name) || dayNamed(name, grain) !== day) t.fail(`${name} of ${calendar.name}`)
        if (place !== undefined && dayNamed(`${place} ${year}`, grain) !== day) t.fail(name)
      }
      t.same([...names].sort(), [...names], `${grain.name}: their order is that of time`)
    }
})
