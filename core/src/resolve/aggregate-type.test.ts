/** The types of measures. */
import t from 'tap'
import { contextOf, rowSetContext } from '../../../test/support/bound.js'
import { shopWith } from '../../../test/support/models.js'
import { formatDataType } from '../model/data-type.js'
import { aggregateType, inputType, sumAt } from './aggregate-type.js'
import { multiFactOf } from './multi-fact.js'

const amount = [{ dataObject: 'Orders', column: 'Price' }]
const model = shopWith({
  dataObjects: { Orders: { columns: { Price: { code: 'price', abstractType: 'float', sqlType: 'decimal(9, 2)' } } } },
  measures: {
    'Total Price': { aggregation: 'sum', columns: amount },
    'Mean Price': { aggregation: 'avg', columns: amount },
    'Least Price': { aggregation: 'min', columns: amount },
    Kept: { aggregation: 'sum', expression: '{[Orders].[Price]} - {[Returns].[Amount]}' },
  },
})
const context = contextOf(model)

const TYPES: Readonly<Record<string, string>> = {
  Sales: 'decimal(38,0)',
  'Order Count': 'int',
  'Total Price': 'decimal(38,2)',
  'Mean Price': 'float',
  'Least Price': 'decimal(9,2)',
}
for (const [name, type] of Object.entries(TYPES))
  t.test(`'${name}' is ${type}`, async (t) =>
    t.equal(formatDataType(aggregateType(model.measures.get(name)!, context, '')), type),
  )

t.test('an aggregation that is not loaded is refused', async (t) => {
  t.throws(() => aggregateType({ ...model.measures.get('Sales')!, aggregation: 'hyperlog' }, context, 'p'), {
    code: 'UNSUPPORTED_AGGREGATION',
    path: 'p',
  })
})

t.test('a column of a fact that is summed before has the type of its sum', async (t) => {
  const ref = { kind: 'column', object: 'Orders', column: 'Price' } as const
  const multiFact = multiFactOf(
    model.measures.get('Kept')!,
    'Customers',
    rowSetContext({ select: { measures: ['Sales'] } }, model),
    '',
  )
  t.equal(formatDataType(inputType(ref, model, multiFact)), 'decimal(38,2)')
  t.equal(formatDataType(inputType(ref, model, undefined)), 'decimal(9,2)')
  t.equal(sumAt(multiFact, { ...ref, column: 'Id' }), undefined)
})
