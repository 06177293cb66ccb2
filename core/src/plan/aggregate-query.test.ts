/** Queries of several blocks: united, joined, looked up, or windows over their rows. */
import t from 'tap'
import { outline } from '../../../test/support/outline.js'

const ROWS: readonly (readonly [title: string, query: unknown, plan: string])[] = [
  [
    'two facts meet in a full join',
    { select: { dimensions: ['Country'], measures: ['Revenue', 'Pages'] } },
    `
project Country, Revenue, Pages
  combine by Country (each fact is aggregated alone; the rows of two meet by their keys, of which NULLs are equal, and a row without a partner is kept)
    aggregate Revenue = sum(orders.amount) by Country = customers.country ('Revenue' at the rows of 'Orders')
      join left on (orders.customer_id = customers.id) (the join by the path rule)
        scan Orders as orders
        scan Customers as customers
    aggregate Pages = sum(visits.pages) by Country = customers_2.country ('Pages' at the rows of 'Visits')
      join left on (visits.customer_id = customers_2.id) (the join by the path rule)
        scan Visits as visits
        scan Customers as customers_2`,
  ],
  [
    'facts without dimensions stand side by side',
    { select: { measures: ['Revenue', 'Pages'] } },
    `
project Revenue, Pages
  join cross  (one row each, side by side)
    aggregate Revenue = sum(orders.amount) by nothing ('Revenue' at the rows of 'Orders')
      scan Orders as orders
    aggregate Pages = sum(visits.pages) by nothing ('Pages' at the rows of 'Visits')
      scan Visits as visits`,
  ],
  [
    'a coarser value that can be folded is aggregated over the rows',
    { select: { dimensions: ['Status', 'Country'], measures: ['Revenue', 'Revenue By Status'] } },
    `
project Status, Country, Revenue, Revenue By Status
  lookup totals of the groups, on every row that shares their keys
    shared groups
      aggregate Revenue = sum(orders.amount) by Status = orders.status, Country = customers.country ('Revenue' at the rows of 'Orders')
        join left on (orders.customer_id = customers.id) (the join by the path rule)
          scan Orders as orders
          scan Customers as customers
    aggregate Revenue By Status = sum(groups.Revenue) by Status (totals of the groups)
      shared groups
        aggregate Revenue = sum(orders.amount) by Status = orders.status, Country = customers.country ('Revenue' at the rows of 'Orders')
          join left on (orders.customer_id = customers.id) (the join by the path rule)
            scan Orders as orders
            scan Customers as customers`,
  ],
  [
    'another period is a separate block, and its condition on time begins a month earlier, on the same day',
    { select: { dimensions: ['Month'], measures: ['Growth'] }, where: [{ field: 'Day', op: '>=', value: '2025-01-05' }] },
    `
project Month, Growth = (Revenue / Revenue (-1 month))
  lookup another period, by the key that the row looks at
    aggregate Revenue = sum(orders.amount) by Month = date_trunc('month', orders.day) ('Revenue' at the rows of 'Orders')
      filter (orders.day >= '2025-01-05') (where on 'Day')
        scan Orders as orders
    aggregate Revenue (-1 month) = sum(orders_2.amount) by Month = date_trunc('month', orders_2.day) ('Revenue' at the rows of 'Orders')
      filter (orders_2.day >= '2024-12-05') (where on 'Month')
        scan Orders as orders_2`,
  ],
  [
    'another period that touches those of the answer is read with them',
    { select: { dimensions: ['Month'], measures: ['Growth'] }, where: [{ field: 'Day', op: '>=', value: '2025-01-01' }] },
    `
project Month, Growth = (Revenue / Revenue (-1 month))
  lookup another period, by the key that the row looks at
    project Month, Revenue
      filter (Month >= '2025-01-01') (only the periods of the answer)
        shared orders_periods
          aggregate Revenue = sum(orders.amount) by Month = date_trunc('month', orders.day) ('Revenue' at the rows of 'Orders')
            filter (orders.day >= '2024-12-01') (the periods of the answer, and those that they look up)
              scan Orders as orders
    aggregate Revenue (-1 month) = sum(orders_2.amount) by Month = date_trunc('month', orders_2.day) ('Revenue' at the rows of 'Orders')
      filter (orders_2.day >= '2024-12-01') (the periods of the answer, and those that they look up)
        scan Orders as orders_2`,
  ],
  [
    'a value over groups is a query within the query',
    { select: { dimensions: ['Status'], measures: ['Mean Revenue'] } },
    `
project Status, Mean Revenue = Mean Revenue (found)
  aggregate Mean Revenue (found) = avg(groups.Mean Revenue (per group)) by Status (the values of all groups: avg)
    project Status, Country, Mean Revenue (per group)
      project Status, Country, Mean Revenue (per group) = Revenue
        aggregate Revenue = sum(orders.amount) by Status = orders.status, Country = customers.country ('Revenue' at the rows of 'Orders')
          join left on (orders.customer_id = customers.id) (the join by the path rule)
            scan Orders as orders
            scan Customers as customers`,
  ],
  [
    'what is kept, ordered and cut comes in this order',
    {
      select: { dimensions: ['Status'], measures: ['Revenue'] },
      having: [{ field: 'Revenue', op: '>', value: 5 }],
      order_by: [{ field: 'Revenue', direction: 'desc' }],
      limit: 3,
    },
    `
limit limit 3
  project Status, Revenue
    sort Revenue desc, Status
      filter (Revenue > 5) (having)
        aggregate Revenue = sum(orders.amount) by Status = orders.status ('Revenue' at the rows of 'Orders')
          scan Orders as orders`,
  ],
]

for (const [title, query, plan] of ROWS)
  t.test(title, (t) => {
    t.equal(`\n${outline(query).join('\n')}`, plan)
    t.end()
  })
