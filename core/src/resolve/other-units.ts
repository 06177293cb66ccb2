/** Metrics over time in a query that shows periods of a table of days. There, a metric counts these periods and has no other unit (decision 482). */
import { fail } from '../errors.js'
import { isOwn } from '../model/calendar-table.js'
import { nameOfGrain } from '../model/grain.js'
import type { CumulativeMetric, PeriodMetric, SemanticModel } from '../model/semantic-model.js'
import type { ResolvedDimension } from './resolved-query.js'

type OverTime = CumulativeMetric | PeriodMetric

/** Throws `INVALID_METRIC` if the metric has another unit than the periods of the rows. */
export function refuseOtherUnits(metric: OverTime, time: ResolvedDimension, path: string, model: SemanticModel): void {
  const counted = otherPeriods(metric, time, model)
  if (counted) fail('INVALID_METRIC', counted.reason, { path, hint: `select '${counted.column}' in place of other periods` })
  const { ofTable } = time
  const unit = ofTable && unitOf(metric)
  if (unit === undefined) return
  fail(
    'INVALID_METRIC',
    `metric '${metric.name}' ${unit}, and the query shows periods of '${ofTable!.column}', which only the table '${ofTable!.calendar}' knows: along these, a metric counts periods alone`,
    {
      path,
      hint: `select '${metric.timeDimension}' at a grain, such as '${metric.timeDimension}:month', or use a metric that names no unit`,
    },
  )
}

/** Why a metric that counts periods of a table has no value in rows with another time; `undefined` if it counts the periods of the rows. */
export function otherPeriods(
  metric: OverTime,
  { ofTable, label }: ResolvedDimension,
  model: SemanticModel,
): { readonly reason: string; readonly column: string } | undefined {
  const counted = metric.type === 'period_over_period' ? metric.offsetPeriods : undefined
  if (!counted || isCounted(counted, ofTable, model)) return undefined
  const shown = ofTable ? `periods of '${ofTable.column}'` : `'${label}'`
  const { column } = counted
  return { reason: `metric '${metric.name}' counts periods of '${column}', and the query shows ${shown}`, column }
}

/** Whether the metric counts the periods of the rows. */
function isCounted(
  { object, column }: NonNullable<PeriodMetric['offsetPeriods']>,
  shown: ResolvedDimension['ofTable'],
  { dataObjects }: SemanticModel,
): boolean {
  const grain = dataObjects.get(object)?.calendar?.periods.get(column)?.grain
  return shown !== undefined && grain !== undefined && isOwn(grain) && grain.own === shown.own && object === shown.calendar
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
