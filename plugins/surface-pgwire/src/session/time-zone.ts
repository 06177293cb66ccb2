/** `TimeZone` as PostgreSQL takes it: a name, hours east of Greenwich, or a POSIX zone, which counts hours west. */
import { type ZoneOffset, zoneOffset } from '@grainline/core/surface'

/** The zone as PostgreSQL shows it; `undefined` for what is none. */
export function readTimeZone(text: string): string | undefined {
  const given = text.trim()
  if (/^(utc|gmt|z|etc\/utc|zulu|universal)$/i.test(given)) return 'UTC'
  if (/^[+-]?\d{1,3}(?:\.\d+)?$/.test(given)) return spelled(Math.round(Number(given) * 60))
  if (posixOffset(given) !== undefined) return given
  // Offsets without a colon are no zones of PostgreSQL, whatever else reads them.
  if (!/^[a-z]/i.test(given)) return undefined
  try {
    zoneOffset(given)
    return given
  } catch {
    return undefined
  }
}

/** The zone of `INTERVAL '+02:00' HOUR TO MINUTE`, which counts east of Greenwich; `undefined` for another interval. */
export function intervalZone(text: string): string | undefined {
  const minutes = /^([+-]?)(\d{1,3})(?::(\d{2}))?(?::00)?\s*(?:hours?)?$/i.exec(text.trim())
  return minutes ? spelled(signed(minutes)) : undefined
}

/** The offsets of a zone that `readTimeZone` or `intervalZone` gave. */
export function offsetOf(zone: string): ZoneOffset | undefined {
  const seconds = posixOffset(zone)
  return seconds === undefined ? zoneOffset(zone) : () => seconds
}

/** Seconds east of Greenwich of a POSIX zone without summer time; `undefined` for any other. */
function posixOffset(zone: string): number | undefined {
  const found = /^(?:[A-Za-z]{3,}(?=[+-])|<[A-Za-z0-9:+-]+>(?=[+-]?\d)|(?=[+-]))([+-]?)(\d{1,2})(?::(\d{2}))?(?::00)?$/.exec(zone)
  return found ? -60 * signed(found) : undefined
}

/** Minutes of a sign, hours and minutes. */
const signed = ([, sign, hours, minutes = '0']: RegExpExecArray): number =>
  (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes))

/** Hours on a clock that PostgreSQL still takes for an offset (`MAX_TZDISP_HOUR` of a week). */
const MOST_MINUTES = 168 * 60

/** `<+02>-02`: what it is called, and how far west it is. */
function spelled(east: number): string | undefined {
  if (Math.abs(east) >= MOST_MINUTES) return undefined
  const [hours, minutes] = [Math.floor(Math.abs(east) / 60), Math.abs(east) % 60]
  const clock = `${two(hours)}${minutes === 0 ? '' : `:${two(minutes)}`}`
  return east < 0 ? `<-${clock}>+${clock}` : `<+${clock}>-${clock}`
}

const two = (value: number): string => String(value).padStart(2, '0')
