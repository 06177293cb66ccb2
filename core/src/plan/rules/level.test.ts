/** What a level of subtotals is, and which plans are none. */
import t from 'tap'
import {
  aggregate,
  column,
  combined,
  filter,
  joinTo,
  leg,
  limited,
  named,
  own,
  project,
  rowColumn,
  scan,
  sumOf,
} from '../../../../test/support/plans.js'
import { isNotNull } from '../../resolve/expressions.js'
import type { LogicalPlan } from '../logical-plan.js'
import { levelOf } from './level.js'

const key = named('Key', column('Orders', 'key'))
const fact = (name: string, more = {}, input: LogicalPlan = scan(name)) =>
  aggregate(input, [key], [sumOf(`Sum of ${name}`, column(name, 'n'), more)])
const orders = fact('Orders')
const answer = (input: LogicalPlan) => project(input, [named('Key', own('Key'))])
const stage = (input: LogicalPlan) => project(input, [], { stage: true })
const both = combined([rowColumn('Key')], [leg(orders, ['Sum of Orders']), leg(fact('Returns'), ['Sum of Returns'])])
const row = (name: string) => ({ ...fact(name), keys: [] })
const beside: LogicalPlan = { ...joinTo(row('Orders'), 'Returns', own('n')), type: 'cross', right: row('Returns'), on: [] }

for (const [title, rows, facts] of [
  ['one fact', orders, 1],
  ['a fact with what it refers to', fact('Orders', {}, joinTo(scan('Orders'), 'Customers', column('Orders', 'customer'))), 1],
  ['two facts', both, 2],
  ['two facts of one row each', beside, 2],
  ['a median, which not every engine has in grouping sets', fact('Orders', { aggregate: 'median' }), undefined],
  [
    'a sum and a median',
    aggregate(scan('Orders'), [key], [sumOf('Sum', own('n')), sumOf('Median', own('n'), { aggregate: 'median' })]),
    undefined,
  ],
  ['keys without a value', aggregate(scan('Orders'), [key], []), undefined],
  ['rows of another kind', limited(orders), undefined],
  ['rows of which only some count', fact('Orders', {}, limited(scan('Orders'))), undefined],
  ['one of two facts of another kind', combined([rowColumn('Key')], [leg(orders, []), leg(limited(orders), [])]), undefined],
  ['facts that are joined by a condition', { ...beside, type: 'left' }, undefined],
  ['a projection that is no stage', project(orders, []), undefined],
] as const)
  t.test(title, async (t) => {
    const level = levelOf(answer(rows))
    t.equal(level?.facts.length, facts)
    if (facts) t.equal(level?.rows, rows)
  })

t.test('its keys, and what is combined of its facts', async (t) => {
  t.same(levelOf(answer(orders))?.keys, [rowColumn('Key')])
  t.equal(levelOf(answer(orders))?.legs, undefined)
  t.same(levelOf(answer(both))?.keys, both.keys)
  t.same(
    levelOf(answer(both))?.legs,
    both.legs.map(({ input: _, ...rest }) => rest),
  )
  t.same(levelOf(answer(beside))?.keys, [])
})

t.test('what is above the rows: stages, and a condition on the answer', async (t) => {
  const [inner, having] = [stage(orders), filter(stage(stage(orders)), isNotNull(own('Sum of Orders')))]
  t.equal(levelOf(orders), undefined, 'no projection')
  const plain = levelOf(answer(orders))
  t.same([plain?.having, plain?.stages], [undefined, []])
  t.same(levelOf(answer(inner))?.stages, [inner])
  const level = levelOf(answer(having))
  t.equal(level?.having, having)
  t.same(level?.stages, [having.input, inner], 'from the top')
  t.equal(level?.rows, orders)
})
