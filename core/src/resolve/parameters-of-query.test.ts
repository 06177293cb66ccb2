/** The parameters of a question, through everything that its fields read. */
import t from 'tap'
import { shopWith } from '../../../test/support/models.js'
import { parseQuery } from '../query/parse-query.js'
import { fieldsWithoutValue, parametersOfQuery } from './parameters-of-query.js'

const counted = (dataObject: string) => ({ aggregation: 'count', columns: [{ dataObject, column: 'Id' }] })
const model = shopWith({
  parameters: { Shift: { type: 'int' } },
  dataObjects: {
    Customers: { columns: { Group: { expression: '{Id} + {@Shift}', abstractType: 'int' } } },
  },
  dimensions: {
    Group: { dataObject: 'Customers', column: 'Group' },
    'Return Day': { dataObject: 'Returns', column: 'Day' },
  },
  measures: { 'Return Count': counted('Returns') },
  metrics: {
    'By Group': { type: 'aggregate', measure: 'Sales', aggregation: 'max', per: ['Group'] },
    Converted: {
      ...{
        type: 'conversion',
        base: 'Order Count',
        conversion: 'Return Count',
        entity: 'Group',
        window: '7d',
        calculation: 'count',
      },
      ...{ timeDimension: 'Day', conversionTimeDimension: 'Return Day' },
    },
    Steps: {
      ...{ type: 'funnel', entity: 'Group', window: '7d', calculation: 'count' },
      steps: [
        { measure: 'Order Count', timeDimension: 'Day' },
        { measure: 'Return Count', timeDimension: 'Return Day' },
      ],
    },
  },
})
const ask = (...measures: readonly string[]) => parseQuery({ select: { measures } })

for (const metric of ['By Group', 'Converted', 'Steps'])
  t.test(`'${metric}' reads the parameter of a dimension that it names`, async (t) => {
    t.same([...parametersOfQuery(ask(metric), model, [])], ['Shift'])
    const { fields, parameters } = fieldsWithoutValue({ select: { dimensions: [], measures: [metric] } }, model)
    t.same([...fields, ...parameters], [metric, 'Shift'], 'without a value it has none')
  })

t.test('a filter, a measure for each row and an expression name parameters, too', async (t) => {
  const where = [{ field: 'Status', op: '=', value: { parameter: 'shift' } }]
  t.same([...parametersOfQuery(parseQuery({ select: { measures: ['Sales'] }, where }), model, [])], ['Shift'])
  const unknown = [{ field: 'Status', op: '=', value: { parameter: 'Shfit' } }]
  t.same([...parametersOfQuery(parseQuery({ select: { measures: ['Sales'] }, where: unknown }), model, [])], ['Shfit'])
  const per = { measure: 'By Group', per: 'Customers', as: 'X' }
  t.same([...parametersOfQuery(parseQuery({ select: { dimensions: [per], measures: ['Sales'] } }), model, [])], ['Shift'])
  const computed = { expression: '{[Group]} + 1', as: 'Y' }
  t.same([...parametersOfQuery(parseQuery({ select: { dimensions: [computed], measures: ['Sales'] } }), model, [])], ['Shift'])
  const { parameters } = fieldsWithoutValue({ select: { dimensions: [computed], measures: [] } }, model)
  t.same([...parameters], ['Shift'])
})

t.test('a field whose parameter has a value has one, and a dimension by its name may have none', async (t) => {
  const of = (dimensions: readonly string[], parameters: Readonly<Record<string, number>> = {}) => [
    ...fieldsWithoutValue({ select: { dimensions, measures: [] }, parameters }, model).fields,
  ]
  t.same(of(['Group', 'Region']), ['Group'])
  t.same(of(['Group'], { Shift: 1 }), [])
})

t.test('another measure reads none', async (t) => {
  t.same([...parametersOfQuery(ask('Sales'), model, [])], [])
  t.equal(fieldsWithoutValue({ select: { dimensions: [], measures: ['Sales'] } }, model).fields.size, 0)
})
