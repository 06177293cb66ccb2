/** Offsets that are finer than the periods of a level: the range of a period is moved, and is no period then (design/time.md §2). */
import type { DataType } from '../model/data-type.js'
import { type Grain, lengthOfGrain, nameOfGrain, unitOfGrain } from '../model/grain.js'
import { componentsOf, type PeriodMetric, type SemanticModel } from '../model/semantic-model.js'
import { find } from './lookup.js'
import { hasRunning, isRangeable } from './over-time.js'
import type { FinerMove } from './resolved-query.js'
import { isSubDay } from './time.js'

/** How ranges are moved by a comparison, after others; `undefined` if it moves whole periods. */
export function finerMoves(
  { offset, offsetGrain, offsetToGrain }: PeriodMetric,
  grain: Grain,
  before: readonly FinerMove[] = [],
): readonly FinerMove[] | undefined {
  const unit = offsetGrain ?? grain
  const isWhole = before.length === 0 && (offsetToGrain !== undefined || lengthOfGrain(unit) >= lengthOfGrain(grain))
  return isWhole ? undefined : [...before, { unit, count: offset }]
}

interface Level {
  readonly grain: Grain
  readonly time: DataType
  readonly model: SemanticModel
}

/** Why a comparison has no value where its offset, or one below it, is finer than the periods. */
export function finerFault(metric: PeriodMetric, level: Level, before: readonly FinerMove[] = []): string | undefined {
  const { grain, time, model } = level
  const moves = finerMoves(metric, grain, before)
  const says = (unit: Grain, why: string): string =>
    `metric '${metric.name}' looks back by ${nameOfGrain(unit)}, which is finer than ${nameOfGrain(grain)}, ${why}`
  const last = moves?.at(-1)
  if (moves && last) {
    const { unit } = last
    if (metric.offsetToGrain) return says(metric.offsetToGrain, 'and has no first period of it there')
    if (!isRangeable(metric, model) || hasRunning(componentsOf(metric), model))
      return says(unit, 'and its base depends on other periods')
    if (isSubDay(unit) && time.kind === 'date') return says(unit, 'and the time is a date')
    if (!isUndone(unit, grain, before)) return says(unit, 'and its units do not begin with the periods')
  }
  const below = comparisonsIn(componentsOf(metric), model)
  const faults = below.map(
    (one) =>
      finerFault(one, level, moves) ?? (metric.comparison === 'previousValue' ? undefined : finerFault(one, level, before)),
  )
  return faults.find((fault) => fault !== undefined)
}

/** The comparisons among fields and below their formulas. */
function comparisonsIn(names: readonly string[], model: SemanticModel): readonly PeriodMetric[] {
  return names.flatMap((name): readonly PeriodMetric[] => {
    const metric = find(name, model.metrics)
    if (metric?.type === 'period_over_period') return [metric]
    return metric?.type === 'derived' ? comparisonsIn(componentsOf(metric), model) : []
  })
}

/** Whether a time can be moved back to the period that it belongs to: by a length, or by months with which the periods begin. */
function isUndone(unit: Grain, grain: Grain, before: readonly FinerMove[]): boolean {
  if (isLength(unit)) return true
  if (before.some((move) => isLength(move.unit))) return false
  const [own, other] = [monthsOf(unit), monthsOf(grain)]
  if (typeof own === 'string' || typeof other === 'string') return own === other
  return own === other || (own === 1 && other <= 28)
}

const isLength = (grain: Grain): boolean => ['week', 'day'].includes(unitOfGrain(grain)) || isSubDay(grain)

/** The day on which the months of a grain begin, or the calendar whose months are weeks. */
const monthsOf = (grain: Grain): number | string => {
  if (typeof grain === 'string') return 1
  return grain.calendar.kind === 'months' ? grain.calendar.day : grain.calendar.name
}
