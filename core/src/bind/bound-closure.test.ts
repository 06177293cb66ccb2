/** The rows of a tree, whatever a query asks. */
import t from 'tap'
import { contextOf } from '../../../test/support/bound.js'
import { manyToOne, shopWith } from '../../../test/support/models.js'
import { said, saidJoins } from '../../../test/support/said.js'
import { boundClosure } from './bound-closure.js'

const model = shopWith({
  dataObjects: {
    Regions: {
      columns: { Up: { code: 'up', abstractType: 'int' }, Land: { code: 'land_id', abstractType: 'int' } },
      joins: [manyToOne('Lands', 'Land')],
    },
    Lands: {
      code: 'lands',
      columns: { Id: { code: 'id', abstractType: 'int', primaryKey: true }, Name: { code: 'name', abstractType: 'string' } },
    },
  },
  filters: [{ dataObject: 'Lands', column: 'Name', operator: 'equals', value: 'here' }],
})
const tree = boundClosure('Tree', { dataObject: 'Regions', key: 'Id', parent: 'Up', maxDepth: 3 }, contextOf(model))

t.test('its nodes, by their key and their parent', async (t) => {
  t.match(tree, { kind: 'closure', object: 'Tree', of: 'Regions', maxDepth: 3 })
  t.equal(said(tree.key.expression), 'Regions.id')
  t.equal(said(tree.parent.expression), 'Regions.up')
  t.match([tree.key.type, tree.parent.type], [{ kind: 'int' }, { kind: 'int' }])
})

t.test('only rows that the filters of the model leave, and that have a key', async (t) => {
  t.same(
    tree.where.map((one) => said(one)),
    ["(Lands.name = 'here')", 'Regions.id is not null'],
  )
  t.equal(saidJoins(tree.rows).length, 1, 'with what the filters read')
})
