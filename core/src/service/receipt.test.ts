/** What a receipt says about the filters of an answer. */
import t from 'tap'
import { shopWith } from '../../../test/support/models.js'
import { parseQuery } from '../query/parse-query.js'
import { receiptOf } from './receipt.js'

t.test('filters that keep rows without a value say so', async (t) => {
  const model = shopWith({
    filters: [
      { dataObject: 'Orders', column: 'Status', operator: 'notequals', value: 'void', orMissing: true },
      { dataObject: 'Orders', column: 'Amount', operator: 'set' },
    ],
  })
  const query = parseQuery({
    select: { measures: ['Revenue'] },
    where: [
      { field: 'Status', op: '!=', value: 'paid', or_missing: true },
      { field: 'Status', op: '!=', value: 'sent' },
      { filters: [{ field: 'Status', op: 'contains', value: 'x' }], negated: true, or_missing: true },
    ],
  })
  const handle = { model, modelId: 'shop' } as Parameters<typeof receiptOf>[0]['handle']
  t.same(receiptOf({ handle, query, parameters: [], timeRanges: [], rollups: [] }, { timezone: 'UTC' }, new Date(0)).filters, [
    'Status neq "paid" or missing',
    'Status neq "sent"',
    'not (Status contains "x") or missing',
    'Orders.Status notequals "void" or missing (model)',
    'Orders.Amount set (model)',
  ])
})

t.test('a definition says its filters in words', async (t) => {
  const filters = [
    { field: 'Orders.Status', op: '!=', value: 'void' },
    { field: 'Orders.Amount', op: 'is_not_null' },
    { logic: 'or', filters: [{ field: 'Orders.Status', op: '=', value: 'paid' }] },
  ]
  const columns = [{ dataObject: 'Orders', column: 'Amount' }]
  const model = shopWith({ measures: { Kept: { aggregation: 'sum', columns, filters } } })
  const query = parseQuery({ select: { measures: ['Kept'] } })
  const handle = { model, modelId: 'shop' } as Parameters<typeof receiptOf>[0]['handle']
  const { definitions } = receiptOf(
    { handle, query, parameters: [], timeRanges: [], rollups: [] },
    { timezone: 'UTC' },
    new Date(0),
  )
  t.equal(
    definitions[0]?.definition,
    'sum(Orders.Amount), where Orders.Status != "void" and Orders.Amount is_not_null and {"logic":"or","filters":[{"field":"Orders.Status","op":"=","value":"paid"}]}',
  )
})
