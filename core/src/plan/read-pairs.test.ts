/** The pairs of closures that a plan reads, and what an aggregation reads besides its keys. */
import t from 'tap'
import { above, column, filter, joinTo, project, scan } from '../../../test/support/plans.js'
import type { LogicalPlan } from './logical-plan.js'
import { readPairs } from './read-pairs.js'

const pairs = (input: LogicalPlan): LogicalPlan =>
  ({ kind: 'pairs', object: 'Tree', of: 'Accounts', nodes: scan('Accounts'), input }) as LogicalPlan
const reading = filter(scan('Tree'), above(column('Tree', 'n')))

t.test('pairs that something reads stay', async (t) => {
  const plan = pairs(project(reading, []))
  t.equal(readPairs(plan), plan)
  const joined = pairs(joinTo(scan('Accounts'), 'Tree', column('Accounts', 'id')))
  t.equal(readPairs(joined), joined, 'on one side of a join')
})

t.test('pairs that nothing reads are left out, at any depth', async (t) => {
  const other = project(scan('Accounts'), [])
  t.equal(readPairs(pairs(other)), other)
  t.same(readPairs(project(pairs(other), [])), project(other, []))
  t.equal(readPairs(pairs(scan('Accounts'))).kind, 'scan', 'the rows of the tree are no pairs')
  t.equal(readPairs(reading), reading, 'a plan without pairs')
})
