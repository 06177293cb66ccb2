/** How a value of the rows of a bridge is read from outside. */
import t from 'tap'
import { contextOf } from '../../../test/support/bound.js'
import { shop } from '../../../test/support/models.js'
import { INT } from '../model/data-type.js'
import { relationColumn } from '../resolve/relation-column.js'
import { type Bridge, readOfBridge } from './bridge.js'
import { bridgesBeside } from './bridges.js'
import { rowsOf } from './rows.js'

const value = relationColumn('items', 'quantity', INT)
const [bridge] = bridgesBeside(rowsOf(contextOf(shop), 'Orders'), { bridges: new Set(['Items']), separate: new Set() })

t.test('joined rows are read as they are', async (t) => {
  const joined: Bridge = { ...bridge!, alias: undefined }
  t.equal(readOfBridge(joined, value, INT), value)
})

t.test('those of a separate relation under a name that it chooses', async (t) => {
  t.same(readOfBridge({ ...bridge!, alias: 'apart' }, value, INT), { kind: 'of-bridge', node: 'Items', value, type: INT })
})
