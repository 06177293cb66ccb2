/** Which totals can be made of the totals of parts, in every digit. */
import t from 'tap'
import { column, sumOf } from '../../../test/support/plans.js'
import { DATE, type DataType, decimal, FLOAT, INT, STRING, TIMESTAMP } from '../model/data-type.js'
import { folded, isFolding } from './folding.js'

const exact = decimal(19, 2)
const total = decimal(38, 2)
const folds = (aggregate: string, args: readonly DataType[], type: DataType = total, more: object = {}): boolean =>
  isFolding({ aggregate, type, distinct: false, ...more }, args)

t.test('a sum of exact values folds if its total has room for them', async (t) => {
  t.ok(folds('sum', [INT]))
  t.ok(folds('sum', [exact]))
  t.notOk(folds('sum', [decimal(20, 2)]), 'too many digits')
  t.notOk(folds('sum', [FLOAT]), 'the order of additions matters')
  t.notOk(folds('sum', [INT], INT), 'it may exceed the range of integers on the way')
  t.notOk(folds('sum', [INT, FLOAT]), 'each of them')
})

t.test('counts fold, but not of several columns', async (t) => {
  t.ok(folds('count', []))
  t.ok(folds('count', [STRING], INT))
  t.ok(folds('count_if', [STRING], INT))
  t.notOk(folds('count', [STRING, STRING], INT))
})

t.test('extremes of numbers and days fold', async (t) => {
  for (const type of [INT, exact, DATE]) {
    t.ok(folds('min', [type], type), type.kind)
    t.ok(folds('max', [type], type), type.kind)
  }
  for (const type of [FLOAT, STRING, TIMESTAMP, decimal(20, 2)]) t.notOk(folds('max', [type], type), type.kind)
  t.notOk(folds('max', [INT, STRING], INT))
})

t.test('nothing else folds', async (t) => {
  t.notOk(folds('avg', [INT]))
  t.notOk(folds('sum', [INT], total, { distinct: true }))
  t.notOk(folds('count', [], INT, { onlyWith: column('orders', 'paid') }), 'NULL without a row')
})

t.test('the total of counts is their sum', async (t) => {
  const part = column('groups', 'n')
  t.match(folded(sumOf('n', part, { aggregate: 'count' }), part), { name: 'n', aggregate: 'sum', args: [part] })
  t.match(folded(sumOf('n', part, { aggregate: 'count_if' }), part), { aggregate: 'sum' })
  t.match(folded(sumOf('n', part, { aggregate: 'min' }), part), { aggregate: 'min' })
})
