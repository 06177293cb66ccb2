/** What the detail rows of an answer show, read from rows that are computed before. */
import t from 'tap'
import { rowColumn } from '../../../test/support/plans.js'
import { wordsOf } from '../../../test/support/relations.js'
import { said } from '../../../test/support/said.js'
import { isShown, SHOWN, shownTuples } from './shown-tuples.js'

t.test('each tuple of the dimensions once', async (t) => {
  const plan = shownTuples('tuples', [rowColumn('Region'), rowColumn('Day')])
  t.match(plan, { kind: 'distinct', alias: 'tuples', input: { kind: 'measured-rows', of: SHOWN } })
  const { alias } = plan.input as { readonly alias: string }
  t.equal(wordsOf(alias), 'all_shown in tuples')
  t.same(
    plan.columns.map(({ name, expression }) => `${name} = ${said(expression)}`),
    ['Region = all_shown.Region', 'Day = all_shown.Day'],
  )
})

t.test('they are told from what is computed for columns of objects', async (t) => {
  t.ok(isShown({ of: SHOWN }))
  t.notOk(isShown({ of: 'Customers' }))
})
