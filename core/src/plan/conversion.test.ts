import t from 'tap'
import { outline, shopWith } from '../../../test/support/outline.js'

const conversionOf = (entity: string): string =>
  `{ type: conversion, base: Gifts, conversion: Orders Count, entity: ${entity}, window: 7 day, timeDimension: Day, conversionTimeDimension: Day }`
const GIFTS =
  'Gifts: { aggregation: count, columns: [{ dataObject: Orders, column: ID }], filters: [{ column: { dataObject: Orders, column: Gift }, operator: equals, values: [{ dataType: boolean, valueBoolean: true }] }] }'

t.test('an event counts once, however many events of its entity follow it', (t) => {
  const plan = `
project Conversion = (Conversion (converted) / Conversion (events))
  aggregate Conversion (events) = count(), Conversion (converted) = count() by nothing ('Gifts', 'Gifts' at the rows of 'Orders')
    filter (((orders.gift = true) and not (orders.id is null)) or (((orders.gift = true) and not (orders.id is null)) and not (orders_converted.hit is null))) (the measures’ own filters)
      filter not (customers.country is null) (where on 'Country')
        join left on ((customers.country = orders_converted.Country) and (orders.day = orders_converted.Day)) (whether the event converts)
          join inner on (orders.customer_id = customers.id) (the join by the path rule)
            scan Orders as orders
            scan Customers as customers
          distinct Country, Day, hit = 1 (each event once, however many events follow it)
            join inner on (((orders_events.Country = orders_events_2.Country) and (orders_events_2.Day_2 > orders_events.Day)) and (orders_events_2.Day_2 <= date_add('day', 7, orders_events.Day))) (a later event of the same entity within 7 day)
              aggregate distinct by Country = customers_2.country, Day = orders_2.day (the tuples at 'Orders')
                filter not (orders_2.id is null) (the measure’s own filter, on the same connection)
                  filter (orders_2.gift = true) (the measure’s own filter, on the same connection)
                    filter not (orders_2.day is null) (where on 'Day')
                      filter not (customers_2.country is null) (where on 'Country')
                        join inner on (orders_2.customer_id = customers_2.id) (the join by the path rule)
                          scan Orders as orders_2
                          scan Customers as customers_2
              aggregate distinct by Country = customers_3.country, Day_2 = orders_3.day (the tuples at 'Orders')
                filter not (orders_3.day is null) (where on 'Day')
                  filter not (customers_3.country is null) (where on 'Country')
                    join inner on (orders_3.customer_id = customers_3.id) (the join by the path rule)
                      scan Orders as orders_3
                      scan Customers as customers_3`
  t.equal(`\n${outline({ select: { measures: ['Conversion'] } }, shopWith(conversionOf('Country'), GIFTS)).join('\n')}`, plan)
  t.end()
})

for (const entity of ['hit', 'HIT'])
  t.test(`the entity of a conversion may be named ${entity}, like a column of the planner`, (t) => {
    const model = shopWith(conversionOf(entity), GIFTS, `${entity}: { dataObject: Customers, column: Country }`)
    const lines = outline({ select: { measures: ['Conversion'] } }, model)
    const [distinct = ''] = lines.filter((line) => line.includes('each event once'))
    t.match(distinct, `distinct ${entity}, Day, hit_2 = 1`)
    t.ok(lines.some((line) => line.includes('not (orders_converted.hit_2 is null)')))
    t.end()
  })
