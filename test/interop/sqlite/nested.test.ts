import { parseModelSync } from '@grainline/core/unstable'
import { sqlite } from '@grainline/dialect-sqlite'
import t from 'tap'
import { compileFor } from '../../corpus/corpus.js'
import { nestedOn } from '../nested.js'
import { suitesOn, withEngine } from '../suites.js'
import { openEngine } from './engine.js'

const column = (code: string, abstractType: string) => ({ code, abstractType })
const { model, errors } = parseModelSync({
  json: {
    dataObjects: {
      Texts: { code: 'texts', columns: { Id: { ...column('id', 'int'), primaryKey: true }, Doc: column('doc', 'json') } },
      Lines: {
        code: 'lines',
        nestedIn: { dataObject: 'Texts', column: 'Doc' },
        columns: { Number: column('n', 'int'), Price: column('p', 'float'), Parts: column('parts', 'json') },
      },
      Parts: { code: 'parts', nestedIn: { dataObject: 'Lines', column: 'Parts' }, columns: { Part: column('*', 'string') } },
    },
    dimensions: { Text: { dataObject: 'Texts', column: 'Id' } },
    measures: {
      Numbers: { aggregation: 'sum', columns: [{ dataObject: 'Lines', column: 'Number' }] },
      Prices: { aggregation: 'sum', columns: [{ dataObject: 'Lines', column: 'Price' }] },
    },
  },
})

if (!model) throw new Error(JSON.stringify(errors))

await suitesOn(t, openEngine, {
  questions: nestedOn,
  texts: (t, open) =>
    withEngine(t, open, async ({ load, ask }) => {
      await load(`CREATE TABLE texts (id INTEGER, doc TEXT);
    INSERT INTO texts VALUES (1, '[{"n": 1, "parts": ["a", "b"]}]'), (2, 'not JSON'), (3, ''),
      (4, '[5, "x", "[]", {"n": 2, "parts": "x"}, {"n": 3, "parts": "[1]"}]'),
      (5, '[{"n": "x", "p": "x"}, {"n": {"a": 1}, "p": [1]}, {"n": "4", "p": "1.5"}, {"n": 1.5, "p": 9007199254740993}]')`)
      t.test('text that is no JSON has no elements, and a value of another type is NULL', async (t) => {
        const query = {
          select: { dimensions: ['Text'], measures: ['Lines Count', 'Numbers', 'Prices', 'Parts Count'] },
          order_by: [{ field: 'Text' }],
        }
        const { sql, columns } = compileFor(sqlite, query, model)
        t.same((await ask(sql, columns)).rows, [
          ['1', '1', '1', null, '2'],
          ['4', '5', '5', null, '0'],
          ['5', '4', '4', '9007199254740993.5', '0'],
        ])
      })
    }),
})
