/** Reads `TimeZone` as PostgreSQL does: a name, hours east of Greenwich, or a POSIX zone, which counts hours west. */
import { type ZoneOffset, zoneOffset } from '@grainline/core/format'

/** The zone in PostgreSQL's spelling; `undefined` for any other text. */
export function readTimeZone(text: string): string | undefined {
  const given = text.trim()
  if (/^(utc|gmt|z|etc\/utc|zulu|universal)$/i.test(given)) return 'UTC'
  if (/^[+-]?\d{1,3}(?:\.\d+)?$/.test(given)) return spelled(Math.round(Number(given) * 60))
  if (posixOffset(given) !== undefined) return given
  // JavaScript accepts offsets without a colon, but PostgreSQL does not.
  if (!/^[a-z]/i.test(given)) return undefined
  try {
    zoneOffset(given)
    return given
  } catch {
    return undefined
  }
}

/** The zone of `INTERVAL '+02:00' HOUR TO MINUTE`, which counts east of Greenwich; `undefined` for any other interval. */
export function intervalZone(text: string): string | undefined {
  const minutes = /^([+-]?)(\d{1,3})(?::(\d{2}))?(?::00)?\s*(?:hours?)?$/i.exec(text.trim())
  return minutes ? spelled(signed(minutes)) : undefined
}

/** The offsets of a zone from `readTimeZone` or `intervalZone`. */
export function offsetOf(zone: string): ZoneOffset | undefined {
  const seconds = posixOffset(zone)
  return seconds === undefined ? zoneOffset(zone) : () => seconds
}

/** Seconds east of Greenwich of a POSIX zone without summer time; `undefined` for any other. */
function posixOffset(zone: string): number | undefined {
  const found = /^(?:[A-Za-z]{3,}(?=[+-])|<[A-Za-z0-9:+-]+>(?=[+-]?\d)|(?=[+-]))([+-]?)(\d{1,2})(?::(\d{2}))?(?::00)?$/.exec(zone)
  return found ? -60 * signed(found) : undefined
}

/** The minutes of a matched sign, hours and minutes. */
const signed = ([, sign, hours, minutes = '0']: RegExpExecArray): number =>
  (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes))

/** The largest offset of PostgreSQL (`MAX_TZDISP_HOUR`: a week). */
const MOST_MINUTES = 168 * 60

/** For example `<+02>-02`: the name and the hours west of Greenwich. */
function spelled(east: number): string | undefined {
  if (Math.abs(east) >= MOST_MINUTES) return undefined
  const [hours, minutes] = [Math.floor(Math.abs(east) / 60), Math.abs(east) % 60]
  const clock = `${two(hours)}${minutes === 0 ? '' : `:${two(minutes)}`}`
  return east < 0 ? `<-${clock}>+${clock}` : `<+${clock}>-${clock}`
}

const two = (value: number): string => String(value).padStart(2, '0')
