/** Which rows connect with those of a base: in which order, on which link, and which need a separate relation. */
import t from 'tap'
import { contextOf } from '../../../test/support/bound.js'
import { joining, MATCHING_RETURNS, manyToOne, PARCELS_AND_LABELS, SHOPS, shopWith } from '../../../test/support/models.js'
import { said } from '../../../test/support/said.js'
import type { SemanticModel } from '../model/semantic-model.js'
import { JoinGraph } from '../resolve/join-graph.js'
import type { Bridge } from './bridge.js'
import { type BridgesRead, bridgesBeside } from './bridges.js'
import { rowsOf } from './rows.js'

const model = shopWith(PARCELS_AND_LABELS)
const SHARE = [{ bridge: 'Order Labels', column: 'Share' }]

function beside(base: string, nodes: readonly string[], more: Partial<BridgesRead> = {}, of: SemanticModel = model) {
  const rows = rowsOf(contextOf(of), base, { isBase: true })
  return bridgesBeside(rows, { bridges: new Set(nodes), separate: new Set(), ...more })
}
const only = (...asked: Parameters<typeof beside>): Bridge => beside(...asked)[0]!

/** Each bridge after its parent: `*` for a separate relation, `=` if equal rows are one. */
const told = (bridges: readonly Bridge[]): readonly string[] =>
  bridges.map((b) => `${b.parent?.node ?? b.to.object} < ${b.node}${b.alias === undefined ? '' : '*'}${b.distinct ? '=' : ''}`)

t.test('a block without bridges', async (t) => t.same(beside('Orders', []), []))

t.test('a bridge is joined to the base, or to the nearest bridge that it reaches', async (t) => {
  t.same(told(beside('Orders', ['Items'])), ['Orders < Items'])
  t.same(told(beside('Orders', ['Items', 'Parcels'])), ['Orders < Items', 'Items < Parcels'])
  t.same(told(beside('Orders', ['Parcels', 'Items'])), ['Orders < Items', 'Items < Parcels'], 'a parent is first')
  t.same(told(beside('Customers', ['Parcels', 'Orders', 'Items'])), ['Customers < Orders', 'Orders < Items', 'Items < Parcels'])
})

t.test('a declared bridge is joined to what both reach', async (t) => {
  const link = only('Items', ['Order Labels'])
  t.equal(link.to.object, 'Orders')
  t.equal(link.to.role.object, 'Orders')
})

t.test('a row that nothing connects has one that is NULL in what links it', async (t) => {
  t.equal(only('Orders', ['Items']).rows.root.presentBy, 'Order Id')
  const distant = only('Customers', ['Items'])
  t.same(
    distant.link.map(({ to }) => to),
    ['Orders', 'Customers'],
  )
  t.equal(distant.rows.root.presentBy, undefined, 'a separate relation is there or not as a whole')
})

t.test('bridges side by side are relations, of which equal rows are one', async (t) => {
  t.same(told(beside('Customers', ['Orders', 'Returns'])), ['Customers < Orders*=', 'Customers < Returns*='])
  t.same(told(beside('Customers', ['Orders', 'Returns'], { fanOut: true })), ['Customers < Orders*', 'Customers < Returns*'])
  t.same(told(beside('Customers', ['Orders', 'Items', 'Returns'])), [
    'Customers < Orders*=',
    'Orders < Items*=',
    'Customers < Returns*=',
  ])
})

t.test('other bridges are relations if they are more than rows of one object', async (t) => {
  t.same(told(beside('Orders', ['Items'], { separate: new Set(['Items']) })), ['Orders < Items*'], 'an exists is tested on them')
  t.same(told(beside('Orders', ['Items', 'Parcels'], { separate: new Set(['Items']) })), ['Orders < Items*', 'Items < Parcels*'])
  t.same(told(beside('Orders', ['Items', 'Parcels'], { separate: new Set(['Parcels']) })), ['Orders < Items', 'Items < Parcels*'])
  t.same(told(beside('Customers', ['Items'])), ['Customers < Items*'], 'they join the base through others')
  const filtered = (dataObject: string, column: string) =>
    shopWith(PARCELS_AND_LABELS, { filters: [{ dataObject, column, operator: '!=', value: 7 }] })
  t.same(told(beside('Orders', ['Items'], {}, filtered('Items', 'Id'))), ['Orders < Items'], 'a filter on their own columns')
  t.same(told(beside('Orders', ['Order Labels'], {}, filtered('Labels', 'Id'))), ['Orders < Order Labels*'], 'on what they join')
})

t.test('a bridge with weights has them as they are if it is alone, and else their sums', async (t) => {
  const alone = only('Orders', ['Order Labels'], { weights: SHARE })
  t.match(alone, { alias: undefined, distinct: false, weight: { sum: undefined, type: { kind: 'float' } } })
  t.equal(alone.weight && said(alone.weight.expression), 'Order Labels.share')
  const [items, labels] = beside('Orders', ['Items', 'Order Labels'], { weights: SHARE })
  t.match(items, { distinct: true, weight: undefined })
  t.match(labels, { distinct: false, weight: { sum: 'weight' } }, 'equal rows are one with the sum of their weights')
  t.ok(labels?.alias)
  const chained = beside('Orders', ['Items', 'Parcels'], { weights: [{ bridge: 'Items', column: 'Quantity' }] })
  t.same(told(chained), ['Orders < Items*', 'Items < Parcels*'], 'also with another bridge behind it')
  t.equal(only('Orders', ['Items'], { weights: SHARE }).weight, undefined, 'the weights of another')
})

t.test('two equally near bridges are refused', async (t) => {
  const both = shopWith(PARCELS_AND_LABELS, {
    dataObjects: {
      Visits: {
        code: 'visits',
        columns: { Id: { code: 'id', abstractType: 'int', primaryKey: true } },
        joins: [manyToOne('Orders', 'Id')],
      },
      Parcels: { joins: [manyToOne('Items', 'Item'), manyToOne('Visits', 'Id')] },
    },
  })
  t.throws(() => beside('Orders', ['Items', 'Visits', 'Parcels'], {}, both), {
    code: 'AMBIGUOUS_JOIN',
    message: "'Parcels' joins 'Orders' through 'Items' and through 'Visits'; query them separately",
  })
  t.doesNotThrow(() => beside('Orders', ['Items', 'Parcels'], {}, shopWith(PARCELS_AND_LABELS)))
})

t.test('a bridge with several paths to its target is refused, with what chooses one', async (t) => {
  const through = (more: object) =>
    shopWith({
      dataObjects: {
        Shops: SHOPS,
        Orders: { joins: [manyToOne('Customers', 'Customer Id', more), manyToOne('Shops', 'Id')] },
      },
    })
  t.throws(() => beside('Regions', ['Orders'], {}, through({})), {
    code: 'AMBIGUOUS_JOIN',
    message: "'Orders' joins 'Regions' through 'Customers' or 'Shops'; declare a join from 'Orders' to 'Regions'",
  })
  const twice = shopWith(
    joining(
      'Orders',
      manyToOne('Customers', 'Customer Id', { pathName: 'buyer' }),
      manyToOne('Customers', 'Payer Id', { pathName: 'payer' }),
    ),
  )
  t.throws(() => beside('Customers', ['Orders'], {}, twice), {
    message: /through 'buyer' or 'payer'; choose a path with use_path_names/,
    details: { hint: /'buyer' from 'Orders' to 'Customers'/ },
  })
  const pinned = {
    ...contextOf(twice),
    graph: new JoinGraph(twice, [{ source: 'Orders', target: 'Customers', pathName: 'buyer', path: '' }]),
  }
  t.doesNotThrow(() => bridgesBeside(rowsOf(pinned, 'Customers'), { bridges: new Set(['Orders']), separate: new Set() }))
  const elsewhere = shopWith(
    joining(
      'Orders',
      manyToOne('Customers', 'Customer Id'),
      manyToOne('Customers', 'Payer Id'),
      manyToOne('Regions', 'Id', { pathName: 'near', secondary: true }),
    ),
  )
  t.throws(
    () => beside('Regions', ['Orders'], {}, elsewhere),
    { message: /declare a join/ },
    'a secondary join has another meaning',
  )
})

t.test(
  'of a many-to-many pair, the side that is joined from outside is not scanned, and its filters are tested where it is joined',
  async (t) => {
    const filters = ['Regions', 'Returns'].map((dataObject) => ({ dataObject, column: 'Id', operator: '!=', value: 7 }))
    const pairs = shopWith(MATCHING_RETURNS, { filters })
    const [name = ''] = contextOf(pairs).graph.pairs.keys()
    const fromCustomers = only('Customers', [name], {}, pairs)
    t.equal(fromCustomers.rows.root.object, 'Returns')
    t.equal(fromCustomers.rows.root.presentBy, 'Customer Id')
    t.same(fromCustomers.conditions.map(said), ['not (Returns.id = 7)'])
    t.same(fromCustomers.conditionsOnTarget.map(said), [], 'the base has its own filters')
    const fromReturns = only('Returns', [name], {}, pairs)
    t.equal(fromReturns.rows.root.object, 'Customers')
    t.equal(fromReturns.rows.root.presentBy, 'Id')
    t.same(fromReturns.conditions.map(said), ['not (Regions.id = 7)'])
  },
)

t.test('a condition on what the outer rows reach by another path is tested there, and the others are not', async (t) => {
  const codes = shopWith(MATCHING_RETURNS, {
    dataObjects: {
      Returns: {
        columns: { Region: { code: 'region_id', abstractType: 'int' } },
        joins: [manyToOne('Regions', 'Region'), manyToOne('Shops', 'Id')],
      },
      Shops: SHOPS,
    },
    filters: [{ dataObject: 'Regions', column: 'Id', operator: '!=', value: 7 }],
  })
  const [name = ''] = contextOf(codes).graph.pairs.keys()
  const { conditions, conditionsOnTarget } = only('Returns', [name], {}, codes)
  t.same(conditions.map(said), ['not (Regions.id = 7)'], 'of the customers')
  t.same(
    conditionsOnTarget.map(said),
    ['not (Regions.id = 7)'],
    'by way of the shop: the path rule of returns took their own join',
  )
})
