/** Names that a key determines are looked up after the aggregation. */
import t from 'tap'
import { compileFor } from '../../../../test/support/compile.js'
import { manyToOne, shopWith } from '../../../../test/support/models.js'
import { INT, STRING } from '../../model/data-type.js'
import { binary } from '../../resolve/expressions.js'
import { relationColumn } from '../../resolve/relation-column.js'
import { equal } from '../../resolve/row-terms.js'
import { type Aggregate, type Join, type LogicalPlan, plainAggregate, type Scan } from '../logical-plan.js'
import { NO_HINTS } from '../planner-hints.js'
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

const filter = { where: [{ field: 'Region', op: '=', value: 'North' }] }

const ROWS: readonly (readonly [title: string, dimensions: readonly string[], more: object, scans: number, late: boolean])[] = [
  ['names by the key of their own object', ['Key', 'Name', 'Region'], {}, 4, true],
  ['names by the column that joins their object, which is read once', ['Buyer', 'Name', 'Region'], {}, 3, true],
  ['names by two keys, and names that one of them leads to', ['Buyer', 'Name', 'Shop', 'City', 'Region'], {}, 3, true],
  ['a single date costs less to be grouped by than to be looked up', ['Key', 'Since'], {}, 2, false],
  ['names without a key decide nothing', ['Name', 'Region'], {}, 3, false],
  ['a condition leaves few groups', ['Key', 'Name'], filter, 3, false],
  ['a condition reads what would be looked up', ['Buyer', 'Name'], filter, 3, false],
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
const named: Join = {
  kind: 'join',
  type: 'left',
  findsOne: true,
  left: scan('Orders'),
  right: scan('Customers'),
  on: [equal(buyer, relationColumn('Customers', 'id', INT))],
  label: { from: 'Orders', to: 'Customers', columns: [], role: 'Customers', reason: '' },
}
const groups = (input: LogicalPlan): Aggregate => ({
  kind: 'aggregate',
  input,
  alias: 'facts',
  keys: [
    { name: 'Buyer', type: INT, expression: buyer },
    { name: 'Name', type: STRING, expression: relationColumn('Customers', 'name', STRING) },
  ],
  aggregates: [plainAggregate('Total', 'sum', [relationColumn('Orders', 'n', INT)], INT)],
  reason: '',
})
const shown = (input: LogicalPlan): LogicalPlan => ({ kind: 'project', input, alias: 'answer', columns: [] })
const filtered = (input: LogicalPlan): LogicalPlan => ({
  kind: 'filter',
  input,
  condition: binary('=', buyer, buyer),
  reason: '',
})

const NODES: readonly (readonly [title: string, node: LogicalPlan, fires: boolean])[] = [
  ['an answer', shown(groups(named)), true],
  ['an answer with a condition on its groups', shown(filtered(groups(named))), true],
  ['groups that are aggregated again', { ...groups(groups(named)), keys: [] }, false],
  ['distinct values of groups', { kind: 'distinct', input: groups(named), alias: 'd', columns: [], reason: '' }, false],
  ['the groups of an aggregation of groups', shown({ ...groups(groups(named)), keys: [] }), false],
  ['a join that may find several rows', shown(groups({ ...named, findsOne: false })), false],
  ['rows of a node that is not known', shown(groups({ ...named, left: shown(scan('Orders')) })), false],
  ['the levels of an answer', shown({ ...groups(named), sets: [['Buyer', 'Name'], []] }), false],
]

for (const [title, node, fires] of NODES)
  t.test(`the rule and ${title}`, async (t) => {
    const after = lateNames.rewrite(node, { hints: NO_HINTS, typeOf: () => INT })
    t.equal(after !== undefined, fires)
    t.equal(JSON.stringify(after ?? '').includes('"lookup"'), fires)
  })
