import t from 'tap'
import { formatterFor } from './format-value.js'

const shown = (type: string, value: unknown, locale = 'en-US') =>
  formatterFor({ type, role: 'measure' }, { locale, timezone: 'UTC' })(value)

t.test('very large and very small numbers have an exponent, and zero has no sign', async (t) => {
  const cases = [
    [1e308, '1E308'],
    [-1e-308, '-1E-308'],
    [123456789.1234568, '123,456,789.123457'],
    [-0, '0'],
    [0.000001, '0.000001'],
    [999999999999999, '999,999,999,999,999'],
    [-1.5e15, '-1.5E15'],
  ] as const
  for (const [value, text] of cases) t.equal(shown('float', value), text)
  t.equal(shown('int', 12345678901234567890n), '12,345,678,901,234,567,890', 'no digit of an integer is lost')
  t.equal(shown('float', 1234.5, 'de-DE'), '1.234,5')
})

t.test('dates and instants of any age', async (t) => {
  t.equal(shown('date', Date.UTC(1776, 6, 4)), '1776-07-04')
  t.equal(shown('date', new Date('0001-01-01T00:00:00Z').getTime()), '0001-01-01')
  t.equal(shown('date', Date.UTC(9999, 11, 31)), '9999-12-31')
  t.equal(shown('timestamp', Date.UTC(1899, 11, 31, 23, 59)), '1899-12-31 23:59')
})

t.test('the numbers of a column have equally many digits', async (t) => {
  const column = (type: string, values: readonly unknown[], role: 'measure' | 'field' = 'measure') => {
    const at = (row: number) => values[row]
    const format = formatterFor({ type, role, at }, { locale: 'en-US', timezone: 'UTC', rowCount: values.length })
    return values.map((value) => format(value))
  }
  t.same(column('float', [8119.1, 128003.84, 3]), ['8,119.10', '128,003.84', '3.00'])
  t.same(column('float', [0.30000000000000004, 12.123456789]), ['0.30', '12.12'])
  t.same(column('float', [4, 1200]), ['4', '1,200'], 'whole numbers have no point')
  t.same(column('float', [0.0123456, 0.0003]), ['0.0123', '0.0003'], 'small numbers have the digits of the largest')
  t.same(column('decimal(12, 4)', ['12345678901234567.1250', 2.5]), ['12,345,678,901,234,567.13', '2.50'])
  t.same(column('int', [1, 20000]), ['1', '20,000'])
  t.same(column('float', [1.5, 2.125], 'field'), ['1.500', '2.125'], 'rows show what is stored')
  t.same(column('float', [1e-9, 12]), ['1E-9', '12'])
})
