/** What a receipt says about the filters of an answer. */
import t from 'tap'
import { shopWith } from '../../../test/support/models.js'
import { parseQuery } from '../query/parse-query.js'
import { receiptOf } from './receipt.js'

t.test('filters that keep rows without a value say so', async (t) => {
  const model = shopWith({
    filters: [{ dataObject: 'Orders', column: 'Status', operator: 'notequals', value: 'void', orMissing: true }],
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
  ])
})
