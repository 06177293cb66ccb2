import { columnFromArray, decimal as decimalType, int64, tableFromColumns, tableToIPC } from '@uwdata/flechette'
import t from 'tap'
import { formatterFor } from '../results/format-value.js'
import { sortRows } from '../results/sort-rows.js'
import { decimal, readArrow } from './read-arrow.js'

t.test('integers and decimals of any length are read without loss', async (t) => {
  const ids = [9007199254740991n, -9007199254740993n, null, 1n]
  const sums = [1234567890123456789012345n, -5n, null, 1200n]
  const table = tableFromColumns({
    Id: columnFromArray(ids, int64(), { useBigInt: true }),
    Sum: columnFromArray(sums, decimalType(38, 2), { useDecimalInt: true }),
  })
  const { columns } = readArrow(tableToIPC(table, { format: 'stream' })!, { serverMs: 0, began: 0 })
  const [id, sum] = columns
  t.same(
    ids.map((_, row) => id!.at(row)),
    [9007199254740991, -9007199254740993n, null, 1],
  )
  t.same(
    sums.map((_, row) => sum!.at(row)),
    ['12345678901234567890123.45', -0.05, null, 12],
  )
  const shown = formatterFor({ type: 'decimal(38, 2)', role: 'measure' }, { locale: 'en-US', timezone: 'UTC' })
  t.equal(shown(sum!.at(0)), '12,345,678,901,234,567,890,123.45')
  t.same([...sortRows(4, { ...sum!, type: 'decimal(38, 2)' }, false)], [1, 3, 0, 2])
})

t.test('decimals that differ only in their last digits keep their order', async (t) => {
  const units = [10000000000000000002n, 10000000000000000001n, 3n]
  const column = { type: 'decimal(20, 0)', at: (row: number) => decimal(units[row], 0), orderAt: (row: number) => units[row] }
  t.same([...sortRows(3, column, false)], [2, 1, 0])
})

t.test('the digits of a decimal are written with its point', async (t) => {
  const cases = [
    [0n, 2, 0],
    [-1n, 3, -0.001],
    [123456789012345678n, 4, '12345678901234.5678'],
    [100000000000000000000n, 0, 100000000000000000000],
    [-12345678901234567890n, 20, '-0.12345678901234567890'],
    [15, 1, 1.5],
    [null, 1, null],
  ] as const
  for (const [units, scale, value] of cases) t.equal(decimal(units, scale), value)
})
