import { civilFromDays, writeDigits, writePadded, writePair } from '@grainline/core/format'

/** Writes `YYYY-MM-DD` for `days` after 1970-01-01, and returns the position after it. The caller adds `BC` for years before 1. */
export function writeDate(bytes: Uint8Array, at: number, days: number): number {
  const slot = days & (MOST_KEPT - 1)
  if (keptDays[slot] !== days) {
    if (days < FIRST_DAY || days > LAST_SHORT_DAY) return spellDate(bytes, at, days)
    spellDate(keptText, slot * TEXT_BYTES, days)
    keptDays[slot] = days
  }
  const from = slot * TEXT_BYTES
  for (let i = 0; i < TEXT_BYTES; i++) bytes[at + i] = keptText[from + i]!
  return at + TEXT_BYTES
}

function spellDate(bytes: Uint8Array, at: number, days: number): number {
  const { year, month, day } = civilFromDays(days)
  const shown = year > 0 ? year : 1 - year
  let next = shown < 1000 ? writePadded(bytes, at, shown, 4) : writeDigits(bytes, at, shown)
  bytes[next++] = DASH
  next = writePair(bytes, next, month)
  bytes[next++] = DASH
  return writePair(bytes, next, day)
}

/** Whether the day is before the year 1. */
export const isBeforeChrist = (days: number): boolean => days < FIRST_DAY

export function writeBC(bytes: Uint8Array, at: number): number {
  bytes[at] = 32
  bytes[at + 1] = 66
  bytes[at + 2] = 67
  return at + 3
}

/** Writes `HH:MM:SS[.ffffff]` without trailing zeros, and returns the position after it. `micros` count from midnight. */
export function writeClock(bytes: Uint8Array, at: number, micros: number): number {
  const seconds = Math.floor(micros / 1_000_000)
  const fraction = micros - seconds * 1_000_000
  const minutes = Math.floor(seconds / 60)
  let next = writePair(bytes, at, Math.floor(minutes / 60))
  bytes[next++] = COLON
  next = writePair(bytes, next, minutes % 60)
  bytes[next++] = COLON
  next = writePair(bytes, next, seconds % 60)
  if (fraction === 0) return next
  bytes[next] = POINT
  next = writePadded(bytes, next + 1, fraction, 6)
  while (bytes[next - 1] === ZERO) next--
  return next
}

const ZERO = 48
const POINT = 46
const DASH = 45
const COLON = 58
/** 0001-01-01. */
const FIRST_DAY = -719_162
/** 9999-12-31, the last day with ten characters. */
const LAST_SHORT_DAY = 2_932_896
const TEXT_BYTES = 10
/** A cache of written days by their lowest bits: an answer has few different dates, which are close together. */
const MOST_KEPT = 4096
const keptDays = new Int32Array(MOST_KEPT).fill(-2_147_483_648)
const keptText = new Uint8Array(MOST_KEPT * TEXT_BYTES)

const MICROS_PER_DAY = 86_400_000_000

/** Splits microseconds since 1970 into the day and the time of day. */
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

/** For example `+02` or `-03:30`. Some historic offsets have seconds. */
export function offsetText(offset: number): string {
  const seconds = Math.abs(offset)
  const two = (value: number) => String(value).padStart(2, '0')
  const parts = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60].map(two)
  while (parts.length > 1 && parts.at(-1) === '00') parts.pop()
  return (offset < 0 ? '-' : '+') + parts.join(':')
}
