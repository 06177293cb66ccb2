/** Static filters and required joins: which conditions hold for rows because of what they reach. */
import t from 'tap'
import { contextOf } from '../../../test/support/bound.js'
import { joining, MATCHING_RETURNS, manyToOne, shopWith } from '../../../test/support/models.js'
import { said } from '../../../test/support/said.js'
import type { SemanticModel } from '../model/semantic-model.js'
import { rowsOf } from './rows.js'
import { requiredOf, staticConditions, staticPaths } from './rows-conditions.js'

const not7 = (dataObject: string) => ({ dataObject, column: 'Id', operator: '!=', value: 7 })
const key = { code: 'id', abstractType: 'int', primaryKey: true }
const region = { code: 'region_id', abstractType: 'int' }
const shops = { Shops: { code: 'shops', columns: { Id: key, Region: region }, joins: [manyToOne('Regions', 'Region')] } }
const conditions = (model: SemanticModel, base: string): readonly string[] =>
  staticConditions(rowsOf(contextOf(model), base)).map(said)

t.test('a static filter holds for rows that are of its object or reach it', async (t) => {
  const model = shopWith({ filters: [not7('Regions'), not7('Returns')] })
  t.same(conditions(model, 'Regions'), ['not (Regions.id = 7)'])
  t.same(conditions(model, 'Items'), ['not (Regions.id = 7)'])
  t.same(conditions(model, 'Returns'), ['not (Regions.id = 7)', 'not (Returns.id = 7)'])
})

t.test('on each of several paths', async (t) => {
  const two = { dataObjects: { ...shops, Orders: { joins: [manyToOne('Customers', 'Customer Id'), manyToOne('Shops', 'Id')] } } }
  const model = shopWith(two, { filters: [not7('Regions')] })
  const rows = rowsOf(contextOf(model), 'Orders')
  t.same(
    staticPaths(rows).map(({ edges }) => edges.map(({ to }) => to)),
    [
      ['Customers', 'Regions'],
      ['Shops', 'Regions'],
    ],
  )
  const items = rowsOf(contextOf(model), 'Items')
  t.same(staticPaths(items, items.context.graph.edges('Items'), rows), [], 'the orders test both')
})

t.test('what the rows at the other end of a link test themselves is not tested again', async (t) => {
  const model = shopWith({ filters: [not7('Regions'), { ...not7('Items'), column: 'Line' }] })
  const context = contextOf(model)
  const [items, orders] = [rowsOf(context, 'Items'), rowsOf(context, 'Orders')]
  const link = context.graph.edges('Items')
  const left = (...of: Parameters<typeof staticPaths>): readonly string[] =>
    staticPaths(...of).map(({ filter }) => filter.dataObject)
  t.same(left(items), ['Regions', 'Items'])
  t.same(left(items, link, orders), ['Items'])
  t.same(left(items, link), ['Regions', 'Items'], 'no other rows')
  const own = shopWith({
    filters: [not7('Regions')],
    dataObjects: {
      Items: { columns: { Region: region }, joins: [manyToOne('Orders', 'Order Id'), manyToOne('Regions', 'Region')] },
    },
  })
  const direct = rowsOf(contextOf(own), 'Items')
  t.same(left(direct, [contextOf(own).graph.edges('Items')[0]!], rowsOf(contextOf(own), 'Orders')), ['Regions'], 'its own region')
})

t.test('only on the paths that those rows take', async (t) => {
  const companion = {
    code: 'companions',
    columns: { Id: key, Region: region },
    joins: [manyToOne('Regions', 'Region'), { ...manyToOne('Returns', 'Id'), joinType: 'one-to-one' }],
  }
  const model = shopWith(MATCHING_RETURNS, {
    filters: [not7('Regions')],
    dataObjects: { ...shops, Companions: companion, Returns: { joins: [manyToOne('Shops', 'Id')] } },
  })
  const context = contextOf(model)
  const [pair] = [...context.graph.pairs.values()]
  const link = context.graph.edges(pair!.name).filter(({ to }) => to === 'Returns')
  const paths = staticPaths(rowsOf(context, pair!.name), link, rowsOf(context, 'Returns'))
  t.same(
    paths.map(({ edges }) => edges.map(({ to }) => to)),
    [
      ['Customers', 'Regions'],
      ['Returns', 'Companions', 'Regions'],
    ],
  )
})

const required = { required: true }
function told(join: object, base = 'Orders', isBase = true, change: object = {}) {
  const model = shopWith(joining('Orders', manyToOne('Customers', 'Customer Id', join)), change)
  const { presences, conditions } = requiredOf(rowsOf(contextOf(model), base, { isBase }))
  return [presences.map(said), conditions.map(said)]
}

t.test('a required join of the rows of a base is an inner join', async (t) => {
  t.same(told(required), [['Customers.id'], []])
  t.same(told({}), [[], []], 'not required')
  t.same(told(required, 'Regions'), [[], []], 'not reached')
})

t.test('a match that a foreign key proves needs no join, but its columns are not NULL', async (t) => {
  t.same(told({ ...required, foreignKey: true }), [['Orders.customer_id'], ['Orders.customer_id is not null']])
  const always = joining('Items', manyToOne('Orders', 'Order Id', { ...required, foreignKey: true }))
  t.same(told({}, 'Items', true, always), [[], []], 'a row always matches')
})

t.test('behind a join that is not required, either both rows are there or none', async (t) => {
  t.same(told(required, 'Items'), [['Customers.id'], ['(Orders.id is null or Customers.id is not null)']])
  t.same(told(required, 'Orders', false), [['Customers.id'], ['(true is null or Customers.id is not null)']], 'rows of others')
})
