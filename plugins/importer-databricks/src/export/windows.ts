/** Running totals and values of earlier periods → windows. */
import type { SemanticModel } from '@grainline/core'
import type { Dimension } from '@grainline/core/language'
import { checkKeys, leftOut, Unsaid } from '@grainline/importer-dbt/foreign'
import { PERIOD_KEYS } from './keys.js'
import type { OutWindow } from './outline.js'
import type { Views, Written } from './views.js'

type Metric = NonNullable<ReturnType<SemanticModel['metrics']['get']>>

/** Throws `Unsaid` for a metric over time that no window says. */
export function windowsOf(metric: Metric, written: Written, views: Views, path: readonly string[]): readonly OutWindow[] {
  const entry = views.model.document.metrics?.[metric.name] ?? {}
  if (metric.type === 'cumulative') {
    const { timeDimension, window, grainToDate } = metric
    const [time, order] = fieldOf(timeDimension, written, views)
    const running: OutWindow = { order, range: 'cumulative', take: 'last' }
    if (grainToDate)
      return [running, { order: periodOf(time, String(entry.grainToDate), written, views), range: 'current', take: 'last' }]
    if (window === undefined) return [running]
    const unit = String(entry.windowGrain ?? '')
    needUnit(time, unit, views)
    return [{ order, range: `trailing ${window} ${unit} inclusive`, take: 'last' }]
  }
  if (metric.type !== 'period_over_period') throw new Unsaid(`a metric of the type '${metric.type}' has no place`)
  const period = entry.periodOverPeriod ?? {}
  checkKeys(period, PERIOD_KEYS)
  const { timeDimension, offset, comparison, rows, byRange, offsetToGrain } = metric
  const unit = String(('offsetGrain' in period ? period.offsetGrain : undefined) ?? '')
  if (comparison !== 'previousValue')
    throw new Unsaid(`it compares by '${comparison}'`, "Write it as a formula over a metric with comparison: 'previousValue'.")
  if (!OFFSETS.has(unit) || byRange || offsetToGrain) throw new Unsaid('its offset is not in units of time')
  if (metric.expression.kind !== 'field') throw new Unsaid('it compares a formula', 'Make a metric of the formula.')
  const [, order] = fieldOf(timeDimension, written, views)
  if (rows === 'all')
    views.report.lose('rewritten', path, `'${metric.name}' has no row there for a period without data of its own.`)
  return [{ order, range: 'current', offset: `${offset} ${unit}`, take: 'last' }]
}

const OFFSETS = new Set(['second', 'minute', 'hour', 'day', 'week', 'month', 'quarter', 'year'])

function fieldOf(name: string, written: Written, { model }: Views): readonly [Dimension, string] {
  const time = model.dimensions.get(name)
  const order = written.fields.get(name)
  if (!time || order === undefined) throw leftOut(`the dimension '${name}'`)
  return [time, order]
}

/** The field that is the period of a time. */
function periodOf(time: Dimension, unit: string, { fields }: Written, { model }: Views): string {
  const value = JSON.stringify(time.expression)
  for (const [name, field] of fields) {
    const { expression } = model.dimensions.get(name) ?? {}
    if (model.document.dimensions?.[name]?.timeGrain === unit && JSON.stringify(expression) === value) return field
  }
  throw new Unsaid(`no dimension is the ${unit} of '${time.name}'`, `Add a dimension of the same time with timeGrain: ${unit}.`)
}

/** A window counts the values of its field. */
function needUnit({ name, type, timeGrain, expression }: Dimension, unit: string, { model }: Views): void {
  if (!['day', 'week', 'month', 'quarter', 'year'].includes(unit)) throw new Unsaid(`its window counts each ${unit || 'period'}`)
  const own = timeGrain ? String(model.document.dimensions?.[name]?.timeGrain) : type.kind === 'date' ? 'day' : ''
  if (own !== unit || (!timeGrain && expression.kind !== 'column'))
    throw new Unsaid(`its window counts each ${unit}, and '${name}' is no ${unit}`, `Use a time with timeGrain: ${unit}.`)
}
