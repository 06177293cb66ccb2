/** The rows of a query without measures: the objects whose rows say which values occur together. */
import t from 'tap'
import { resolved } from '../../../test/support/bound.js'
import { manyToOne, shop, shopWith } from '../../../test/support/models.js'
import { hiddenName } from '../hidden-name.js'
import type { SemanticModel } from '../model/semantic-model.js'
import type { AggregateQuery } from '../resolve/resolved-query.js'
import { tupleBases, tupleRequests } from './tuples.js'

function query(dimensions: readonly string[], more: object = {}, model: SemanticModel = shop): AggregateQuery {
  const found = resolved({ select: { dimensions }, ...more }, model)
  if (found.kind !== 'aggregate') throw new Error(found.kind)
  return found
}

function bases(...asked: Parameters<typeof query>): readonly string[] {
  const found = query(...asked)
  return tupleBases(found.dimensions, found)
}

const id = (code: string) => ({ code, abstractType: 'int' })
const several = shopWith({
  dataObjects: {
    Coupons: {
      code: 'coupons',
      columns: {
        Id: { ...id('id'), primaryKey: true },
        'Customer Id': id('customer_id'),
        Word: { code: 'word', abstractType: 'string' },
      },
      joins: [manyToOne('Customers', 'Customer Id')],
    },
    Stock: {
      code: 'stock',
      columns: { Id: { ...id('id'), primaryKey: true }, Shelf: { code: 'shelf', abstractType: 'string' } },
    },
  },
  dimensions: {
    Word: { dataObject: 'Coupons', column: 'Word' },
    Shelf: { dataObject: 'Stock', column: 'Shelf' },
    Who: { dataObject: 'Customers', column: 'Name' },
    'Who Ordered': { dataObject: 'Customers', column: 'Name', via: 'Orders' },
    'Where Ordered': { dataObject: 'Regions', column: 'Name', via: 'Orders' },
    'Who Returned': { dataObject: 'Customers', column: 'Name', via: 'Returns' },
  },
})

t.test('values are those of the object itself, and tuples those of the nearest that reaches all', async (t) => {
  t.same(bases(['Region']), ['Regions'])
  t.same(bases(['Region', 'Customer']), ['Customers'])
  t.same(bases(['Region', 'Status']), ['Orders'])
  t.same(bases(['Region', 'Product']), ['Items'])
})

t.test('an object after the way of all dimensions has their values', async (t) => {
  t.same(bases(['Who Ordered'], {}, several), ['Customers'])
  t.same(bases(['Who Ordered', 'Where Ordered'], {}, several), ['Customers'], 'on one way')
  t.same(bases(['Where Ordered', 'Who'], {}, several), ['Orders'], 'on two')
})

t.test('the query can name the object', async (t) => {
  t.same(bases(['Region'], { rows_of: 'Orders' }), ['Orders'])
  t.throws(() => bases(['Region', 'Product'], { rows_of: 'Orders' }), {
    code: 'NO_JOIN_PATH',
    path: 'select.dimensions[1]',
    message: /'Orders' does not reach 'Product' on 'Items'/,
  })
})

t.test('dimensions that nothing connects are refused, with a measure that would', async (t) => {
  t.throws(() => bases(['Region', 'Shelf'], {}, several), {
    code: 'NO_JOIN_PATH',
    message: /no data object reaches 'Region' and 'Shelf', .*; declare joins or a bridge table/,
  })
  t.throws(() => bases(['Status', 'Word'], {}, several), {
    message: /add a measure that connects them, such as 'Customer Count'/,
  })
  const hidden = hiddenName('0'.repeat(32))
  const measures = new Map([[hidden, { ...several.measures.get('Customer Count')!, name: hidden }], ...several.measures])
  const asked = () => bases(['Status', 'Word'], {}, { ...several, measures })
  t.throws(asked, { message: /such as 'Customer Count'/ }, 'one that the asker sees')
})

t.test('a calendar without bounds has no rows, and its periods are those of the facts that join it', async (t) => {
  const dated = (calendar: object, joins: readonly object[]) =>
    shopWith({
      dataObjects: { Dates: { calendar }, Returns: { joins: [manyToOne('Customers', 'Customer Id'), ...joins] } },
      dimensions: { Date: { dataObject: 'Dates', column: 'Date' } },
    })
  const byDay = [manyToOne('Dates', 'Day', { columnsTo: ['Date'] })]
  const [from, to] = ['2024-01-01', '2024-12-31']
  t.same(bases(['Date'], {}, dated({ from, to }, byDay)), ['Dates'])
  t.same(bases(['Date'], {}, dated({ grain: 'day' }, byDay)), ['Returns'])
  t.same(bases(['Date'], {}, dated({ from }, byDay)), ['Returns'], 'without an end')
  t.same(bases(['Date'], {}, dated({ to }, byDay)), ['Returns'], 'without a start')
  t.same(bases(['Date'], {}, dated({ grain: 'day' }, [])), ['Dates'], 'nothing joins it')
})

t.test('a request has the tuples of each base, with the conditions that reach it', async (t) => {
  const found = query(['Region'], { where: [{ field: 'Status', op: 'equals', value: 'paid' }], rows_of: 'Orders' })
  const [request, ...others] = tupleRequests(found.dimensions, found)
  t.same(others, [])
  t.match(request, { base: 'Orders', aggregates: [], fanOut: false, bridgeFilters: [] })
  t.same(request?.conjuncts, found.where)
})
