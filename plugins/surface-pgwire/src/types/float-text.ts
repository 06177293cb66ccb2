/**
 * The text of a double as in PostgreSQL. With `extra_float_digits` above 0 it has the fewest digits that read back as the same value. Otherwise it has 15
 * digits plus the setting. It has an exponent below 1e-4, and from 1e15 on or from the number of digits on.
 */
export function floatText(value: number, extraDigits: number): string {
  if (Number.isNaN(value)) return 'NaN'
  if (value === Infinity) return 'Infinity'
  if (value === -Infinity) return '-Infinity'
  if (value === 0) return Object.is(value, -0) ? '-0' : '0'
  if (extraDigits > 0) {
    const size = Math.abs(value)
    // In this range JavaScript writes the same text, and much faster.
    return size >= 1e-4 && size < 1e15 ? String(value) : spell(value.toExponential(), SHORTEST_FROM)
  }
  const digits = Math.max(1, 15 + extraDigits)
  return spell(value.toExponential(digits - 1), digits)
}

/** From this exponent on, the shortest form has an exponent, whatever its digits (PostgreSQL, `d2s.c`). */
const SHORTEST_FROM = 15

function spell(exponential: string, exponentsFrom: number): string {
  const [, sign = '', first = '', rest = '', power = '0'] = /^(-?)(\d)(?:\.(\d+))?e([+-]\d+)$/.exec(exponential) ?? []
  const fraction = rest.replace(/0+$/, '')
  const exponent = Number(power)
  if (exponent < -4 || exponent >= exponentsFrom) return sign + first + (fraction && `.${fraction}`) + exponentText(exponent)
  const digits = first + fraction
  if (exponent < 0) return `${sign}0.${'0'.repeat(-exponent - 1)}${digits}`
  if (digits.length <= exponent + 1) return sign + digits.padEnd(exponent + 1, '0')
  return `${sign}${digits.slice(0, exponent + 1)}.${digits.slice(exponent + 1)}`
}

const exponentText = (exponent: number): string => `e${exponent < 0 ? '-' : '+'}${String(Math.abs(exponent)).padStart(2, '0')}`
