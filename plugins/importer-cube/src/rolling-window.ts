/** The window of a measure → that of a cumulative metric. */
import { type Entry, LeftOut, type Part } from '@grainline/importer-dbt/foreign'
import { keyIn, snakeOf } from './keys.js'

/** Undefined for a measure without a window. Throws for a window that has no place in the model. */
export function windowOf(measure: Part, measureType: string): Entry | undefined {
  const part = measure.part(keyIn(measure, 'rolling_window'))
  if (!part) return measureType === 'running_total' ? {} : undefined
  const type = snakeOf(part.text('type') ?? 'fixed')
  if (type !== 'fixed') return toDate(type, part)
  if (part.has('leading'))
    throw new LeftOut('a window that ends later than its period has no place in the model', part.at('leading'))
  if ((part.text('offset') ?? 'end') !== 'end')
    throw new LeftOut(
      'a window before its period has no place in this import',
      part.at('offset'),
      'Compare a cumulative metric with the period before.',
    )
  const trailing = part.text('trailing')
  if (trailing === undefined) throw new LeftOut('its window has no trailing', part.place)
  if (trailing.trim() === 'unbounded') return {}
  const [, count, grain] = /^\s*(\d{1,6})\s+(second|minute|hour|day|week|month|quarter|year)s?\s*$/.exec(trailing) ?? []
  if (count === undefined || grain === undefined || Number(count) === 0)
    throw new LeftOut(`'${trailing}' is no window here`, part.at('trailing'))
  return { window: Number(count), windowGrain: grain }
}

function toDate(type: string, part: Part): Entry {
  const grain = type === 'to_date' ? part.needed('granularity') : /^(year|quarter|month)_to_date$/.exec(type)?.[1]
  if (grain === undefined || !GRAINS.has(grain))
    throw new LeftOut(`a window '${type}' of '${grain ?? ''}' has no place in the model`, part.place)
  return { grainToDate: grain }
}

const GRAINS = new Set(['week', 'month', 'quarter', 'year'])
