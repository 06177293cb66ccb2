import { parseModelSync } from '@grainline/core/unstable'
import { FLOAT, INT } from '@grainline/core/vendor'
import t from 'tap'
import { compileFor } from '../../corpus/corpus.js'
import { corpusOn, functionsOn, ofEachKind, oracleOn, withEngine } from '../suites.js'
import { timeLawsOn } from '../time-laws-suite.js'
import { openEngine } from './engine.js'
import { FORGETS_GROUPS, FORGETS_NULLS, witness } from './witness.js'

await t.test('the corpus has the expected answers', (t) => corpusOn(t, openEngine, witness))
await t.test('the functions have the expected values', (t) =>
  functionsOn(t, openEngine, {
    'upper({a}) of string': 'the engine writes SS for ß, and the example states only its smallest differences',
    'CAST({a} AS decimal(18, 2)) of float': 'the engine casts the double itself: 751.215 is a little less',
    'CAST({a} AS string) of float': 'the engine writes 3.0',
  }),
)
// The example runs only a few seconds; ORACLE_CASES=500 runs 500 of each kind.
await t.test('generated queries have the answers of the oracle', (t) => oracleOn(t, openEngine, ofEachKind(40)))

await t.test('the laws of time', (t) => timeLawsOn(t, openEngine))

const ORDERS = `(SELECT 1 AS id, MAKE_ARRAY(NAMED_STRUCT('sku', 'b', 'qty', 2), NAMED_STRUCT('sku', 'it''s', 'qty', 1)) AS items
  UNION ALL SELECT 2, MAKE_ARRAY(NAMED_STRUCT('sku', 'b', 'qty', 3))
  UNION ALL SELECT 3, NULL)`

await t.test('the engine still loses columns of groups, so those statements are skipped', (t) =>
  withEngine(t, openEngine, async ({ ask }) => {
    const { rows } = await ask(FORGETS_GROUPS, [
      { name: 'd', type: INT, role: 'dimension' },
      { name: 'v', type: FLOAT, role: 'measure' },
    ])
    t.same(rows, [['1', 4]], 'and not 3.5, the mean of 3 and 4')
  }),
)

await t.test('the engine still disagrees on whether a CASE can be NULL, so those statements are skipped', (t) =>
  withEngine(t, openEngine, async ({ ask }) => {
    await t.rejects(ask(FORGETS_NULLS, [{ name: 'v', type: FLOAT, role: 'measure' }]), /Physical input schema should be the same/)
  }),
)

await t.test('structs in a list are rows', (t) =>
  withEngine(t, openEngine, async ({ dialect, ask }) => {
    const { model } = parseModelSync({
      json: {
        dataObjects: {
          Orders: {
            code: ORDERS,
            countLabel: 'Orders',
            columns: {
              Id: { code: 'id', abstractType: 'int', primaryKey: true },
              Items: { code: 'items', abstractType: 'json', sqlType: 'List' },
            },
          },
          Items: {
            code: '-',
            nestedIn: { dataObject: 'Orders', column: 'Items' },
            columns: {
              Sku: { code: 'sku', abstractType: 'string' },
              Quantity: { code: 'qty', abstractType: 'int' },
              Place: { code: '#', abstractType: 'int' },
            },
          },
        },
        dimensions: { Sku: { dataObject: 'Items', column: 'Sku' }, Place: { dataObject: 'Items', column: 'Place' } },
        measures: { Quantity: { aggregation: 'sum', columns: [{ dataObject: 'Items', column: 'Quantity' }] } },
      },
    })
    const query = {
      select: { dimensions: ['Sku', 'Place'], measures: ['Quantity', 'Orders'] },
      order_by: [{ field: 1 }, { field: 2 }],
    }
    const { sql, columns } = compileFor(dialect, query, model!)
    t.same((await ask(sql, columns)).rows, [
      ['b', '1', '5', '2'],
      ["it's", '2', '1', '1'],
      [null, null, null, '1'],
    ])
  }),
)
