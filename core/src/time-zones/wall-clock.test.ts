import t from 'tap'
import { complement, includes, type Ranges, rangesOf, union } from './ranges.js'
import { leapsSince, offsetAt, periodsNear, timeZone } from './time-zone.js'
import { instantOf, readBefore, shownBefore, wallAt } from './wall-clock.js'
import { isZoneName, zoneFault, zoneNames } from './zone-names.js'

const at = (iso: string): bigint => BigInt(Date.parse(iso.endsWith('Z') ? iso : `${iso}Z`)) * 1000n
const iso = (micros: bigint): string => new Date(Number(micros / 1000n)).toISOString().slice(0, 16)
const shown = (ranges: Ranges): readonly string[] =>
  ranges.map(({ from, to }) => `${from === undefined ? '' : iso(from)}…${to === undefined ? '' : iso(to)}`)
const HOUR = 3_600_000_000n

t.test('zones have the offsets of the runtime, except for zones that changed recently', async (t) => {
  const runtime = new Set(Intl.supportedValuesOf('timeZone'))
  const years = [1925, 1975, 2011, 2024, 2055, 2437, 9999]
  const off: string[] = []
  for (const zone of zoneNames().filter((name) => runtime.has(name) && /[aeo]\w$/.test(name))) {
    const format = new Intl.DateTimeFormat('en', { timeZone: zone, timeZoneName: 'longOffset' })
    for (const year of years)
      for (const month of [0, 2, 9]) {
        const second = Date.UTC(year, month, 29, 13, 7, 11) / 1000
        const found = /GMT(?:([+-])(\d+)(?::(\d+))?(?::(\d+))?)?/.exec(format.format(second * 1000))!
        const [, sign, hours = '0', minutes = '0', rest = '0'] = found
        const offset = (sign === '-' ? -1 : 1) * (Number(hours) * 3600 + Number(minutes) * 60 + Number(rest))
        if (offsetAt(timeZone(zone)!, second) !== offset) off.push(zone)
      }
  }
  t.ok(new Set(off).size <= 5, `other offsets in ${[...new Set(off)].join(', ')}`)
})

t.test('an hour that clocks show twice, and one that they skip', async (t) => {
  const zone = 'America/New_York'
  t.equal(iso(wallAt(at('2024-11-03T05:30'), zone)), '2024-11-03T01:30')
  t.equal(iso(wallAt(at('2024-11-03T06:30'), zone)), '2024-11-03T01:30')
  t.equal(iso(instantOf(at('2024-11-03T01:30'), zone)), '2024-11-03T05:30')
  t.equal(iso(instantOf(at('2024-11-03T02:00'), zone)), '2024-11-03T07:00')
  t.equal(iso(instantOf(at('2024-03-10T02:30'), zone)), '2024-03-10T07:00', 'the jump')
  t.same(shown(shownBefore(at('2024-11-03T01:15'), zone)), ['…2024-11-03T05:15', '2024-11-03T06:00…2024-11-03T06:15'])
  t.same(shown(shownBefore(at('2024-11-03T02:00'), zone)), ['…2024-11-03T07:00'])
})

t.test('clocks that change by half an hour, over midnight, and by a day', async (t) => {
  t.same(shown(shownBefore(at('2024-04-07T01:45'), 'Australia/Lord_Howe')), [
    '…2024-04-06T14:45',
    '2024-04-06T15:00…2024-04-06T15:15',
  ])
  t.same(shown(shownBefore(at('2010-11-07'), 'America/St_Johns')), ['…2010-11-07T02:30', '2010-11-07T02:31…2010-11-07T03:30'])
  t.equal(iso(instantOf(at('2011-12-30'), 'Pacific/Apia')), '2011-12-30T10:00', 'the day that Samoa left out')
  t.same(leapsSince(timeZone('Pacific/Apia')!, 0, true), [3600, 86_400])
})

t.test('a local time is the first of two instants, or the one before the jump if it does not exist', async (t) => {
  const zone = 'America/New_York'
  t.same(shown(readBefore(at('2024-11-03T05:30'), zone)), ['…2024-11-03T01:30'])
  t.same(shown(readBefore(at('2024-11-03T06:30'), zone)), ['…2024-11-03T02:00'], 'the second pass is named by nothing')
  t.same(shown(readBefore(at('2024-03-10T07:15'), zone)), ['…2024-03-10T02:15', '2024-03-10T03:00…2024-03-10T03:15'])
})

t.test('the offset before a time agrees with the displayed time, on every quarter of an hour near a change', async (t) => {
  for (const zone of [
    'America/New_York',
    'America/Havana',
    'Atlantic/Azores',
    'Australia/Lord_Howe',
    'Asia/Kathmandu',
    'Pacific/Apia',
  ]) {
    const wrong: string[] = []
    for (const instant of quartersNearChanges(zone, at('2010-12-01'), at('2012-02-01'))) {
      const wall = wallAt(instant, zone)
      for (const [bound, admits] of [[wall, false], [wall + 1n, true], [wall + HOUR, true], [wall - HOUR, false]] as const) // biome-ignore format: pairs
        if (includes(shownBefore(bound, zone), rangesOf([{ from: instant, to: instant + 1n }])) !== admits)
          wrong.push(`${iso(instant)} ${iso(bound)}`)
    }
    t.same(wrong.slice(0, 5), [], zone)
  }
})

t.test('periods far beyond the table, and before it', async (t) => {
  const zone = timeZone('Europe/Berlin')!
  const july = Date.UTC(7024, 6, 1) / 1000
  t.same(
    periodsNear(zone, july, july + 86_400).map(({ offset }) => offset),
    [3600, 7200, 3600],
  )
  t.equal(offsetAt(zone, Date.UTC(-100, 0, 1) / 1000), 3208)
})

t.test('sets of instants', async (t) => {
  const [a, b] = [rangesOf([{ from: 1n, to: 3n }, { from: 5n, to: 7n }]), rangesOf([{ from: 3n, to: 5n }])] // biome-ignore format: two sets
  t.same(union(a, b), [{ from: 1n, to: 7n }])
  t.same(complement(complement(a)), a)
  t.same(complement([]), [{ from: undefined, to: undefined }])
  t.same(rangesOf([{ from: 3n, to: 3n }]), [])
})

t.test('names: areas and locations, and the suggestion for other names', async (t) => {
  for (const name of ['UTC', 'Europe/Berlin', 'America/Argentina/Ushuaia', 'Asia/Calcutta', 'Etc/GMT+5'])
    t.ok(isZoneName(name), name)
  for (const name of [
    'IST',
    'BST',
    'EST5EDT',
    'EST',
    'GMT',
    'europe/berlin',
    'posix/Europe/Berlin',
    '+02:00',
    'Japan',
    '__proto__',
    '',
  ])
    t.notOk(isZoneName(name), name)
  t.match(zoneFault('IST'), /did you mean 'Asia\/Jerusalem' or 'Asia\/Kolkata' or 'Europe\/Dublin'\?/)
  t.match(zoneFault('EST5EDT'), /did you mean 'America\/New_York'/)
  t.match(zoneFault('Japan'), /'Asia\/Tokyo'/)
  t.match(zoneFault('europe/berlin'), /did you mean 'Europe\/Berlin'/)
  t.match(zoneFault('gmt'), /'Africa\/Abidjan'|'Europe\/London'|'UTC'/)
})

function quartersNearChanges(zone: string, from: bigint, to: bigint): readonly bigint[] {
  const changes = periodsNear(timeZone(zone)!, Number(from / 1_000_000n), Number(to / 1_000_000n)).slice(1)
  const near = changes.length > 0 ? changes.map((period) => BigInt(period.from) * 1_000_000n) : [from]
  return near.flatMap((change) => Array.from({ length: 240 }, (_, i) => change + (BigInt(i - 120) * HOUR) / 4n))
}
