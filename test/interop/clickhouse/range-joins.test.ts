/** ClickHouse finds the rows of outer joins by equalities alone. */
import { parseModelSync } from '@grainline/core/unstable'
import t from 'tap'
import { compileFor } from '../../corpus/corpus.js'
import { withEngine } from '../suites.js'
import { openEngine } from './engine.js'

const { model } = parseModelSync({
  json: {
    dataObjects: {
      Orders: {
        code: 'orders',
        columns: {
          Id: { code: 'id', abstractType: 'int', primaryKey: true },
          Seen: { code: 'seen', abstractType: 'date' },
        },
      },
      Offers: {
        code: 'offers',
        columns: {
          Id: { code: 'id', abstractType: 'int', primaryKey: true },
          Opened: { code: 'opened', abstractType: 'date' },
          Closed: { code: 'closed', abstractType: 'date' },
        },
        joins: [
          {
            joinType: 'many-to-many',
            joinTo: 'Orders',
            columnsFrom: [],
            columnsTo: [],
            during: { interval: 'here', time: 'Seen', from: 'Opened', to: 'Closed' },
          },
        ],
      },
    },
    dimensions: { Offer: { dataObject: 'Offers', column: 'Id' } },
  },
})

t.test('orders by the offers that were open', (t) =>
  withEngine(t, openEngine, async ({ dialect, load, ask }) => {
    await load(`CREATE TABLE orders (id INTEGER, seen DATE); INSERT INTO orders VALUES (1, DATE '2024-01-01'), (2, NULL), (3, DATE '2024-03-01'), (4, DATE '2023-01-01');
      CREATE TABLE offers (id INTEGER, opened DATE, closed DATE); INSERT INTO offers VALUES (7, DATE '2024-01-01', NULL), (8, DATE '2023-12-01', DATE '2024-03-01');`)
    const query = { select: { dimensions: ['Offer'], measures: ['Orders Count'] }, order_by: [{ field: 'Offer' }] }
    const { sql, columns } = compileFor(dialect, query, model!)
    t.strictSame((await ask(sql, columns)).rows, [['7', '2'], ['8', '1'], [null, '2']], sql) // biome-ignore format: rows
  }),
)
