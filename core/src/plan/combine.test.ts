/** Facts side by side: one is alone, those with keys meet by them, and those of one row each are joined. */
import t from 'tap'
import { aggregate, leg, rowColumn, scan } from '../../../test/support/plans.js'
import { combine } from './combine.js'

const [a, b, c] = ['A', 'B', 'C'].map((base) => ({ ...leg(aggregate(scan(base), [], []), [base]), base })) as [
  never,
  never,
  never,
]
const inputOf = (one: { readonly input: unknown }): unknown => one.input

t.test('one fact is its own rows', async (t) => {
  t.equal(combine([rowColumn('Key')], [a]), inputOf(a))
  t.equal(combine([], [a]), inputOf(a))
})

t.test('facts with keys are combined', async (t) => {
  const made = combine([rowColumn('Key')], [a, b])
  t.match(made, { kind: 'combine', keys: [rowColumn('Key')], legs: [{ values: [{ name: 'A' }] }, { values: [{ name: 'B' }] }] })
})

t.test('facts without keys are one row each, joined in their order', async (t) => {
  const made = combine([], [a, b, c])
  t.match(made, {
    kind: 'join',
    type: 'cross',
    left: { kind: 'join', type: 'cross', left: inputOf(a), right: inputOf(b) },
    right: inputOf(c),
    on: [],
  })
})
