import { fail } from '../errors.js'
import { isOwn, nestsIn } from '../model/calendar-table.js'
import { type ColumnRef, isInner } from '../model/expression/ast.js'
import { lengthOfGrain, nameOfGrain } from '../model/grain.js'
import { type DaysOf, daysOf, isSameTime } from './days-of.js'
import { sourceOf } from './fields.js'
import type { JoinGraph } from './join-graph.js'
import type { FieldSource, Fill, ResolvedDimension, TableGrain } from './resolved-query.js'

/**
 * The selected dimensions that a metric along the time `name` can run along: that time at any grain, also under another name or as the day of a calendar
 * that it joins; if there is none, a coalesce of which it is a member.
 */
export function timesNamed(
  name: string,
  dimensions: readonly ResolvedDimension[],
  graph: JoinGraph,
): readonly ResolvedDimension[] {
  const time = graph.model.dimensions.get(name)
  if (!time) return []
  const source = sourceOf(time)
  const identity = identityOf(source)
  const on = dimensions.filter((d) => d.expression === undefined && d.members.some((m) => identityOf(m) === identity))
  const own = on.filter((d) => d.members.length === 1)
  const days = ofSameDays(source, dimensions, graph)
  return own.length + days.length > 0 ? [...own, ...days] : on
}

/** The dimensions on another column that says the days of a time: by which a fact joins a calendar, or the day of that calendar. */
function ofSameDays(time: FieldSource, dimensions: readonly ResolvedDimension[], graph: JoinGraph): readonly ResolvedDimension[] {
  const days = daysOf(time, graph.model).filter(({ says }) => says === 'day')
  if (days.length === 0) return []
  const found = dimensions.filter(
    (one) =>
      one.expression === undefined &&
      one.members.length === 1 &&
      identityOf(one.members[0]) !== identityOf(time) &&
      saysDay(one, days, graph),
  )
  // The columns of two facts are two times.
  return new Set(found.map(({ members: [first] }) => identityOf(first))).size > 1
    ? found.filter(({ members: [{ object }] }) => graph.model.dataObjects.get(object)?.calendar)
    : found
}

/** Whether a dimension says the days of a calendar, or numbers the periods of these days. */
const saysDay = ({ members: [first], ofTable }: ResolvedDimension, days: readonly DaysOf[], graph: JoinGraph): boolean =>
  daysOf(first, graph.model).some(
    (said) => (said.says === 'day' || ofTable !== undefined) && days.some((day) => isSameTime(day, said, graph)),
  )

/** The selected dimension that a metric runs along. Throws `TIME_DIMENSION_NOT_SELECTED`. */
export function timeDimension(
  { metric, name, path }: { readonly metric: string; readonly name: string; readonly path: string },
  dimensions: readonly ResolvedDimension[],
  graph: JoinGraph,
): ResolvedDimension {
  // Selected at several grains, the finest is the row's own period, in any order.
  const found = finest(timesNamed(name, dimensions, graph))
  if (found?.top) refuseTop(metric, found)
  if (found) return found
  const other = dimensions.find((d) => d.grain !== undefined)
  const suggestion = other?.grain ? `${name}:${nameOfGrain(other.grain)}` : name
  return fail('TIME_DIMENSION_NOT_SELECTED', `metric '${metric}' runs along '${name}', which the query does not select`, {
    path,
    suggestions: [suggestion],
    ...(other && { hint: `select '${suggestion}' in place of '${other.label}'` }),
  })
}

const refuseTop = (metric: string, { label }: ResolvedDimension): never =>
  fail('TIME_DIMENSION_NOT_SELECTED', `metric '${metric}' runs along '${label}', of which top makes one group of many periods`, {
    path: 'top.dimension',
    hint: `order by the metric, and set limit, for the periods where it is largest`,
  })

/** For the same time at several grains, the finest; one without a grain is finer than any. A month comes before that of a calendar. */
export const finest = (dimensions: readonly ResolvedDimension[]): ResolvedDimension | undefined =>
  dimensions.toSorted(
    (a, b) => fineness(a) - fineness(b) || byText(calendarGrain(a), calendarGrain(b)) || placedIn(a) - placedIn(b),
  )[0]

const fineness = ({ grain }: ResolvedDimension): number => (grain ? lengthOfGrain(grain) : -1)
const calendarGrain = ({ grain }: ResolvedDimension): string => (typeof grain === 'object' ? grain.name : '')
/** Numbers of periods in the order of time come before those by their places in longer ones. */
const placedIn = ({ ofTable }: ResolvedDimension): number => ofTable?.placedIn ?? 0
const byText = (a: string, b: string): number => (a === b ? 0 : a < b ? -1 : 1)

/**
 * Whether rows can show a time without one of its coarser grains, or with several of these: a week is in two months, and a row of another object that
 * has the coarser grain need not be found.
 */
export const isAstride = ({ time, siblingGrains }: Pick<Fill, 'time' | 'siblingGrains'>): boolean =>
  siblingGrains.some((d) => d.grain !== undefined && (time.grain === 'week' || !isOfSameRows(d, time)))

const isOfSameRows = (a: ResolvedDimension, b: ResolvedDimension): boolean =>
  a.members.length === b.members.length &&
  a.members.every(({ object, via }, i) => object === b.members[i]!.object && via === b.members[i]!.via)

/**
 * Other dimensions of the same time, such as its quarter beside its month, or columns of a calendar that are functions of its period: they are
 * derived from the period, and do not restrict it.
 */
export function ofSameTime(
  time: ResolvedDimension,
  dimensions: readonly ResolvedDimension[],
  graph: JoinGraph,
): readonly ResolvedDimension[] {
  const columns = columnsUnder(time)
  const isOne = time.members.length === 1
  return dimensions.filter((d) => {
    if (d === time) return false
    if (followsFrom(time, d, graph) || isSameDay(time, d, graph)) return true
    if (d.expression !== undefined || d.members.length === 1) return isOne && d.members.every((m) => columns.has(identityOf(m)))
    return !isOne && [...columnsUnder(d)].join() === [...columns].join()
  })
}

/**
 * Those of the same time that a period of it decides. A time for which columns stand that do not follow from the period, such as the year of weeks beside
 * months, is what the columns of a row say.
 */
export const decidedBy = (
  time: ResolvedDimension,
  dimensions: readonly ResolvedDimension[],
  graph: JoinGraph,
): readonly ResolvedDimension[] =>
  ofSameTime(time, dimensions, graph).filter(({ periodColumns = [] }) =>
    periodColumns.every((column) => column === time || followsFrom(time, column, graph)),
  )

/** Whether two dimensions are one time by different columns. */
const isSameDay = ({ members }: ResolvedDimension, one: ResolvedDimension, graph: JoinGraph): boolean =>
  members.length === 1 && ofSameDays(members[0], [one], graph).length > 0

/** Whether a dimension is a column of a calendar that has one value in each period of the time, or numbers longer periods of the same table. */
export function followsFrom(time: ResolvedDimension, one: ResolvedDimension, graph: JoinGraph): boolean {
  const { members, grain, ofTable } = time
  if (ofTable && one.ofTable) return isSaidBy(one.ofTable, ofTable) && one.members[0].via === members[0].via
  if (one.expression !== undefined || one.grain !== undefined || one.members.length > 1 || members.length > 1) return false
  const [{ expression: column, object }] = one.members
  const [said] = daysOf(one.members[0], graph.model)
  if (!said || said.joinedBy || said.says === 'day') return false
  const isOfDays = (day: DaysOf): boolean => (day.says === 'day' || ofTable !== undefined) && isSameTime(day, said, graph)
  if (!daysOf(members[0], graph.model).some(isOfDays)) return false
  if (!ofTable && (grain === undefined || lengthOfGrain(grain) <= lengthOfGrain('day'))) return true
  const period = isInner<ColumnRef>(column)
    ? undefined
    : graph.model.dataObjects.get(object)?.calendar?.periods.get(column.column)
  if (!period) return false
  if (ofTable) return object === ofTable.calendar && isOwn(period.grain) && period.grain.own >= ofTable.own
  return grain !== undefined && nestsIn(grain, period.grain)
}

/** Whether periods of `b` say those of `a`: other numbers of the same ones do, too. */
const isSaidBy = (a: TableGrain, b: TableGrain): boolean =>
  a.calendar === b.calendar && (a.own > b.own || (a.own === b.own && a.placedIn !== b.placedIn))

/** The columns of a time, each with its path. */
export const columnsUnder = ({ members }: ResolvedDimension): ReadonlySet<string> => new Set(members.map(identityOf))

export const identityOf = ({ object, via, expression }: FieldSource): string =>
  JSON.stringify([object, via, expression], (_, v) => (typeof v === 'bigint' ? String(v) : v))
