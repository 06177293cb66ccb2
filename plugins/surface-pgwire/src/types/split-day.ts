const MICROS_PER_DAY = 86_400_000_000

/** Microseconds since 1970 as a day and the time in it. */
export function splitDay(micros: bigint): { readonly days: number; readonly micros: number } {
  const number = Number(micros)
  if (Number.isSafeInteger(number)) {
    const days = Math.floor(number / MICROS_PER_DAY)
    return { days, micros: number - days * MICROS_PER_DAY }
  }
  const day = BigInt(MICROS_PER_DAY)
  const within = ((micros % day) + day) % day
  return { days: Number((micros - within) / day), micros: Number(within) }
}

/** `+02`, `-03:30`, with seconds only where a historic zone has them. */
export function offsetText(offset: number): string {
  const seconds = Math.abs(offset)
  const two = (value: number) => String(value).padStart(2, '0')
  const parts = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60].map(two)
  while (parts.length > 1 && parts.at(-1) === '00') parts.pop()
  return (offset < 0 ? '-' : '+') + parts.join(':')
}
