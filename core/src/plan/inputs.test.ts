/** What nodes read, and nodes that read something else. */
import t from 'tap'
import {
  above,
  aggregate,
  column,
  combined,
  distinct,
  filter,
  joinTo,
  leg,
  limited,
  lookup,
  project,
  scan,
  shared,
} from '../../../test/support/plans.js'
import { inputsOf, mapPlans, withInputs } from './inputs.js'
import type { LogicalPlan } from './logical-plan.js'

const [a, b] = [scan('a'), scan('b')] as const
const values = { kind: 'chosen', name: 'x', values: a, input: b } as LogicalPlan
const pairs = { kind: 'pairs', object: 'x', nodes: a, input: b } as LogicalPlan
const reading: readonly (readonly [plan: LogicalPlan, inputs: readonly LogicalPlan[]])[] = [
  [a, []],
  [{ kind: 'numbers', alias: 'digits', names: ['n'], places: [1] }, []],
  [{ kind: 'top-values', alias: 'top' } as LogicalPlan, []],
  [{ kind: 'measured-rows', alias: 'm' } as LogicalPlan, []],
  [{ ...joinTo(a, 'b', column('a', 'b')), right: b }, [a, b]],
  [combined([], [leg(a, []), leg(b, [])]), [a, b]],
  [{ kind: 'union', alias: 'u', inputs: [a, b], columns: [], reason: '' }, [a, b]],
  [lookup(a, b, []), [a, b]],
  [values, [a, b]],
  [{ ...values, kind: 'measured', of: 'y' } as LogicalPlan, [a, b]],
  [pairs, [a, b]],
  [filter(a, above(column('a', 'n'))), [a]],
  [project(a, []), [a]],
  [distinct(a, []), [a]],
  [aggregate(a, [], []), [a]],
  [shared(a, []), [a]],
  [limited(a), [a]],
]

for (const [plan, inputs] of reading)
  t.test(`${plan.kind} reads ${inputs.length}`, async (t) => {
    t.same(inputsOf(plan), inputs)
    const others = inputs.map((_, i) => scan(`other ${i}`))
    const changed = withInputs(plan, others)
    t.same(inputsOf(changed), others, 'in the same order')
    t.same(withInputs(changed, inputs), plan, 'and nothing else changes')
  })

t.test('a plan of which no input changes is the same one', async (t) => {
  const join = { ...joinTo(a, 'b', column('a', 'b')), right: b }
  t.equal(
    mapPlans(join, (input) => input),
    join,
  )
  t.same(
    mapPlans(join, (input) => (input === b ? a : input)),
    { ...join, right: a },
    'one of several changes',
  )
})
