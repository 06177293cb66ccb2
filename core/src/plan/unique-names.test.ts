/** Relations with the same name in a plan get different names, and expressions that read them follow. */
import t from 'tap'
import { INT } from '../model/data-type.js'
import { type RelationColumn, relationColumn } from '../resolve/relation-column.js'
import { equal } from '../resolve/row-terms.js'
import { type Aggregate, type Join, type LogicalPlan, type Scan, type Shared, sameColumn } from './logical-plan.js'
import { uniquelyNamed } from './unique-names.js'

const ID = { name: 'id', type: INT }
const label = { from: '', to: '', columns: [], reason: 'side by side' }

const scan = (object: string, alias: string): Scan => ({
  kind: 'scan',
  object,
  source: { kind: 'table', name: object, schema: undefined, database: undefined },
  alias,
})

const byKey = (input: LogicalPlan, read: string, alias: string): Aggregate => ({
  kind: 'aggregate',
  input,
  alias,
  keys: [sameColumn(ID, read)],
  aggregates: [],
  reason: 'the keys',
})

const beside = (left: LogicalPlan, right: LogicalPlan, names: readonly [string, string]): Join => ({
  kind: 'join',
  type: 'inner',
  left,
  right,
  on: [equal<RelationColumn>(relationColumn(names[0], 'id', INT), relationColumn(names[1], 'id', INT))],
  label,
})

/** The relations that a plan reads and their names, in the order of its parts. */
function told(plan: LogicalPlan): string {
  switch (plan.kind) {
    case 'scan':
      return plan.alias
    case 'join':
      return `(${told(plan.left)} × ${told(plan.right)} on ${tables(plan.on)})`
    case 'aggregate':
      return `${plan.alias}[${plan.keys.map((key) => tables(key.expression)).join()} of ${told(plan.input)}]`
    case 'shared':
      return `${plan.alias} as ${told(plan.input)}`
    default:
      return plan.kind
  }
}

const tables = (value: unknown): string =>
  JSON.stringify(value, (key, v) => (key === 'type' ? undefined : v))
    .match(/"table":"([^"]*)"/g)
    ?.map((text) => text.slice('"table":"'.length, -1))
    .join('=') ?? ''

const facts = (object: string): Aggregate => byKey(scan(object, 'orders'), 'orders', 'orders_facts')

t.test('two parts that use the same names for their relations', async (t) => {
  const plan = beside(byKey(facts('orders'), 'orders_facts', 'first'), byKey(facts('orders'), 'orders_facts', 'second'), [
    'first',
    'second',
  ])
  t.equal(
    told(uniquelyNamed(plan, new Set())),
    '(first[orders_facts of orders_facts[orders of orders]] × second[orders_facts_2 of orders_facts_2[orders_2 of orders_2]] on first=second)',
  )
})

t.test('a scan has the name of its object, also after its block numbered it', async (t) => {
  const block = beside(scan('Orders', 'orders'), scan('Orders', 'orders_2'), ['orders', 'orders_2'])
  const plan = beside(byKey(block, 'orders_2', 'a'), byKey(block, 'orders', 'b'), ['a', 'b'])
  t.equal(
    told(uniquelyNamed(plan, new Set())),
    '(a[orders_2 of (orders × orders_2 on orders=orders_2)] × b[orders_3 of (orders_3 × orders_4 on orders_3=orders_4)] on a=b)',
  )
})

t.test('relations of a plan never have the names of tables', async (t) => {
  t.equal(told(uniquelyNamed(facts('orders'), new Set(['orders_facts', 'orders']))), 'orders_facts_2[orders of orders]')
})

t.test('rows that several steps read have one name, as equal values', async (t) => {
  const shared = (): Shared => ({ kind: 'shared', alias: 'orders_facts', input: facts('orders'), columns: [ID] })
  const other: Shared = { ...shared(), input: facts('returns') }
  const plan = beside(
    byKey(shared(), 'orders_facts', 'a'),
    beside(byKey(shared(), 'orders_facts', 'b'), byKey(other, 'orders_facts', 'c'), ['b', 'c']),
    ['a', 'b'],
  )
  t.equal(
    told(uniquelyNamed(plan, new Set())),
    '(a[orders_facts of orders_facts as orders_facts[orders of orders]] × (b[orders_facts of orders_facts as orders_facts[orders of orders]] × ' +
      'c[orders_facts_2 of orders_facts_2 as orders_facts_2[returns of returns]] on b=c) on a=b)',
  )
})

t.test('it cannot read two relations of one name', async (t) => {
  const plan = beside(scan('orders', 'orders'), scan('orders', 'orders'), ['orders', 'orders'])
  t.throws(() => uniquelyNamed(plan, new Set()), { code: 'INTERNAL_ERROR', message: /2 items instead of one/ })
})
