/** The change of a number against another period, as a text. */
export interface Change {
  readonly text: string
  readonly direction: 'up' | 'down' | 'same'
}

interface Compared {
  readonly now: unknown
  readonly before: unknown
  /** Of the measure: the change of a percentage is in points. */
  readonly format: string | undefined
  readonly locale: string
}

/** `undefined` if one of them has no value, or the earlier one is zero and so has no rate of change. */
export function changeOf({ now, before, format, locale }: Compared): Change | undefined {
  if ([now, before].some((value) => value === null || value === undefined || Number.isNaN(Number(value)))) return undefined
  const difference = Number(now) - Number(before)
  const direction = difference > 0 ? 'up' : difference < 0 ? 'down' : 'same'
  const digits = new Intl.NumberFormat(locale, { maximumFractionDigits: 1, signDisplay: 'exceptZero' })
  if (format?.trim().endsWith('%')) return { direction, text: `${digits.format(difference * 100)} points` }
  if (Number(before) === 0) return undefined
  return { direction, text: `${digits.format((difference / Math.abs(Number(before))) * 100)}%` }
}
