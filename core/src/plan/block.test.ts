/** One fact: a scan of its base, its joins, its conditions and one aggregation. */
import t from 'tap'
import { outline, shopWithDimension } from '../../../test/support/outline.js'

const ROWS: readonly (readonly [title: string, query: unknown, plan: string])[] = [
  [
    'a fact is one scan and one aggregation',
    { select: { dimensions: ['Status'], measures: ['Revenue'] } },
    `
project Status, Revenue
  aggregate Revenue = sum(orders.amount) by Status = orders.status ('Revenue' at the rows of 'Orders')
    scan Orders as orders`,
  ],
  [
    'conditions are met before rows are aggregated',
    { select: { dimensions: ['Country'], measures: ['Revenue'] }, where: [{ field: 'Status', op: '=', value: 'new' }] },
    `
project Country, Revenue
  aggregate Revenue = sum(orders.amount) by Country = customers.country ('Revenue' at the rows of 'Orders')
    filter (orders.status = 'new') (where on 'Status')
      join left on (orders.customer_id = customers.id) (the join by the path rule)
        scan Orders as orders
        scan Customers as customers`,
  ],
  [
    'a join that every row must have met is an inner one',
    { select: { dimensions: ['Status'], measures: ['Revenue'] }, where: [{ field: 'Country', op: '=', value: 'NL' }] },
    `
project Status, Revenue
  aggregate Revenue = sum(orders.amount) by Status = orders.status ('Revenue' at the rows of 'Orders')
    filter (customers.country = 'NL') (where on 'Country')
      join inner on (orders.customer_id = customers.id) (the join by the path rule)
        scan Orders as orders
        scan Customers as customers`,
  ],
  [
    'a row that is in a group several times is made distinct first',
    { select: { dimensions: ['SKU'], measures: ['Revenue'] } },
    `
project SKU, Revenue
  aggregate Revenue = sum(orders_once.value_1) by SKU ('Revenue' at the rows of 'Orders')
    distinct SKU = items.sku, key_1 = orders.id, value_1 = orders.amount (each row of 'Orders' once in each of its groups)
      join left on (orders.id = items.order_id) (bridge: the rows that connect, or one empty row)
        scan Orders as orders
        scan Items as items`,
  ],
  [
    'dimensions alone are the tuples that occur',
    { select: { dimensions: ['Country', 'Status'] } },
    `
project Country, Status
  aggregate distinct by Country = customers.country, Status = orders.status (the tuples at 'Orders')
    join left on (orders.customer_id = customers.id) (the join by the path rule)
      scan Orders as orders
      scan Customers as customers`,
  ],
]

/** Names that the planner also gives to its own columns. */
for (const name of ['value_1', 'key_1', 'VALUE_1'])
  t.test(`a dimension may be called ${name}`, (t) => {
    const model = shopWithDimension(`${name}: { dataObject: Items, column: SKU }`)
    const [, , distinct = ''] = outline({ select: { dimensions: [name], measures: ['Revenue'] } }, model)
    const columns = distinct.match(/(?<=distinct |, )\w+(?= = )/g) ?? []
    t.equal(columns.length, 3)
    t.equal(new Set(columns.map((column) => column.toLowerCase())).size, 3, distinct)
    t.end()
  })

for (const [title, query, plan] of ROWS)
  t.test(title, (t) => {
    t.equal(`\n${outline(query).join('\n')}`, plan)
    t.end()
  })
