/** Proposed, certified and deprecated fields: their declaration, the warnings of a query, and the order of a search. */
import t from 'tap'
import { findFields } from '../../core/src/discovery/find-fields.js'
import { parseModelSync } from '../../core/src/model/load-model.js'
import { parseQuery } from '../../core/src/query/parse-query.js'
import { compileParsed, loadText } from '../support/compile.js'

const text = `
version: 1
dataObjects:
  Orders:
    code: orders
    columns:
      Id: {code: id, abstractType: int, primaryKey: true}
      Amount: {code: amount, abstractType: float, numClass: additive}
      Country: {code: country, abstractType: string}
      Day: {code: day, abstractType: date}
dimensions:
  Country: {dataObject: Orders, column: Country, status: certified}
  Nation: {dataObject: Orders, column: Country, status: deprecated, use: Country}
  Day: {dataObject: Orders, column: Day, status: proposed}
measures:
  Gross Sales: {aggregation: sum, columns: [{dataObject: Orders, column: Amount}], status: certified}
  Net Sales: {aggregation: sum, columns: [{dataObject: Orders, column: Amount}], status: proposed}
  Old Sales: {aggregation: sum, columns: [{dataObject: Orders, column: Amount}], status: deprecated, use: Gross Sales}
metrics:
  Sales Share: {expression: '{[Net Sales]} / {[Gross Sales]}', status: certified}
  Sales Twice: {expression: '{[Sales Share]} * 2', status: certified}
  Sales Whole: {expression: '{[Gross Sales]} * 1', status: certified}
`
const model = loadText(text)

t.test('a certified metric that reads a proposed field, at any depth, is presented as proposed', async (t) => {
  t.same(
    ['Sales Share', 'Sales Twice', 'Sales Whole'].map((name) => model.metrics.get(name)?.status),
    ['proposed', 'proposed', 'certified'],
  )
  t.match(parseModelSync({ text }).warnings, [
    { code: 'CERTIFIED_OVER_PROPOSED', path: 'metrics.Sales Share.status', line: 20 },
    { code: 'CERTIFIED_OVER_PROPOSED', path: 'metrics.Sales Twice.status', message: /made of 'Net Sales'/ },
  ])
})

t.test('only a deprecated field may name its replacement, which must be a field of the same kind', async (t) => {
  const findings = (from: string, to: string) => {
    if (!text.includes(from)) throw new Error(`the model has no ${from}`)
    const { errors, warnings } = parseModelSync({ text: text.replace(from, () => to) })
    return [...errors, ...warnings].filter(({ code }) => code !== 'CERTIFIED_OVER_PROPOSED')
  }
  const at = (path: string, severity: string) => [{ path, severity }]
  t.match(findings('use: Country', 'use: Countri'), [{ code: 'INVALID_REPLACEMENT', suggestions: ['Country'] }])
  t.match(findings('use: Country', 'use: Gross Sales'), at('dimensions.Nation.use', 'error'))
  t.match(findings('use: Gross Sales', 'use: Sales Whole'), [])
  t.match(findings('use: Gross Sales', 'use: Old Sales'), at('measures.Old Sales.use', 'error'))
  t.match(
    findings('status: proposed}\nmeasures', 'status: proposed, use: Country}\nmeasures'),
    at('dimensions.Day.use', 'warning'),
  )
  t.match(findings(', use: Country', ''), [{ code: 'REPLACEMENT_MISSING', path: 'dimensions.Nation.status' }])
  t.match(findings('status: proposed', 'status: draft'), [{ code: 'SCHEMA_VALIDATION' }])
})

t.test('a query has a warning for each deprecated field that it uses, in any place', async (t) => {
  const warned = (query: object) =>
    compileParsed(parseQuery(query), model).warnings.map(({ code, path, message }) => [code, path, message])
  const select = { measures: ['Gross Sales'] }
  t.same(warned({ select: { ...select, dimensions: ['Country'] } }), [])
  t.same(warned({ select: { ...select, dimensions: ['Nation'] } }), [
    ['DEPRECATED_FIELD', 'select.dimensions[0]', "'Nation' is deprecated: use 'Country'"],
  ])
  t.match(warned({ select: { ...select, dimensions: ['day:month'] } }), [['PROPOSED_FIELD', 'select.dimensions[0]']])
  t.match(warned({ select: { measures: ['Sales Whole', 'Sales Twice'] } }), [
    ['PROPOSED_FIELD', 'select.measures[1]', "'Sales Twice' is proposed and not certified"],
    ['PROPOSED_FIELD', 'select.measures[1]', /'Sales Share', which 'Sales Twice' is made of,/],
    ['PROPOSED_FIELD', 'select.measures[1]', /'Net Sales', which/],
  ])
  const where = [
    {
      logic: 'or',
      filters: [
        { field: 'Nation', op: '=', value: 'x' },
        { field: 'Day', op: '=', value: '2020-01-01' },
      ],
    },
  ]
  t.match(warned({ select, where }), [
    ['DEPRECATED_FIELD', 'where[0].filters[0]'],
    ['PROPOSED_FIELD', 'where[0].filters[1]'],
  ])
  t.match(warned({ select, order_by: [{ field: 'Old Sales' }] }), [['DEPRECATED_FIELD', 'order_by[0]']])
})

t.test('a search lists certified fields first, and shows the status of the others', async (t) => {
  t.match(findFields('sales', model, ['measure']).results, [
    { name: 'Gross Sales', status: 'certified' },
    { name: 'Net Sales', status: 'proposed' },
    { name: 'Old Sales', status: 'deprecated', use: 'Gross Sales' },
  ])
})
