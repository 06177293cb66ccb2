import t from 'tap'
import { compileFor } from '../../corpus/corpus.js'
import { loadText } from '../../support/compile.js'
import { specialNumbersOn, suitesOn, withEngine } from '../suites.js'
import { openEngine } from './engine.js'

await suitesOn(t, openEngine, {
  'every kind of column': specialNumbersOn,
  'NaN in a numeric': (t, open) =>
    withEngine(t, open, async ({ dialect, load, ask }) => {
      await load(
        "CREATE TABLE nan_prices AS SELECT * FROM (VALUES (1, CAST('NaN' AS NUMERIC(10, 2))), (2, 3.5), (3, NULL)) v(id, price)",
      )
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
          ['3', null],
        ])
      })

      const priced = loadText(`dataObjects:
  Prices:
    code: nan_prices
    columns:
      Id: { code: id, abstractType: int, primaryKey: true }
      Price: { code: price, abstractType: float, sqlType: 'decimal(10,2)' }
      Double: { expression: 'CAST({Price} AS float)', abstractType: float }
      Finite: { expression: 'CASE WHEN {Price} < 1e100 AND {Price} > -1e100 THEN {Price} END', abstractType: float }
dimensions:
  Price: { dataObject: Prices, column: Price }
  Double: { dataObject: Prices, column: Double }
  Finite: { dataObject: Prices, column: Finite }
measures:
  Sum: { aggregation: sum, columns: [{ dataObject: Prices, column: Price }] }
  Double Sum: { aggregation: sum, columns: [{ dataObject: Prices, column: Double }] }
  Finite Sum: { aggregation: sum, columns: [{ dataObject: Prices, column: Finite }] }
`)
      const answer = async (select: object) => {
        const { sql, columns } = compileFor(dialect, { select, order_by: [{ field: 1 }] }, priced)
        return (await ask(sql, columns)).rows
      }
      t.test('NaN in a numeric is shown as a double, or read as NULL, as the refusal of vendor.test.ts advises', async (t) => {
        t.same(await answer({ dimensions: ['Double'], measures: ['Prices Count', 'Double Sum'] }), [
          [3.5, '1', 3.5],
          [Number.NaN, '1', Number.NaN],
          [null, '1', null],
        ])
        t.same(await answer({ dimensions: ['Finite'], measures: ['Prices Count', 'Finite Sum'] }), [
          ['3.5', '1', '3.5'],
          [null, '2', null],
        ])
      })
    }),
})
