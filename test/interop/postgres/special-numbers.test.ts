import t from 'tap'
import { compileFor } from '../../corpus/corpus.js'
import { loadText } from '../../support/compile.js'
import { specialNumbersOn, withEngine } from '../suites.js'
import { openEngine } from './engine.js'

await specialNumbersOn(t, openEngine)

await withEngine(t, openEngine, async ({ dialect, load, ask }) => {
  await load("CREATE TABLE nan_prices AS SELECT * FROM (VALUES (1, CAST('NaN' AS NUMERIC(10, 2))), (2, 3.5)) v(id, price)")
  const model = loadText(`dataObjects:
  Prices:
    code: nan_prices
    columns:
      Id: { code: id, abstractType: int, primaryKey: true }
      Price: { code: price, abstractType: float, sqlType: 'decimal(10,2)' }
      Whole: { expression: 'CAST({Price} AS int)', abstractType: int }
`)
  t.test('NaN in a numeric is no whole number', async (t) => {
    const { sql, columns } = compileFor(
      dialect,
      { select: { fields: ['Prices.Id', 'Prices.Whole'] }, order_by: [{ field: 1 }] },
      model,
    )
    t.same((await ask(sql, columns)).rows, [
      ['1', null],
      ['2', '4'],
    ])
  })
})
