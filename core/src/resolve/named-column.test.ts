/** Columns by their whole names. */
import t from 'tap'
import { shop } from '../../../test/support/models.js'
import { namedColumn } from './named-column.js'

t.test('a column by its name in any case, or the nearest name', async (t) => {
  t.match(namedColumn('orders.id', shop, ''), {
    name: 'Orders.Id',
    column: { object: 'Orders', column: 'Id' },
    type: { kind: 'int' },
  })
  t.throws(() => namedColumn('Orders.Idd', shop, 'columns[2]'), {
    code: 'RAW_FIELD_UNKNOWN_COLUMN',
    path: 'columns[2]',
    message: /did you mean 'Orders.Id'/,
  })
})
