/** The declared type of a column, applied once to the displayed value. */
import { canonicalAggregation } from './aggregates.js'
import type { MetricJson } from './model.js'
import { Dec, roundTo, toDouble, type Value } from './values.js'
import type { World } from './world.js'

/** `value` of the measure or metric `name` as the answer shows it. */
export function displayed(world: World, name: string, value: Value): Value {
  if (!(typeof value === 'number' || value instanceof Dec)) return value
  const type = declaredType(world, name)
  if (type === undefined) return value
  if (!Number.isFinite(toDouble(value)) && !/^double$/i.test(type)) return null
  const decimal = /^decimal\(\s*\d+\s*,\s*(\d+)\s*\)$/i.exec(type)
  if (decimal) return roundTo(typeof value === 'number' ? Number(value.toPrecision(15)) : value, Number(decimal[1]))
  if (/^(bigint|integer)$/i.test(type)) return roundTo(value, 0)
  return /^double$/i.test(type) ? toDouble(value) : value
}

function declaredType(world: World, name: string): string | undefined {
  const { measures, metrics, settings } = world.model
  const type = ownOrBaseType(world, name)
  if (type !== undefined) return type
  const sums = metrics?.[name] !== undefined || canonicalAggregation(measures?.[name]?.aggregation ?? 'count') === 'sum'
  return sums ? settings?.defaultNumericDataType : undefined
}

/** Metrics over time, and windows that return a value, have the type of their base, unless they are counts, ranks or fractions. */
function ownOrBaseType(world: World, name: string): string | undefined {
  const { measures, metrics } = world.model
  const field = measures?.[name] ?? metrics?.[name]
  if (field === undefined || field.dataType !== undefined) return field?.dataType
  const base = metrics?.[name] && baseOf(metrics[name])
  return base === undefined ? undefined : ownOrBaseType(world, base)
}

function baseOf({ type, measure, expression, cumulativeType, windowFunction, periodOverPeriod }: MetricJson): string | undefined {
  const written = measure ?? /^\{\[([^\]]+)\]\}$/.exec(expression ?? '')?.[1]
  if (type === 'cumulative') return cumulativeType === 'count' ? undefined : written
  if (type === 'window') return /^(lag|lead|first_value|last_value)$/.test(windowFunction ?? '') ? written : undefined
  if (type !== 'period_over_period') return undefined
  const { comparison = 'previousValue' } = periodOverPeriod ?? {}
  return ['previousValue', 'difference'].includes(comparison) ? written : undefined
}
