/** Averages from sums and counts. */
import t from 'tap'
import { aggregate, column, named, scan } from '../../../test/support/plans.js'
import { said } from '../../../test/support/said.js'
import { FLOAT, INT, STRING } from '../model/data-type.js'
import { plainAggregate } from './logical-plan.js'
import { partsOfAverages, withAverages } from './parts-of-averages.js'

const pieces = column('orders', 'pieces')
const mean = plainAggregate('mean', 'avg', [pieces], FLOAT)
const most = plainAggregate('most', 'max', [pieces], INT)
const ofInts = () => [INT]

t.test('an average of integers is its sum by its count, under names that nothing else has', (t) => {
  const other = plainAggregate('mean (sum)', 'max', [pieces], INT)
  const { calls, averages } = partsOfAverages([mean, other], ofInts)
  t.same(
    calls.map((call) => `${call.name} = ${call.aggregate}`),
    ['mean (sum)_2 = sum', 'mean (count) = count', 'mean (sum) = max'],
  )
  t.equal(averages.length, 1)
  t.end()
})

t.test('an average of doubles, of different values, or under another rule stays', (t) => {
  for (const call of [{ ...mean, distinct: true }, most]) t.same(partsOfAverages([call], ofInts).calls, [call])
  t.same(partsOfAverages([mean], () => [FLOAT]).calls, [mean])
  t.same(partsOfAverages([mean], () => [INT, FLOAT]).calls, [mean], 'one of its inputs')
  t.same(partsOfAverages([{ ...mean, onlyWith: column('orders', 'paid') }], ofInts).calls.length, 1)
  t.end()
})

t.test('the columns are those of the aggregation, in their order', (t) => {
  const keys = [named('shop', column('orders', 'shop', STRING), STRING)]
  const whole = aggregate(scan('orders'), keys, [mean, most])
  const { calls, averages } = partsOfAverages(whole.aggregates, ofInts)
  const parts = { ...whole, aggregates: calls }
  const found = withAverages(parts, averages, whole)
  if (found.kind !== 'project') return t.fail(found.kind)
  t.same(
    found.columns.map(({ name, expression }) => `${name} = ${said(expression)}`),
    ['shop = shop', 'mean = (mean (sum) / mean (count))', 'most = most'],
  )
  t.equal(withAverages(whole, [], whole), whole)
  t.end()
})
