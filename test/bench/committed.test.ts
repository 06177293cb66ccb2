import t from 'tap'
import { fallsBehind, withRatios } from './committed.js'
import type { Measurement } from './measurement.js'

const measured = (value: number, better: Measurement['better'] = 'less', unit = '×'): Measurement => ({
  name: 'one',
  value,
  unit,
  target: undefined,
  better,
})

t.test('a ratio that is worse by more than noise fails', async (t) => {
  t.equal(fallsBehind(measured(1.6), { one: 1 }), true)
  t.equal(fallsBehind(measured(1.35), { one: 1 }), false, 'noise')
  t.equal(fallsBehind(measured(0.5), { one: 1 }), false, 'better')
  t.equal(fallsBehind(measured(0.3, 'more'), { one: 0.7 }), true)
  t.equal(fallsBehind(measured(0.6, 'more'), { one: 0.7 }), false)
  t.equal(fallsBehind(measured(9), {}), false, 'nothing to compare with')
  t.equal(fallsBehind(measured(9, 'less', 'ms'), { one: 1 }), false, 'a time is of its machine')
})

t.test('new ratios replace old ones of the same name, and times are not stored', async (t) => {
  t.strictSame(withRatios({ two: 2, one: 3 }, [measured(1.234), { ...measured(7, 'less', 'ms'), name: 'time' }]), {
    one: 1.23,
    two: 2,
  })
})
