/** Names of fiscal periods in SQL: the same numbers as their dates. */
import { readFileSync } from 'node:fs'
import path from 'node:path'
import t from 'tap'
import { ownFolder } from '../support/own-folder.js'
import { flightsHost } from './ask.js'

const folder = new URL('../../examples/flights/', import.meta.url).pathname
const text = readFileSync(path.join(folder, 'model.yaml'), 'utf8')
  .replace("yearStart: '10-01',", "yearStart: '10-01', label: end,")
  .replace('\n  Month: {', '\n  Fiscal Quarter: { dataObject: Hours, column: Date, timeGrain: fiscal_quarter }\n  Month: {')
const model = path.join(ownFolder(t, { 'model.yaml': text }), 'model.yaml')
const { ask, refusalOf, close } = await flightsHost({ model })
t.teardown(close)

const flights = async (where: string) => (await ask(`SELECT MEASURE("Flight Count") AS n FROM flights WHERE ${where}`)).rows

t.test('a name stands for the first day of its period', async (t) => {
  t.same(await flights(`"Fiscal Quarter" = 'FY2013 Q2'`), [[80789]])
  t.same(await flights(`"Fiscal Quarter" = 'Q2 FY13'`), [[80789]])
  t.same(await flights(`"Fiscal Quarter" = DATE '2013-01-01'`), [[80789]])
  t.same(await flights(`"Fiscal Quarter" IN ('FY2013 Q2', 'FY2013 Q3')`), [[166158]])
  t.same(await flights(`"Fiscal Quarter" >= 'FY2014 Q1'`), [[84292]])
})

t.test('what is no period is refused, with the nearest one', async (t) => {
  t.match(await refusalOf(`SELECT "Flight Count" FROM flights WHERE "Fiscal Quarter" = 'FY2013 Q5'`), {
    code: 'INVALID_PERIOD',
    message: /'FY2013 Q5' is no fiscal_quarter of 'Fiscal Quarter'/,
  })
  t.match(await refusalOf(`SELECT "Flight Count" FROM flights WHERE "Fiscal Quarter" = DATE '2013-02-01'`), {
    code: 'INVALID_PERIOD',
    message: /the one that contains it begins on 2013-01-01 and is called FY2013 Q2/,
  })
})
