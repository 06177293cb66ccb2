const POWERS = Array.from({ length: 78 }, (_, exponent) => 10n ** BigInt(exponent))

/** 10 to the power of `exponent`, 0 … 77. */
export const powerOfTen = (exponent: number): bigint => POWERS[exponent]!

/** `-12.30` from the unscaled value and its scale. */
export function formatDecimal(unscaled: bigint, scale: number): string {
  if (scale === 0) return unscaled.toString()
  const digits = (unscaled < 0n ? -unscaled : unscaled).toString().padStart(scale + 1, '0')
  const split = digits.length - scale
  return `${unscaled < 0n ? '-' : ''}${digits.slice(0, split)}.${digits.slice(split)}`
}

/** The value at another scale; `undefined` if digits would be lost. */
export function rescale(unscaled: bigint, from: number, to: number): bigint | undefined {
  if (to >= from) return unscaled * powerOfTen(to - from)
  const divisor = powerOfTen(from - to)
  return unscaled % divisor === 0n ? unscaled / divisor : undefined
}

/** True if the unscaled value has at most `precision` digits. */
export const fitsPrecision = (unscaled: bigint, precision: number): boolean => {
  const limit = powerOfTen(precision)
  return unscaled < limit && -unscaled < limit
}

const NUMBER = /^([+-]?)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d{1,4}))?$/

/** The unscaled value of a decimal text (`12.5`, `-1e-7`) at `scale`; `undefined` if it is not a number or does not fit exactly. */
export function parseDecimal(text: string, precision: number, scale: number): bigint | undefined {
  const match = NUMBER.exec(text)
  if (match === null) return undefined
  const [, sign, whole = '', fraction = '', exponent = '0'] = match
  if (whole === '' && fraction === '') return undefined
  const digits = BigInt(whole + fraction)
  const unscaled = shift(digits, Number(exponent) - fraction.length + scale)
  if (unscaled === undefined || !fitsPrecision(unscaled, precision)) return undefined
  return sign === '-' ? -unscaled : unscaled
}

function shift(digits: bigint, places: number): bigint | undefined {
  if (digits === 0n) return 0n
  if (Math.abs(places) >= POWERS.length) return undefined
  return places >= 0 ? digits * powerOfTen(places) : rescale(digits, -places, 0)
}
