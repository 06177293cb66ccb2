import t from 'tap'
import { commerce } from '../../../../test/support/model-faults.js'
import { parseModelSync } from '../load-model.js'

const BOUGHT = 'dataObjects.Customers.columns.Bought'

/** The errors of the model with a column of customers, and other edits. */
function errorsOf(column: string, ...edits: readonly (readonly [string, string])[]): readonly string[] {
  const text = edits.reduce((of, [was, is]) => of.replace(was, is), commerce)
  const { errors } = parseModelSync({ text: text.replace('      Doc: {code', `      Bought: ${column}\n      Doc: {code`) })
  return errors.map(({ code, path }) => `${code} ${path}`)
}

t.test('a measure is a column of an object with a key', async (t) => {
  t.same(errorsOf('{measure: Revenue}'), [])
  t.same(errorsOf('{measure: Orders Count}'), [])
  t.same(errorsOf('{measure: Per Order}'), [])
  const noKey = [
    'Id: {code: id, abstractType: int, primaryKey: true}\n      Country',
    'Id: {code: id, abstractType: int}\n      Country',
  ] as const
  t.same(errorsOf('{measure: Revenue}', noKey), [`KEY_REQUIRED ${BOUGHT}`])
})

t.test('its value depends on no other row of an answer, at any depth', async (t) => {
  t.same(errorsOf('{measure: Running}'), [`INVALID_COLUMN ${BOUGHT}.measure`])
  const deep = ['metrics:\n', "metrics:\n  Deep:\n    expression: '{[Running]} * 2'\n"] as const
  t.same(errorsOf('{measure: Deep}', deep), [`INVALID_COLUMN ${BOUGHT}.measure`])
})

t.test('names and types are those of the model', async (t) => {
  t.same(errorsOf('{measure: Revenu}'), [`UNKNOWN_MEASURE_REF ${BOUGHT}.measure`])
  t.same(errorsOf('{measure: Country}'), [`UNKNOWN_MEASURE_REF ${BOUGHT}.measure`])
  t.same(errorsOf('{measure: Revenue, abstractType: string}'), [`INVALID_COLUMN ${BOUGHT}.abstractType`])
  t.same(errorsOf('{measure: Revenue, grain: month}'), [`TIME_GRAIN_ON_NON_TEMPORAL ${BOUGHT}.grain`])
  t.same(errorsOf('{measure: Revenue, code: x}'), [`SCHEMA_VALIDATION ${BOUGHT}`])
  const pin = '{measure: Revenue, usePathNames: [{source: Orders, target: Customers, pathName: x}]}'
  t.same(errorsOf(pin), [`UNKNOWN_PATH_NAME ${BOUGHT}.usePathNames[0].pathName`])
})

t.test('nothing that says which rows belong together is counted', async (t) => {
  t.same(errorsOf('{measure: Revenue, primaryKey: true}'), [`INVALID_COLUMN ${BOUGHT}`])
  const most = [
    'measures:\n',
    'measures:\n  Most: {aggregation: max, columns: [{dataObject: Customers, column: Bought}]}\n',
  ] as const
  t.same(errorsOf('{measure: Most}', most), [`CYCLIC_COMPUTED_COLUMN ${BOUGHT}.measure`])
})

const filteredBy = (filter: string): readonly [string, string] => ['\nfilters:\n', `\nfilters:\n  - ${filter}\n`]

t.test('a static filter may read it only if it counts other rows than those that the filter leaves', async (t) => {
  const rich = filteredBy('{dataObject: Customers, column: Bought, operator: gt, value: 3}')
  t.same(errorsOf('{measure: Revenue}', rich), ['CYCLIC_FILTER filters[0]'])
  t.same(errorsOf('{measure: Customers Count}', rich), ['CYCLIC_FILTER filters[0]'])
  const deep = ['      Doc: {code', "      Rich: {expression: '{Bought} * 2'}\n      Doc: {code"] as const
  const byExpression = filteredBy('{dataObject: Customers, column: Rich, operator: gt, value: 3}')
  t.same(errorsOf('{measure: Revenue}', byExpression, deep), ['CYCLIC_FILTER filters[0]'])
  // Orders by what their customer is: customers are counted, and not orders.
  const beside = ['      Total:\n', "      Rich: {expression: '{[Customers].[Bought]}'}\n      Total:\n"] as const
  const ofOrders = filteredBy('{dataObject: Orders, column: Rich, operator: gt, value: 3}')
  t.same(errorsOf('{measure: Customers Count}', ofOrders, beside), [])
  t.same(errorsOf('{measure: Revenue}', ofOrders, beside), ['CYCLIC_FILTER filters[0]'])
})
