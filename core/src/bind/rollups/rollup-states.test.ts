/** Whether a table may be read now, and how old an answer is that reads it. */
import t from 'tap'
import { tables } from '../../../../test/support/rollups.js'
import { type RollupState, readBuilds, withObjects, withStates } from './rollup-states.js'
import type { RollupVerdict } from './rollup-verdicts.js'

const built: RollupState = { kind: 'built', build: 'b1', asOf: '2025-01-01T00:00:00Z', objects: ['Orders', 'Customers'] }
const stale: RollupState = { kind: 'unusable', reason: 'STALE', says: 'its facts have changed' }
const verdict: RollupVerdict = { rollup: 'Daily', measures: ['Sales'], others: [], reason: null, field: null, says: null }
const held: RollupVerdict = {
  ...verdict,
  measures: [],
  others: ['Sales'],
  reason: 'NEEDS_ROWS',
  field: 'Sales',
  says: 'needs rows',
}

t.test('the builds of a statement, of which nothing may be known', async (t) => {
  t.same(readBuilds(['Daily', 'Weekly'], tables, new Map([['Daily', built]])), [
    { rollup: 'Daily', object: 'Orders', build: 'b1', asOf: '2025-01-01T00:00:00Z', objects: ['Orders', 'Customers'] },
    { rollup: 'Weekly', object: 'Orders', build: '', asOf: '', objects: [] },
  ])
  t.match(readBuilds(['Daily'], tables, new Map([['Daily', stale]])), [{ build: '' }])
  t.match(readBuilds(['Daily'], tables, undefined), [{ build: '' }])
})

t.test('an answer is as old as the objects from which its builds were made', async (t) => {
  const builds = readBuilds(['Daily'], tables, new Map([['Daily', built]]))
  t.same(withObjects(['Regions', 'Orders'], builds), ['Customers', 'Orders', 'Regions'])
  t.same(withObjects(['Regions', 'Orders'], []), ['Regions', 'Orders'])
})

t.test('a verdict says what a table does not hold before it says why it is not read now', async (t) => {
  const state = (one: RollupVerdict, known: RollupState, read: readonly string[] = []) =>
    withStates([one], read, new Map([['Daily', known]]))[0]
  t.match(state(verdict, built, ['Daily']), { read: true, reason: null, build: 'b1', as_of: '2025-01-01T00:00:00Z' })
  t.match(state(verdict, built), { read: false, build: 'b1' })
  t.match(state(verdict, stale), { read: false, reason: 'STALE', says: 'its facts have changed', build: null, as_of: null })
  t.match(state(held, stale), { reason: 'NEEDS_ROWS', says: 'needs rows', build: null })
  t.match(withStates([held], [], undefined), [{ reason: 'NEEDS_ROWS', build: null, as_of: null, read: false }])
})
