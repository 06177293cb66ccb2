// Writes core/src/time-zones/zone-data.ts, the time zone database that the package carries, from the compiled files of one pinned release:
//   pip download --no-deps tzdata==2025.3 && unzip tzdata-2025.3-*.whl && node scripts/time-zones.mjs tzdata
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'

const RELEASE = '2025c'
const HEADER = 44
/** The abbreviations of these days, for those who write them as zones. */
const TODAY = Date.UTC(2026, 0, 1) / 1000

const folder = process.argv[2] ?? stop('name the folder of the unpacked release')
const text = (file) => readFileSync(path.join(folder, file), 'utf8')
if (!text('__init__.py').includes(`IANA_VERSION = "${RELEASE}"`)) stop(`this is not release ${RELEASE}`)

const links = new Map(
  text('zoneinfo/tzdata.zi')
    .split('\n')
    .filter((line) => line.startsWith('L '))
    .map((line) => line.split(' ').slice(1).toReversed()),
)
const names = text('zones').trim().split('\n').toSorted()
const zones = names.filter((name) => !links.has(name) && name !== 'Factory').map((name) => ({ name, ...zoneOf(name) }))

const lines = (entries) => entries.map(([key, value]) => `  '${key}': '${value}',`)
writeFileSync(
  path.join(import.meta.dirname, '../core/src/time-zones/zone-data.ts'),
  [
    `// Written by scripts/time-zones.mjs from release ${RELEASE} of the public-domain database of IANA. Do not edit.`,
    '// biome-ignore-all format: a table',
    '/** Offsets in seconds; changes, in base 36: the seconds since the one before and the position of the new offset; a rule for all years after. */',
    'export const ZONES: Readonly<Record<string, string>> = {',
    ...lines(zones.map(({ name, data }) => [name, data])),
    '}',
    '/** Other names of zones. */',
    'export const LINKS: Readonly<Record<string, string>> = {',
    ...lines([...links].filter(([name]) => names.includes(name)).toSorted()),
    '}',
    '/** What clocks are called nowadays, and where: the zones of an abbreviation. */',
    'export const ABBREVIATIONS: Readonly<Record<string, string>> = {',
    ...lines(abbreviations()),
    '}',
    '',
  ].join('\n'),
)

/** Of a compiled file, its second part, in which times have 64 bits: https://www.rfc-editor.org/rfc/rfc8536 */
function zoneOf(name) {
  const file = readFileSync(path.join(folder, 'zoneinfo', name))
  const counts = (at) => [20, 24, 28, 32, 36, 40].map((offset) => file.readUInt32BE(at + offset))
  const [isUt, isStd, leaps, times, types, chars] = counts(0)
  const second = HEADER + times * 5 + types * 6 + chars + leaps * 8 + isStd + isUt
  const [isUt2, isStd2, leaps2, times2, types2, chars2] = counts(second)
  const start = second + HEADER
  const typesAt = start + times2 * 9
  const charsAt = typesAt + types2 * 6
  const footer = file
    .subarray(charsAt + chars2 + leaps2 * 12 + isStd2 + isUt2)
    .toString('latin1')
    .trim()
  const type = (i) => ({ offset: file.readInt32BE(typesAt + i * 6), name: cString(file, charsAt + file[typesAt + i * 6 + 5]) })
  const changes = Array.from({ length: times2 }, (_, i) => ({
    at: Number(file.readBigInt64BE(start + i * 8)),
    ...type(file[start + times2 * 8 + i]),
  }))
  return { data: packed(type(0).offset, changes, footer), changes: [{ at: -Infinity, ...type(0) }, ...changes], footer }
}

function packed(initial, all, footer) {
  const changes = all.filter(({ offset }, i) => offset !== (i === 0 ? initial : all[i - 1].offset))
  const offsets = [...new Set([initial, ...changes.map(({ offset }) => offset)])]
  const steps = changes.map(
    ({ at, offset }, i) => `${(at - (changes[i - 1]?.at ?? 0)).toString(36)}:${offsets.indexOf(offset).toString(36)}`,
  )
  return [offsets.join(' '), steps.join(' '), ruleOf(footer)].join('|')
}

/** `standard daylight month.week.weekday/seconds month.week.weekday/seconds`; nothing where the last offset stays. */
function ruleOf(footer) {
  const name = '(?:<[^>]+>|[A-Za-z]+)'
  const found = new RegExp(
    `^${name}([-+\\d:]+)(?:${name}([-+\\d:]+)?,M([\\d.]+)(?:/([-+\\d:]+))?,M([\\d.]+)(?:/([-+\\d:]+))?)?$`,
  ).exec(footer)
  if (!found) return stop(`unknown rule ${footer}`)
  const [, standard, daylight, from, fromTime = '2', to, toTime = '2'] = found
  if (from === undefined) return ''
  const winter = -seconds(standard)
  const summer = daylight === undefined ? winter + 3600 : -seconds(daylight)
  return `${winter} ${summer} ${from}/${seconds(fromTime)} ${to}/${seconds(toTime)}`
}

function seconds(written) {
  const [hours, minutes = 0, rest = 0] = written.replace(/^[-+]/, '').split(':').map(Number)
  return (written.startsWith('-') ? -1 : 1) * (hours * 3600 + minutes * 60 + rest)
}

/** Up to three zones for each abbreviation in use, those first that the database itself chooses to represent others. */
function abbreviations() {
  const chosen = text('zoneinfo/zonenow.tab')
  const rank = ({ name }) => (chosen.includes(`\t${name}\t`) ? 0 : 1)
  const found = new Map()
  for (const { name, changes, footer } of zones
    .filter((zone) => /^(?!Etc)\w+\//.test(zone.name))
    .toSorted((a, b) => rank(a) - rank(b))) {
    const recent = changes.findLast(({ at }) => at <= TODAY).name
    for (const word of new Set([recent, ...(footer.match(/^[A-Z]+|(?<=\d)[A-Z]+(?=,)/g) ?? [])]))
      if (/^[A-Z]{2,}$/.test(word)) found.set(word, [...(found.get(word) ?? []), name].slice(0, 3))
  }
  return [...found].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([word, where]) => [word, where.join(' ')])
}

function cString(file, at) {
  return file.subarray(at, file.indexOf(0, at)).toString('latin1')
}

function stop(message) {
  console.error(message)
  process.exit(1)
}
