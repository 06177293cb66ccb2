import t from 'tap'
import type { ResultSchema } from './record-batch.js'
import { rowsInOrder } from './rows-in-order.js'
import type { Value } from './value-at.js'

const schema: ResultSchema = [
  { name: 'Amount', type: { kind: 'decimal', precision: 10, scale: 2 }, role: 'dimension' },
  { name: 'Name', type: { kind: 'string' }, role: 'dimension' },
  { name: 'Number', type: { kind: 'int' }, role: 'dimension' },
]

t.test('numbers are sorted by size, texts by their units, NULLs last, and whole rows from left to right', (t) => {
  const sorted: readonly Value[][] = [
    ['-3.00', 'b', 1n],
    ['9.50', 'A', 10n],
    ['9.50', 'a', 2n],
    ['9.50', 'a', 10n],
    ['10.00', null, 1n],
    [null, 'a', null],
  ]
  t.same(rowsInOrder(sorted.toReversed(), schema), sorted)
  t.end()
})
