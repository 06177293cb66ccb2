import t from 'tap'
import { builtInAggregates } from '../model/functions/aggregates.js'
import { builtInFunctions } from '../model/functions/catalogue.js'
import { parseModelSync } from '../model/load-model.js'
import { combines } from './combines.js'

const { model } = parseModelSync({
  text: `
dataObjects:
  Orders:
    code: orders
    columns: { Id: { code: id, abstractType: int, primaryKey: true }, Price: { code: price, abstractType: float }, Customer: { code: customer, abstractType: int } }
    joins: [{ joinType: many-to-one, joinTo: Customers, columnsFrom: [Customer], columnsTo: [Id] }]
  Customers:
    code: customers
    columns: { Id: { code: id, abstractType: int, primaryKey: true }, Country: { code: country, abstractType: string } }
  Rates:
    code: rates
    columns: { Id: { code: id, abstractType: int, primaryKey: true }, Rate: { code: rate, abstractType: float } }
dimensions: { Country: { dataObject: Customers, column: Country } }
measures:
  Revenue: { columns: [{ dataObject: Orders, column: Price }], aggregation: sum }
  Rate: { columns: [{ dataObject: Rates, column: Rate }], aggregation: avg }
`,
})
const catalogues = { functions: builtInFunctions, aggregates: builtInAggregates }

t.test('a measure combines with the dimensions that its object reaches', (t) => {
  t.equal(combines({ dimensions: ['Country'], measure: 'Revenue' }, model!, catalogues), true)
  t.equal(combines({ dimensions: ['Country'], measure: 'Rate' }, model!, catalogues), false)
  t.equal(combines({ dimensions: [], measure: 'Rate' }, model!, catalogues), true)
  t.end()
})
