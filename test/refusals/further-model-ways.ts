/** Further ways that the advice of a code about a model offers, on the model of test/compile. */
import type { FurtherWay } from './further-ways.js'
import { cityOf, daysFrom, growth } from './numbers.js'

const SINCE = '      Since: { code: since, abstractType: date }\n'
const GIFT = '      Gift: { code: gift, abstractType: boolean }\n'
const CUSTOMER = '      - { joinType: many-to-one, joinTo: Customers, columnsFrom: [Customer ID], columnsTo: [ID] }\n'
const by = (...dimensions: unknown[]) => ({ select: { dimensions, measures: ['Revenue'] } })
const rows = (...fields: string[]) => ({ select: { fields } })
const column = (text: string) => [SINCE, `${SINCE}      ${text}\n`] as const
const ofOrder = (text: string) => [GIFT, `${GIFT}      ${text}\n`] as const
const dimension = (text: string) => ['dimensions:\n', `dimensions:\n  ${text}\n`] as const
const measure = (text: string) => ['measures:\n', `measures:\n  ${text}\n`] as const
const CUSTOMERS = 'lake.sales.customers c LEFT JOIN sales.orders o ON o.customer_id = c.id'
const BY_COUNTRY =
  'SELECT country, sum(amount) FROM sales.orders o LEFT JOIN lake.sales.customers c ON c.id = o.customer_id GROUP BY 1'

const RATE_ROWS =
  "(SELECT * FROM (VALUES (1, DATE '2025-01-01', DATE '2025-02-03', 2), (1, DATE '2025-02-03', DATE '2025-12-31', 3), (2, DATE '2025-01-01', DATE '2025-06-15', 4)) v(k, since, until, rate))"
const MOMENT_ROWS = RATE_ROWS.replaceAll('DATE', 'TIMESTAMP')
/** Orders with the rates of their days; `over` are the keys of the join. */
const rated = (over: string, { type = 'date', key = ', primaryKey: true', joinType = 'many-to-one' } = {}) => [
  [
    CUSTOMER,
    `      - { joinType: ${joinType}, joinTo: Rates, columnsFrom: [Bill To], columnsTo: [K], ${over} }\n${CUSTOMER}`,
  ] as const,
  [
    '  Calls:\n',
    `  Rates:
    code: "${type === 'date' ? RATE_ROWS : MOMENT_ROWS}"
    columns:
      K: { code: k, abstractType: int${key} }
      Since: { code: since, abstractType: ${type}${key} }
      Until: { code: until, abstractType: ${type} }
      Rate: { code: rate, abstractType: int }
  Calls:
`,
  ] as const,
  dimension('Rate: { dataObject: Rates, column: Rate }'),
]
const byRate = (join: string, of = RATE_ROWS) =>
  `SELECT rate, sum(amount) FROM sales.orders o LEFT JOIN ${of} r ON k = bill_to AND ${join} GROUP BY 1`
/** The last rate before a day. */
const byLastRate = (day: string) =>
  `SELECT rate, sum(amount) FROM (SELECT amount, (SELECT arg_max(rate, since) FROM ${RATE_ROWS} r WHERE k = bill_to AND since <= ${day}) AS rate FROM sales.orders) GROUP BY 1`
const RICH =
  'SELECT c.id FROM lake.sales.customers c JOIN sales.orders o ON o.customer_id = c.id GROUP BY 1 HAVING sum(amount) > 8'
const FILTERED = [
  'metrics:\n',
  'filters:\n  - { dataObject: Customers, column: Bought, operator: gt, value: 8 }\nmetrics:\n',
] as const
const UNFILTERED = [FILTERED[1], FILTERED[0]] as const

const HOUR = `expression: "date_trunc('hour', {Paid})", abstractType: timestamp`
/** A table whose key is the hour of an instant. */
const HOURS = [
  [
    '  Calls:\n',
    `  Log:
    code: orders
    schema: sales
    columns:
      Paid: { code: paid, abstractType: timestamp_tz }
      Hour: { ${HOUR}, primaryKey: true }
      Sum: { code: amount, abstractType: float }
  Calls:
`,
  ] as const,
  dimension('Hour: { dataObject: Log, column: Hour }'),
  measure('Logged: { aggregation: sum, columns: [{ dataObject: Log, column: Sum }] }'),
]

export const MODEL_WAYS: readonly FurtherWay[] = [
  {
    code: 'INVALID_COLUMN',
    says: /or a metric without running values/,
    model: [column('Bought: { measure: Running }'), dimension('Bought: { dataObject: Customers, column: Bought }')],
    query: { select: { dimensions: ['Bought'], measures: ['Customers Count'] } },
    edit: [['measure: Running }', 'measure: Per Order }']],
    means: `SELECT b, count(*) FROM (SELECT c.id, sum(amount) / count(o.id) AS b FROM ${CUSTOMERS} GROUP BY 1) GROUP BY 1`,
  },
  {
    code: 'INVALID_COLUMN',
    says: /give a window function the column/,
    model: [ofOrder('Before: { window: { function: lag, orderBy: [ID] } }')],
    query: rows('Orders.ID', 'Orders.Before'),
    edit: [['function: lag,', 'function: lag, column: Amount,']],
    means: 'SELECT id, lag(amount) OVER (ORDER BY id) FROM sales.orders',
  },
  {
    code: 'INVALID_COLUMN',
    says: /and the order that it needs/,
    model: [ofOrder('Place: { window: { function: rank } }')],
    query: rows('Orders.ID', 'Orders.Place'),
    edit: [['function: rank', 'function: rank, orderBy: [Amount]']],
    means: 'SELECT id, rank() OVER (ORDER BY amount) FROM sales.orders',
  },
  {
    code: 'INVALID_COLUMN',
    says: /write a condition on the row itself as an expression/,
    model: [ofOrder("Large: { exists: Orders, filters: [{ field: Amount, op: '>', value: 6 }] }")],
    query: rows('Orders.ID', 'Orders.Large'),
    edit: [
      ["Large: { exists: Orders, filters: [{ field: Amount, op: '>', value: 6 }] }", "Large: { expression: '{Amount} > 6' }"],
    ],
    means: 'SELECT id, amount > 6 FROM sales.orders',
  },
  {
    code: 'INVALID_COLUMN',
    says: /identify and join rows by stored columns/,
    model: [column('Bought: { measure: Revenue }'), [CUSTOMER, CUSTOMER.replace('columnsTo: [ID]', 'columnsTo: [Bought]')]],
    query: by('Country'),
    edit: [['columnsTo: [Bought]', 'columnsTo: [ID]']],
    means: BY_COUNTRY,
  },
  {
    code: 'INVALID_JOIN_PERIOD',
    says: /a many-to-one join has the interval in the joined object/,
    model: rated('during: { interval: here, time: Since, from: Day, to: Day }'),
    query: by('Rate'),
    edit: [['during: { interval: here, time: Since, from: Day, to: Day }', 'during: { time: Day, from: Since, to: Until }']],
    means: byRate('day >= since AND day < until'),
  },
  {
    code: 'INVALID_JOIN_PERIOD',
    says: /includesEnd is for dates/,
    model: rated('during: { time: Written, from: Since, to: Until, includesEnd: true }', { type: 'timestamp' }),
    query: by('Rate'),
    edit: [[', includesEnd: true', '']],
    means: byRate('written >= since AND written < until', MOMENT_ROWS),
  },
  {
    code: 'INVALID_JOIN_PERIOD',
    says: /with asOf is many-to-one/,
    model: rated('asOf: { time: Day, to: Since }', { joinType: 'many-to-many' }),
    query: by('Rate'),
    edit: [['many-to-many, joinTo: Rates', 'many-to-one, joinTo: Rates']],
    means: byLastRate('day'),
  },
  {
    code: 'INVALID_JOIN_PERIOD',
    says: /to an object with a key/,
    model: rated('asOf: { time: Day, to: Since }', { key: '' }),
    query: by('Rate'),
    edit: [
      ['K: { code: k, abstractType: int }', 'K: { code: k, abstractType: int, primaryKey: true }'],
      [
        'Since: { code: since, abstractType: date }\n      Until',
        'Since: { code: since, abstractType: date, primaryKey: true }\n      Until',
      ],
    ],
    means: byLastRate('day'),
  },
  {
    code: 'PERIOD_IN_UTC',
    says: /Give during or asOf a zone/,
    model: rated('asOf: { time: Paid, to: Since }'),
    query: by('Rate'),
    edit: [['{ time: Paid,', '{ zone: Asia/Tokyo, time: Paid,']],
    means: byLastRate("CAST(paid AT TIME ZONE 'Asia/Tokyo' AS DATE)"),
  },
  {
    code: 'INVALID_BRIDGE',
    says: /use one of its own numeric columns as weight/,
    model: [['    code: items\n', '    code: items\n    bridge: true\n    weight: SKU\n']],
    query: by('SKU'),
    edit: [['    weight: SKU\n', '    weight: Quantity\n']],
    means: `SELECT sku, sum(amount * coalesce(quantity, 1)) FROM sales.orders o LEFT JOIN items i ON i.order_id = o.id GROUP BY 1`,
  },
  {
    code: 'CYCLIC_FILTER',
    says: /Put the condition into the where of a query/,
    model: [column('Bought: { measure: Revenue }'), FILTERED],
    query: by('Country'),
    ask: { ...by('Country'), where: [{ field: 'Customers.Bought', op: '>', value: 8 }] },
    edit: [UNFILTERED],
    means: `SELECT country, sum(amount) FROM ${CUSTOMERS} WHERE c.id IN (${RICH}) GROUP BY 1`,
  },
  {
    code: 'CYCLIC_FILTER',
    says: /or the filters of a measure/,
    model: [column('Bought: { measure: Revenue }'), FILTERED],
    query: by('Country'),
    ask: { select: { measures: ['Rich', 'Revenue'] } },
    edit: [
      UNFILTERED,
      measure(
        "Rich: { aggregation: count, columns: [{ dataObject: Customers, column: ID }], filters: [{ field: Customers.Bought, op: '>', value: 8 }] }",
      ),
    ],
    means: `SELECT (SELECT count(*) FROM (${RICH})), (SELECT sum(amount) FROM sales.orders)`,
  },
  {
    code: 'NUM_CLASS_ON_NON_NUMERIC',
    says: /or correct the abstractType/,
    model: [['Pages: { code: pages, abstractType: int }', 'Pages: { code: pages, abstractType: string, numClass: additive }']],
    query: rows('Visits.ID', 'Visits.Pages'),
    ask: { select: { measures: ['Pages'] } },
    edit: [['abstractType: string, numClass', 'abstractType: int, numClass']],
    means: 'SELECT sum(pages) FROM visits',
  },
  {
    code: 'ORPHAN_DATA_OBJECT',
    says: /or ignore the warning if it needs no join/,
    model: [],
    query: { select: { measures: ['Calls Count'] } },
    means: 'SELECT count(*) FROM calls',
  },
  {
    code: 'CONFUSABLE_NAME',
    says: /or ignore the warning if the name is intended/,
    model: [dimension('Stаtus: { dataObject: Orders, column: Status }')],
    query: by('Stаtus'),
    means: 'SELECT status, sum(amount) FROM sales.orders GROUP BY 1',
  },
  {
    code: 'UNKNOWN_VIEW',
    says: /or leave out view to ask the model/,
    model: [
      ['dimensions:\n', "views:\n  Gifts: { fields: [Revenue], where: [{ field: Gift, op: '=', value: true }] }\ndimensions:\n"],
    ],
    query: { view: 'Presents', select: { measures: ['Revenue'] } },
    ask: { select: { measures: ['Revenue'] } },
    means: 'SELECT sum(amount) FROM sales.orders',
  },
  {
    code: 'AMBIGUOUS_JOIN',
    says: /or pin one with use_path_names/,
    model: [[', pathName: shipping, secondary: true', ', pathName: shipping']],
    query: by('City'),
    ask: { ...by('City'), use_path_names: [{ source: 'Orders', target: 'Addresses', path_name: 'shipping' }] },
    means: cityOf('ship_to'),
  },
  {
    code: 'MISSING_VIA',
    says: /or pin the path in the query/,
    model: [[', pathName: shipping, secondary: true', ', pathName: shipping']],
    query: by('City'),
    ask: { ...by('City'), use_path_names: [{ source: 'Orders', target: 'Addresses', path_name: 'billing' }] },
    isKept: true,
    means: cityOf('bill_to'),
  },
  {
    code: 'COMPARED_RANGE_RESTRICTED',
    says: /or read the comparison as one with a part/,
    model: [['metrics:\n', 'filters:\n  - { dataObject: Orders, column: Day, operator: gte, value: 2025-01-03 }\nmetrics:\n']],
    query: {
      select: { dimensions: ['Month'], measures: ['Growth'] },
      where: [{ field: 'Day', op: 'between', value: ['2025-02-01', '2025-02-10'] }],
    },
    // Nothing was sold on the two days that are missing.
    means: `SELECT DATE '2025-02-01', (${daysFrom('01')})`,
  },
  {
    code: 'INVALID_REPLACEMENT',
    says: /or another measure or metric for a measure or metric/,
    model: [['Pages: { aggregation', 'Pages: { status: deprecated, use: Medium, aggregation']],
    query: { select: { measures: ['Pages'] } },
    ask: { select: { measures: ['Visits Count'] } },
    edit: [['use: Medium', 'use: Visits Count']],
    means: 'SELECT count(*) FROM visits',
  },
  {
    code: 'NO_VALUE_FOR_TOTAL',
    says: /Nothing to do/,
    query: { select: { dimensions: ['Month'], measures: ['Growth'] }, grouping: 'rollup' },
    means: `SELECT *, FALSE FROM (${growth('TRUE', 'TRUE')}) UNION ALL SELECT NULL, NULL, TRUE`,
  },
  {
    code: 'NO_VALUE_FOR_TOTAL',
    says: /give the metric a windowGrain/,
    model: [['metrics:\n', 'metrics:\n  So Far: { type: cumulative, measure: Revenue, timeDimension: Day, window: 2 }\n']],
    query: {
      select: { dimensions: ['Day:day'], measures: ['So Far'] },
      grouping: 'rollup',
      where: [{ field: 'Day', op: 'between', value: ['2025-06-14', '2025-06-15'] }],
    },
    edit: [['window: 2 }', 'window: 2, windowGrain: day }']],
    means: "SELECT * FROM (VALUES (DATE '2025-06-14', 1.75, FALSE), (DATE '2025-06-15', 4.75, FALSE), (NULL, 4.75, TRUE))",
  },
  {
    code: 'MIXED_RAW_AND_AGGREGATE_MODE',
    says: /or dimensions and measures/,
    query: { select: { fields: ['Orders.Status'], measures: ['Revenue'] } },
    ask: by('Status'),
    means: 'SELECT status, sum(amount) FROM sales.orders GROUP BY 1',
  },
  {
    code: 'KEY_OVER_INSTANT',
    says: /Nothing to do if the zone is right/,
    model: HOURS,
    query: { select: { dimensions: ['Hour'], measures: ['Logged'] } },
    means: `SELECT date_trunc('hour', paid AT TIME ZONE 'UTC'), sum(amount) FROM sales.orders GROUP BY 1`,
  },
  {
    code: 'KEY_OVER_INSTANT',
    says: /declare a second column with the same expression that no join reads/,
    model: HOURS,
    query: { select: { dimensions: ['Hour'], measures: ['Logged'] }, timezone: 'Asia/Tokyo' },
    ask: { select: { dimensions: ['Shown Hour'], measures: ['Logged'] }, timezone: 'Asia/Tokyo' },
    edit: [
      ['      Sum:', `      Shown Hour: { ${HOUR} }\n      Sum:`],
      dimension('Shown Hour: { dataObject: Log, column: Shown Hour }'),
    ],
    isKept: true,
    means: "SELECT date_trunc('hour', paid AT TIME ZONE 'Asia/Tokyo'), sum(amount) FROM sales.orders GROUP BY 1",
  },
]
