/** Whether a row is in no group twice, because its link and the groups are a key of the connection. */
import t from 'tap'
import { aggregateQuery, contextOf } from '../../../test/support/bound.js'
import { PARCELS_AND_LABELS, shopWith } from '../../../test/support/models.js'
import type { SemanticModel } from '../model/semantic-model.js'
import { blockRequests } from './block-requests.js'
import { connectedRows } from './connected-rows.js'
import { meetsOnce } from './meets-once.js'
import { readDimension } from './read-connected.js'

const model = shopWith({
  dataObjects: { Customers: { columns: { Line: { code: 'line', abstractType: 'int' } } } },
  dimensions: {
    'Line of Customer': { dataObject: 'Customers', column: 'Line' },
    Line: { dataObject: 'Items', column: 'Line' },
    'Order of Item': { dataObject: 'Items', column: 'Order Id' },
  },
})

function meets(
  dimensions: readonly string[],
  base = 'Orders',
  bridges: readonly string[] = ['Items'],
  of: SemanticModel = model,
  separate: readonly string[] = [],
): boolean {
  const measure = base === 'Orders' ? 'Sales' : 'Customer Count'
  const [planned] = blockRequests(aggregateQuery({ select: { dimensions, measures: [measure] } }, of))
  const connected = connectedRows(contextOf(of), { base, bridges: new Set(bridges), separate: new Set(separate) })
  return meetsOnce(
    connected,
    planned!.request.dimensions.map((d) => readDimension(connected, d)),
  )
}

t.test('an order has a line once', async (t) => {
  t.ok(meets(['Line']))
  t.ok(meets(['Line', 'Region']), 'beside other groups')
  t.ok(meets(['Line', 'Product']))
})

t.test('it can have a product several times', async (t) => {
  t.notOk(meets(['Product']))
  t.notOk(meets(['Region']), 'of its own it is in each once per item')
  t.notOk(meets(['Order of Item']), 'the line is missing')
  t.notOk(meets(['Line of Customer']), 'a column of another table with the name of one of the key')
})

t.test('without one connection there is nothing to meet, and several have no key together', async (t) => {
  t.notOk(meets(['Region'], 'Orders', []))
  const labels = shopWith(PARCELS_AND_LABELS, { dimensions: { Line: { dataObject: 'Items', column: 'Line' } } })
  t.notOk(meets(['Line'], 'Orders', ['Items', 'Order Labels'], labels))
  t.notOk(meets(['Label'], 'Orders', ['Order Labels'], labels), 'a connection without a key')
})

t.test('a way of several joins fixes no column', async (t) => {
  t.notOk(meets(['Line'], 'Customers'))
})

t.test('a connection that is a relation of its own is read under its columns', async (t) => {
  t.ok(meets(['Line'], 'Orders', ['Items'], model, ['Items']))
  t.notOk(meets(['Product'], 'Orders', ['Items'], model, ['Items']))
})
