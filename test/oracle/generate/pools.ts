/** Few values, so that they are equal often; and unusual ones. */
export const STRINGS = [
  'a',
  'A',
  'b',
  'b ',
  'ab',
  'a_b',
  'axb',
  'x%y',
  '%',
  '_',
  "O'Neil",
  'é',
  'É',
  'ß',
  'ẞ',
  'İ',
  'ı',
  'ς',
  'ΑΣ',
  'ſ',
  '',
  ' ',
  '日本',
  '😀',
  'ｚ',
  '\\',
  '"q"',
] as const
export const UUIDS = [
  '6f1c2b1e-0000-4000-8000-00000000000a',
  'ffffffff-ffff-4fff-bfff-ffffffffffff',
  '00000000-0000-4000-8000-000000000001',
  'a0000000-0000-4000-8000-000000000000',
] as const
/** No double is exactly a tenth, and no four-byte float equals the double nearest to it. */
export const REALS = [...[0.1, 0.2, 16777216, 1.1].map(Math.fround), -0.25, 0, 0.5, 0.5, 8] as const
export const INTS = [-3, 0, 1, 1, 2, 2, 3, 4, 7] as const
export const PRICES = ['-1.50', '0.00', '0.10', '0.20', '10.05', '10.05', '99.99', '1234.56'] as const
/** Special values of doubles; NaN twice, so that it is compared with itself. */
export const SPECIALS = [Number.NaN, Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, -0] as const
export const RATIOS = [-0.25, 0, 0.5, 0.5, 0.75, 2.25, 8] as const
/** For the rows of a bridge; text, like decimals. */
export const WEIGHTS = ['1.0000', '0.5000', '0.5000', '0.2500', '0.3333', '0.0000', '1.5000'] as const
/** Around the end of a year, a leap day, ends of months; Sundays and Mondays. */
export const DAYS = [
  '2023-12-31',
  '2024-01-01',
  '2024-01-31',
  '2024-02-29',
  '2024-03-03',
  '2024-03-04',
  '2024-12-29',
  '2024-12-30',
  '2025-01-01',
] as const
/** The first and last dates, if the tables of an engine can contain them; otherwise none. */
export interface FarTimes {
  readonly farDays: readonly string[] | undefined
  readonly farTimes: readonly string[] | undefined
  readonly farInstants: readonly string[] | undefined
}

/** Times around the clock changes of a zone, or around none: instants in UTC, local times and days. */
export interface OddTimes extends Partial<FarTimes> {
  readonly zone: string
  readonly instants: readonly string[]
  readonly hours: readonly string[]
  readonly days: readonly string[]
}
const on = (day: string, ...times: readonly string[]): string[] => times.map((time) => `${day} ${time}`)
/** An hour, half an hour, a midnight and the last hour of a day that repeat; a day that was skipped; halves and quarters of an hour. */
export const ODD_TIMES: readonly OddTimes[] = [
  { zone: 'America/New_York', instants: [...on('2024-11-03', '04:30:00', '05:00:00', '05:30:00', '06:00:00', '06:30:00', '07:30:00'), ...on('2024-03-10', '06:30:00', '07:30:00')], hours: [...on('2024-11-03', '00:00:00', '01:00:00', '01:30:00', '02:00:00'), ...on('2024-03-10', '02:00:00', '02:30:00', '03:30:00')], days: ['2024-11-03', '2024-03-10'] },
  { zone: 'Atlantic/Azores', instants: [...on('2024-10-26', '23:30:00', '23:59:59'), ...on('2024-10-27', '00:30:00', '01:00:00', '01:30:00', '02:30:00')], hours: [...on('2024-10-27', '00:00:00', '00:30:00', '01:00:00'), ...on('2024-03-31', '00:30:00', '01:00:00')], days: ['2024-10-26', '2024-10-27', '2024-03-31'] },
  { zone: 'America/Havana', instants: on('2024-11-03', '03:30:00', '04:00:00', '04:30:00', '05:00:00', '05:30:00', '06:30:00'), hours: [...on('2024-11-03', '00:00:00', '00:30:00', '01:00:00'), ...on('2024-03-10', '00:30:00')], days: ['2024-11-02', '2024-11-03', '2024-03-10'] },
  { zone: 'Australia/Lord_Howe', instants: on('2024-04-06', '14:15:00', '14:45:00', '15:00:00', '15:15:00', '15:45:00'), hours: [...on('2024-04-07', '01:00:00', '01:30:00', '01:45:00', '02:00:00'), ...on('2024-10-06', '02:00:00', '02:15:00')], days: ['2024-04-07', '2024-10-06'] },
  { zone: 'America/St_Johns', instants: on('2010-11-07', '02:15:00', '02:30:00', '02:30:30', '02:31:00', '03:10:00', '03:45:00'), hours: [...on('2010-11-06', '23:00:00', '23:30:00'), ...on('2010-11-07', '00:00:00', '00:00:30', '01:00:00')], days: ['2010-11-06', '2010-11-07'] },
  { zone: 'Pacific/Apia', instants: [...on('2011-12-30', '08:30:00', '09:59:59', '10:00:00', '10:30:00'), ...on('2011-12-31', '11:00:00')], hours: [...on('2011-12-30', '00:00:00', '12:00:00'), ...on('2011-12-29', '23:00:00'), ...on('2011-12-31', '00:00:00')], days: ['2011-12-29', '2011-12-30', '2011-12-31'] },
  { zone: 'Europe/Berlin', instants: [...on('2024-10-27', '00:30:00', '01:00:00', '01:30:00', '02:30:00'), ...on('2024-03-31', '00:30:00', '01:30:00')], hours: [...on('2024-10-27', '01:30:00', '02:00:00', '02:30:00', '03:00:00'), ...on('2024-03-31', '02:30:00')], days: ['2024-10-27', '2024-03-31'] },
  { zone: 'Australia/Sydney', instants: on('2024-04-06', '15:30:00', '16:00:00', '16:30:00'), hours: on('2024-04-07', '02:00:00', '02:30:00', '03:00:00'), days: ['2024-04-06', '2024-04-07'] },
  { zone: 'Asia/Kathmandu', instants: on('2024-03-03', '18:14:59', '18:15:00'), hours: on('2024-03-04', '00:00:00', '00:15:00'), days: ['2024-03-03', '2024-03-04'] },
  { zone: 'Asia/Kolkata', instants: on('2024-03-03', '18:29:59', '18:30:00'), hours: on('2024-03-04', '00:00:00', '00:15:00'), days: ['2024-03-03', '2024-03-04'] },
  { zone: 'UTC', instants: on('2024-07-01', '03:30:00'), hours: on('2024-07-01', '03:00:00', '03:30:00'), days: ['2024-07-01', '2024-07-02'] },
] // biome-ignore format: a table
/** The dates that mean "never". */
export const SENTINEL_DAYS = ['9999-12-31', '0001-01-01'] as const
export const SENTINELS = ['9999-12-31 00:00:00', '9999-12-31 23:59:59', '0001-01-01 00:00:00'] as const
export const MOMENTS = [
  '2023-12-31 23:59:59.999999', '2024-01-01 00:00:00', '2024-01-01 12:34:56', '2024-02-29 00:00:00', '2024-02-29 23:59:59',
  '2024-03-03 08:15:00', '2024-03-04 00:00:00', '2024-12-30 08:15:30', '2025-01-01 00:00:00',
] as const // biome-ignore format: a table
