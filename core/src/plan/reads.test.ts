/** Which columns of objects a plan may read. */
import t from 'tap'
import {
  above,
  aggregate,
  column,
  filter,
  joinTo,
  lookup,
  named,
  own,
  project,
  scan,
  sumOf,
} from '../../../test/support/plans.js'
import type { LogicalPlan } from './logical-plan.js'
import { readsOf } from './reads.js'

const scans = new Map([
  ['t', 'Things'],
  ['other', 'Things'],
  ['u', 'Units'],
])
/** Of the things, and of the units. */
const read = (plan: LogicalPlan): readonly boolean[] => ['Things', 'Units'].map((object) => readsOf(plan, scans)(object, 'n'))

t.test('columns in any expression of any node', async (t) => {
  t.same(read(scan('t')), [false, false])
  t.same(read(filter(scan('t'), above(column('t', 'n')))), [true, false])
  t.same(read(filter(scan('t'), above(column('t', 'm')))), [false, false])
  t.same(read(aggregate(joinTo(scan('t'), 'u', column('t', 'id')), [], [sumOf('x', column('u', 'n'))])), [false, true])
  t.same(read(project(lookup(scan('t'), filter(scan('u'), above(column('u', 'n'))), []), [])), [false, true])
})

t.test('a column is one of its object, under whatever name the object is read', async (t) => {
  t.same(read(filter(scan('t'), above(column('other', 'n')))), [true, false])
})

t.test('a column of a relation that is no object, or of none, may be one of any object', async (t) => {
  t.same(read(project(scan('t'), [named('x', own('n'))])), [true, true])
  t.same(read(project(scan('t'), [named('x', column('made', 'n'))])), [true, true])
})
