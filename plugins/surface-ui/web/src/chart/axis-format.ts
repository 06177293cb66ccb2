import type { Column } from '../api/read-arrow.js'

/** The labels of an axis: percent and signs of a currency as the format of the column has them; thousands and millions have letters. */
export function axisFormat(
  { format = '' }: Pick<Column, 'format'>,
  values: readonly (number | null)[],
): (value: number) => string {
  const largest = values.reduce<number>((most, value) => Math.max(most, Math.abs(value ?? 0)), 0)
  if (format.trim().endsWith('%')) {
    const digits = largest < 0.005 ? 2 : largest < 0.05 ? 1 : 0
    const percent = new Intl.NumberFormat('en', { style: 'percent', maximumFractionDigits: digits })
    return (value) => percent.format(value)
  }
  const isFar = largest >= 1e24 || (largest > 0 && largest < 1e-6)
  const short = new Intl.NumberFormat('en', {
    notation: isFar ? 'scientific' : 'compact',
    maximumSignificantDigits: isFar ? 2 : 4,
  })
  const [, before = '', after = ''] = /^([^#0,.'"\\]*)[#0,.]+([^#0,.;'"\\]*)/.exec(format) ?? []
  return (value) => `${value < 0 ? '-' : ''}${before}${short.format(Math.abs(value))}${after}`
}
