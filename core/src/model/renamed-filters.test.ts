import t from 'tap'
import { shop } from '../../../test/support/models.js'
import { renamedFilters } from './renamed-filters.js'

const names = new Map([...shop.dimensions.keys(), ...shop.measures.keys()].map((name) => [name, `the ${name}`]))
const renamed = (...filters: readonly unknown[]): unknown[] => renamedFilters(filters, shop, (field) => names.get(field) ?? field)

t.test('fields have the other names, and columns and segments keep theirs', async (t) => {
  t.same(renamed('Some', { segment: 'Some' }, { field: 'Status', op: 'set' }, { field: 'Orders.Status', op: 'set' }), [
    'Some',
    { segment: 'Some' },
    { field: 'the Status', op: 'set' },
    { field: 'Orders.Status', op: 'set' },
  ])
  t.same(renamed({ logic: 'or', filters: [{ field: 'Status', op: 'set' }] }), [
    { logic: 'or', filters: [{ field: 'the Status', op: 'set' }] },
  ])
})

t.test('in an expression, what is in quotes is a text', async (t) => {
  t.same(renamed({ expression: "{[Status]} <> '{[Status]}''' AND { [Day:month] } > {[Orders].[Day]} AND {Status} <> {@P}" }), [
    { expression: "{[the Status]} <> '{[Status]}''' AND {[the Day:month]} > {[Orders].[Day]} AND {[the Status]} <> {@P}" },
  ])
})

t.test('inside an existence, the columns of its object come first', async (t) => {
  const filter = [
    { field: 'Status', op: 'set' },
    { field: 'Region', op: 'set' },
  ]
  t.same(renamed({ field: 'Region', op: 'exists', subquery: { dataObject: 'Orders', filter } }), [
    {
      field: 'the Region',
      op: 'exists',
      subquery: { dataObject: 'Orders', filter: [filter[0], { field: 'the Region', op: 'set' }] },
    },
  ])
  t.same(renamed({ field: 'Region', op: 'exists', subquery: { data_object: 'Orders', filter } }), [
    {
      field: 'the Region',
      op: 'exists',
      subquery: { data_object: 'Orders', filter: [filter[0], { field: 'the Region', op: 'set' }] },
    },
  ])
})
