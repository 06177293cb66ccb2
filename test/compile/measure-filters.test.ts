/** The filters of a measure name dimensions like `where`, or columns. */
import { parseModelSync } from '@grainline/core/unstable'
import t from 'tap'
import { compileFor } from '../support/compile.js'

const document = (filters: readonly object[]) => ({
  dataObjects: {
    Orders: {
      code: 'orders',
      columns: {
        Id: { code: 'id', abstractType: 'int', primaryKey: true },
        Country: { code: 'country', abstractType: 'string' },
        Day: { code: 'placed', abstractType: 'date' },
      },
    },
  },
  dimensions: {
    Where: { dataObject: 'Orders', column: 'Country' },
    Month: { dataObject: 'Orders', column: 'Day', timeGrain: 'month' },
    Upper: { dataObject: 'Orders', expression: 'upper({[Orders].[Country]})' },
  },
  measures: { Some: { aggregation: 'count', columns: [{ dataObject: 'Orders', column: 'Id' }], filters } },
})

const sqlOf = (filters: readonly object[]): string => {
  const { model, errors } = parseModelSync({ json: document(filters) })
  if (!model) throw new Error(errors.map((e) => e.message).join('; '))
  return compileFor({ select: { measures: ['Some'] } }, model).sql
}

t.test('a filter on a dimension compares its column', async (t) => {
  const filter = (field: string) => [{ field, op: '=', value: 'BE' }]
  t.equal(sqlOf(filter('Where')), sqlOf(filter('Orders.Country')))
})

t.test('a filter on a dimension with a grain compares its periods, as in where', async (t) => {
  const where = [{ field: 'Month', op: '=', value: '2024-05-01' }]
  const plain = parseModelSync({ json: document([]) }).model!
  t.equal(
    sqlOf(where),
    compileFor({ select: { measures: ['Some'] }, where }, plain).sql,
    'the same text as the same condition on the question',
  )
})

t.test('a filter on a dimension that is not a plain column is refused with the form to write', async (t) => {
  const { errors } = parseModelSync({ json: document([{ field: 'Upper', op: '=', value: 'BE' }]) })
  t.match(errors, [{ code: 'INCOMPLETE_COLUMN_REF', path: 'measures.Some.filters[0].field', message: /write the column/ }])
})
