import { TRICKY_TEXTS } from '@grainline/core/testing'
import { bigquery } from '@grainline/dialect-bigquery'
import t from 'tap'
import { functionsOn, suitesOn, withEngine } from '../suites.js'
import { openEngine } from './engine.js'

const DECIMALS = 'googlesqlite divides decimals otherwise'

await suitesOn(t, openEngine, {
  functions: (t, open) =>
    functionsOn(t, open, {
      'div({a}, {b}) of decimal(10,2), decimal(10,2)': DECIMALS,
      'div({a}, {b}) of decimal(10,2), decimal(3,1)': DECIMALS,
      'names and texts that could break out of their quotes': 'no column of BigQuery has such a name; the texts are asked below',
    }),
  texts: (t, open) =>
    withEngine(t, open, (engine) => {
      t.test('texts that could end their quotes are escaped', async (t) => {
        const columns = [{ name: 'v', type: { kind: 'string' }, role: 'field' }] as const
        for (const text of [...TRICKY_TEXTS, 'carriage\r\nreturn', '`tick`', '"""', "'''", '\\x41\\u00e9']) {
          const literal = bigquery.literals.string(text)
          t.same((await engine.ask(`SELECT ${literal} AS v`, columns)).rows, [[text]])
          t.same((await engine.ask(`SELECT 'kept' AS v FROM (SELECT ${literal} AS x) WHERE x = ${literal}`, columns)).rows, [
            ['kept'],
          ])
        }
      })
    }),
})
