/** Named filters of the model (decision 51) are equal to their filters written in the query. */
import { loadModel } from '@grainline/core'
import { parseModelSync } from '@grainline/core/unstable'
import t from 'tap'
import { builtInAggregates } from '../../core/src/model/functions/aggregates.js'
import { builtInFunctions } from '../../core/src/model/functions/catalogue.js'
import { filterFaults } from '../../core/src/resolve/resolve-query.js'
import { compileFor, NOW, refusalOf } from '../support/compile.js'

const document = (segments: object) => ({
  dataObjects: {
    Sales: {
      code: 'sales',
      columns: {
        Id: { code: 'id', abstractType: 'int', primaryKey: true },
        On: { code: 'sold_on', abstractType: 'date' },
        N: { code: 'n', abstractType: 'int' },
        Shop: { code: 'shop', abstractType: 'string' },
      },
    },
  },
  dimensions: {
    Date: { dataObject: 'Sales', column: 'On' },
    Shop: { dataObject: 'Sales', column: 'Shop' },
    Size: { dataObject: 'Sales', column: 'N' },
  },
  measures: { Sold: { columns: [{ dataObject: 'Sales', column: 'N' }], aggregation: 'sum' } },
  segments,
})
const big = [
  { field: 'Size', op: 'gt', value: 5 },
  { field: 'Date', op: 'relative', value: { unit: 'month', count: 3 } },
]
const { model, errors } = parseModelSync({
  json: document({ Big: { filters: big }, Near: { filters: [{ field: 'Shop', op: 'in', value: ['a', 'b'] }] } }),
})
if (!model) throw new Error(JSON.stringify(errors))

const sqlOf = (where: unknown): string => compileFor({ select: { dimensions: ['Shop'], measures: ['Sold'] }, where }, model).sql
const group = (filters: unknown, more: object = {}) => ({ logic: 'and', filters, ...more })

t.test('a segment compiles to the same SQL as its filters', (t) => {
  for (const [named, written] of [
    [['Big'], big],
    [[{ segment: 'Big' }], big],
    [
      ['big', 'Near'],
      [...big, { field: 'Shop', op: 'in', value: ['a', 'b'] }],
    ],
    [[group([{ segment: 'Big' }], { negated: true })], [group(big, { negated: true })]],
    [
      [{ logic: 'or', filters: ['Big', { field: 'Shop', op: 'eq', value: 'c' }] }],
      [{ logic: 'or', filters: [group(big), { field: 'Shop', op: 'eq', value: 'c' }] }],
    ],
    [
      [{ field: 'Sales', op: 'exists', subquery: { dataObject: 'Sales', filter: ['Near'] } }],
      [
        {
          field: 'Sales',
          op: 'exists',
          subquery: { dataObject: 'Sales', filter: [{ field: 'Shop', op: 'in', value: ['a', 'b'] }] },
        },
      ],
    ],
  ])
    t.equal(sqlOf(named), sqlOf(written), JSON.stringify(named))
  t.match(sqlOf(['Big']), '"sales"."n" > 5')
  t.end()
})

t.test('an unknown or misplaced segment is refused with its path', (t) => {
  const asking = (where: unknown, having: unknown = []) => refusalOf({ select: { measures: ['Sold'] }, where, having }, model)
  t.match(asking(['Bigg']), { code: 'UNKNOWN_FILTER_FIELD', path: 'where[0]', details: { suggestions: ['Big'] } })
  t.match(asking([{ field: 'Big', op: 'eq', value: true }]), { code: 'UNKNOWN_FILTER_FIELD', message: /is a segment/ })
  t.match(asking([], ['Big']), { code: 'UNKNOWN_FILTER_FIELD', path: 'having[0]', message: /belong in where/ })
  t.match(asking([{ segment: 1 }]), { code: 'INVALID_QUERY', path: 'where[0].segment' })
  t.match(asking([{ segment: 'Big', negated: true }]), { code: 'INVALID_QUERY', path: 'where[0].negated' })
  t.end()
})

t.test('an invalid segment is reported when the model loads', async (t) => {
  const faults = (filters: readonly unknown[]) => parseModelSync({ json: document({ S: { filters } }) }).errors
  t.match(faults(['Other']), [{ code: 'INVALID_SETTING', path: 'segments.S.filters[0]' }])
  t.match(faults([{ filters: [{ segment: 'Other' }] }]), [{ code: 'INVALID_SETTING', path: 'segments.S.filters[0].filters[0]' }])
  t.match(faults([{ field: 'Sise', op: 'gt', value: 1 }]), [
    { code: 'UNKNOWN_FILTER_FIELD', path: 'segments.S.filters[0].field', suggestions: ['Size'] },
  ])
  t.match(faults([{ field: 'Size', op: 'above', value: 1 }]), [{ code: 'INVALID_FILTER_OPERATOR' }])
  t.match(faults([{ field: 'Size' }]), [{ code: 'SCHEMA_VALIDATION' }])
  t.match(faults([7]), [{ code: 'SCHEMA_VALIDATION' }])
  t.match(faults([]), [{ code: 'SCHEMA_VALIDATION' }])
  t.same(faults([{ field: 'sales.n', op: 'gt', value: 1 }]).length, 1, 'columns are named as they are')
  t.same(faults([{ field: 'Sales.N', op: 'gt', value: 1 }, { expression: "{[Shop]} = 'a'" }]), [])
  const loaded = await loadModel({ json: document({ S: { filters: [{ field: 'Size', op: 'gt', value: 'many' }] } }) })
  const late = filterFaults(loaded.model!, { functions: builtInFunctions, aggregates: builtInAggregates, now: NOW })
  t.match(late, [{ code: 'INVALID_FILTER_VALUE', path: 'segments.S', severity: 'error' }])
})
