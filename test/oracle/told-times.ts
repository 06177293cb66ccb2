/** Columns of a calendar that together tell periods apart stand for its time: the query is asked with that time beside them, and the answer leaves it out. */
import { lengthOf } from './calendar.js'
import {
  type CalendarColumn,
  calendarColumns,
  grainsNamed,
  liesWithin,
  periodNamed,
  periodOf,
  sameDays,
} from './calendar-tables.js'
import { componentsOf, metricOf, rowMetricOf } from './components.js'
import { type Asked, readableDimensions } from './fields.js'
import { flagOf, levelsOf } from './grouping.js'
import type { FilterJson, ModelJson, QueryJson } from './model.js'
import { periodRange } from './moved-range.js'
import { canonical } from './operators.js'
import { timesLeft } from './row-ranges.js'
import { isOfTable, liesInOwn, tableCalendars, tableGrain } from './table-grains.js'
import { isNamed, readingOf } from './time-conjuncts.js'
import type { World } from './world.js'

interface Told {
  readonly model: ModelJson
  /** With those whose periods only a table of days knows, and the years of whole weeks. */
  readonly calendars: World['calendars']
  readonly query: QueryJson
  /** The columns of the answer that are left out. */
  readonly hidden: ReadonlySet<string>
}

interface Role {
  readonly name: string
  readonly column: CalendarColumn
}

/** `conditions`: its conjuncts, with those of segments. */
export function withToldTimes(world: World, query: QueryJson, conditions: readonly FilterJson[], now: Date): Told | undefined {
  const texts = query.select.dimensions ?? []
  if (query.select.fields || query.dimensions_exclude || !texts.every((text) => isKnown(world, text))) return undefined
  const asked = readableDimensions(world, texts)
  if (asked.length < texts.length) return undefined
  const roles = rolesIn(world, query, asked)
  if (roles.length === 0) return undefined
  const model = {
    ...world.model,
    dimensions: { ...world.model.dimensions, ...Object.fromEntries(roles.map((role) => [role.name, keyOf(world, role)])) },
  }
  const calendars = { ...world.calendars, ...tableCalendars(world) }
  const within: World = { ...world, model, calendars, memo: new Map() }
  const toldIn = (level: readonly Asked[]) =>
    roles.flatMap((role) => toldBy({ world: within, role, conditions, asked, now }, level, query) ?? [])
  const ofAll = toldIn(asked)
  // Periods of a table stand for the time in subtotals only where they do in the whole query.
  const isTold = ({ text, role }: { readonly text: string; readonly role: string }): boolean =>
    !isOfTable(text.slice(text.lastIndexOf(':') + 1)) ||
    ofAll.some((one) => one.role === role && isOfTable(one.text.slice(one.text.lastIndexOf(':') + 1)))
  const sets = levelsOf(query.grouping, asked).map((level) => ({ level, told: toldIn(level).filter(isTold) }))
  const all = [...ofAll, ...sets.flatMap(({ told }) => told)]
  const hidden = [...new Map(all.map((one) => [one.text, one])).values()]
  if (hidden.length === 0) return undefined
  const written = hidden.map(({ text }) => text)
  const dimensions = { ...model.dimensions }
  for (const { name, role, columns } of hidden) dimensions[name] = { ...dimensions[role]!, toldBy: columns }
  return {
    model: { ...model, dimensions },
    calendars,
    query: {
      ...query,
      ofLevels: hidden.map(({ text }) => text).filter((text) => !ofAll.some((one) => one.text === text)),
      select: { ...query.select, dimensions: [...texts, ...written] },
      ...(query.order_by && { order_by: query.order_by.map((key) => behind(key, texts.length, written.length)) }),
      ...(query.grouping && {
        grouping: {
          ...(typeof query.grouping === 'object' && query.grouping),
          sets: sets.map(({ level, told }) => [...level.map(({ text }) => text), ...told.map(({ text }) => text)]),
        },
      }),
    },
    hidden: new Set([...written, ...written.map((text) => flagOf({ text }))]),
  }
}

const behind = (key: NonNullable<QueryJson['order_by']>[number], after: number, by: number) =>
  typeof key.field === 'number' && key.field > after ? { ...key, field: key.field + by } : key

function isKnown(world: World, written: NonNullable<QueryJson['select']['dimensions']>[number]): boolean {
  const names = typeof written === 'string' ? [written] : written.coalesce
  return names.every((name) => world.model.dimensions?.[name] ?? world.model.dimensions?.[name.replace(/:\w+$/, '')])
}

const keyOf = ({ model }: World, { column: { calendar, via } }: Role) => ({
  dataObject: calendar,
  column: model.dataObjects[calendar]!.calendar!.key!,
  resultType: 'date',
  ...(via !== undefined && { via }),
})

/** The calendars, each in its role, of which the query shows columns of periods, and along which its metrics run. */
function rolesIn(world: World, query: QueryJson, asked: readonly Asked[]): readonly Role[] {
  const times = timesOf(world, query)
  const fills = query.fill_gaps !== undefined && query.fill_gaps !== false && asked.every(({ grain }) => grain === undefined)
  const found = asked.flatMap((one): readonly (readonly [string, CalendarColumn])[] => {
    const column = columnOf(world, one, query)
    const isRead = column && (fills || times.some((time) => saysDay(world, time, column)))
    return isRead ? [[`told ${column.calendar} ${column.via ?? ''}`, column]] : []
  })
  return [...new Map(found)].map(([name, column]) => ({ name, column }))
}

const saysDay = (world: World, time: string, column: CalendarColumn): boolean =>
  calendarColumns(world, time).some((day) => day.says === 'day' && sameDays(world, day, column))

function columnOf(world: World, { name, grain, coalesced, text }: Asked, { top }: QueryJson): CalendarColumn | undefined {
  if (coalesced || grain !== undefined || top?.dimension === text || top?.dimension === name) return undefined
  const { bins, expression } = world.model.dimensions?.[name] ?? {}
  return bins || expression
    ? undefined
    : calendarColumns(world, name).find(({ fact, says }) => fact === undefined && says === 'period')
}

function timesOf(world: World, { select: { measures = [] }, having = [], order_by = [] }: QueryJson): readonly string[] {
  const fields = JSON.stringify(having).matchAll(/"field":"([^"]*)"/g)
  const ahead = new Set([...measures, ...[...fields].map(([, name]) => name!), ...order_by.map(({ field }) => String(field))])
  const found = new Set<string>()
  // The set grows while it is read.
  for (const name of ahead) {
    const metric = metricOf(world, name)
    const time = metric?.timeDimension ?? metric?.periodOverPeriod?.timeDimension
    if (time !== undefined) found.add(time)
    if (metric) for (const below of componentsOf(metric)) ahead.add(below)
    // What an aggregate of values aggregates may run along the time of the rows.
    const inner = rowMetricOf(world, name)
    if (inner?.type === 'aggregate') ahead.add(inner.measure!)
  }
  return [...found]
}

interface Within {
  readonly world: World
  readonly role: Role
  readonly conditions: readonly FilterJson[]
  readonly asked: readonly Asked[]
  readonly now: Date
}

/** The time that the columns of a level tell, in their shortest periods; undefined if they tell none, or the level shows it. */
function toldBy({ world, role, conditions, asked, now }: Within, level: readonly Asked[], query: QueryJson) {
  const columns = level.flatMap((one) => {
    const column = columnOf(world, one, query)
    return column?.calendar === role.column.calendar && column.via === role.column.via
      ? [{ name: one.name, ...periodOf(world, column) }]
      : []
  })
  const shown = level.filter(({ coalesced, name }) => !coalesced && saysDay(world, name, role.column))
  const onTime = conditions.filter((f) => readingOf(world, f, role.name, asked) === 'time' && !readsClock(f))
  const named = onTime.filter((f) => isNamed(world, f, asked))
  const [range, more] = timesLeft(
    { world, now, asked },
    onTime.filter((f) => !named.includes(f)),
    role.name,
  )
  const within = columns.flatMap(({ of }) => {
    const longer = of === 'week_year' ? tableGrain(world, role.column.calendar, of) : of
    if (
      of === undefined ||
      longer === undefined ||
      of.startsWith('own') ||
      range?.from === undefined ||
      range.until === undefined ||
      more
    )
      return []
    const period = periodRange(longer, range.from, world)
    return range.until <= period.until! ? [{ grain: of, of: undefined }] : []
  })
  const buckets = shown.flatMap(({ grain }) => (grain === undefined ? [] : [{ grain, of: undefined }]))
  const fixed = [...grainsNamed(named.flatMap((f) => periodNamed(world, f) ?? []))].map((grain) => ({ grain, of: undefined }))
  const grains = grainsNamed([...columns, ...within, ...buckets, ...fixed])
  const told = columns.filter(({ grain, of }) => grains.has(of ?? grain))
  const [finest] = told.filter(({ grain }) => !grain.startsWith('own')).toSorted((a, b) => lengthOf(a.grain) - lengthOf(b.grain))
  if (finest && shown.some(({ grain }) => lengthOf(grain) <= lengthOf(finest.grain))) return undefined
  if (!finest) return shown.length > 0 ? undefined : toldOfTable({ world, role }, told)
  const inUse = finest.grain === 'week_year' ? tableGrain(world, role.column.calendar, 'week_year') : finest.grain
  const tellers = told.filter(({ grain }) => liesWithin(finest.grain, grain)).map((one) => one.name)
  // Each level has its own columns that tell it: a measure keeps the time if it keeps these.
  const name = `${role.name} ${tellers.join(' ')}`
  return { text: `${name}:${inUse}`, name, role: role.name, columns: tellers }
}

/** The shortest periods of the table itself: only where no other grain is told or shown, because of these nothing is known to nest. */
function toldOfTable(
  { world, role }: Pick<Within, 'world' | 'role'>,
  told: readonly { readonly name: string; readonly grain: string }[],
) {
  const known = told.flatMap((one) => {
    const token = tableGrain(world, role.column.calendar, one.grain)
    return token === undefined ? [] : [{ ...one, token }]
  })
  const [finest] = known.toSorted((a, b) => rankOf(a.grain) - rankOf(b.grain))
  if (!finest) return undefined
  const columns = told.filter(({ grain }) => liesInOwn(finest.grain, grain)).map((one) => one.name)
  const name = `${role.name} ${columns.join(' ')}`
  return { text: `${name}:${finest.token}`, name, role: role.name, columns }
}

const rankOf = (grain: string): number => Number(grain.replace(/\D/g, ''))

const readsClock = (filter: FilterJson): boolean =>
  'logic' in filter ? filter.filters.some(readsClock) : canonical(filter.op) === 'relative'
