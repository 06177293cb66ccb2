/** SQLite keeps a whole number as such also where the model says double: a division by two has its half nevertheless. */
import { parseModelSync } from '@grainline/core/unstable'
import t from 'tap'
import { compileFor } from '../../corpus/corpus.js'
import { openEngine } from './engine.js'

const { model, errors } = parseModelSync({
  json: {
    dataObjects: {
      Parcels: {
        code: 'parcels',
        columns: {
          Id: { code: 'id', abstractType: 'int', primaryKey: true },
          Weight: { code: 'weight', abstractType: 'float' },
          Half: { expression: '{[Parcels].[Weight]} / 2', abstractType: 'float' },
          'Half or None': { expression: 'COALESCE({[Parcels].[Weight]}, 0) / 2', abstractType: 'float' },
        },
      },
    },
    dimensions: { Half: { dataObject: 'Parcels', column: 'Half' } },
    measures: {
      Weight: { aggregation: 'sum', columns: [{ dataObject: 'Parcels', column: 'Weight' }] },
      'Half Weight': { aggregation: 'sum', columns: [{ dataObject: 'Parcels', column: 'Half' }] },
      'Half or None': { aggregation: 'max', columns: [{ dataObject: 'Parcels', column: 'Half or None' }] },
    },
    metrics: { 'Half of All': { expression: '{[Weight]} / 2' } },
  },
})
if (!model) throw new Error(JSON.stringify(errors))

const engine = await openEngine()
t.teardown(engine.close)
// NUMERIC keeps 7.0 as the integer 7: https://www.sqlite.org/datatype3.html#type_affinity
await engine.load(`
  CREATE TABLE parcels (id INTEGER, weight NUMERIC);
  INSERT INTO parcels VALUES (1, 7.0), (2, 4), (3, NULL)`)
const ask = async (query: object) => {
  const { sql, columns } = compileFor(engine.dialect, query, model)
  return (await engine.ask(sql, columns)).rows
}

t.test('a half of a whole number is no whole number', async (t) => {
  t.same(await ask({ select: { measures: ['Half Weight', 'Half or None', 'Half of All'] } }), [['5.5', '3.5', '5.5']])
  t.same(await ask({ select: { dimensions: ['Half'] }, order_by: [{ field: 'Half' }] }), [['2'], ['3.5'], [null]])
})
