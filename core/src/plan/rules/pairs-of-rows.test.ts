/** When the rows of a fact, each with the row that it refers to, are the pairs of rows of another fact. */
import t from 'tap'
import { column, joinTo, scan } from '../../../../test/support/plans.js'
import { FLOAT, STRING } from '../../model/data-type.js'
import { binary, call, integer } from '../../resolve/expressions.js'
import type { RelationColumn } from '../../resolve/relation-column.js'
import { equal, holds, type RowTerm } from '../../resolve/row-terms.js'
import { relationOf } from '../joined-rows.js'
import type { Join, Scan } from '../logical-plan.js'
import type { PlainRows } from '../plain-rows.js'
import { linksOf, pairsOf, type ReferredRows } from './pairs-of-rows.js'

const [returns, orders] = [scan('Returns'), scan('Orders')]
const [id, order] = [column('Orders', 'id'), column('Returns', 'order')]
const same = (a: RelationColumn, b: RelationColumn): RowTerm => equal<RelationColumn>(a, b)
const onId = same(id, order)

for (const [title, on, wanted] of [
  ['an equality', [onId], [{ name: 'id', far: order }]],
  ['its sides the other way round', [same(order, id)], [{ name: 'id', far: order }]],
  [
    'two equalities',
    [onId, same(column('Orders', 'line'), column('Returns', 'line'))],
    [
      { name: 'id', far: order },
      { name: 'line', far: column('Returns', 'line') },
    ],
  ],
  ['values of different types', [same(id, column('Returns', 'order', STRING))], undefined],
  ['doubles', [same(column('Orders', 'id', FLOAT), column('Returns', 'order', FLOAT))], undefined],
  ['an expression of the other side', [equal<RelationColumn>(id, call('abs', order))], undefined],
  ['an expression of the own side', [equal<RelationColumn>(call('abs', id), order)], undefined],
  ['two columns of one side', [same(id, column('Orders', 'line'))], undefined],
  ['two columns of other relations', [same(order, column('Shops', 'id'))], undefined],
  ['an equality and a condition', [onId, holds(binary<RelationColumn>('>', order, integer(0)))], undefined],
  ['one of two equalities', [onId, equal<RelationColumn>(id, integer(1))], undefined],
  ['nothing', [], undefined],
] as const satisfies readonly (readonly [string, readonly RowTerm[], unknown])[])
  t.test(`the links of ${title}`, async (t) => t.same(linksOf(on, 'Orders'), wanted))

/** Orders with the returns that refer to them. */
const root: Join = { ...joinTo(orders, 'Returns', id), right: returns, on: [onId] }
const referred = (more: Partial<ReferredRows> = {}): ReferredRows => ({ start: orders, joins: [], root, more: [], ...more })
const fact = (joins: readonly Join[] = [], start: Scan = returns): PlainRows => ({ start, joins, filters: [] })
/** A join by a column, to an object under a name. */
const to = (object: string, from: RelationColumn, alias = object, more: Partial<Join> = {}): Join => ({
  ...joinTo(returns, object, from),
  right: scan(object, { alias }),
  on: [same(from, column(alias, 'id'))],
  ...more,
})
const toOrders = to('Orders', order, 'Their Order', { on: [same(column('Their Order', 'id'), order)] })
const customers = to('Customers', column('Orders', 'customer'))
const theirCustomers = to('Customers', column('Their Order', 'customer'), 'Their Customer')
const inner = { type: 'inner' } as const
const { role: _, ...ofNoModel } = customers.label

for (const [title, rows, others, wanted] of [
  ['a fact alone', fact(), referred(), ['Orders']],
  ['a fact with the row it refers to', fact([toOrders]), referred(), ['Their Order']],
  ['a fact with that row, without which it is left out', fact([{ ...toOrders, ...inner }]), referred(), ['Their Order']],
  ['a fact with another such row', fact([to('Orders', column('Returns', 'first'), 'First')]), referred(), ['First', 'Orders']],
  ['a fact with another row of the same name', fact([to('Orders', column('Returns', 'first'))]), referred(), undefined],
  ['joins that the fact lacks', fact([toOrders]), referred({ joins: [customers] }), ['Their Order', 'Customers']],
  ['joins that both have', fact([toOrders, theirCustomers]), referred({ joins: [customers] }), ['Their Order', 'Their Customer']],
  [
    'joins of the rows that refer',
    fact([to('Shops', column('Returns', 'shop'), 'Shop')]),
    referred({ more: [to('Shops', column('Returns', 'shop'))] }),
    ['Shop', 'Orders'],
  ],
  [
    'two equal joins, of which the fact has one',
    fact([toOrders, theirCustomers]),
    referred({ joins: [customers, to('Customers', column('Orders', 'customer'), 'Again')] }),
    ['Their Order', 'Their Customer', 'Again'],
  ],
  [
    'a join by the key and by what refers to it',
    fact([toOrders, to('Notes', order, 'Their Note')]),
    referred({ joins: [to('Notes', id)] }),
    ['Their Order', 'Their Note'],
  ],
  [
    'inner joins that both have',
    fact([toOrders, { ...theirCustomers, ...inner }]),
    referred({ joins: [{ ...customers, ...inner }] }),
    ['Their Order', 'Their Customer'],
  ],
  [
    'a join that is inner in one of them',
    fact([toOrders, theirCustomers]),
    referred({ joins: [{ ...customers, ...inner }] }),
    undefined,
  ],
  ['an inner join that only the fact has', fact([to('Shops', column('Returns', 'shop'), 'Shop', inner)]), referred(), undefined],
  [
    'a join to other rows',
    fact([toOrders, { ...theirCustomers, right: scan('Payers', { alias: 'Their Customer' }) }]),
    referred({ joins: [customers] }),
    ['Their Order', 'Their Customer', 'Customers'],
  ],
  ['other rows that refer', fact([], scan('Visits')), referred(), undefined],
  [
    'rows that are elements of an array',
    fact([], { ...returns, elements: { array: 'a', sqlType: undefined, key: [], fields: [] } }),
    referred({ root: { ...root, right: { ...returns, elements: { array: 'a', sqlType: undefined, key: [], fields: [] } } } }),
    undefined,
  ],
  [
    'elements that are referred to',
    fact(),
    referred({ start: { ...orders, elements: { array: 'a', sqlType: undefined, key: [], fields: [] } } }),
    undefined,
  ],
  ['a join that is not of the model', fact(), referred({ joins: [{ ...customers, label: ofNoModel }] }), undefined],
  [
    'rows that do not refer by a key',
    fact(),
    referred({ root: { ...root, on: [equal<RelationColumn>(id, integer(1))] } }),
    undefined,
  ],
  [
    'rows that refer under a condition, which is asked apart',
    fact(),
    referred({ root: { ...root, on: [onId, holds(binary<RelationColumn>('>', order, integer(0)))] } }),
    ['Orders'],
  ],
] as const satisfies readonly (readonly [string, PlainRows, ReferredRows, readonly string[] | undefined])[])
  t.test(`${title}: ${wanted?.join(', ') ?? 'no pairs'}`, async (t) => {
    const pairs = pairsOf(rows, others)
    t.same(pairs?.joins.map(relationOf), wanted)
    if (pairs) t.equal(pairs.alias, pairs.joins.some((join) => join.right === toOrders.right) ? 'Their Order' : 'Orders')
  })

t.test('what is read of the rows that are referred to, under the names of the fact', async (t) => {
  const pairs = pairsOf(fact([toOrders, theirCustomers]), referred({ joins: [customers] }))
  t.same(pairs?.read(column('Orders', 'n')), column('Their Order', 'n'))
  t.same(pairs?.read(column('Customers', 'n')), column('Their Customer', 'n'))
  t.same(pairs?.read(order), order)
})

t.test('a column of the row that is referred to is the equal one of the fact', async (t) => {
  const pairs = pairsOf(fact([toOrders]), referred())
  t.same(pairs?.alike(column('Their Order', 'id')), order)
  t.same(pairs?.alike(column('Their Order', 'n')), column('Their Order', 'n'))
  t.same(pairs?.alike(column('Customers', 'id')), column('Customers', 'id'))
})

t.test('an added join has the columns of the fact, and keeps its foreign key', async (t) => {
  const found = pairsOf(fact([toOrders]), referred({ joins: [{ ...customers, matchedBy: [column('Orders', 'customer')] }] }))
  t.same(found?.joins[1]?.on, [same(column('Their Order', 'customer'), column('Customers', 'id'))])
  t.same(found?.joins[1]?.matchedBy, [column('Their Order', 'customer')])
  const [joined] = pairsOf(fact(), referred({ root: { ...root, foundBy: [order] } }))?.joins ?? []
  t.match(joined, { type: 'left', findsOne: true, on: [onId], matchedBy: [order], label: { from: 'Orders', to: 'Returns' } })
  t.notOk(Object.hasOwn(pairsOf(fact(), referred())?.joins[0] ?? {}, 'matchedBy'))
  t.notOk(Object.hasOwn(pairsOf(fact([toOrders]), referred({ joins: [customers] }))?.joins[1] ?? {}, 'matchedBy'))
})
