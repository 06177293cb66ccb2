import { fail } from '../errors.js'
import { offsetAt, timeZone } from '../time-zones/time-zone.js'
import { anyZoneName, zoneFault } from '../time-zones/zone-names.js'

/** Seconds that a zone's local time is ahead of UTC at an instant in microseconds. */
export type ZoneOffset = (micros: bigint) => number

const UTC = /^(UTC|Etc\/UTC|Z)$/i
const FIXED = /^([+-])(\d{2}):?(\d{2})$/

/**
 * The offsets of a zone in which times are shown; `undefined` for UTC, which needs none. In addition to the zones of queries it accepts the
 * other names of the database, in any case, and an offset such as `+05:30`. Throws `INVALID_SETTING` for a name that is not a zone.
 */
export function zoneOffset(zone: string): ZoneOffset | undefined {
  if (UTC.test(zone)) return undefined
  const fixed = fixedOffset(zone)
  if (fixed !== undefined) return () => fixed
  const name = anyZoneName(zone)
  const found = name === undefined ? undefined : timeZone(name)
  if (!found) return fail('INVALID_SETTING', zoneFault(zone))
  return (micros) => offsetAt(found, Math.floor(Number(micros / 1000n) / 1000))
}

function fixedOffset(zone: string): number | undefined {
  const [, sign, hours, minutes] = FIXED.exec(zone) ?? []
  const seconds = Number(hours) * 3600 + Number(minutes) * 60
  return Number.isNaN(seconds) ? undefined : sign === '-' ? -seconds : seconds
}
