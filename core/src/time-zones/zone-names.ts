import { nearest } from '../nearest.js'
import { ABBREVIATIONS, LINKS, ZONES } from './zone-data.js'

/**
 * Whether models and queries may use this zone: `UTC`, or an `Area/Location` of the database. Other names mean different zones on different
 * engines.
 */
export const isZoneName = (name: string): boolean => name === 'UTC' || (name.includes('/') && isOfDatabase(name))

/** Valid names that are similar to this one, the most likely first. */
export function zonesMeant(name: string): readonly string[] {
  const capitals = name.toUpperCase()
  const other = ownEntry(LINKS, name) ?? ownEntry(LINKS, capitals)
  // `EST5EDT` is a place that uses EDT at times.
  const [abbreviation = capitals] = /(?<![A-Z])[A-Z]+$/.exec(capitals) ?? []
  const meant = [...(ownEntry(ABBREVIATIONS, abbreviation)?.split(' ') ?? []), ...(other === undefined ? [] : [other])]
  const right = [...new Set(meant.filter((zone) => zone !== 'Etc/UTC' && zone !== 'Etc/GMT'))]
  if (right.length > 0) return right.slice(0, 3)
  return /^(etc\/)?(utc|gmt|z|zulu|universal|uct|greenwich)\W?0?$/i.test(name) ? ['UTC'] : nearest(name, zoneNames())
}

/** The name as the database writes it, for a name of any kind and in any case. */
export function anyZoneName(name: string): string | undefined {
  if (isOfDatabase(name)) return name
  const small = name.toLowerCase()
  return [...Object.keys(ZONES), ...Object.keys(LINKS)].find((known) => known.toLowerCase() === small)
}

/** What is wrong with a name that `isZoneName` refuses, and what to write instead. */
export function zoneFault(name: string): string {
  const meant = zonesMeant(name)
  const near = meant.length > 0 ? `; did you mean ${meant.map((zone) => `'${zone}'`).join(' or ')}?` : ''
  return `'${name.slice(0, 60)}' is not 'UTC' or a time zone of the IANA database, such as 'Europe/Berlin'${near}`
}

/** Every name that models and queries may use. */
export const zoneNames = (): readonly string[] => ['UTC', ...Object.keys(ZONES), ...Object.keys(LINKS)].filter(isZoneName)

const isOfDatabase = (name: string): boolean => Object.hasOwn(ZONES, name) || Object.hasOwn(LINKS, name)
const ownEntry = (table: Readonly<Record<string, string>>, name: string): string | undefined =>
  Object.hasOwn(table, name) ? table[name] : undefined
