import fc from 'fast-check'
import t from 'tap'
import { amount } from '../../../test/support/amount.js'
import { GrainlineError } from '../errors.js'
import { DATE, STRING, TIMESTAMP, TIMESTAMP_TZ, writtenTimestamp } from '../model/data-type.js'
import { type InnerNode, isInner, type Literal } from '../model/expression/ast.js'
import { TIME_GRAINS, type TimeGrain, type WeekStart } from '../model/grain.js'
import { wallAt } from '../time-zones/wall-clock.js'
import { bucket, bucketType } from './bucket.js'
import { clockAt, type TimeContext } from './clock.js'
import { condition } from './conditions.js'
import { asInstant, naiveReading } from './naive.js'
import { ceil, dateText, floor, isSubDay, MICROS_PER_DAY, type Micros, parseTime, shift, timestampText } from './time.js'
import type { Subject } from './time-condition.js'

const at = (text: string): Micros => parseTime(text)!.micros
const shown = (moment: Micros): string => timestampText(moment)

t.test('a period starts as the calendar defines', async (t) => {
  const starts: readonly (readonly [at: string, grain: TimeGrain, start: string, weekStart?: WeekStart])[] = [
    ['2024-02-29T13:14:15.678901', 'second', '2024-02-29 13:14:15'],
    ['2024-02-29T13:14:15.678901', 'minute', '2024-02-29 13:14:00'],
    ['2024-02-29T13:14:15.678901', 'hour', '2024-02-29 13:00:00'],
    ['2024-02-29T13:14:15.678901', 'day', '2024-02-29 00:00:00'],
    ['2024-02-29T13:14:15.678901', 'week', '2024-02-26 00:00:00'],
    ['2024-02-29T13:14:15.678901', 'week', '2024-02-25 00:00:00', 'sunday'],
    ['2024-02-29T13:14:15.678901', 'month', '2024-02-01 00:00:00'],
    ['2024-02-29T13:14:15.678901', 'quarter', '2024-01-01 00:00:00'],
    ['2024-02-29T13:14:15.678901', 'year', '2024-01-01 00:00:00'],
    ['2024-02-25', 'week', '2024-02-19 00:00:00'],
    ['2024-02-25', 'week', '2024-02-25 00:00:00', 'sunday'],
    ['2024-02-26', 'week', '2024-02-26 00:00:00'],
    ['1969-12-31T23:59:59.999999', 'second', '1969-12-31 23:59:59'],
    ['1969-12-31T23:59:59.999999', 'hour', '1969-12-31 23:00:00'],
    ['1969-12-31T23:59:59.999999', 'day', '1969-12-31 00:00:00'],
    ['1969-12-31T23:59:59.999999', 'week', '1969-12-29 00:00:00'],
    ['1969-12-31T23:59:59.999999', 'quarter', '1969-10-01 00:00:00'],
    ['1900-02-28T12:00:00', 'month', '1900-02-01 00:00:00'],
    ['0001-03-05', 'quarter', '0001-01-01 00:00:00'],
    ['0099-12-31', 'year', '0099-01-01 00:00:00'],
  ]
  for (const [moment, grain, start, weekStart = 'monday'] of starts)
    t.equal(shown(floor(at(moment), grain, weekStart)), start, `${grain} of ${moment}, weeks from ${weekStart}`)
})

t.test('periods are counted forward and backward over leap days, centuries and the epoch', async (t) => {
  const moves: readonly (readonly [start: string, grain: TimeGrain, count: number, moved: string])[] = [
    ['2024-01-01', 'month', 1, '2024-02-01 00:00:00'],
    ['2024-02-01', 'month', 1, '2024-03-01 00:00:00'],
    ['2024-01-01', 'month', -1, '2023-12-01 00:00:00'],
    ['2024-01-01', 'month', -25, '2021-12-01 00:00:00'],
    ['2024-02-28', 'day', 1, '2024-02-29 00:00:00'],
    ['2023-02-28', 'day', 1, '2023-03-01 00:00:00'],
    ['1900-02-28', 'day', 1, '1900-03-01 00:00:00'],
    ['2000-02-28', 'day', 1, '2000-02-29 00:00:00'],
    ['1970-01-01', 'year', -1, '1969-01-01 00:00:00'],
    ['1970-01-01', 'quarter', -1, '1969-10-01 00:00:00'],
    ['1970-01-01T00:00:00', 'second', -1, '1969-12-31 23:59:59'],
    ['2024-12-30', 'week', 1, '2025-01-06 00:00:00'],
    ['0100-01-01', 'year', -1, '0099-01-01 00:00:00'],
  ]
  for (const [start, grain, count, moved] of moves)
    t.equal(shown(shift(at(start), grain, count)), moved, `${start} ${count} ${grain}`)
})

const SEED = Number(process.env.SEED ?? 20250615)
const weekStarts = fc.constantFrom<WeekStart>('monday', 'sunday')
/** Between the years 2 and 9990, to the microsecond. */
const moments = fc.bigInt({ min: at('0002-01-01'), max: at('9990-01-01') })
const grains = fc.constantFrom(...TIME_GRAINS)

/** The expected values: walks day by day until a period starts. */
function startByDays(moment: Micros, grain: TimeGrain, weekStart: WeekStart): Micros {
  const step = { second: 1_000_000n, minute: 60_000_000n, hour: 3_600_000_000n } as Partial<Record<TimeGrain, bigint>>
  const small = step[grain]
  if (small !== undefined) return moment - (((moment % small) + small) % small)
  let day = moment - (((moment % MICROS_PER_DAY) + MICROS_PER_DAY) % MICROS_PER_DAY)
  while (!opens(new Date(Number(day / 1000n)), grain, weekStart)) day -= MICROS_PER_DAY
  return day
}

function opens(day: Date, grain: TimeGrain, weekStart: WeekStart): boolean {
  if (grain === 'day') return true
  if (grain === 'week') return day.getUTCDay() === (weekStart === 'monday' ? 1 : 0)
  const firstOfMonth = day.getUTCDate() === 1
  const months = grain === 'month' ? 1 : grain === 'quarter' ? 3 : 12
  return firstOfMonth && day.getUTCMonth() % months === 0
}

t.test(`floor, ceil and shift agree with a walk over the days (seed ${SEED})`, async (t) => {
  fc.assert(
    fc.property(moments, grains, weekStarts, (moment, grain, weekStart) => {
      const start = floor(moment, grain, weekStart)
      const next = shift(start, grain, 1)
      const end = ceil(moment, grain, weekStart)
      return (
        start === startByDays(moment, grain, weekStart) &&
        start <= moment &&
        moment < next &&
        floor(next, grain, weekStart) === next &&
        floor(next - 1n, grain, weekStart) === start &&
        shift(next, grain, -1) === start &&
        end === (start === moment ? moment : next)
      )
    }),
    { seed: SEED, numRuns: amount(500, 1500) },
  )
  t.pass('1500 moments')
})

t.test('a text is a timestamp only if it exists in the calendar', async (t) => {
  const read = (text: string) => {
    const parsed = parseTime(text)
    return parsed && [timestampText(parsed.micros), parsed.dateOnly, parsed.instant]
  }
  t.same(read('2024-02-29'), ['2024-02-29 00:00:00', true, false])
  t.same(read(' 2024-02-29 10:20 '), ['2024-02-29 10:20:00', false, false])
  t.same(read('2024-02-29T10:20:30.5'), ['2024-02-29 10:20:30.500000', false, false])
  t.same(read('2024-02-29T10:20:30.1234567'), ['2024-02-29 10:20:30.123456', false, false])
  t.same(read('2024-02-29T10:20:30Z'), ['2024-02-29 10:20:30', false, true])
  t.same(read('2024-02-29T10:20:30+05:30'), ['2024-02-29 04:50:30', false, true])
  t.same(read('2024-02-29T23:20:30-0130'), ['2024-03-01 00:50:30', false, true])
  for (const text of [
    '2023-02-29',
    '2024-13-01',
    '2024-00-10',
    '2024-04-31',
    '2024-02-29T25:00',
    '2024-02-29T10:61',
    '24-02-29',
    '2024-2-9',
    'today',
    '',
  ])
    t.equal(read(text), undefined, `'${text}' is none`)
})

t.test('a month or a year as a value is the whole period, and the last possible date is an ordinary value', async (t) => {
  const compared = (
    type: typeof DATE,
    grain: TimeGrain | undefined,
    operator: 'eq' | 'lte' | 'gt' | 'lt',
    value: string | number,
  ) => range(condition({ expression: x, type, grain, name: 'At' }, { operator, values: [value], path: '' }, time('UTC')))
  t.same(compared(DATE, 'year', 'eq', 2023), ['>= 2023-01-01', '< 2024-01-01'])
  t.same(compared(DATE, 'month', 'eq', '2023-05'), ['>= 2023-05-01', '< 2023-06-01'])
  t.same(compared(DATE, 'month', 'eq', '2023'), ['>= 2023-01-01', '< 2024-01-01'])
  t.same(compared(DATE, undefined, 'lte', '2023-12'), ['< 2024-01-01'])
  t.same(compared(TIMESTAMP, undefined, 'gt', '2023'), ['>= 2024-01-01 00:00:00'])
  t.throws(() => compared(DATE, 'month', 'eq', 2023), { code: 'INVALID_FILTER_VALUE' })
  t.throws(() => compared(DATE, undefined, 'eq', '2023-13'), { code: 'INVALID_FILTER_VALUE' })
  t.same(compared(TIMESTAMP, undefined, 'eq', '9999-12-31'), ['>= 9999-12-31 00:00:00'])
  t.same(compared(TIMESTAMP, undefined, 'lte', '9999-12-31'), ['='])
  t.same(compared(TIMESTAMP, undefined, 'gt', '9999-12-31'), ['<>'])
  t.same(compared(DATE, 'month', 'lte', '9999-12-01'), ['='])
  t.same(compared(TIMESTAMP, undefined, 'lt', '0001-01-01'), ['<>'])
})

t.test('a timestamp that its zone shifts beyond the calendar is one that no row has', async (t) => {
  const compared = (zone: string, operator: 'eq' | 'lte' | 'gt' | 'lt', value: string) =>
    range(
      condition(
        { expression: x, type: TIMESTAMP_TZ, grain: undefined, name: 'At' },
        { operator, values: [value], path: '' },
        time(zone),
      ),
    )
  t.same(compared('Atlantic/Azores', 'eq', '9999-12-31 23:59:59'), ['<>'])
  t.same(compared('Atlantic/Azores', 'lte', '9999-12-31 23:59:59'), ['='])
  t.same(compared('Atlantic/Azores', 'gt', '9999-12-31 23:59:59'), ['<>'])
  t.same(compared('Asia/Kathmandu', 'eq', '0001-01-01 00:00:01'), ['<>'])
  t.same(compared('Asia/Kathmandu', 'lt', '0001-01-01 00:00:01'), ['<>'])
})

t.test('the offset of a zone is the one in effect at the instant', async (t) => {
  const hours = (text: string, zone: string) => Number(wallAt(at(text), zone) - at(text)) / 3_600_000_000
  t.equal(hours('2024-03-31T00:59:59Z', 'Europe/Berlin'), 1)
  t.equal(hours('2024-03-31T01:00:00Z', 'Europe/Berlin'), 2)
  t.equal(hours('2024-10-27T00:59:59Z', 'Europe/Berlin'), 2)
  t.equal(hours('2024-10-27T01:00:00Z', 'Europe/Berlin'), 1)
  t.equal(hours('2024-07-01T00:00:00Z', 'America/New_York'), -4)
  t.equal(hours('2024-01-01T00:00:00Z', 'Asia/Kathmandu'), 5.75)
  t.equal(hours('1969-12-31T23:59:59.999999Z', 'UTC'), 0)
  t.equal(hours('1969-07-01T00:00:00.000001Z', 'America/New_York'), -4)
  t.equal(hours('0050-07-01T00:00:00Z', 'Etc/GMT-3'), 3)
})

const time = (zone: string, naiveZone?: string): TimeContext => ({
  clock: clockAt(new Date('2024-03-15T22:30:00Z'), zone, 'monday'),
  zone,
  weekStart: 'monday',
  naiveZone,
  leavesNaive: false,
})

interface Leaf {
  readonly kind: 'x'
}
const x: Leaf = { kind: 'x' }

/** Reads a range condition `x >= from AND x < to` as its two literals. */
function range(expression: unknown): readonly string[] {
  const { operator, left, right } = expression as { operator: string; left: InnerNode<Leaf>; right: InnerNode<Leaf> }
  if (operator === 'and') return [...range(left), ...range(right)]
  // Nothing, and anything but NULL.
  if (left === right) return [operator]
  return [`${operator} ${String((right as Literal).value)}`]
}

t.test('a relative range is whole periods in the query time zone, half open', async (t) => {
  const ranges: readonly (readonly [
    unit: TimeGrain,
    count: number,
    direction: 'past' | 'future',
    current: boolean,
    from: string,
    to: string,
  ])[] = [
    ['day', 1, 'past', true, '2024-03-16', '2024-03-17'],
    ['day', 7, 'past', false, '2024-03-09', '2024-03-16'],
    ['week', 1, 'past', true, '2024-03-11', '2024-03-18'],
    ['month', 1, 'past', false, '2024-02-01', '2024-03-01'],
    ['month', 3, 'past', true, '2024-01-01', '2024-04-01'],
    ['quarter', 1, 'future', false, '2024-04-01', '2024-07-01'],
    ['year', 2, 'future', true, '2024-01-01', '2026-01-01'],
  ]
  const subject: Subject<Leaf> = { expression: x, type: DATE, grain: undefined, name: 'Day' }
  for (const [unit, count, direction, include_current, from, to] of ranges) {
    const made = condition(
      subject,
      { operator: 'relative', values: [], relative: { unit, count, direction, include_current }, path: '' },
      // Half past ten in the evening in UTC is already the next day in the zone.
      time('Asia/Tokyo'),
    )
    t.same(range(made), [`>= ${from}`, `< ${to}`], `${direction} ${count} ${unit}`)
  }
  const none = { unit: 'day', count: 0, direction: 'past', include_current: false } as const
  t.same(range(condition(subject, { operator: 'relative', values: [], relative: none, path: '' }, time('UTC'))), ['<>'])
})

t.test('a date compared with a timestamp is the whole day, and a bucket is the whole period', async (t) => {
  const stamp: Subject<Leaf> = { expression: x, type: TIMESTAMP, grain: undefined, name: 'At' }
  const month: Subject<Leaf> = { expression: x, type: DATE, grain: 'month', name: 'Month' }
  const compared = (subject: Subject<Leaf>, operator: 'eq' | 'gt' | 'gte' | 'lt' | 'lte', value: string) =>
    range(condition(subject, { operator, values: [value], path: '' }, time('UTC')))
  t.same(compared(stamp, 'eq', '2024-02-29'), ['>= 2024-02-29 00:00:00', '< 2024-03-01 00:00:00'])
  t.same(compared(stamp, 'lte', '2024-02-29'), ['< 2024-03-01 00:00:00'])
  t.same(compared(stamp, 'gt', '2024-02-29'), ['>= 2024-03-01 00:00:00'])
  t.same(compared(stamp, 'gt', '2024-02-29T00:00:00'), ['> 2024-02-29 00:00:00'])
  t.same(compared(month, 'eq', '2024-02-01'), ['>= 2024-02-01', '< 2024-03-01'])
  t.throws(() => compared(month, 'eq', '2024-02-02'), { code: 'INVALID_PERIOD' }, 'no bucket starts there')
  t.same(compared(month, 'gte', '2024-02-02'), ['>= 2024-03-01'])
  t.same(compared(month, 'gt', '2024-02-01'), ['>= 2024-03-01'])
  t.same(compared(month, 'lt', '2024-02-02'), ['< 2024-03-01'])
  t.same(compared(month, 'lte', '2024-01-31'), ['< 2024-02-01'])
})

const codeOf = (compared: () => unknown): string => {
  try {
    compared()
  } catch (error) {
    return error instanceof GrainlineError ? error.code : String(error)
  }
  return 'answered'
}

t.test(`a filter on a bucket equals bucketing first and then comparing (seed ${SEED})`, async (t) => {
  const operators = fc.constantFrom('eq' as const, 'gt' as const, 'gte' as const, 'lt' as const, 'lte' as const)
  const near = fc.integer({ min: -400, max: 400 })
  fc.assert(
    fc.property(moments, near, grains, weekStarts, operators, fc.boolean(), (moment, days, grain, weekStart, operator, onDay) => {
      const other = moment + BigInt(days) * (isSubDay(grain) ? 977_000_000n : MICROS_PER_DAY)
      const value = onDay || !isSubDay(grain) ? dateText(other) : timestampText(other)
      const subject: Subject<Leaf> = { expression: x, type: TIMESTAMP, grain, name: 'At' }
      const start = floor(moment, grain, weekStart)
      const wanted = at(value)
      // A date compared with a bucket that has a time of day means the whole day.
      const span = isSubDay(grain) && /^\d+-\d+-\d+$/.test(value) ? MICROS_PER_DAY : 1n
      const compared = () => condition(subject, { operator, values: [value], path: '' }, { ...time('UTC'), weekStart })
      if (operator === 'eq' && span === 1n && floor(wanted, grain, weekStart) !== wanted)
        return codeOf(compared) === 'INVALID_PERIOD'
      const made = compared()
      const truth = {
        eq: start >= wanted && start < wanted + span,
        gt: start >= wanted + span,
        gte: start >= wanted,
        lt: start < wanted,
        lte: start < wanted + span,
      }[operator]
      const holds = range(made).every((part) => {
        const [symbol, ...rest] = part.split(' ')
        if (rest.length === 0) return symbol === '='
        const bound = at(rest.join(' '))
        return symbol === '>='
          ? moment >= bound
          : symbol === '<'
            ? moment < bound
            : symbol === '>'
              ? moment > bound
              : moment <= bound
      })
      return holds === truth
    }),
    { seed: SEED, numRuns: amount(1000, 3000) },
  )
  t.pass('3000 comparisons')
})

t.test(
  'instants are converted to the zone of the query, timestamps without a zone if their own is known, dates never',
  async (t) => {
    const wall = (type: typeof DATE, context: TimeContext) => {
      const value = (bucket<Leaf>(x, type, 'month', context) as { readonly args: readonly unknown[] }).args[1]
      return isInner<Leaf>(value as Leaf) ? spoken(value) : 'x'
    }
    const spoken = (e: unknown): string => {
      const node = e as { kind: string; name: string; args: readonly unknown[]; value: unknown }
      return node.kind === 'call'
        ? `${node.name}(${node.args.map(spoken).join(', ')})`
        : node.kind === 'literal'
          ? String(node.value)
          : 'x'
    }
    t.equal(wall(TIMESTAMP_TZ, time('Asia/Tokyo')), 'in_zone(x, Asia/Tokyo)')
    t.equal(wall(TIMESTAMP, time('Asia/Tokyo')), 'x')
    const known = writtenTimestamp(true)
    t.equal(wall(known, time('Asia/Tokyo', 'Europe/Berlin')), 'in_zone(from_zone(x, Europe/Berlin), Asia/Tokyo)')
    t.equal(wall(TIMESTAMP, time('Asia/Tokyo', 'Europe/Berlin')), 'x', 'a local time is not converted again')
    t.equal(wall(DATE, time('Asia/Tokyo', 'Europe/Berlin')), 'x')
    t.same(asInstant<Leaf>(x, STRING, time('Asia/Tokyo', 'Europe/Berlin')), { expression: x, type: STRING })
    t.same([bucketType('hour'), bucketType('day')], [TIMESTAMP, DATE])
  },
)

t.test('timestamps without a zone are converted only if another zone than theirs is requested', async (t) => {
  const reading = (asked: string | undefined, defaultTimezone: string | undefined) => {
    const { naiveZone, leavesNaive } = naiveReading(asked, { defaultTimezone } as Parameters<typeof naiveReading>[1])
    return [naiveZone, leavesNaive]
  }
  t.same(reading('Asia/Tokyo', 'Europe/Berlin'), ['Europe/Berlin', false])
  t.same(reading('Asia/Tokyo', undefined), [undefined, true])
  t.same(reading('Asia/Tokyo', 'Asia/Tokyo'), [undefined, false])
  t.same(reading(undefined, 'Europe/Berlin'), [undefined, false])
})
