import type { TimeGrain } from '../grain.js'

const UNITS: Readonly<Record<string, TimeGrain>> = {
  s: 'second',
  m: 'minute',
  h: 'hour',
  d: 'day',
  w: 'week',
  M: 'month',
  y: 'year',
}

/**
 * A duration such as `7d`, `1 month` or `90 minutes` (`m` is a minute, `M` a month); a plain number counts days. `undefined` for other
 * texts.
 */
export function duration(text: string | number): { readonly count: number; readonly unit: TimeGrain } | undefined {
  const [, digits, word = 'd'] =
    /^(\d{1,9})\s*(?:(second|minute|hour|day|week|month|quarter|year|[smhdwMy])s?)?$/.exec(String(text).trim()) ?? []
  if (digits === undefined) return undefined
  return { count: Number(digits), unit: UNITS[word] ?? (word as TimeGrain) }
}
