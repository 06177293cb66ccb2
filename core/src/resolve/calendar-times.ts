/** Columns of a calendar that together identify a period, such as a year and the name of a month, stand for its time (docs/calendars.md). */

import { type CalendarPeriod, isOwn, nameOfPeriodGrain, nestsIn } from '../model/calendar-table.js'
import { DATE } from '../model/data-type.js'
import { type ColumnRef, isInner } from '../model/expression/ast.js'
import { type Grain, lengthOfGrain, nameOfGrain } from '../model/grain.js'
import type { Metric, SemanticModel } from '../model/semantic-model.js'
import { weekYear } from '../model/week-year.js'
import { bucketType } from './bucket.js'
import type { TimeContext } from './clock.js'
import { type DaysOf, daysOf, isSameTime } from './days-of.js'
import { sourceOf } from './fields.js'
import type { JoinGraph } from './join-graph.js'
import { find } from './lookup.js'
import { periodAt } from './moved-range.js'
import { namesPeriod, periodIn } from './named-periods.js'
import { movedByPlace } from './other-units.js'
import { countedBelow } from './over-time.js'
import { conjunctsOnTime } from './periods.js'
import { type Conjunct, type FieldSource, objectOf, type ResolvedDimension } from './resolved-query.js'
import { namedBy } from './table-periods.js'
import { finest } from './time-dimension.js'
import { timesLeft } from './times-left.js'

interface TimesContext {
  readonly graph: JoinGraph
  /** Those of the whole query. */
  readonly dimensions: readonly ResolvedDimension[]
  readonly clocks: TimeContext
  readonly where: readonly Conjunct[]
  /** The measures and metrics that the query reads. */
  readonly names: readonly string[]
  /** Gaps are those of a time, too. */
  readonly fillsGaps: boolean
  readonly columnName: (key: string, name: string) => string
}

/** For the dimensions of a level: the times for which columns of calendars among them stand. They group rows and are not shown. */
export type CalendarTimes = (level: readonly ResolvedDimension[]) => readonly ResolvedDimension[]

export function calendarTimes(context: TimesContext): CalendarTimes {
  const { model } = context.graph
  const read = metricsRead(context.names, model)
  const times = timesOf(read, model)
  const isNeeded = (role: DaysOf): boolean =>
    context.fillsGaps ||
    times.some((time) => daysOf(time, model).some((day) => isDay(day) && isSameTime(day, role, context.graph)))
  const timesIn = (level: readonly ResolvedDimension[]): readonly ResolvedDimension[] =>
    rolesIn(level, model).flatMap((role) => {
      const time = isNeeded(role.days) ? timeOfRole(role, level, context) : undefined
      return time ? [time, ...placesOf(time, read, context)] : []
    })
  const ofAll = timesIn(context.dimensions)
  // Periods of a table stand for the time in subtotals only where they do in the whole query.
  const isOfAll = ({ ofTable, members: [{ via }] }: ResolvedDimension): boolean =>
    !ofTable || ofAll.some((one) => one.ofTable?.calendar === ofTable.calendar && one.members[0].via === via)
  return (level) => timesIn(level).filter(isOfAll)
}

const isDay = ({ says }: DaysOf): boolean => says === 'day'

/** The metrics that a query reads, with those below them. */
function metricsRead(names: readonly string[], { metrics }: SemanticModel): readonly Metric[] {
  const ahead = new Set(names)
  const found: Metric[] = []
  // The set grows while it is read.
  for (const name of ahead) {
    const metric = find(name, metrics)
    if (!metric) continue
    found.push(metric)
    for (const below of countedBelow(metric)) ahead.add(below)
  }
  return found
}

/** The times of metrics over time. */
function timesOf(metrics: readonly Metric[], { dimensions }: SemanticModel): readonly FieldSource[] {
  const found = new Set(metrics.flatMap((metric) => ('timeDimension' in metric ? (metric.timeDimension ?? []) : [])))
  return [...found].flatMap((name) => {
    const time = dimensions.get(name)
    return time ? [sourceOf(time)] : []
  })
}

/** Where metrics move the periods of a table by longer ones: the same periods, numbered by their places in these. */
function placesOf(
  time: ResolvedDimension,
  metrics: readonly Metric[],
  { graph: { model }, columnName }: TimesContext,
): readonly ResolvedDimension[] {
  const { ofTable } = time
  if (!ofTable) return []
  const moved = metrics.flatMap((metric) => movedByPlace(metric, ofTable, model) ?? [])
  return [...new Map(moved.map((one) => [one.column, one])).values()].map(({ column, longer }) => {
    const [{ via }] = time.members
    const name = `${time.label} in ${namedBy(longer, objectOf(model, ofTable.calendar).calendar!.periods)}`
    const expression = { kind: 'column', object: ofTable.calendar, column } as const
    return {
      ...time,
      name: columnName(`calendar time ${JSON.stringify([via, column])}`, column),
      label: name,
      members: [{ name, object: ofTable.calendar, via, expression, type: DATE }],
      ofTable: { ...ofTable, placedIn: longer },
    }
  })
}

/** The columns of periods of one calendar in one role. */
interface Role {
  readonly days: DaysOf
  readonly columns: readonly { readonly dimension: ResolvedDimension; readonly period: CalendarPeriod }[]
}

function rolesIn(level: readonly ResolvedDimension[], model: SemanticModel): readonly Role[] {
  const found = new Map<string, Role>()
  for (const dimension of level) {
    const { members, expression, grain, top } = dimension
    const [source] = members
    if (members.length > 1 || expression || grain || top || isInner<ColumnRef>(source.expression)) continue
    const period = model.dataObjects.get(source.object)?.calendar?.periods.get(source.expression.column)
    const [days] = period ? daysOf(source, model) : []
    if (!period || days?.says !== 'period') continue
    const key = JSON.stringify([days.calendar, days.via])
    found.set(key, { days, columns: [...(found.get(key)?.columns ?? []), { dimension, period }] })
  }
  return [...found.values()]
}

/** The time of a role, in the shortest periods that its columns identify; `undefined` if there are none, or if the level shows these. */
function timeOfRole(
  { days, columns }: Role,
  level: readonly ResolvedDimension[],
  context: TimesContext,
): ResolvedDimension | undefined {
  const { graph, columnName } = context
  const time = dayOf(days, columns[0]!.dimension, graph.model)
  const shown = level.filter(
    ({ members: [first, ...others], expression }) =>
      !expression && others.length === 0 && daysOf(first, graph.model).some((day) => isDay(day) && isSameTime(day, days, graph)),
  )
  const named = namedGrains(
    columns.map(({ period }) => period),
    [...shown.flatMap(({ grain }) => (grain ? [nameOfGrain(grain)] : [])), ...fixedGrains(time, columns, context)],
  )
  const identifying = columns.filter(({ period }) => isIdentified(period, named))
  const isGenerated = graph.model.dataObjects.get(days.calendar)?.calendar?.generated !== undefined
  const grain = identifying
    .flatMap(({ period }) => (isOwn(period.grain) ? [] : [knownGrain(period.grain, isGenerated, context)]))
    .toSorted((a, b) => lengthOfGrain(a) - lengthOfGrain(b))[0]
  // Of the periods of a table it is not known how others lie in them.
  if (!grain) return shown.length > 0 ? undefined : timeOfTable(time, identifying, days, context)
  if (isShownAt(grain, shown)) return undefined
  const name = `${time.label}:${nameOfGrain(grain)}`
  return {
    ...time,
    name: columnName(`calendar time ${JSON.stringify([days.via, name])}`, name),
    label: name,
    type: bucketType(grain),
    grain,
    periodColumns: identifying.flatMap(({ dimension, period }) => (nestsIn(grain, period.grain) ? [dimension] : [])),
  }
}

/** The years of weeks as a grain: those of a calendar without a table are ISO years. */
function knownGrain(grain: Grain | 'week_year', isGenerated: boolean, { clocks: { weekStart } }: TimesContext): Grain {
  return grain === 'week_year' ? weekYear(weekStart, isGenerated) : grain
}

/** The shortest periods of the table itself that the columns of a level identify, as days of which there is one for each period. */
function timeOfTable(
  time: ResolvedDimension,
  identifying: Role['columns'],
  days: DaysOf,
  { graph, columnName }: TimesContext,
): ResolvedDimension | undefined {
  const { calendar } = graph.model.dataObjects.get(days.calendar)!
  const ranks = identifying.flatMap(({ period: { grain } }) =>
    isOwn(grain) && calendar?.numbers?.has(grain.own) ? [grain.own] : [],
  )
  const own = Math.min(...ranks)
  const column = calendar?.numbers?.get(own)
  const named = calendar && namedBy(own, calendar.periods)
  if (column === undefined || named === undefined) return undefined
  const [{ via }] = time.members
  const name = `${days.calendar}.${named}`
  const expression = { kind: 'column', object: days.calendar, column } as const
  return {
    ...time,
    name: columnName(`calendar time ${JSON.stringify([days.via, column])}`, `period of ${named}`),
    label: name,
    members: [{ name, object: days.calendar, via, expression, type: DATE }],
    grain: 'day',
    ofTable: { calendar: days.calendar, own, column: named },
    periodColumns: identifying.flatMap(({ dimension, period: { grain } }) =>
      isOwn(grain) && grain.own >= own ? [dimension] : [],
    ),
  }
}

function isShownAt(grain: Grain, shown: readonly ResolvedDimension[]): boolean {
  const own = finest(shown)
  return own !== undefined && (own.grain === undefined || lengthOfGrain(own.grain) <= lengthOfGrain(grain))
}

/** The day of a calendar in the role of one of its columns. */
function dayOf({ calendar, via }: DaysOf, { path }: ResolvedDimension, model: SemanticModel): ResolvedDimension {
  const column = model.dataObjects.get(calendar)!.calendar!.key
  const name = `${calendar}.${column}`
  const member = { name, object: calendar, via, expression: { kind: 'column', object: calendar, column }, type: DATE } as const
  return { name, label: name, type: DATE, members: [member], grain: undefined, format: undefined, path }
}

const isIdentified = ({ grain, of }: CalendarPeriod, named: ReadonlySet<string>): boolean =>
  of === undefined ? named.has(nameOfPeriodGrain(grain)) : named.has(nameOfPeriodGrain(of))

/** The grains whose periods are identified: a place in a period identifies one only together with that period. */
function namedGrains(periods: readonly CalendarPeriod[], fixed: readonly string[]): ReadonlySet<string> {
  const named = new Set([...fixed, ...periods.flatMap(({ grain, of }) => (of === undefined ? [nameOfPeriodGrain(grain)] : []))])
  for (let before = -1; before !== named.size; ) {
    before = named.size
    for (const period of periods) if (isIdentified(period, named)) named.add(nameOfPeriodGrain(period.grain))
  }
  return named
}

/** The grains of which constant conditions leave one period. */
function fixedGrains(
  time: ResolvedDimension,
  columns: Role['columns'],
  { where, graph, clocks }: TimesContext,
): readonly string[] {
  const onTime = conjunctsOnTime(time, where, graph).filter((conjunct) => !readsClock(conjunct))
  const named = onTime.filter((c) => namesPeriod(c, graph.model))
  const [range, more] =
    timesLeft(
      onTime.filter((c) => !named.includes(c)),
      clocks,
    ) ?? []
  const isGenerated = graph.model.dataObjects.get(time.members[0].object)?.calendar?.generated !== undefined
  const longer = columns.flatMap(({ period: { of } }) => (of === undefined || isOwn(of) ? [] : [of]))
  const within = longer.filter((of) => {
    if (range?.from === undefined || range.to === undefined || more) return false
    const grain = of === 'week_year' ? weekYear(clocks.weekStart, isGenerated) : of
    const { from, to } = periodAt(range.from, grain, clocks.weekStart)
    return range.from >= from && range.to <= to
  })
  return [
    ...within.map(nameOfPeriodGrain),
    ...namedGrains(
      named.flatMap((conjunct) => periodIn(conjunct, graph.model) ?? []),
      [],
    ),
  ]
}

const readsClock = ({ times = [], ofClock }: Conjunct): boolean =>
  ofClock === true || times.some(({ condition }) => condition.kind === 'compared' && condition.comparison.relative !== undefined)
