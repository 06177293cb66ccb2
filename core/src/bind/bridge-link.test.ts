/** How rows of a bridge are linked to those they connect with, and what part of them a connection has. */
import t from 'tap'
import { contextOf } from '../../../test/support/bound.js'
import { joining, MATCHING_RETURNS, manyToOne, PARCELS_AND_LABELS, shopWith } from '../../../test/support/models.js'
import { said, saidTerms } from '../../../test/support/said.js'
import { farOf, fromTarget, linkTerms, referringColumns, weightOf } from './bridge-link.js'
import { type BridgesRead, bridgesBeside } from './bridges.js'
import { rowsOf } from './rows.js'

const model = shopWith(PARCELS_AND_LABELS)

function beside(base: string, nodes: readonly string[], more: Partial<BridgesRead> = {}, of = model) {
  return bridgesBeside(rowsOf(contextOf(of), base), { bridges: new Set(nodes), separate: new Set(), ...more })
}
const links = (...asked: Parameters<typeof beside>): readonly string[] =>
  beside(...asked).map((bridge) => saidTerms(linkTerms(bridge)))

t.test('a bridge is linked by the terms of its join', async (t) => {
  t.same(links('Orders', ['Items']), ['(Orders.id = Items.order_id)'])
  t.same(links('Customers', ['Items']), ['(Customers.id = Items[Orders.customer_id])'], 'the last one on its path')
})

t.test('a bridge that is a relation shows its columns to what is linked to it', async (t) => {
  t.same(links('Orders', ['Items', 'Parcels']), ['(Orders.id = Items.order_id)', '(Items.id = Parcels.item_id)'])
  t.same(links('Orders', ['Items', 'Parcels'], { separate: new Set(['Items']) }), [
    '(Orders.id = Items[Items.order_id])',
    '(Items[Items.id] = Parcels[Parcels.item_id])',
  ])
})

t.test('a many-to-many pair is linked from either side', async (t) => {
  const pairs = shopWith(MATCHING_RETURNS)
  const [pair] = [...contextOf(pairs).graph.pairs.values()]
  t.same(links('Customers', [pair!.name], {}, pairs), ['(Customers.id = Returns.customer_id)'])
  t.same(links('Returns', [pair!.name], {}, pairs), ['(Returns.customer_id = Customers.id)'])
  t.same(farOf(pair!, 'Customers'), 'Returns')
  t.same(farOf(pair!, 'Returns'), 'Customers')
  t.match(fromTarget(pair!, 'Customers'), [{ from: 'Id', to: 'Customer Id' }])
  t.match(fromTarget(pair!, 'Returns'), [{ from: 'Customer Id', to: 'Id' }])
})

t.test('the filters of a target are a part of the link', async (t) => {
  const shops = {
    code: 'shops',
    columns: { Id: { code: 'id', abstractType: 'int', primaryKey: true }, Region: { code: 'region_id', abstractType: 'int' } },
    joins: [manyToOne('Regions', 'Region')],
  }
  const own = {
    columns: { Region: { code: 'region_id', abstractType: 'int' } },
    joins: [manyToOne('Regions', 'Region'), manyToOne('Shops', 'Id')],
  }
  const filters = [{ dataObject: 'Regions', column: 'Id', operator: '!=', value: 7 }]
  const pairs = shopWith(MATCHING_RETURNS, { dataObjects: { Returns: own, Shops: shops }, filters })
  const [name = ''] = contextOf(pairs).graph.pairs.keys()
  t.match(links('Returns', [name], {}, pairs)[0], /^\(\(Returns.customer_id = .*\) and not \(Regions.id = 7\)\)$/)
})

t.test('a connection has its weight, and a row without one counts in full', async (t) => {
  const weights = [{ bridge: 'Order Labels', column: 'Share' }]
  const told = (...asked: Parameters<typeof beside>): readonly string[] =>
    beside(...asked).flatMap((bridge) => {
      const weight = weightOf(bridge)
      return weight ? [said(weight)] : []
    })
  t.same(told('Orders', ['Items']), [], 'no weights')
  t.same(told('Orders', ['Order Labels'], { weights }), ['case Order Labels.order_id is null: 1, else Order Labels.share'])
  t.same(told('Orders', ['Items', 'Order Labels'], { weights }), [
    'case Order Labels[Order Labels.order_id] is null: 1, else Order Labels_rows.weight',
  ])
})

t.test('the columns of a foreign key show which rows connect', async (t) => {
  const refers = { foreignKey: true }
  const referring = (change: object, base = 'Orders', more: Partial<BridgesRead> = {}): readonly string[] =>
    referringColumns(beside(base, ['Items'], more, shopWith(change))[0]!).map(said)
  const keyed = joining('Items', manyToOne('Orders', 'Order Id', refers))
  t.same(referring(keyed), ['Items.order_id'])
  t.same(referring({}), [], 'no foreign key')
  t.same(referring(keyed, 'Customers'), [], 'the key of an object on the way')
  const computed = {
    dataObjects: {
      Items: {
        columns: { Whole: { expression: '{Order Id} + 0', abstractType: 'int' } },
        joins: [manyToOne('Orders', 'Whole', refers)],
      },
    },
  }
  t.same(referring(computed), [], 'a computed column may be NULL in another way')
  const partly = {
    dataObjects: {
      Items: {
        columns: { Whole: { expression: '{Order Id} + 0', abstractType: 'int' } },
        joins: [manyToOne('Orders', '', { columnsFrom: ['Whole', 'Line'], columnsTo: ['Id', 'Payer Id'], ...refers })],
      },
    },
  }
  t.same(referring(partly), [], 'nor a part of it')
  const dated = {
    dataObjects: {
      Orders: { columns: { Until: { code: 'until', abstractType: 'date' } } },
      Items: {
        columns: { Sold: { code: 'sold', abstractType: 'date' } },
        joins: [manyToOne('Orders', 'Order Id', { during: { time: 'Sold', from: 'Day', to: 'Until' } })],
      },
    },
  }
  const [bridge] = beside('Orders', ['Items'], {}, shopWith(dated))
  t.same(
    referringColumns({ ...bridge!, link: bridge!.link.map((edge) => ({ ...edge, ...refers })) }),
    [],
    'a period may not match',
  )
})
