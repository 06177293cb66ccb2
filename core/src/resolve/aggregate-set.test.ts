/** The aggregates of a row set, each once, and how they are read. */
import t from 'tap'
import { rowSetContext } from '../../../test/support/bound.js'
import { shopWith } from '../../../test/support/models.js'
import { said } from '../../../test/support/said.js'
import { AggregateSet, levelOf, modifiedKey, modifiedName, whereTimeIs } from './aggregate-set.js'
import { integer } from './expressions.js'
import type { Modifier } from './modifiers.js'

const model = shopWith({
  measures: { Zero: { aggregation: 'sum', columns: [{ dataObject: 'Orders', column: 'Amount' }], defaultValue: 0 } },
})
const context = rowSetContext(
  { select: { dimensions: ['Region', 'Day:month'], measures: ['Sales'] }, where: [{ field: 'Region', op: 'set' }] },
  model,
)
const measure = (name: string) => model.measures.get(name)!
const ask = (contributesRows: boolean) => ({ contributesRows, path: '', modifier: undefined })

t.test('an aggregate is made once, and contributes rows if anything that asks for it does', async (t) => {
  const set = new AggregateSet(context)
  const first = set.of(measure('Sales'), ask(false))
  t.equal(set.of(measure('Sales'), ask(true)), first)
  t.same(
    set.all.map(({ name, contributesRows }) => [name, contributesRows]),
    [['Sales', true]],
  )
  t.match(first, { base: 'Orders', emptyIsZero: false, dimensions: { length: 2 }, conjuncts: { length: 1 } })
})

t.test('a coarser one is grouped by its grain, and sees what decides its groups', async (t) => {
  const set = new AggregateSet(context)
  t.match(set.of(measure('Sales of Region'), ask(true)), { dimensions: [{ label: 'Region' }], conjuncts: { length: 1 } })
  t.match(set.of(measure('Sales of All'), ask(true)), { dimensions: [], emptyIsZero: false })
})

t.test('a value is read with its default', async (t) => {
  const set = new AggregateSet(context)
  t.equal(said(set.read(set.of(measure('Zero'), ask(true)))), 'coalesce(Zero, 0)')
  t.equal(said(set.read(set.of(measure('Order Count'), ask(true)))), 'Order Count')
})

t.test('modified aggregates have names and levels', async (t) => {
  const modifier = { key: 'k', label: 'before' } as Modifier
  t.equal(modifiedName('Sales', modifier), 'Sales (before)')
  t.equal(modifiedName('Sales', undefined), 'Sales')
  t.equal(modifiedKey('Sales', undefined), 'Sales')
  const [region, month] = context.dimensions
  t.equal(levelOf(context.dimensions, undefined), context.dimensions)
  t.same(levelOf(context.dimensions, { ...modifier, ranged: { without: [month!], times: [month!], isMoved: true } }), [region])
  t.equal(said(whereTimeIs(month!, integer(1))), 'case Day:month is not null: 1')
})
