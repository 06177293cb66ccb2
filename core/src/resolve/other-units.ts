/** Metrics over time in a query that shows periods of a table of days. There, a metric counts these periods and has no other unit (decision 482). */
import { fail } from '../errors.js'
import { isOwn, PLACES, type PlaceNumbers } from '../model/calendar-table.js'
import { nameOfGrain } from '../model/grain.js'
import type { CumulativeMetric, Metric, PeriodMetric, SemanticModel } from '../model/semantic-model.js'
import type { Modifier } from './modifiers.js'
import type { ResolvedDimension, TableGrain } from './resolved-query.js'
import { namedBy } from './table-periods.js'

type OverTime = CumulativeMetric | PeriodMetric

/** Throws `INVALID_METRIC` if the metric has another unit than the periods of the rows. */
export function refuseOtherUnits(metric: OverTime, time: ResolvedDimension, path: string, model: SemanticModel): void {
  const counted = otherPeriods(metric, time, model)
  if (counted) fail('INVALID_METRIC', counted.reason, { path, hint: counted.hint })
  const { ofTable } = time
  const unit = ofTable && unitOf(metric)
  if (unit === undefined) return
  fail(
    'INVALID_METRIC',
    `metric '${metric.name}' ${unit}, and the query shows periods of '${ofTable!.column}', which only the table '${ofTable!.calendar}' knows: along these, a metric counts periods of this table alone`,
    { path, hint: otherUnit(metric, ofTable!, model) },
  )
}

/** What to select, or which unit to name, in place of a unit that the table does not know. */
function otherUnit({ type, timeDimension }: OverTime, { calendar, own }: TableGrain, { dataObjects }: SemanticModel): string {
  const { periods, places = [] } = dataObjects.get(calendar)!.calendar!
  const longer = places.flatMap((place) => (place.own === own ? (namedBy(place.longer, periods) ?? []) : []))
  const named =
    type === 'period_over_period' && longer.length > 0
      ? `name the column of longer periods, such as offsetGrain: ${longer[0]}`
      : undefined
  return `select '${timeDimension}' at a grain, such as '${timeDimension}:month', or ${named ?? 'use a metric that names no unit'}`
}

/** Why a metric that counts periods of a table has no value in rows with another time, and what to do; `undefined` if it counts the periods of the rows, or moves these by longer ones. */
export function otherPeriods(
  metric: OverTime,
  { ofTable, label }: ResolvedDimension,
  model: SemanticModel,
): { readonly reason: string; readonly hint: string } | undefined {
  const counted = metric.type === 'period_over_period' ? metric.offsetPeriods : undefined
  const own = counted && ownOf(counted, model)
  if (!counted || (ofTable?.calendar === counted.object && (own === ofTable.own || movedByPlace(metric, ofTable, model))))
    return undefined
  const shown = ofTable ? `periods of '${ofTable.column}'` : `'${label}'`
  const { column } = counted
  const isLonger = ofTable?.calendar === counted.object && own !== undefined && own > ofTable.own
  const place = isLonger && `own: ${ofTable.own}_of_own: ${own}`
  return {
    reason: `metric '${metric.name}' counts periods of '${column}', and the query shows ${shown}${place ? `, whose places in these no column of '${ofTable.calendar}' says` : ''}`,
    hint: place
      ? `declare the column that says them with '${place}', or select '${column}'`
      : `select '${column}' in place of other periods`,
  }
}

/** The numbers by which a metric moves periods of a table by longer ones, in which they keep their places; `undefined` if it does not. */
export function movedByPlace(
  metric: Metric,
  shown: ResolvedDimension['ofTable'],
  model: SemanticModel,
): PlaceNumbers | undefined {
  const counted = metric.type === 'period_over_period' ? metric.offsetPeriods : undefined
  if (!counted || counted.object !== shown?.calendar) return undefined
  const own = ownOf(counted, model)
  const { places = [] } = model.dataObjects.get(counted.object)!.calendar!
  return places.find((place) => place.own === shown.own && place.longer === own)
}

/** A metric that moves periods by longer ones, in the numbers of these: a date has `PLACES` for each of them. */
export const inPlaces = (metric: PeriodMetric, shown: ResolvedDimension): PeriodMetric =>
  shown.ofTable?.placedIn === undefined ? metric : { ...metric, offset: metric.offset * PLACES }

/**
 * The time of the rows in the numbers in which a metric counts. Throws `INVALID_METRIC` if what is around the metric counts periods in other numbers: no
 * statement has both in one row.
 */
export function inNumbersOf(
  metric: OverTime,
  time: ResolvedDimension,
  dimensions: readonly ResolvedDimension[],
  { path, model }: { readonly path: string; readonly model: SemanticModel },
): ResolvedDimension {
  const { ofTable } = time
  const placedIn = movedByPlace(metric, ofTable, model)?.longer
  if (ofTable?.placedIn === placedIn) return time
  const [{ via }] = time.members
  const found = dimensions.find(
    ({ ofTable: one, members: [first] }) =>
      one?.calendar === ofTable?.calendar && one?.own === ofTable?.own && one?.placedIn === placedIn && first.via === via,
  )
  return (
    found ??
    fail(
      'INVALID_METRIC',
      `metric '${metric.name}' is a part of a metric that counts periods of '${ofTable!.column}' in another unit: one counts these, and the other one moves them by longer periods`,
      { path, hint: 'select both, or give both the same offsetGrain' },
    )
  )
}

/** Throws `INVALID_METRIC` for a value that depends on other rows, where periods are moved by longer ones: of their places it is not known which follow each other. */
export function refuseInPlaces(
  metric: Metric,
  { modifier, path }: { readonly modifier: Modifier | undefined; readonly path: string },
): void {
  const { ofTable } = modifier?.shift?.dimension ?? {}
  if (ofTable?.placedIn === undefined) return
  fail(
    'INVALID_METRIC',
    `metric '${metric.name}' depends on other rows, and is a part of a metric that moves periods of '${ofTable.column}' by longer ones`,
    { path, hint: `select '${metric.name}', or compare what it is made of` },
  )
}

/** The grain of the table whose periods an offset counts. */
function ownOf(
  { object, column }: NonNullable<PeriodMetric['offsetPeriods']>,
  { dataObjects }: SemanticModel,
): number | undefined {
  const grain = dataObjects.get(object)?.calendar?.periods.get(column)?.grain
  return grain !== undefined && isOwn(grain) ? grain.own : undefined
}

/** What the metric does in another unit. `undefined` if it counts periods of the rows. */
function unitOf(metric: OverTime): string | undefined {
  if (metric.untilNow) return 'ends at the clock'
  if (metric.type === 'cumulative') {
    if (metric.grainToDate) return `starts again with each ${nameOfGrain(metric.grainToDate)}`
    return metric.windowGrain && `looks back by ${nameOfGrain(metric.windowGrain)}`
  }
  if (metric.byRange) return 'moves by the length of the range'
  if (metric.offsetToGrain) return `looks back to the start of the ${nameOfGrain(metric.offsetToGrain)}`
  return metric.offsetGrain && `moves by ${nameOfGrain(metric.offsetGrain)}`
}
