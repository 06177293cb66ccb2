import t from 'tap'
import { compileFor } from '../../../test/support/compile.js'
import { parseModelSync } from '../model/load-model.js'
import { fieldOfSynonym } from './synonyms.js'

const { model, errors } = parseModelSync({
  text: `
version: 1
name: shop
dataObjects:
  Orders:
    code: orders
    columns:
      Id: { code: id, abstractType: int, primaryKey: true }
      Turnover: { code: turnover, abstractType: int }
      Amount: { code: amount, abstractType: int }
      Day: { code: day, abstractType: date }
      Land: { code: land, abstractType: string }
dimensions:
  Order Date: { dataObject: Orders, column: Day, synonyms: [When, Datum] }
  Country: { dataObject: Orders, column: Land, synonyms: [Nation, Revenue, Place] }
  Region: { dataObject: Orders, column: Land, synonyms: [Place] }
measures:
  Revenue: { aggregation: sum, columns: [{ dataObject: Orders, column: Amount }], synonyms: [Turnover, Sales] }
  Cost: { aggregation: max, columns: [{ dataObject: Orders, column: Amount }], hidden: true, synonyms: [Expense] }
metrics:
  Margin: { expression: '{[Revenue]} - {[Cost]}', synonyms: [Profit] }
  Doubled: { expression: '{[Revenue]} * 2', hidden: true }
`,
})
if (!model) throw new Error(errors.map(({ message }) => message).join('; '))

t.test('a synonym of one field names it, in any case', (t) => {
  for (const text of ['Turnover', 'turnover', 'SALES']) t.equal(fieldOfSynonym(text, model), 'Revenue')
  t.end()
})

t.test('a synonym of several fields, of a hidden one, or the name of another one is no name', (t) => {
  for (const text of ['Place', 'Expense', 'Revenue', 'Nothing', '']) t.equal(fieldOfSynonym(text, model), undefined)
  t.end()
})

const everywhere = {
  select: {
    dimensions: ['when:month', { expression: "coalesce({[Nation]}, '-')", as: 'Where' }],
    measures: ['Turnover', 'Profit'],
  },
  where: [
    { field: 'Datum', op: 'gte', value: '2026-01-01' },
    { logic: 'or', filters: [{ field: 'Nation', op: '=', value: 'FR' }, { expression: "{[Nation]} = 'DE'" }] },
  ],
  having: [{ field: 'Sales', op: 'gt', value: 1 }],
  order_by: [{ field: 'Profit', direction: 'desc' }, { field: 'when' }],
  grouping: { sets: [['When', 'Where'], []] },
}
const byName = JSON.parse(
  JSON.stringify(everywhere)
    .replaceAll(/"(when|When|Datum)(?=[:"])/g, '"Order Date')
    .replaceAll(/Turnover|"Sales"/g, (word) => (word.startsWith('"') ? '"Revenue"' : 'Revenue'))
    .replaceAll('Nation', 'Country')
    .replaceAll('Profit', 'Margin'),
)

t.test('everywhere in a query, a synonym means the field, and the answer says which one', (t) => {
  const [asked, named] = [compileFor(everywhere, model), compileFor(byName, model)]
  t.equal(asked.sql, named.sql)
  t.same(
    asked.columns.map(({ name }) => name),
    named.columns.map(({ name }) => name),
  )
  t.same(
    asked.warnings.filter(({ code }) => code === 'SYNONYM_USED').map(({ context }) => context?.['field']),
    ['Order Date', 'Country', 'Revenue', 'Margin', 'Order Date', 'Revenue'],
  )
  t.same(named.warnings, [])
  t.end()
})

t.test('a name that the query gives is no synonym', (t) => {
  const query = {
    select: { dimensions: [{ expression: '{[Country]}', as: 'Sales' }], measures: ['Revenue'] },
    order_by: [{ field: 'Sales' }],
  }
  t.same(compileFor(query, model).warnings, [])
  t.end()
})

t.test('a synonym of several fields is refused, with each of them', (t) => {
  try {
    compileFor({ select: { dimensions: ['Place'], measures: ['Revenue'] } }, model)
    t.fail('is answered')
  } catch (error) {
    t.match(error, { code: 'UNKNOWN_DIMENSION', details: { suggestions: ['Country', 'Region'] } })
  }
  t.end()
})

t.test('hidden measures and metrics are answered by name, and never proposed', (t) => {
  t.equal(compileFor({ select: { measures: ['Cost', 'Doubled'] } }, model).columns.length, 2)
  for (const name of ['Costs', 'Double', 'Expense'])
    try {
      compileFor({ select: { measures: [name] } }, model)
      t.fail('is answered')
    } catch (error) {
      const { message, details } = error as { readonly message: string; readonly details: object }
      t.notMatch(JSON.stringify([message, details]).replaceAll(`'${name}'`, ''), /Cost\b|Doubled/)
    }
  t.end()
})
