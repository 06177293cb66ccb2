/** The base rows that convert: their entity and time are looked up among the events that later ones follow. */
import t from 'tap'
import { aggregateQuery, contextOf } from '../../../test/support/bound.js'
import { shopWith } from '../../../test/support/models.js'
import { said, saidTerms } from '../../../test/support/said.js'
import { bindBlock } from './bind-block.js'
import { blockRequests } from './block-requests.js'
import type { BoundEvents } from './bound-block.js'
import { converts } from './conversion.js'
import { rowsOf } from './rows.js'

const model = shopWith({ dimensions: { 'Order Day': { dataObject: 'Orders', column: 'Day' } } })
const context = contextOf(model)
const [planned] = blockRequests(aggregateQuery({ select: { dimensions: ['Customer', 'Day'], measures: ['Order Count'] } }, model))
const { request } = planned!
const block = bindBlock(request, context)
const events = { alias: 'base', block: { ...block, dimensions: request.dimensions } } as unknown as BoundEvents
const later = { ...events, alias: 'later' }
const rows = rowsOf(context, 'Orders', { isBase: true })
const seven = { unit: 'day', count: 7, of: 'Converted' } as unknown as Parameters<typeof converts>[1]

t.test('a conversion is looked up by its entity and time', async (t) => {
  const { join, condition } = converts(rows, seven, events, [later])
  t.match(join, { type: 'left', right: { kind: 'converted', conversion: { unit: 'day', count: 7 }, base: events, next: later } })
  const { alias } = join.right as { readonly alias: string }
  t.match(saidTerms(join.on), /^\(\(Customers\.name = .*\.Customer\) and \(Orders\.day = .*\.Day\)\)$/)
  t.match(said(condition), /\.hit is not null$/)
  t.match(alias, /converted/)
  t.match(join.label, { from: 'Orders', columns: ['Customer', 'Day'], reason: 'whether the event converts' })
})

t.test('further steps are looked up in order', async (t) => {
  const { join } = converts(rows, { ...seven, inOrder: true }, events, [later, later])
  t.match(join.right, { kind: 'passed', window: { unit: 'day', count: 7 }, steps: [events, later, later] })
  t.match(join.label, { reason: 'whether the entity takes the further steps' })
})

t.test('the column that says so has a name that no dimension has', async (t) => {
  const hit = { ...request.dimensions[0]!, name: 'hit' }
  const own = { ...events, block: { ...events.block, dimensions: [hit] } } as BoundEvents
  const { join } = converts(rows, seven, own, [later])
  t.not((join.right as { readonly hit: string }).hit, 'hit')
})
