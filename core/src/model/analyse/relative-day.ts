import type { RelativeDay } from '../calendar-table.js'
import type { Grain } from '../grain.js'

/** `today`, `start of month`, `end of year`; `undefined` for another text. */
export function readRelativeBound(text: string, grains: ReadonlyMap<string, Grain>): RelativeBound | undefined {
  if (text === 'today') return { kind: 'relative', end: 'start', grain: 'day' }
  const [, end, name = ''] = /^(start|end) of (\w+)$/.exec(text) ?? []
  const grain = grains.get(name)
  return grain && (end === 'start' || end === 'end') ? { kind: 'relative', end, grain } : undefined
}

type RelativeBound = Extract<RelativeDay, { kind: 'relative' }>

/** The same, and `90 days ago` or `2 weeks ago`. */
export function readRelativeDay(text: string, grains: ReadonlyMap<string, Grain>): RelativeDay | undefined {
  const [, count, unit] = /^(\d{1,5}) (day|week)s? ago$/.exec(text) ?? []
  return count === undefined ? readRelativeBound(text, grains) : { kind: 'ago', days: Number(count) * (unit === 'week' ? 7 : 1) }
}
