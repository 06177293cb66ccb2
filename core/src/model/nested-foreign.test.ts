import t from 'tap'
import { duckdb } from '../../../plugins/dialect-duckdb/src/index.js'
import { compile } from '../compile.js'
import { parseQuery } from '../query/parse-query.js'
import { builtInAggregates } from './functions/aggregates.js'
import { builtInFunctions } from './functions/catalogue.js'
import { parseModelSync } from './load-model.js'

const text = (nested: string) => `
dataObjects:
  Invoices:
    code: invoices
    columns: { Id: { code: id, abstractType: int, primaryKey: true } }
  Lines:
    ${nested}
    columns: { Amount: { code: amount, abstractType: float } }
measures: { Revenue: { aggregation: sum, columns: [{ dataObject: Lines, column: Amount }] } }
`

t.test('a nested object needs no code, and its array need not be declared as a column', async (t) => {
  const { model, errors } = parseModelSync({ text: text('nestedIn: { dataObject: Invoices, column: line_items }') })
  t.same(errors, [])
  t.match(model?.dataObjects.get('Lines')?.nestedIn, { dataObject: 'Invoices', column: 'line_items' })
  t.match(model?.dataObjects.get('Invoices')?.columns.get('line_items')?.source, { kind: 'physical', code: 'line_items' })
})

t.test('a name similar to a column is an error, and an object that is not nested needs its code', async (t) => {
  t.match(parseModelSync({ text: text('nestedIn: { dataObject: Invoices, column: Idd }') }).errors, [{ code: 'UNKNOWN_COLUMN' }])
  t.match(parseModelSync({ text: text('countable: true') }).errors, [{ code: 'SCHEMA_VALIDATION', message: /'code' is missing/ }])
})

t.test('a query unnests an array that is not declared', async (t) => {
  const { model } = parseModelSync({ text: text('nestedIn: { dataObject: Invoices, column: line_items }') })
  const context = {
    dialect: duckdb,
    functions: builtInFunctions,
    aggregates: builtInAggregates,
    now: new Date(0),
    storedTypes: 'declared',
  } as const
  t.match(compile(parseQuery({ select: { measures: ['Revenue'] } }), model!, context).sql, /line_items/)
})
