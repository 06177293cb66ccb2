/** The first or the last day that filters leave of a calendar table, read from other rows. */
import t from 'tap'
import { aggregateQuery, contextOf } from '../../../test/support/bound.js'
import { BUDGETS, shopWith } from '../../../test/support/models.js'
import { said, saidJoins } from '../../../test/support/said.js'
import { INT } from '../model/data-type.js'
import type { PeriodEndLeaf } from '../resolve/resolved-query.js'
import { readPeriodEnd } from './read-period-end.js'
import { rowsOf } from './rows.js'

const model = shopWith(BUDGETS)
const context = contextOf(model)
const [condition] = aggregateQuery(
  { select: { measures: ['Budget'] }, where: [{ field: 'Year No', op: 'eq', value: 2024 }] },
  model,
).where
const leaf: PeriodEndLeaf = {
  kind: 'where-period-end',
  end: 'last',
  calendar: 'Dates',
  day: 'Day',
  filter: condition!.expression,
}

t.test('a day of the calendar that meets the filter', async (t) => {
  const read = readPeriodEnd(rowsOf(context, 'Budgets', { isBase: true }), leaf)
  t.match(read, {
    kind: 'period-end',
    node: 'Budgets',
    end: 'last',
    type: { kind: 'date' },
    label: { from: 'Budgets', to: 'Dates' },
  })
  t.same(
    read.days.where.map((one) => said(one)),
    ['(Dates.year_no = 2024)'],
  )
  t.equal(said(read.days.day), 'Dates.day')
  t.same(saidJoins(read.days.rows), [], 'the calendar alone')
  t.equal(readPeriodEnd(rowsOf(context, 'Budgets'), { ...leaf, end: 'first' }).end, 'first')
})

t.test('only columns of the calendar say which days', async (t) => {
  const nested = { ...leaf, filter: { kind: 'is-null', operand: leaf } as const }
  t.throws(() => readPeriodEnd(rowsOf(context, 'Budgets'), nested), { code: 'INTERNAL_ERROR' })
  t.equal(leaf.filter.kind === 'binary' && leaf.filter.right.kind === 'literal' && leaf.filter.right.type.kind, INT.kind)
})
