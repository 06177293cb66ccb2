/** A product of decimals keeps every planned digit, although NUMERIC has only nine. */
import { parseModelSync } from '@grainline/core/unstable'
import t from 'tap'
import { compileFor } from '../../corpus/corpus.js'
import { withEngine } from '../suites.js'
import { openEngine } from './engine.js'

const digits = { abstractType: 'float', sqlType: 'decimal(10,6)' }
const { model } = parseModelSync({
  json: {
    dataObjects: {
      Rates: {
        code: 'rates',
        columns: { A: { code: 'a', ...digits }, B: { code: 'b', ...digits } },
      },
    },
    measures: {
      Product: { aggregation: 'sum', expression: '{[Rates].[A]} * {[Rates].[B]}' },
      Square: { aggregation: 'sum', expression: '{[Rates].[A]} * {[Rates].[A]} * {[Rates].[B]}' },
    },
  },
})

await withEngine(t, openEngine, (engine) => {
  t.test('a product of decimals keeps every planned digit', async (t) => {
    await engine.load(
      'CREATE TABLE rates (a DECIMAL(10,6), b DECIMAL(10,6)); INSERT INTO rates VALUES (0.000001, 0.000003), (1234.000001, 2)',
    )
    const { sql, columns } = compileFor(engine.dialect, { select: { measures: ['Product', 'Square'] } }, model!)
    t.same((await engine.ask(sql, columns)).rows, [['2468.000002000003', '3045512.004936000002000003']])
  })
})
