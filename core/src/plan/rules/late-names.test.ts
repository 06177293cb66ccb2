/** Names that a key determines are looked up after the aggregation. */
import t from 'tap'
import { compileFor } from '../../../../test/support/compile.js'
import { manyToOne, shopWith } from '../../../../test/support/models.js'
import { above, factsOf, filter, joinsIn, lookup, nodesIn, shared } from '../../../../test/support/plans.js'
import { type DataType, INT, STRING } from '../../model/data-type.js'
import { binary, call, integer, isNotNull } from '../../resolve/expressions.js'
import { relationColumn } from '../../resolve/relation-column.js'
import { equal } from '../../resolve/row-terms.js'
import {
  type Aggregate,
  type Join,
  type LogicalPlan,
  type NamedExpr,
  plainAggregate,
  type RowExpr,
  type Scan,
} from '../logical-plan.js'
import { lateNames } from './late-names.js'

const of = (dataObject: string, column: string) => ({ dataObject, column })
const amount = { aggregation: 'sum', columns: [of('Orders', 'Amount')] }
const MODEL = shopWith({
  dataObjects: {
    Customers: { columns: { Since: { code: 'since', abstractType: 'date' } } },
    Shops: {
      code: 'shops',
      columns: { Id: { code: 'id', abstractType: 'int', primaryKey: true }, City: { code: 'city', abstractType: 'string' } },
    },
    Orders: {
      columns: { Shop: { code: 'shop_id', abstractType: 'int' } },
      joins: [manyToOne('Customers', 'Customer Id'), manyToOne('Shops', 'Shop')],
    },
  },
  dimensions: {
    Buyer: of('Orders', 'Customer Id'),
    Shop: of('Orders', 'Shop'),
    City: of('Shops', 'City'),
    Key: of('Customers', 'Id'),
    Name: of('Customers', 'Name'),
    Since: of('Customers', 'Since'),
  },
  measures: {
    Amount: amount,
    Ever: { ...amount, grain: { mode: 'FIXED', include: ['Name'] }, filterContext: { mode: 'FIXED' } },
  },
})

const ofNorth = { where: [{ field: 'Region', op: '=', value: 'North' }] }

const ROWS: readonly (readonly [title: string, dimensions: readonly string[], more: object, scans: number, late: boolean])[] = [
  ['names by the key of their own object', ['Key', 'Name', 'Region'], {}, 4, true],
  ['names by the column that joins their object, which is read once', ['Buyer', 'Name', 'Region'], {}, 3, true],
  ['names by two keys, and names that one of them leads to', ['Buyer', 'Name', 'Shop', 'City', 'Region'], {}, 3, true],
  ['a single date costs less to be grouped by than to be looked up', ['Key', 'Since'], {}, 2, false],
  ['names without a key decide nothing', ['Name', 'Region'], {}, 3, false],
  ['a condition leaves few groups', ['Key', 'Name'], ofNorth, 3, false],
  ['a condition reads what would be looked up', ['Buyer', 'Name'], ofNorth, 3, false],
]

for (const [title, dimensions, more, scans, late] of ROWS)
  t.test(title, (t) => {
    const { sql } = compileFor({ select: { dimensions, measures: ['Amount'] }, ...more }, MODEL)
    t.equal(/_names"/.test(sql), late)
    t.equal(sql.match(/(FROM|JOIN) "(orders|customers|regions)"(?=\s)/g)?.length, scans)
    t.end()
  })

t.test('the keys of an answer have the names that are looked up for them', (t) => {
  const where = [{ field: 'Orders.Amount', op: '>', value: 5 }]
  const { sql } = compileFor({ select: { dimensions: ['Buyer', 'Name'], measures: ['Amount', 'Ever'] }, where }, MODEL)
  const [, rows = ''] = /"answer_rows" AS (?:MATERIALIZED )?\(([\s\S]*?)\n\)/.exec(sql) ?? []
  t.match(rows, /"customers_names"."Name"(?! AS)/)
  t.match(sql, /SELECT DISTINCT "answer_rows"."Name"/)
  t.end()
})

const scan = (object: string): Scan => ({ kind: 'scan', object, source: { kind: 'table', name: object }, alias: object }) as Scan
const buyer = relationColumn('Orders', 'buyer', INT)
const id = relationColumn('Customers', 'id', INT)
const named: Join = {
  kind: 'join',
  type: 'left',
  findsOne: true,
  left: scan('Orders'),
  right: scan('Customers'),
  on: [equal(buyer, id)],
  label: { from: 'Orders', to: 'Customers', columns: [], role: 'Customers', reason: '' },
}
const name: NamedExpr = { name: 'Name', type: STRING, expression: relationColumn('Customers', 'name', STRING) }
const groups = (input: LogicalPlan, more: Partial<Aggregate> = {}): Aggregate => ({
  kind: 'aggregate',
  input,
  alias: 'facts',
  keys: [{ name: 'Buyer', type: INT, expression: buyer }, name],
  aggregates: [plainAggregate('Total', 'sum', [relationColumn('Orders', 'n', INT)], INT)],
  reason: '',
  ...more,
})
const shown = (input: LogicalPlan): LogicalPlan => ({ kind: 'project', input, alias: 'answer', columns: [] })
const filtered = (input: LogicalPlan): LogicalPlan => filter(input, binary('=', buyer, buyer))

const NODES: readonly (readonly [title: string, node: LogicalPlan, fires: boolean])[] = [
  ['an answer', shown(groups(named)), true],
  ['an answer with a condition on its groups', shown(filtered(groups(named))), true],
  ['groups that are aggregated again', { ...groups(groups(named)), keys: [] }, false],
  ['distinct values of groups', { kind: 'distinct', input: groups(named), alias: 'd', columns: [], reason: '' }, false],
  ['the groups of an aggregation of groups', shown({ ...groups(groups(named)), keys: [] }), false],
  ['a join that may find several rows', shown(groups({ ...named, findsOne: false })), false],
  ['rows of a node that is not known', shown(groups({ ...named, left: shown(scan('Orders')) })), false],
  [
    'a join that is no way of the model',
    shown(groups({ ...named, label: { from: 'Orders', to: 'Customers', columns: [], reason: '' } })),
    false,
  ],
  ['a join by an expression', shown(groups({ ...named, on: [equal(call('abs', buyer), id)] })), false],
  ['a join by another table', shown(groups({ ...named, on: [equal(buyer, buyer)] })), false],
  ['a join by an expression of the joined rows', shown(groups({ ...named, on: [equal(buyer, call('abs', id))] })), false],
  ['a join by the joined rows alone', shown(groups({ ...named, on: [equal(id, id)] })), false],
  ['the levels of an answer', shown({ ...groups(named), sets: [['Buyer', 'Name'], []] }), false],
]

for (const [title, node, fires] of NODES)
  t.test(`the rule and ${title}`, async (t) => {
    const after = lateNames.rewrite(node, factsOf())
    t.equal(after !== undefined, fires)
    t.equal(JSON.stringify(after ?? '').includes('"lookup"'), fires)
  })

const rewritten = (node: LogicalPlan): LogicalPlan | undefined => lateNames.rewrite(node, factsOf())
const shop = relationColumn('Orders', 'shop', INT)
const toShops: Join = {
  ...named,
  left: named,
  right: scan('Shops'),
  on: [equal(shop, relationColumn('Shops', 'id', INT))],
  label: { ...named.label, to: 'Shops', role: 'Shops' },
}
/** What is looked up for the groups of an answer. */
const late = (node: Aggregate): readonly string[] | undefined => {
  const after = rewritten(shown(node))
  return after && nodesIn(after, 'lookup').flatMap(({ values }) => values.map((value) => value.name))
}

t.test('a name is decided if it reads nothing but the object, and is NULL without a row of it', async (t) => {
  const status = relationColumn('Orders', 'status', STRING)
  const beside = (expression: RowExpr) =>
    late(groups(named, { keys: [...groups(named).keys, { name: 'Other', type: STRING, expression }] }))
  t.same(beside(call('upper', name.expression)), ['Name', 'Other'])
  t.same(beside(call('nullif', name.expression, status)), ['Name'], 'a column of the rows themselves')
  t.same(beside(integer(1)), ['Name'], 'a value')
  t.same(beside(call('coalesce', name.expression, integer(1))), ['Name'])
})

t.test('by the key of the object itself, few groups have no names looked up', async (t) => {
  const key = relationColumn('Customers', 'id', INT)
  const of = (names: number, condition: RowExpr | undefined, type: DataType = STRING, more: Partial<Aggregate> = {}) => {
    const keys = Array.from({ length: names }, (_, i): NamedExpr => ({ ...name, name: `Name ${i}`, type }))
    const rows = condition ? filter(named, condition) : named
    return late(groups(rows, { keys: [{ name: 'Key', type: INT, expression: key }, ...keys], ...more }))?.length
  }
  const large = above(relationColumn('Orders', 'n', INT))
  t.equal(of(3, large), 3)
  t.equal(of(2, large), undefined)
  t.equal(of(3, large, INT), undefined, 'numbers')
  t.equal(of(3, above(key)), undefined, 'a condition on the object leaves few of its rows')
  t.equal(of(3, isNotNull(key)), 3, 'that it is there leaves most of them')
  const [total] = groups(named).aggregates
  const ofSome = { aggregates: [total!, { ...total!, name: 'Of some', filter: large }] }
  t.equal(of(2, undefined, STRING, ofSome), undefined, 'a value of some rows')
  t.equal(of(3, undefined, STRING, ofSome), 3)
})

t.test('without a condition, a text or two names are looked up, and not a number alone', async (t) => {
  const key = { name: 'Key', type: INT, expression: relationColumn('Customers', 'id', INT) }
  const of = (...types: readonly DataType[]) =>
    late(groups(named, { keys: [key, ...types.map((type, i) => ({ ...name, name: `Name ${i}`, type }))] }))?.length
  t.equal(of(STRING), 1)
  t.equal(of(INT, INT), 2)
  t.equal(of(INT), undefined)
})

t.test('only joins to objects that are looked up are left out below the groups', async (t) => {
  const joinsBelow = (join: Join) => joinsIn(rewritten(shown(groups(join)))!).map(({ label }) => label.to)
  t.same(joinsBelow(named), [])
  t.same(joinsBelow(toShops), ['Shops'])
})

t.test('several keys of the rows have names of their own', async (t) => {
  const city: NamedExpr = { name: 'City', type: STRING, expression: relationColumn('Shops', 'city', STRING) }
  t.same(late(groups(toShops, { keys: [...groups(named).keys, { name: 'Shop', type: INT, expression: shop }, city] })), [
    'Name',
    'City',
  ])
})

t.test('groups without a key are left out where names are looked up, unless the groups are read again', async (t) => {
  const foreign = { ...named, matchedBy: buyer } as unknown as Join
  const node = groups(filter(foreign, isNotNull(buyer)))
  const kept = (plan: LogicalPlan) => {
    const after = rewritten(plan)
    return after && [nodesIn(after, 'filter').length, nodesIn(after, 'lookup').some(({ isInner }) => isInner === true)]
  }
  t.same(kept(shown(node)), [0, true])
  t.same(kept(shown(groups(filter(named, isNotNull(buyer))))), [1, false], 'no foreign key')
  t.same(kept(shared(node, [])), [1, false])
  t.same(kept(shown(lookup(node, scan('Regions'), []))), [1, false])
  t.same(kept(shown(filtered(node))), [1, true], 'a condition on the groups')
  t.same(kept(shown(groups(filter(filter(foreign, isNotNull(buyer)), above(buyer))))), [1, true], 'another condition stays')
  const customer = relationColumn('Customers', 'id', INT)
  const ofCustomer = { keys: [{ name: 'Key', type: INT, expression: customer }, name] }
  t.same(
    kept(shown(groups(filter(foreign, isNotNull(customer)), { keys: [...ofCustomer.keys, name, name] }))),
    [1, false],
    'the key itself',
  )
  const byTwo = { ...foreign, on: [...foreign.on, equal(shop, relationColumn('Customers', 'shop', INT))] }
  const keys = [...groups(named).keys, { name: 'Shop', type: INT, expression: shop }]
  t.same(kept(shown(groups(filter(byTwo, isNotNull(buyer)), { keys }))), [1, false], 'one of two keys')
  const reasonsOf = (plan: LogicalPlan) =>
    nodesIn(rewritten(plan)!, 'lookup').map(({ reason }) => / no group without/.test(reason))
  t.same(reasonsOf(shown(node)), [true])
  t.same(reasonsOf(shared(node, [])), [false])
})

t.test('an object that is joined to two others is decided if both are', async (t) => {
  const region = (table: string) => relationColumn(table, 'region', INT)
  const toRegions = (...from: readonly string[]): Join => ({
    ...named,
    left: named,
    right: scan('Regions'),
    on: from.map((table, i) => equal(region(table), relationColumn('Regions', `id ${i}`, INT))),
    label: { ...named.label, to: 'Regions', role: 'Regions' },
  })
  const place: NamedExpr = { name: 'Place', type: STRING, expression: relationColumn('Regions', 'name', STRING) }
  const keys = [...groups(named).keys, place]
  t.same(late(groups(toRegions('Customers', 'Customers'), { keys })), ['Name', 'Place'])
  t.same(late(groups(toRegions('Customers', 'Orders'), { keys })), ['Name'])
})
