/** The table of moved ranges, written by hand, for the oracle and for the compiler; and both compared on generated ranges. */
import { parseModelSync } from '@grainline/core/unstable'
import t from 'tap'
import type { Grain } from '../../core/src/model/grain.js'
import { movedRange } from '../../core/src/resolve/moved-range.js'
import { parseTime, timestampText } from '../../core/src/resolve/time.js'
import { randomFrom } from './generate/random.js'
import { moveRange, periodRange } from './moved-range.js'

const CALENDARS = {
  fiscal: { yearStart: '02-01' },
  midmonth: { yearStart: '07-15' },
  retail: { pattern: '4-4-5', yearEnd: { weekday: 'saturday', month: 1, rule: 'last' } },
} as const

/** First and last day, or times; the grain of the level (− without the time); the move; the moved first and last day, or times. */
const TABLE = [
  // Whole periods.
  ['2026-06-01', '2026-06-30', 'month', '-1 month', '2026-05-01', '2026-05-31'],
  ['2026-02-01', '2026-02-28', 'month', '-1 year', '2025-02-01', '2025-02-28'],
  ['2024-02-01', '2024-02-29', 'month', '-1 year', '2023-02-01', '2023-02-28'],
  ['2025-02-01', '2025-02-28', 'month', '-1 year', '2024-02-01', '2024-02-29'],
  ['2026-04-01', '2026-06-30', 'quarter', '-1 year', '2025-04-01', '2025-06-30'],
  ['2026-03-31', '2026-03-31', 'day', '-1 month', '2026-02-28', '2026-02-28'],
  ['2026-12-28', '2027-01-03', 'week', '-1 year', '2025-12-22', '2025-12-28'],
  // Parts of a month.
  ['2026-06-01', '2026-06-15', 'month', '-1 month', '2026-05-01', '2026-05-15'],
  ['2026-03-30', '2026-03-31', 'month', '-1 month', '2026-02-28', '2026-02-28'],
  ['2026-03-01', '2026-03-31', '-', '-1 month', '2026-02-01', '2026-02-28'],
  ['2026-01-29', '2026-01-31', 'month', '+1 month', '2026-02-28', '2026-02-28'],
  ['2024-02-10', '2024-02-29', 'month', '-1 year', '2023-02-10', '2023-02-28'],
  ['2023-02-10', '2023-02-28', 'month', '+1 year', '2024-02-10', '2024-02-28'],
  // Without the time.
  ['2026-06-01', '2026-06-30', '-', '-1 month', '2026-05-01', '2026-05-31'],
  ['2026-02-01', '2026-02-28', '-', '-1 month', '2026-01-01', '2026-01-31'],
  ['2026-01-15', '2026-02-28', '-', '-1 month', '2025-12-15', '2026-01-31'],
  ['2026-06-01', '2026-06-15', '-', '-1 month', '2026-05-01', '2026-05-15'],
  ['2026-02-15', '2026-02-28', '-', '-1 month', '2026-01-15', '2026-01-28'],
  ['2026-02-15', '2026-03-15', '-', '-1 month', '2026-01-15', '2026-02-15'],
  ['2026-01-01', '2026-11-27', '-', '-1 year', '2025-01-01', '2025-11-27'],
  ['2024-01-01', '2024-02-29', '-', '-1 year', '2023-01-01', '2023-02-28'],
  ['2023-01-01', '2023-02-28', '-', '+1 year', '2024-01-01', '2024-02-29'],
  ['2026-01-05', '2026-01-11', '-', '-1 year', '2025-01-05', '2025-01-11'],
  ['2026-01-05', '2026-01-11', '-', '-1 week', '2025-12-29', '2026-01-04'],
  ['2026-05-01', '2026-05-10', '-', '-10 day', '2026-04-21', '2026-04-30'],
  ['2026-05-01', '2026-05-31', '-', '-1 quarter', '2026-02-01', '2026-02-28'],
  // A part of a week keeps its weekdays.
  ['2026-01-05', '2026-01-07', 'week', '-1 year', '2024-12-30', '2025-01-01'],
  ['2026-01-07', '2026-01-11', 'week', '-1 month', '2025-12-03', '2025-12-07'],
  ['2026-01-07', '2026-01-11', 'week', '-2 week', '2025-12-24', '2025-12-28'],
  // An offset that is shorter than the periods of the level.
  ['2026-04-01', '2026-06-30', 'quarter', '-1 month', '2026-03-01', '2026-05-31'],
  ['2026-06-01', '2026-06-30', 'month', '-1 day', '2026-05-31', '2026-06-29'],
  ['2026-06-01', '2026-06-30', 'month', '-1 week', '2026-05-25', '2026-06-23'],
  ['2026-01-01', '2026-12-31', 'year', '-1 quarter', '2025-10-01', '2026-09-30'],
  // Calendars: a fiscal year that begins in February, months that begin on the 15th, years of weeks that begin on 2025-01-26.
  ['2026-02-01', '2026-02-28', 'fiscal_month', '-1 fiscal_year', '2025-02-01', '2025-02-28'],
  ['2026-02-01', '2026-04-30', 'fiscal_quarter', '-1 fiscal_quarter', '2025-11-01', '2026-01-31'],
  ['2026-02-01', '2026-02-28', '-', '-1 fiscal_quarter', '2025-11-01', '2025-11-30'],
  ['2026-02-15', '2026-03-14', '-', '-1 midmonth_month', '2026-01-15', '2026-02-14'],
  ['2026-03-15', '2026-04-10', '-', '-1 midmonth_month', '2026-02-15', '2026-03-13'],
  ['2026-03-15', '2026-04-14', '-', '-1 midmonth_month', '2026-02-15', '2026-03-14'],
  ['2025-02-23', '2025-03-22', 'retail_month', '-1 retail_month', '2025-01-26', '2025-02-22'],
  ['2025-02-23', '2025-03-03', 'retail_month', '-1 retail_month', '2025-01-26', '2025-02-03'],
  ['2025-03-23', '2025-04-26', '-', '-1 retail_month', '2025-02-23', '2025-03-22'],
  ['2025-03-23', '2025-04-25', '-', '-1 retail_month', '2025-02-23', '2025-03-22'],
  ['2025-01-26', '2025-02-01', 'retail_week', '-1 retail_year', '2024-01-28', '2024-02-03'],
  // Ends within a day keep their clock time.
  ['2026-03-31T12:00', '2026-03-31T18:00', 'day', '-1 month', '2026-02-28T12:00', '2026-02-28T18:00'],
  ['2026-03-01T00:00', '2026-03-15T06:30', 'month', '-1 month', '2026-02-01T00:00', '2026-02-15T06:30'],
  ['2026-03-10T08:00', '2026-03-12T09:00', '-', '-1 year', '2025-03-10T08:00', '2025-03-12T09:00'],
  ['2026-03-10T08:00', '2026-03-10T09:00', 'hour', '-1 day', '2026-03-09T08:00', '2026-03-09T09:00'],
  ['2026-03-10T08:15', '2026-03-10T09:00', 'hour', '-1 month', '2026-02-10T08:15', '2026-02-10T09:00'],
  ['2026-03-10T08:00', '2026-03-10T20:00', '-', '-36 hour', '2026-03-08T20:00', '2026-03-09T08:00'],
  // The previous period.
  ['2026-03-01', '2026-03-31', '-', '-1 range', '2026-01-29', '2026-02-28'],
  ['2026-03-01', '2026-03-10', '-', '-1 range', '2026-02-19', '2026-02-28'],
  ['2026-03-10T08:00', '2026-03-10T20:00', '-', '-1 range', '2026-03-09T20:00', '2026-03-10T08:00'],
  // The first period of a longer one.
  ['2026-05-01', '2026-05-31', 'month', 'first year', '2026-01-01', '2026-01-31'],
  ['2026-05-01', '2026-05-15', 'month', 'first year', '2026-01-01', '2026-01-15'],
  ['2026-05-04', '2026-05-06', 'week', 'first month', '2026-04-27', '2026-04-29'],
] as const

const read = (text: string): bigint => parseTime(text)!.micros
/** A last day is inside, a last time is the end. */
const readEnd = (text: string): bigint => (text.includes('T') ? read(text) : read(text) + 86_400_000_000n)
const shown = (at: bigint | number | undefined): string => (at === undefined ? '' : timestampText(BigInt(at)))

const Days = { code: 'days', columns: { Day: { code: 'day', abstractType: 'date', primaryKey: true } } }
const { model } = parseModelSync({ json: { version: 1, name: 'calendars', dataObjects: { Days }, calendars: CALENDARS } })
const grainNamed = (name: string): Grain => model!.grains.get(name)!

/** The moved range as the oracle and as the compiler see it. */
function movedBy(from: bigint | undefined, until: bigint | undefined, grain: string, move: string) {
  const [count = '', unit = ''] = move.split(' ')
  const isRange = unit === 'range'
  const oracle = moveRange(
    { from: from === undefined ? undefined : Number(from), until: until === undefined ? undefined : Number(until) },
    count === 'first' ? { toFirstOf: unit } : isRange ? { lengths: Number(count) } : { unit, count: Number(count) },
    grain === '-' ? undefined : grain,
    { weekStart: 'monday', calendars: CALENDARS },
  )
  const compiler = movedRange(
    { from, to: until },
    count === 'first'
      ? { kind: 'to-first', of: grainNamed(unit) }
      : isRange
        ? { kind: 'lengths', count: Number(count) }
        : { kind: 'by', unit: grainNamed(unit), count: Number(count) },
    { grain: grain === '-' ? undefined : grainNamed(grain), weekStart: 'monday' },
  )
  return {
    oracle: [shown(oracle.from), shown(oracle.until)],
    compiler: [shown(compiler.from), shown(compiler.to)],
  }
}

t.test('the table of moved ranges', async (t) => {
  for (const [from, last, grain, move, movedFrom, movedLast] of TABLE) {
    const expected = [shown(read(movedFrom)), shown(readEnd(movedLast))]
    const { oracle, compiler } = movedBy(read(from), readEnd(last), grain, move)
    t.strictSame(oracle, expected, `oracle: ${from} to ${last} by ${grain}, ${move}`)
    t.strictSame(compiler, expected, `compiler: ${from} to ${last} by ${grain}, ${move}`)
  }
})

t.test('without an end, the other one moves alone', async (t) => {
  const { oracle, compiler } = movedBy(undefined, readEnd('2026-02-28'), '-', '-1 month')
  t.strictSame(oracle, ['', shown(readEnd('2026-01-31'))])
  t.strictSame(compiler, oracle)
})

t.test('generated ranges', async (t) => {
  const seed = Number(process.env['ORACLE_SEED'] ?? 20261127)
  const random = randomFrom(seed)
  const units = ['day', 'week', 'month', 'quarter', 'year', 'fiscal_month', 'fiscal_year', 'midmonth_month', 'midmonth_quarter', 'retail_week', 'retail_month', 'retail_quarter', 'retail_year'] // biome-ignore format: a list
  for (let i = 0; i < 5000; i++) {
    const grain = random.pick(['-', 'hour', ...units])
    const unit = random.pick(units)
    const first = read('2020-01-01') + BigInt(random.below(3000)) * 86_400_000_000n
    const clock = grain === '-' && random.below(3) === 0 ? BigInt(random.below(86_400)) * 1_000_000n : 0n
    const whole = random.below(2) === 0
    const until = first + BigInt(random.below(whole ? 120 : 20) + 1) * 86_400_000_000n + clock
    const ends = within(first + clock, until, grain)
    const move = `${random.pick(['-', '+'])}${random.below(14) + 1} ${unit}`
    const { oracle, compiler } = movedBy(...ends, grain, move)
    if (JSON.stringify(oracle) !== JSON.stringify(compiler)) {
      t.strictSame(compiler, oracle, `seed ${seed}, case ${i}: ${ends.map(shown).join(' to ')} by ${grain}, ${move}`)
      return
    }
  }
  t.pass('5000 ranges')
})

/** The part of the first period that a range leaves, if the level shows periods. */
function within(from: bigint, until: bigint, grain: string): [bigint, bigint] {
  if (grain === '-') return [from, until]
  const whole = periodOf(from, grain)
  return [from, until < whole ? until : whole]
}

const periodOf = (at: bigint, grain: string): bigint =>
  BigInt(periodRange(grain, Number(at), { weekStart: 'monday', calendars: CALENDARS }).until)
