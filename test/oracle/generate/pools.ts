/** Few values, so that they meet; awkward ones, so that they matter. */
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
  '',
  ' ',
  '日本',
  '😀',
  'ｚ',
  '\\',
  '"q"',
] as const
export const INTS = [-3, 0, 1, 1, 2, 2, 3, 4, 7] as const
export const PRICES = ['-1.50', '0.00', '0.10', '0.20', '10.05', '10.05', '99.99', '1234.56'] as const
export const RATIOS = [-0.25, 0, 0.5, 0.5, 0.75, 2.25, 8] as const
/** Of the rows of a bridge; text, as decimals are. */
export const WEIGHTS = ['1.0000', '0.5000', '0.5000', '0.2500', '0.3333', '0.0000', '1.5000'] as const
/** Around a year's end, a leap day, month ends; Sundays and Mondays. */
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
/** In UTC, before and behind the changes of clocks in Berlin and New York; none that a clock shows twice. */
export const INSTANTS = ['2024-03-10 06:30:00', '2024-03-10 07:30:00', '2024-03-31 00:30:00', '2024-03-31 01:30:00', '2024-07-01 03:30:00', '2024-10-26 23:30:00', '2024-10-27 02:30:00'] as const // biome-ignore format: a table
export const MOMENTS = [
  '2023-12-31 23:59:59.999999', '2024-01-01 00:00:00', '2024-01-01 12:34:56', '2024-02-29 00:00:00', '2024-02-29 23:59:59',
  '2024-03-03 08:15:00', '2024-03-04 00:00:00', '2024-12-30 08:15:30', '2025-01-01 00:00:00',
] as const // biome-ignore format: a table
