/** Periods of an answer among those that have values: what is sorted together, and how far each value reaches. */
import t from 'tap'
import { canonicalPlan } from '../../../../test/support/compile.js'
import { shop } from '../../../../test/support/models.js'
import { aggregate, named, nodesIn, own, scan, sumOf } from '../../../../test/support/plans.js'
import { firstOf, onlyOf } from '../../invariant.js'
import { integer } from '../../resolve/expressions.js'
import type { PeriodWindow } from '../../resolve/resolved-query.js'
import { columnsOf } from '../columns.js'
import { overPeriods, type RunningValue } from './over-periods.js'
import { windowValuesOf } from './windows-of.js'

const plan = canonicalPlan({ select: { dimensions: ['Day:month', 'Customer'], measures: ['Running Sales'] } }, shop)
const { window, rows } = windowValuesOf(firstOf(nodesIn(plan, 'lookup')))!
const right = aggregate(scan('Orders'), [], [sumOf('Sum', own('n'))])
const value: RunningValue = { ...named('Value', own('Sum')), function: 'sum', folded: { kind: 'int' } }
const made = (change: Partial<PeriodWindow> = {}, one = value) =>
  overPeriods({ window: { ...window, ...change }, right, values: [one] }, rows)
const unionOf = (change: Partial<PeriodWindow> = {}) => onlyOf(nodesIn(made(change), 'union'))
const callOf = (change: Partial<PeriodWindow> = {}, one = value) => onlyOf(onlyOf(nodesIn(made(change, one), 'window')).calls)
const namesOf = (columns: readonly { readonly name: string }[]) => columns.map(({ name }) => name)
/** A row that shows another part of its last period. */
const elsewhere = { own: integer(1) }

for (const [title, change, columns] of [
  ['a row shows the last period of its window', {}, ['Day:month', 'Customer', 'Value', 'asked']],
  ['a row shows another time: the period is a column', elsewhere, ['Day:month', 'Customer', 'period', 'Value', 'asked']],
] as const)
  t.test(title, async (t) => {
    const { inputs, columns: all } = unionOf(change)
    t.same(namesOf(all), columns)
    for (const input of inputs) t.same(namesOf(columnsOf(input)), columns, 'the same columns in the same order')
    t.same(namesOf(made(change).columns), ['Day:month', 'Customer', 'Value'], 'and none of them is left')
  })

t.test('a period with values has no separate time if rows show other times', async (t) => {
  const kindsOf = (change: Partial<PeriodWindow>) =>
    unionOf(change).inputs.map((input) =>
      input.kind === 'project' || input.kind === 'distinct' ? input.columns[0]?.expression.kind : '',
    )
  t.same(kindsOf({}), ['column', 'column'])
  t.same(kindsOf(elsewhere), ['column', 'cast'], 'NULL')
})

t.test('the order is that of the periods', async (t) => {
  t.same(callOf().orderBy[0]?.expression, own('Day:month', window.time.type))
  t.same(callOf(elsewhere).orderBy[0]?.expression, own('period', window.period.type))
})

for (const [title, change, one, frame] of [
  ['up to the period of the row', {}, value, undefined],
  ['the last three periods', { periods: 3 }, value, { unit: 'month', back: 2 }],
  ['from the first period on, wherever the window begins', { periods: 3 }, { ...value, sinceFirst: true }, undefined],
  [
    'periods of a calendar, which have no length',
    { periods: 3, grain: { calendar: 'c', grain: 'g' } as never },
    value,
    undefined,
  ],
] as const)
  t.test(`the values of ${title}`, async (t) => t.same(callOf(change, one).frame, frame))

t.test('a value starts again with each partition, and with each longer period', async (t) => {
  t.same(callOf().partitionBy, [own('Customer', window.partition[0]!.type)])
  t.equal(callOf({ toDate: 'year' }).partitionBy.length, 2)
})
