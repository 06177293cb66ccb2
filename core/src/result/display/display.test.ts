import t from 'tap'
import { DATE, type DataType, decimal, FLOAT, INT, STRING, TIME, TIMESTAMP, TIMESTAMP_TZ } from '../../model/data-type.js'
import { batchFromRows } from '../column-builder.js'
import { INFINITE_DAYS, parseInstant, parseTimestamp } from '../temporal.js'
import { valueAt } from '../value-at.js'
import { type DisplayValue, displayer } from './display-value.js'
import { withDisplay } from './with-display.js'

const show = (type: DataType, format: string, value: DisplayValue, locale = 'en-US', timezone = 'UTC') =>
  displayer(type, format, { locale, timezone })?.(value)

t.test('numbers are displayed by their pattern, with the rules of the locale', async (t) => {
  const cases: readonly (readonly [format: string, value: DisplayValue, shown: string, locale?: string])[] = [
    ['0.00', '1234.5', '1234.50'],
    ['#,##0.00', '1234567.891', '1,234,567.89'],
    ['#,##0.00', '1234567.891', '1.234.567,89', 'de-DE'],
    ['#,##0.00', '1234567.895', '1 234 567,90', 'fr-FR'],
    ['#,##0', '12345678901234567890123', '12,345,678,901,234,567,890,123'],
    ['0.###', '1.5', '1.5'],
    ['000', '7', '007'],
    ['0.0%', '0.1234', '12.3%'],
    ['0.0%', '0.1234', '12,3 %', 'de-DE'],
    ['#,##0 "km"', '1500', '1,500 km'],
    ['$#,##0.00', '-3.5', '$-3.50'],
    ['0.00;(0.00)', '-3.5', '(3.50)'],
    ['0.00;(0.00);"none"0', '0', 'none0'],
    ['#,##0,', '1234567', '1,235'],
    ['0.0,,"M"', '1234567', '1.2M'],
    [',.2f', '1234.5', '1,234.50'],
    ['.1%', '0.5', '50.0%'],
    ['$,.0f', '1234.5', '$1,235'],
    ['0', '-0.4', '0'],
    ['0.0', '0.05', '0.1'],
  ]
  for (const [format, value, shown, locale] of cases)
    t.equal(show(decimal(38, 3), format, value, locale)?.replaceAll(/\s/g, ' '), shown, `${format} of ${value}`)
  t.equal(show(INT, '#,##0', 9007199254740993n), '9,007,199,254,740,993')
  t.equal(show(FLOAT, '0.0', 2.25), '2.3')
})

t.test('dates and times are displayed by their pattern, instants in the zone', async (t) => {
  const at = parseTimestamp('2024-03-05T14:07:09.123456')!
  const cases: readonly (readonly [format: string, shown: string, locale?: string])[] = [
    ['yyyy-MM-dd', '2024-03-05'],
    ['yyyy-mm-dd', '2024-03-05'],
    ['dd.MM.yy HH:mm', '05.03.24 14:07'],
    ['d MMMM yyyy', '5 March 2024'],
    ['d MMMM yyyy', '5 März 2024', 'de-DE'],
    ['EEEE, MMM d', 'Tuesday, Mar 5'],
    ['h:mm:ss a', '2:07:09 PM'],
    ['mm:ss.SSS', '07:09.123'],
    ["'Q'Q yyyy", 'Q1 2024'],
    ['%Y-%m-%d %H:%M', '2024-03-05 14:07'],
    ['%B %e, %Y', 'March 5, 2024'],
  ]
  for (const [format, shown, locale] of cases) t.equal(show(TIMESTAMP, format, at, locale), shown, format)
  t.equal(
    show(TIMESTAMP_TZ, 'yyyy-MM-dd HH:mm', parseInstant('2024-03-30T23:30:00Z')!, 'en-US', 'Europe/Berlin'),
    '2024-03-31 00:30',
  )
  t.equal(show(TIMESTAMP_TZ, 'HH:mm', parseInstant('2024-07-01T10:00:00Z')!, 'en-US', 'Asia/Kathmandu'), '15:45')
  t.equal(show(DATE, 'EEEE', 0), 'Thursday')
  t.equal(show(DATE, 'yyyy-MM-dd EEE', -1), '1969-12-31 Wed')
  t.equal(show(DATE, 'yyyy', INFINITE_DAYS), 'infinity')
  t.equal(show(TIME, 'HH:mm', 3_600_000_000n), '01:00')
})

t.test('a pattern that does not fit the type displays nothing', async (t) => {
  for (const format of ['', 'hello', '%%', '0.0.0', '0 0', 'yyyy', '"open', ';'])
    t.equal(show(INT, format, 1n), undefined, format)
  for (const format of ['', 'bbb', '%k', '0.0']) t.equal(show(DATE, format, 1), undefined, format)
  t.equal(show(STRING, '0.0', 'text'), undefined)
})

t.test('display columns come last with separate names, and the values are unchanged', async (t) => {
  const schema = [
    { name: 'Day', type: DATE, role: 'dimension', format: 'd MMM' },
    { name: 'Share', type: decimal(5, 3), role: 'measure', format: '0.0%' },
    { name: 'Share (formatted)', type: INT, role: 'measure' },
  ] as const
  const rows = Array.from({ length: 5000 }, (_, i) => (i % 3 === 0 ? [null, null, i] : ['2024-02-29', '0.125', i]))
  const batches = [batchFromRows(schema, rows), batchFromRows(schema, rows.slice(0, 2))]
  async function* stream() {
    yield* batches
  }
  const shown = withDisplay({ schema, batches: stream() }, { locale: 'en-US', timezone: 'UTC' })
  t.same(
    shown.schema.map(({ name, role }) => [name, role]),
    [
      ['Day', 'dimension'],
      ['Share', 'measure'],
      ['Share (formatted)', 'measure'],
      ['Day (formatted)', 'display'],
      ['Share (formatted 2)', 'display'],
    ],
  )
  let count = 0
  for await (const batch of shown.batches) {
    for (const row of [0, batch.rowCount - 1]) {
      const values = batch.columns.map((column, index) => valueAt(column, row, batch.schema[index]!.type))
      const [day, share] = row % 3 === 0 ? [null, null] : ['2024-02-29', '0.125']
      t.same(values, [day, share, BigInt(row), day && '29 Feb', share && '12.5%'])
    }
    count += batch.rowCount
  }
  t.equal(count, 5002)
})
