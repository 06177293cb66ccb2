/** Which columns have one value in each group. */
import t from 'tap'
import { aggregateQuery, contextOf } from '../../../test/support/bound.js'
import { shopWith } from '../../../test/support/models.js'
import { placeFrom } from './column-place.js'
import { BY_CONDITION, FixedColumns } from './fixed-columns.js'

const model = shopWith({
  dataObjects: {
    Orders: {
      columns: {
        Twice: { expression: '{Payer Id} * 2', abstractType: 'int' },
        One: { expression: '1', abstractType: 'int' },
        Open: { code: 'open', abstractType: 'boolean' },
      },
    },
  },
  dimensions: {
    'Customer Id': { dataObject: 'Orders', column: 'Customer Id' },
    Payer: { dataObject: 'Orders', column: 'Payer Id' },
    Number: { dataObject: 'Customers', column: 'Id' },
    Half: { dataObject: 'Orders', expression: '{[Orders].[Amount]} / 2', resultType: 'float' },
    Buyer: { dataObject: 'Orders', expression: '{[Customers].[Name]}', resultType: 'string' },
  },
  filters: [
    { dataObject: 'Regions', column: 'Name', operator: 'equals', value: 'north' },
    { dataObject: 'Returns', column: 'Amount', operator: 'gt', value: 0 },
  ],
})
function fixedBy(
  object: string,
  column: string,
  { dimensions = [] as readonly string[], where = [] as readonly object[], measure = 'Sales' } = {},
) {
  const query = aggregateQuery({ select: { dimensions, measures: [measure] }, where }, model)
  const [{ base, conjuncts, filters, dimensions: by }] = query.aggregates as [(typeof query.aggregates)[number]]
  const fixed = new FixedColumns({ base, dimensions: by, conjuncts, filters }, contextOf(model))
  const found = fixed.fixedBy(placeFrom({ edges: [], object: base }, { object, column }, query.graph)!)
  if (found?.kind === 'dimension') return found.dimension.label
  return found?.kind === 'condition' ? `= ${found.value}` : found?.by.map((name) => name.replace(BY_CONDITION, '\\0')).join()
}
const equals = (field: string, value: unknown) => ({ field, op: 'equals', value })

t.test('by a condition that leaves one value', async (t) => {
  t.equal(fixedBy('Orders', 'Status', { where: [equals('Status', 'paid')] }), '= paid')
  t.equal(fixedBy('Orders', 'Status', { measure: 'Paid Sales' }), '= paid', 'of the measure')
  t.equal(fixedBy('Regions', 'Name'), '= north', 'of the model')
  t.equal(
    fixedBy('Orders', 'Status', {
      where: [
        { field: 'Status', op: 'in', value: ['a', 'b'] },
        { field: 'Status', op: 'in', value: ['b', 'c'] },
      ],
    }),
    '= b',
  )
  t.equal(fixedBy('Orders', 'Status', { where: [{ field: 'Status', op: 'in', value: ['a', 'b'] }] }), undefined)
  t.equal(
    fixedBy('Orders', 'Status', { where: [{ logic: 'or', filters: [equals('Status', 'a'), equals('Region', 'x')] }] }),
    undefined,
  )
  t.equal(fixedBy('Orders', 'Status', { where: [{ field: 'Status', op: 'notset' }] }), '= null')
  t.equal(fixedBy('Orders', 'Status', { where: [{ logic: 'and', negated: true, filters: [equals('Status', 'a')] }] }), undefined)
  t.equal(fixedBy('Customers', 'Id', { where: [equals('Customer Id', 7)] }), '= 7', 'by the column that refers to it')
})

for (const [expression, left] of [
  ["'paid' = {[Status]}", '= paid'],
  ["{[Status]} = 'a' OR {[Status]} = 'a'", '= a'],
  ["{[Status]} = 'a' OR {[Status]} = 'b'", undefined],
  ["({[Status]} = 'a' AND {[Payer]} > 1) OR {[Status]} = 'a'", '= a'],
  ["({[Status]} IN ('a', 'b') AND {[Status]} IN ('b', 'c')) OR {[Status]} = 'b'", '= b'],
  ["{[Status]} = 'a' OR {[Payer]} > 1", undefined],
  ["{[Status]} <> 'a'", undefined],
  ["{[Status]} IN ('a', lower({[Status]}))", undefined],
  ["NOT {[Status]} LIKE 'a%'", undefined],
  ["upper({[Status]}) = 'A'", undefined],
  ["{[Status]} = 'a' OR false", '= a'],
  ["{[Status]} = 'a' OR true", undefined],
  ["{[Status]} = 'a' OR {[Orders].[Open]}", undefined],
] as const)
  t.test(`by ${expression}`, async (t) => t.equal(fixedBy('Orders', 'Status', { where: [{ expression }] }), left))

t.test('by a dimension', async (t) => {
  t.equal(fixedBy('Orders', 'Status', { dimensions: ['Status'] }), 'Status')
  t.equal(fixedBy('Customers', 'Id', { dimensions: ['Customer Id'] }), 'Customer Id')
  t.equal(fixedBy('Orders', 'Day', { dimensions: ['Day:month'] }), undefined, 'a period has many days')
  t.equal(fixedBy('Orders', 'Amount', { dimensions: ['Half'] }), undefined, 'what is computed')
  t.equal(fixedBy('Customers', 'Name', { dimensions: ['Buyer'] }), 'Buyer', 'a column of another table')
  const found = { field: 'Orders', op: 'exists', subquery: { dataObject: 'Items', filter: [] } }
  t.equal(fixedBy('Orders', 'Status', { where: [found] }), undefined)
  const Who = { coalesce: ['Customer', 'Status'], as: 'Who' } as never
  t.equal(fixedBy('Orders', 'Status', { dimensions: [Who], where: [equals('Who', 'a')] }), undefined, 'one of several columns')
})

t.test('by a key, a join or a formula', async (t) => {
  t.equal(fixedBy('Customers', 'Name', { dimensions: ['Customer Id'] }), 'Customer Id')
  t.equal(fixedBy('Customers', 'Name', { dimensions: ['Number'] }), 'Number')
  t.equal(fixedBy('Orders', 'Twice', { dimensions: ['Payer'] }), 'Payer')
  t.equal(fixedBy('Orders', 'Twice', { dimensions: ['Status'] }), undefined)
  t.equal(fixedBy('Orders', 'One', { dimensions: ['Status'] }), undefined)
  t.equal(fixedBy('Customers', 'Name', { where: [equals('Customer Id', 7)] }), '\\0Customers.Id = "7"')
})
