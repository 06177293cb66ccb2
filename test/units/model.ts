/** A model with units of every kind: by name, by column, over joins, converted by a rate. */
import { loadText } from '../support/compile.js'

export const text = `
version: 1
name: money
parameters:
  Currency: { type: string, default: EUR, values: [EUR, USD] }
  Fixed Cost: { type: float, default: 1, unit: EUR }
  Factor: { type: float, default: 2 }
dataObjects:
  Orders:
    code: orders
    columns:
      Id: { code: id, abstractType: int, primaryKey: true }
      Account Id: { code: account_id, abstractType: int }
      Ordered On: { code: ordered_on, abstractType: date }
      Currency: { code: currency, abstractType: string }
      Fee Currency: { code: fee_currency, abstractType: string }
      Amount: { code: amount, abstractType: float, unit: { column: Currency } }
      Discount: { code: discount, abstractType: float, unit: '{Currency}' }
      Fee: { code: fee, abstractType: float, unit: { column: Fee Currency } }
      Charged: { code: charged, abstractType: float, unit: '{[Accounts].[Currency]}' }
      Pieces: { code: pieces, abstractType: int }
      Distance: { code: distance, abstractType: float, unit: km }
      Freight: { code: freight, abstractType: float, unit: EUR }
      Net: { expression: '{Amount} - {Discount}' }
      Before: { window: { function: lag, column: Amount, partitionBy: [Account Id, Currency], orderBy: [Id] } }
      Before of Account: { window: { function: lag, column: Amount, partitionBy: [Account Id], orderBy: [Id] } }
      Number of Order: { window: { function: row_number, partitionBy: [Account Id], orderBy: [Id] } }
      In Euros: { expression: '{Amount} * {[Rates].[Euros]}' }
    joins:
      - { joinType: many-to-one, joinTo: Accounts, columnsFrom: [Account Id], columnsTo: [Id] }
      - { joinType: many-to-one, joinTo: Rates, columnsFrom: [Currency], columnsTo: [Currency], asOf: { time: Ordered On, to: Day } }
  Accounts:
    code: accounts
    columns:
      Id: { code: id, abstractType: int, primaryKey: true }
      Region: { code: region, abstractType: string }
      Currency: { code: currency, abstractType: string }
      Limit: { code: credit_limit, abstractType: float, unit: { column: Currency } }
      Charged Ever: { measure: Charged }
      Ordered Ever: { measure: Revenue }
  Rates:
    code: rates
    columns:
      Currency: { code: currency, abstractType: string, primaryKey: true }
      Day: { code: day, abstractType: date, primaryKey: true }
      Euros: { code: euros, abstractType: float, unit: 'EUR/{Currency}' }
      Converted: { code: converted, abstractType: float, unit: '{@Currency}/{Currency}' }
  Tags:
    code: tags
    columns:
      Account Id: { code: account_id, abstractType: int }
      Tag: { code: tag, abstractType: string }
    joins:
      - { joinType: many-to-one, joinTo: Accounts, columnsFrom: [Account Id], columnsTo: [Id] }
dimensions:
  Order: { dataObject: Orders, column: Id }
  Month: { dataObject: Orders, column: Ordered On, timeGrain: month }
  Order Currency: { dataObject: Orders, column: Currency }
  Fee Currency: { dataObject: Orders, column: Fee Currency }
  Account: { dataObject: Accounts, column: Id }
  Region: { dataObject: Accounts, column: Region }
  Account Currency: { dataObject: Accounts, column: Currency }
  Rate Currency: { dataObject: Rates, column: Currency }
  Tag: { dataObject: Tags, column: Tag }
  Way: { dataObject: Orders, column: Distance }
  Amount of Order: { dataObject: Orders, column: Amount }
measures:
  Revenue: { aggregation: sum, columns: [{ dataObject: Orders, column: Amount }] }
  Net: { aggregation: sum, columns: [{ dataObject: Orders, column: Net }] }
  Amounts Before: { aggregation: sum, columns: [{ dataObject: Orders, column: Before }] }
  Amounts before of Accounts: { aggregation: sum, columns: [{ dataObject: Orders, column: Before of Account }] }
  Highest Number: { aggregation: max, columns: [{ dataObject: Orders, column: Number of Order }] }
  Fees: { aggregation: sum, columns: [{ dataObject: Orders, column: Fee }] }
  Charged: { aggregation: sum, columns: [{ dataObject: Orders, column: Charged }] }
  Limits: { aggregation: sum, columns: [{ dataObject: Accounts, column: Limit }] }
  Freight: { aggregation: sum, columns: [{ dataObject: Orders, column: Freight }] }
  Kilometres: { aggregation: sum, columns: [{ dataObject: Orders, column: Distance }] }
  Pieces: { aggregation: sum, columns: [{ dataObject: Orders, column: Pieces }] }
  Orders Made: { aggregation: count, columns: [{ dataObject: Orders, column: Id }] }
  Amounts: { aggregation: count_distinct, columns: [{ dataObject: Orders, column: Amount }] }
  Variance: { aggregation: var_pop, columns: [{ dataObject: Orders, column: Distance }] }
  Spread: { aggregation: stddev_pop, columns: [{ dataObject: Orders, column: Distance }] }
  Slope: { aggregation: regr_slope, columns: [{ dataObject: Orders, column: Freight }, { dataObject: Orders, column: Distance }] }
  Correlation: { aggregation: corr, columns: [{ dataObject: Orders, column: Amount }, { dataObject: Orders, column: Distance }] }
  Euros: { aggregation: sum, columns: [{ dataObject: Orders, column: In Euros }] }
  Converted: { aggregation: sum, expression: '{[Orders].[Amount]} * {[Rates].[Converted]}' }
  Revenue in EUR:
    aggregation: sum
    columns: [{ dataObject: Orders, column: Amount }]
    filters: [{ field: Orders.Currency, op: eq, value: EUR }]
  Revenue in Chosen:
    aggregation: sum
    columns: [{ dataObject: Orders, column: Amount }]
    filters: [{ field: Orders.Currency, op: eq, value: { parameter: Currency } }]
  Revenue in Two:
    aggregation: sum
    columns: [{ dataObject: Orders, column: Amount }]
    filters: [{ field: Orders.Currency, op: in, value: [EUR, USD] }]
  Total Revenue: { aggregation: sum, columns: [{ dataObject: Orders, column: Amount }], total: true }
  Everywhere:
    aggregation: sum
    columns: [{ dataObject: Orders, column: Amount }]
    filterContext: { mode: RELATIVE, exclude: [Order Currency] }
  Cents: { aggregation: sum, expression: '{[Orders].[Freight]} * 100', unit: ct }
  Per Piece: { aggregation: avg, expression: '{[Orders].[Freight]} / {[Orders].[Pieces]}' }
  Charged by Accounts: { aggregation: sum, columns: [{ dataObject: Accounts, column: Charged Ever }] }
  Ordered by Accounts: { aggregation: sum, columns: [{ dataObject: Accounts, column: Ordered Ever }] }
metrics:
  Freight per km: { expression: '{[Freight]} / {[Kilometres]}' }
  Average Order: { expression: '{[Revenue]} / {[Orders Made]}' }
  Share: { expression: '{[Revenue]} / {[Total Revenue]}' }
  Fees and Revenue: { expression: '{[Fees]} + {[Revenue]}' }
  Costs: { expression: 'coalesce({[Freight]}, 0) + {@Fixed Cost}' }
  Twice: { expression: '{[Freight]} * {@Factor}' }
  Percent: { expression: '100 * {[Freight]} / {[Euros]}', unit: '%' }
  Running: { type: cumulative, measure: Revenue, timeDimension: Month }
  Running of All: { type: cumulative, measure: Revenue, timeDimension: Month, cumulativeType: sum, partitionBy: [] }
  Rows of All: { type: cumulative, measure: Revenue, timeDimension: Month, partitionBy: [] }
  Growth: { type: period_over_period, measure: Revenue, periodOverPeriod: { timeDimension: Month, comparison: difference } }
  Growth Rate: { type: period_over_period, measure: Revenue, periodOverPeriod: { timeDimension: Month, comparison: percentChange } }
  Rank: { type: window, windowFunction: rank, measure: Revenue }
  Rank in Currency: { type: window, windowFunction: rank, measure: Revenue, partitionBy: [Order Currency] }
  Before: { type: window, windowFunction: lag, measure: Revenue, timeDimension: Month, partitionBy: [Order Currency] }
  Freight Before: { type: window, windowFunction: lag, measure: Freight, timeDimension: Month }
  Average by Account: { type: aggregate, aggregation: avg, measure: Revenue, per: [Account] }
  Average by Currency: { type: aggregate, aggregation: avg, measure: Revenue, per: [Order Currency] }
  Currencies: { type: aggregate, aggregation: count, measure: Revenue, per: [Order Currency] }
`

export const money = loadText(text)
