/** Two facts are joined by their keys; which one has every row that is kept is tested beside `leadingLeg`. */
import t from 'tap'
import {
  aggregate,
  column,
  combined,
  factsOf,
  leg,
  limited,
  named,
  own,
  project,
  rowColumn,
  scan,
  shared,
  sumOf,
} from '../../../../test/support/plans.js'
import type { Combine, LogicalPlan } from '../logical-plan.js'
import { joinedFacts } from './joined-facts.js'

const keys = [rowColumn('Key')]
const fact = (name: string) => aggregate(scan(name), [named('Key', column(name, 'key'))], [sumOf(name, column(name, 'n'))])
const [a, b, c] = [leg(fact('A'), ['A']), leg(fact('B'), ['B']), leg(fact('C'), ['C'])]
const ofRows = (input: LogicalPlan) => leg(project(input, [named('Key', own('Key'))]), ['C'])
const beside = { contributesRows: false }
const rewritten = (facts: Combine): LogicalPlan | undefined => joinedFacts.rewrite(limited(facts), factsOf())
const madeOf = (facts: Combine): Combine | undefined => {
  const plan = rewritten(facts)
  return plan?.kind === 'limit' && plan.input.kind === 'combine' ? plan.input : undefined
}

for (const [title, facts, making] of [
  ['two facts meet', combined(keys, [a, b]), [0, 1]],
  ['one that makes all rows has the values of the other', combined(keys, [{ ...a, ...beside }, b]), [1]],
  ['two that make rows have the values of a third', combined(keys, [a, { ...b, ...beside }, c]), [0, 2]],
  ['three that make rows are united', combined(keys, [a, b, c]), undefined],
  ['facts of one row each have no keys', combined([], [a, b]), undefined],
  ['facts that are joined already', combined(keys, [a, b], { making: [0, 1] }), undefined],
  ['rows of an answer that is computed anyway are united', combined(keys, [a, ofRows(shared(fact('C'), keys))]), undefined],
  ['other projected rows are joined', combined(keys, [a, ofRows(fact('C'))]), [0, 1]],
] as const)
  t.test(title, async (t) => {
    const made = madeOf(facts)
    t.same(made?.making, making)
    t.same(made && { ...made, making: undefined, reason: '' }, making && { ...facts, making: undefined }, 'nothing else changes')
    if (making) t.match(made?.reason, making.length === 1 ? 'one has every row' : 'the rows of two meet')
  })

t.test('facts that other rows are joined to have one name, so they are united', async (t) => {
  const label = { from: '', to: '', columns: [], reason: '' }
  const join: LogicalPlan = { kind: 'join', type: 'left', left: combined(keys, [a, b]), right: scan('D'), on: [], label }
  t.equal(joinedFacts.rewrite(join, factsOf()), undefined)
})

t.test('a plan without facts is left alone', async (t) => t.equal(joinedFacts.rewrite(limited(fact('A')), factsOf()), undefined))
