/** The object whose rows come first in a plan. */
import t from 'tap'
import { aggregate, column, combined, joinTo, leg, project, scan } from '../../../test/support/plans.js'
import { baseOf } from './base.js'

t.test('it is that of the first rows', async (t) => {
  t.equal(baseOf(scan('orders')), 'orders')
  t.equal(baseOf(aggregate(joinTo(scan('orders'), 'customers', column('orders', 'c')), [], [])), 'orders')
  t.equal(baseOf(combined([], [leg(project(scan('visits'), []), []), leg(scan('orders'), [])])), 'visits')
})

t.test('rows without an object are called what they are', async (t) => {
  t.equal(baseOf(project({ kind: 'numbers', alias: 'digits', names: ['n'], places: [1] }, [])), 'numbers')
})
