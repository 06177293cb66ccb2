/** Rows are aggregated by the key of an object before its names are joined, if totals of parts are totals of the whole. */
import t from 'tap'
import { compileFor } from '../../../../test/support/compile.js'
import { shopWith } from '../../../../test/support/models.js'
import {
  above,
  aggregate,
  column,
  factsOf,
  filter,
  joinsIn,
  joinTo,
  limited,
  named,
  nodesIn,
  scan,
  sumOf,
} from '../../../../test/support/plans.js'
import { said, saidTerms } from '../../../../test/support/said.js'
import { DATE, decimal, INT, STRING } from '../../model/data-type.js'
import { binary, call, isNotNull } from '../../resolve/expressions.js'
import type { RelationColumn } from '../../resolve/relation-column.js'
import { equal } from '../../resolve/row-terms.js'
import type { Join, LogicalPlan, NamedAggregate, NamedExpr, RowExpr } from '../logical-plan.js'
import { earlySums, withEarlySums } from './early-sums.js'

const of = (dataObject: string, column: string) => ({ dataObject, column })
const over = (aggregation: string, name: string, more: object = {}) => ({ aggregation, columns: [of('Orders', name)], ...more })
const number = (code: string, sqlType?: string) => ({ code, abstractType: 'float', ...(sqlType && { sqlType }) })
const MODEL = shopWith({
  dataObjects: {
    Customers: { columns: { City: { code: 'city', abstractType: 'string' } } },
    Orders: {
      columns: {
        State: { code: 'state', abstractType: 'string' },
        Pieces: { code: 'pieces', abstractType: 'int' },
        Price: number('price', 'DECIMAL(9, 2)'),
        Total: number('total', 'DECIMAL(38, 2)'),
        Weight: number('weight'),
      },
    },
  },
  dimensions: { Name: of('Customers', 'Name'), City: of('Customers', 'City'), State: of('Orders', 'State') },
  measures: {
    Price: over('sum', 'Price'),
    Orders: over('count', 'Id'),
    Last: over('max', 'Day'),
    Total: over('sum', 'Total'),
    Weight: over('sum', 'Weight'),
    Heaviest: over('max', 'Weight'),
    Mean: over('avg', 'Price'),
    'Mean Pieces': over('avg', 'Pieces'),
    Days: over('count', 'Day', { distinct: true }),
    Open: over('sum', 'Price', { filters: [{ field: 'State', op: '=', value: 'open' }] }),
    Heavy: over('max', 'Day', { filters: [{ field: 'Orders.Weight', op: '>', value: 5 }] }),
    'Mean Open': over('avg', 'Pieces', { filters: [{ field: 'State', op: '=', value: 'open' }] }),
    Northern: { aggregation: 'sum', expression: "CASE WHEN {[Regions].[Name]} = 'North' THEN {[Orders].[Price]} END" },
  },
})

const where = (field: string, op: string, value?: unknown): object => ({
  where: [{ field, op, ...(value !== undefined && { value }) }],
})
const NAMES = ['Name', 'City']

const ROWS: readonly (readonly [
  title: string,
  dimensions: readonly string[],
  measures: readonly string[],
  more: object,
  key: string | undefined,
])[] = [
  ['by the key of the object that has the names', NAMES, ['Price'], {}, 'customer_id'],
  ['counts and extremes', NAMES, ['Orders', 'Last'], {}, 'customer_id'],
  ['names of what is joined to the object, too', ['Name', 'Region'], ['Price'], {}, 'customer_id'],
  ['measures with a filter each', NAMES, ['Open', 'Heavy'], {}, 'customer_id'],
  ['a single name', ['Name'], ['Price'], {}, undefined],
  ['more aggregates than names', NAMES, ['Price', 'Orders', 'Last'], {}, undefined],
  ['beside years', [...NAMES, 'Region', 'Day:year'], ['Price'], {}, 'customer_id'],
  ['beside years two names win too little', [...NAMES, 'Day:year'], ['Price'], {}, undefined],
  ['beside days there may be as many keys as rows', [...NAMES, 'Region', 'Day'], ['Price'], {}, undefined],
  ['beside a column of the rows', [...NAMES, 'Region', 'State'], ['Price'], {}, undefined],
  ['a condition on the rows is asked first', NAMES, ['Price'], where('State', '=', 'open'), 'customer_id'],
  ['that a name is known is asked afterwards', NAMES, ['Price'], where('Name', 'is_not_null'), 'customer_id'],
  ['another condition on the names leaves fewer rows', NAMES, ['Price'], where('City', '=', 'Rome'), undefined],
  ['also one on what is joined to the object', NAMES, ['Price'], where('Region', '=', 'North'), undefined],
  ['decimals whose parts may have too many digits', NAMES, ['Total'], {}, undefined],
  ['doubles, which are added in an order', NAMES, ['Weight'], {}, undefined],
  ['extremes of doubles, of which 0 and -0 are equal', NAMES, ['Heaviest'], {}, undefined],
  ['an average of integers, by its sum and its count', NAMES, ['Mean Pieces'], {}, 'customer_id'],
  ['an average with a condition that the others do not have', [...NAMES, 'Region'], ['Price', 'Mean Open'], {}, 'customer_id'],
  ['with subtotals', NAMES, ['Price'], { grouping: 'rollup' }, 'customer_id'],
  ['an average with subtotals', NAMES, ['Mean Pieces'], { grouping: 'cube' }, 'customer_id'],
  ['subtotals of other groups, too', [...NAMES, 'Region', 'Day:year'], ['Price'], { grouping: 'rollup' }, undefined],
  ['an average of averages', NAMES, ['Mean'], {}, undefined],
  ['a count of different values', NAMES, ['Days'], {}, undefined],
  ['a value that reads the object', NAMES, ['Northern'], {}, undefined],
]

for (const [title, dimensions, measures, more, key] of ROWS)
  t.test(title, (t) => {
    const { sql } = compileFor({ select: { dimensions, measures }, ...more }, MODEL)
    t.equal(/"orders"\."(\w+)" AS "key_1"/.exec(sql)?.[1], key)
    t.end()
  })

const key = column('orders', 'customer_id')
const customers = (left: LogicalPlan = scan('orders'), more: Partial<Join> = {}): Join => joinTo(left, 'customers', key, more)
const text = (table: string, name: string): NamedExpr => named(`${table} ${name}`, column(table, name, STRING), STRING)
const TWO = [text('customers', 'name'), text('customers', 'city')]
const price = sumOf('price', column('orders', 'price'), { type: decimal(18, 2) })

function early(
  input: LogicalPlan = customers(),
  keys: readonly NamedExpr[] = TWO,
  aggregates: readonly NamedAggregate[] = [price],
) {
  const found = withEarlySums(aggregate(input, keys, aggregates), factsOf())
  if (found?.kind !== 'aggregate') return undefined
  const [first] = nodesIn(found.input, 'aggregate')
  return { found, first: first! }
}
const shownKeys = (keys: readonly NamedExpr[]) => keys.map(({ name, expression }) => `${name} = ${said(expression)}`)
const conditionsOf = (plan: LogicalPlan) => nodesIn(plan, 'filter').map(({ condition }) => said(condition))

t.test('rows are grouped by the column that finds the object, and the totals by its names', async (t) => {
  const { found, first } = early()!
  t.same(shownKeys(first.keys), ['key_1 = orders.customer_id'])
  t.same(shownKeys(found.keys), ['customers name = customers.name', 'customers city = customers.city'])
  t.same(nodesIn(first.input, 'join'), [], 'the object is joined afterwards')
  t.match(joinsIn(found.input)[0]?.on.length, 1)
  t.match(saidTerms(joinsIn(found.input)[0]!.on), /^\(orders_by_key\.key_1 = customers\.id\)$/)
  t.same(
    found.aggregates.map(({ aggregate: own, args }) => `${own}(${args.map((arg) => said(arg))})`),
    ['sum(orders_by_key.price)'],
  )
})

t.test('a name that a group has is none for a key', async (t) => {
  const { first } = early(customers(), TWO, [{ ...price, name: 'key_1' }])!
  t.same(shownKeys(first.keys), ['key_1_2 = orders.customer_id'])
})

t.test('joins that follow from the object are joined afterwards, others before', async (t) => {
  const further = joinTo(
    customers(joinTo(scan('orders'), 'shops', column('orders', 'shop_id'))),
    'regions',
    column('customers', 'region_id'),
  )
  const { found, first } = early(further, [...TWO, text('regions', 'name')])!
  t.same(
    joinsIn(first.input).map(({ label }) => label.to),
    ['shops'],
  )
  t.same(
    joinsIn(found.input)
      .map(({ label }) => label.to)
      .filter((to) => to !== 'shops'),
    ['customers', 'regions'],
  )
})

t.test('conditions on rows come first, and that a name is not NULL afterwards', async (t) => {
  const known = isNotNull<RelationColumn>(column('customers', 'name', STRING))
  const { found, first } = early(filter(filter(customers(), above(column('orders', 'price'))), known))!
  t.same(conditionsOf(first.input), ['(orders.price > 0)'])
  t.same(
    conditionsOf(found.input).filter((one) => !conditionsOf(first.input).includes(one)),
    ['customers.name is not null'],
  )
  t.equal(early(filter(customers(), above(column('customers', 'age')))), undefined, 'another condition leaves fewer rows')
})

t.test('that a foreign key is not NULL is said by an inner join', async (t) => {
  const known = isNotNull<RelationColumn>(key)
  const { found, first } = early(filter(customers(scan('orders'), { matchedBy: [key] }), known))!
  t.same([conditionsOf(found.input), conditionsOf(first.input)], [[], []])
  t.equal(joinsIn(found.input)[0]?.type, 'inner')
  const other = early(filter(customers(), known))!
  t.same(conditionsOf(other.first.input), ['orders.customer_id is not null'], 'not a foreign key')
  t.equal(joinsIn(other.found.input)[0]?.type, 'left')
})

t.test('only where it pays', async (t) => {
  t.equal(early(customers(), TWO.slice(0, 1)), undefined, 'one name')
  t.equal(early(customers(), TWO, [price, { ...price, name: 'b' }, { ...price, name: 'c' }]), undefined, 'more values than names')
  t.ok(early(customers(), TWO, [price, { ...price, name: 'b' }]))
  const numbers = TWO.map((own) => ({ ...own, type: INT }))
  t.equal(early(customers(), numbers), undefined, 'numbers are grouped as fast as keys')
  t.ok(early(customers(), [TWO[0]!, numbers[1]!]), 'one text')
  const year = named(
    'year',
    call('date_trunc', { kind: 'literal', value: 'year', type: STRING }, column('orders', 'day', DATE)),
    DATE,
  )
  const month = {
    ...year,
    expression: call('date_trunc', { kind: 'literal', value: 'month', type: STRING } as RowExpr, column('orders', 'day', DATE)),
  }
  const three = [...TWO, text('customers', 'street')]
  t.ok(early(customers(), [...three, year]), 'years and three names')
  t.equal(early(customers(), [...TWO, year]), undefined)
  t.equal(early(customers(), [...three, month]), undefined)
  t.equal(early(customers(), [...three, { ...year, expression: column('orders', 'day', DATE) }]), undefined)
  t.equal(early(customers(), TWO, []), undefined, 'nothing is summed')
})

t.test('nothing else may read the object', async (t) => {
  t.equal(early(customers(), TWO, [{ ...price, args: [column('customers', 'age')] }]), undefined)
  t.equal(early(customers(), TWO, [{ ...price, filter: above(column('customers', 'age')) }]), undefined)
  t.ok(early(customers(), TWO, [{ ...price, filter: above(column('orders', 'age')) }]))
  const both = named('both', binary<RelationColumn>('+', column('customers', 'age'), column('orders', 'age')))
  t.equal(early(customers(), [...TWO, both]), undefined, 'a name of both')
})

t.test('the object is found by columns whose equal values have one form', async (t) => {
  t.equal(early(joinTo(scan('orders'), 'customers', column('orders', 'customer', DATE))), undefined)
  t.equal(
    early(customers(scan('orders'), { label: { from: '', to: 'customers', columns: [], reason: '' } })),
    undefined,
    'a join of no model',
  )
  t.equal(early(limited(customers())), undefined)
  const { found } = early(joinTo(customers(scan('orders'), {}), 'customers_2', column('orders', 'payer_id')), [
    text('customers_2', 'name'),
    text('customers_2', 'city'),
  ])!
  t.equal(joinsIn(found.input).at(-1)?.label.to, 'customers_2')
})

t.test('parts must add up', async (t) => {
  t.equal(early(customers(), TWO, [{ ...price, aggregate: 'avg' }]), undefined)
  t.equal(earlySums.rewrite(scan('orders'), factsOf()), undefined)
})

t.test('each of several is asked', async (t) => {
  t.equal(early(customers(), TWO, [price, { ...price, name: 'mean', aggregate: 'avg' }]), undefined, 'one that does not add up')
  const further = (more: Partial<Join>) => joinTo(customers(), 'regions', column('customers', 'region_id'), more)
  const three = [...TWO, text('regions', 'name')]
  t.ok(early(further({}), three))
  t.equal(early(further({ label: { from: '', to: 'regions', columns: [], reason: '' } }), three), undefined, 'a join of no model')
  const twice = (from: RowExpr) => [
    equal<RelationColumn>(key, column('customers', 'id')),
    equal<RelationColumn>(from, column('customers', 'day', DATE)),
  ]
  t.equal(
    early(customers(scan('orders'), { on: twice(column('orders', 'day', DATE)) })),
    undefined,
    'one column without one form',
  )
})

t.test('a join follows from the object through others, too', async (t) => {
  const regions = joinTo(customers(), 'regions', column('customers', 'region_id'))
  const lands = joinTo(regions, 'lands', column('regions', 'land_id'))
  const { first } = early(lands, [...TWO, text('lands', 'name')])!
  t.same(joinsIn(first.input), [])
  const shops = joinTo(customers(), 'shops', column('orders', 'shop_id'))
  const beside = early(joinTo(shops, 'towns', column('shops', 'town_id')))!
  t.same(
    joinsIn(beside.first.input).map(({ label }) => label.to),
    ['shops', 'towns'],
  )
})

t.test('joins after it that do not follow from it come first, too', async (t) => {
  const { found, first } = early(joinTo(customers(), 'shops', column('orders', 'shop_id')))!
  t.same(
    joinsIn(first.input).map(({ label }) => label.to),
    ['shops'],
  )
  t.equal(joinsIn(found.input).filter(({ label }) => label.to === 'shops').length, 1)
})

t.test('only the condition on its key is said by an inner join', async (t) => {
  const [known, price0] = [isNotNull<RelationColumn>(key), above(column('orders', 'price'))]
  const { first } = early(filter(filter(customers(scan('orders'), { matchedBy: [key] }), known), price0))!
  t.same(conditionsOf(first.input), ['(orders.price > 0)'])
})

t.test('a year of another function is no beginning of a year', async (t) => {
  const year = call('extract', { kind: 'literal', value: 'year', type: STRING } as RowExpr, column('orders', 'day', DATE))
  t.equal(early(customers(), [...TWO, text('customers', 'street'), named('year', year)]), undefined)
})
