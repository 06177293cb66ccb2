/** A condition that the model declares, over the columns as they are read. */
import t from 'tap'
import { contextOf } from '../../../test/support/bound.js'
import { shop, shopWith } from '../../../test/support/models.js'
import { said } from '../../../test/support/said.js'
import type { ModelCondition } from '../model/semantic-model.js'
import { modelCondition } from './model-condition.js'
import { relationColumn } from './relation-column.js'
import { columnOf } from './resolved-query.js'

const status = (value: string) => ({ field: 'Orders.Status', op: 'equals', value })

/** The condition of a measure, as it is declared. */
function conditionOf(...filters: readonly object[]): string {
  const columns = [{ dataObject: 'Orders', column: 'Amount' }]
  const model = shopWith({ measures: { Some: { aggregation: 'sum', columns, filters } } })
  return told(model.measures.get('Some')?.filters ?? [])
}

const told = (conditions: readonly ModelCondition[]): string =>
  conditions
    .map((one) =>
      said(modelCondition(one, (ref) => relationColumn(ref.object, ref.column, columnOf(shop, ref).type), contextOf(shop))),
    )
    .join(' and ')

t.test('a comparison', async (t) => {
  t.equal(conditionOf(status('paid')), "(Orders.Status = 'paid')")
})

t.test('an expression', async (t) => {
  t.equal(conditionOf({ expression: '{[Orders].[Amount]} > 5' }), '(Orders.Amount > 5)')
})

t.test('a group is true if all of it is, or any, or not', async (t) => {
  const filters = [status('paid'), status('sent')]
  t.equal(conditionOf({ logic: 'and', filters }), "((Orders.Status = 'paid') and (Orders.Status = 'sent'))")
  t.equal(conditionOf({ logic: 'or', filters }), "((Orders.Status = 'paid') or (Orders.Status = 'sent'))")
  t.equal(conditionOf({ logic: 'or', negated: true, filters }), "not ((Orders.Status = 'paid') or (Orders.Status = 'sent'))")
})

t.test('a negative condition, and a negated group, keep the rows without a value', async (t) => {
  const other = { field: 'Orders.Status', op: 'neq', value: 'paid', orMissing: true }
  t.equal(conditionOf(other), "(not (Orders.Status = 'paid') or Orders.Status is null)")
  const group = { logic: 'or', negated: true, orMissing: true, filters: [status('paid'), { field: 'Orders.Status', op: 'set' }] }
  t.equal(conditionOf(group), "((not (Orders.Status = 'paid') or Orders.Status is null) and not Orders.Status is not null)")
})

t.test('a condition with no parts is true', async (t) => {
  t.equal(told([{ kind: 'group', logic: 'and', negated: false, filters: [] }]), 'true')
})
