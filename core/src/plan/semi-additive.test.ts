/** Balances: one value of each entity over its times, summed. */
import t from 'tap'
import { outline } from '../../../test/support/outline.js'

const ROWS: readonly (readonly [title: string, query: unknown, plan: string])[] = [
  [
    'the last balance of each group is found before it is summed',
    { select: { dimensions: ['Status'], measures: ['Balance'] } },
    `
project Status, Balance
  aggregate Balance = sum(Balance) by Status (the balances of all entities)
    filter (place = 1) (each entity at its last time)
      window place = row_number
        aggregate Balance = sum(orders.amount) by Status = orders.status, Day = orders.day ('Balance' at the rows of 'Orders')
          filter not (orders.day is null) (where on 'Day')
            scan Orders as orders`,
  ],
  [
    'a balance is a separate fact next to another measure',
    { select: { dimensions: ['Status'], measures: ['Balance', 'Revenue'] } },
    `
project Status, Balance, Revenue
  combine by Status (each fact is aggregated alone; the rows of two meet by their keys, of which NULLs are equal, and a row without a partner is kept)
    aggregate Balance = sum(Balance) by Status (the balances of all entities)
      filter (place = 1) (each entity at its last time)
        window place = row_number
          aggregate Balance = sum(orders.amount) by Status = orders.status, Day = orders.day ('Balance' at the rows of 'Orders')
            filter not (orders.day is null) (where on 'Day')
              scan Orders as orders
    aggregate Revenue = sum(orders_2.amount) by Status = orders_2.status ('Revenue' at the rows of 'Orders')
      scan Orders as orders_2`,
  ],
]

for (const [title, query, plan] of ROWS)
  t.test(title, (t) => {
    t.equal(`\n${outline(query).join('\n')}`, plan)
    t.end()
  })
