/** Further ways that the advice of a code offers, on the model of test/compile: what is changed, and what the question then means, by hand. */
import type { ErrorCode } from '../../core/src/errors.js'
import { WITH_DAYS } from './every-code.js'
import { cityOf, daysFrom, growth } from './numbers.js'

type Edit = readonly [was: string, is: string]

export interface FurtherWay {
  readonly code: ErrorCode
  /** The words of the finding that give this advice. */
  readonly says: RegExp
  /** The model that the case needs. */
  readonly model?: readonly Edit[]
  readonly query: object
  /** The question after the advice was followed, if that changes it. */
  readonly ask?: object
  /** Asked in a dialect without square roots and medians; the advice is another dialect. */
  readonly poor?: true
  /** The changes of the model, if the advice is about it. */
  readonly edit?: readonly Edit[]
  /** The finding stays after the advice was followed. */
  readonly isKept?: true
  /** The statement, written by hand, of what was meant; its order counts if the question has one. */
  readonly means: string
}

const revenue = { measures: ['Revenue'] }
const by = (...dimensions: unknown[]) => ({ select: { dimensions, measures: ['Revenue'] } })
const over = (op: string, value: unknown, field = 'Day') => ({ field, op, value })
const TEN = [over('between', ['2025-02-01', '2025-02-10'])]
const monthly = { select: { dimensions: ['Month'], measures: ['Growth'] } }
const GRAINLESS: Edit = [', offsetGrain: month, comparison: ratio', ', comparison: ratio']
const WITH_GRAIN: Edit = [', comparison: ratio', ', offsetGrain: month, comparison: ratio']
const HOMES: Edit = [
  'Since: { code: since, abstractType: date }\n',
  'Since: { code: since, abstractType: date }\n      Home: { code: home, abstractType: int }\n    joins:\n      - { joinType: many-to-one, joinTo: Addresses, columnsFrom: [Home], columnsTo: [ID] }\n',
]
const ORDERS_OF_CUSTOMERS = 'sales.orders o LEFT JOIN lake.sales.customers c ON c.id = o.customer_id'
/** The last two days, day by day. */
const RUNNING = 'So Far: { type: cumulative, measure: Revenue, timeDimension: Day, window: 2 }'

export const FURTHER_WAYS: readonly FurtherWay[] = [
  {
    code: 'UNKNOWN_FILTER_FIELD',
    says: /a measure or metric in having/,
    query: { ...by('Status'), where: [over('gt', 5, 'Revenue')] },
    ask: { ...by('Status'), having: [over('gt', 5, 'Revenue')] },
    means: 'SELECT status, sum(amount) FROM sales.orders GROUP BY 1 HAVING sum(amount) > 5',
  },
  {
    code: 'UNKNOWN_ORDER_BY_FIELD',
    says: /a measure/,
    query: { ...by('Status'), order_by: [{ field: 'Takings' }] },
    ask: { ...by('Status'), order_by: [{ field: 'Orders Count' }, { field: 'Status' }] },
    means: 'SELECT status, sum(amount) FROM sales.orders GROUP BY 1 ORDER BY count(*) NULLS LAST, 1 NULLS LAST',
  },
  {
    code: 'UNKNOWN_ORDER_BY_FIELD',
    says: /a dimension that the selected ones determine/,
    query: { ...by('Day'), order_by: [{ field: 'Moment' }] },
    ask: { ...by('Day'), order_by: [{ field: 'Month', direction: 'desc' }, { field: 'Day' }] },
    means: "SELECT day, sum(amount) FROM sales.orders GROUP BY 1 ORDER BY date_trunc('month', day) DESC NULLS LAST, 1 NULLS LAST",
  },
  {
    code: 'UNSUPPORTED_AGGREGATION',
    says: /or another dialect/,
    poor: true,
    query: { select: { measures: ['Typical'] } },
    means: 'SELECT median(CAST(amount AS DOUBLE)) FROM sales.orders',
  },
  {
    code: 'UNSUPPORTED_FUNCTION',
    says: /or another dialect/,
    poor: true,
    query: { select: { measures: ['Rooted'] } },
    means: 'SELECT sum(sqrt(amount)) FROM sales.orders',
  },
  {
    code: 'TIME_RANGE_REQUIRED',
    says: /select 'Month' at a grain/,
    query: { select: { measures: ['Growth'] } },
    ask: monthly,
    means: growth('TRUE', 'TRUE'),
  },
  {
    code: 'WINDOW_GRAIN_REQUIRED',
    says: /give the metric an offsetGrain/,
    model: [GRAINLESS],
    query: { select: { measures: ['Growth'] }, where: TEN },
    edit: [WITH_GRAIN],
    means: daysFrom('01'),
  },
  {
    code: 'WINDOW_GRAIN_REQUIRED',
    says: /give the metric a windowGrain/,
    model: [['metrics:\n', `metrics:\n  ${RUNNING}\n`]],
    query: { select: { measures: ['So Far'] }, where: [over('lte', '2025-02-04')] },
    edit: [['window: 2 }', 'window: 2, windowGrain: day }']],
    means: "SELECT sum(amount) FROM sales.orders WHERE day BETWEEN DATE '2025-02-03' AND DATE '2025-02-04'",
  },
  {
    code: 'NO_VALUE_FOR_TOTAL',
    says: /give the metric an offsetGrain/,
    model: [GRAINLESS],
    query: { ...monthly, grouping: 'rollup', where: TEN },
    edit: [WITH_GRAIN],
    means: `SELECT DATE '2025-02-01', (${daysFrom('01')}), FALSE UNION ALL SELECT NULL, (${daysFrom('01')}), TRUE`,
  },
  {
    code: 'NO_VALUE_FOR_TOTAL',
    says: /filter 'Month' with between/,
    query: { ...monthly, grouping: 'rollup' },
    ask: { ...monthly, grouping: 'rollup', where: TEN },
    means: `SELECT DATE '2025-02-01', (${daysFrom('01')}), FALSE UNION ALL SELECT NULL, (${daysFrom('01')}), TRUE`,
  },
  {
    code: 'TIME_FILTER_NOT_A_RANGE',
    says: /no filter names the year/,
    model: [WITH_DAYS],
    query: { ...monthly, where: [over('eq', 2, 'Days.Month No')] },
    ask: { ...monthly, where: [over('eq', 2, 'Days.Month No'), over('eq', 2025, 'Days.Year No')] },
    means: growth('TRUE', "a.month = DATE '2025-02-01'"),
  },
  {
    code: 'TIME_FILTER_NOT_A_RANGE',
    says: /select it at a grain finer than month, such as 'Month:day'/,
    query: { ...monthly, where: [over('in', ['2025-02-03', '2025-02-20'])] },
    ask: { select: { dimensions: ['Month:day'], measures: ['Growth'] }, where: [over('in', ['2025-02-03', '2025-02-20'])] },
    means: "SELECT * FROM (VALUES (DATE '2025-02-03', NULL), (DATE '2025-02-20', NULL))",
  },
  {
    code: 'TIME_FILTER_NOT_A_RANGE',
    says: /filter the time by one range/,
    query: { ...monthly, where: [over('in', ['2025-02-03', '2025-02-05'])] },
    ask: { ...monthly, where: [over('between', ['2025-02-01', '2025-02-10'])] },
    means: `SELECT DATE '2025-02-01', (${daysFrom('01')})`,
  },
  {
    code: 'TIME_FILTER_NOT_SEPARABLE',
    says: /if one is enough, put the condition into the filters of the measure/,
    query: { ...monthly, where: [{ logic: 'or', filters: [over('gt', '2025-02-15'), over('eq', 'a', 'Status')] }] },
    ask: monthly,
    edit: [
      [
        '  Revenue: { aggregation: sum, columns: [{ dataObject: Orders, column: Amount }] }',
        "  Revenue: { aggregation: sum, columns: [{ dataObject: Orders, column: Amount }], filters: [{ expression: \"{[Orders].[Day]} > '2025-02-15' OR {[Orders].[Status]} = 'a'\" }] }",
      ],
    ],
    means: growth("day > DATE '2025-02-15' OR status = 'a'", 'TRUE'),
  },
  {
    code: 'TIME_BESIDE_A_CALENDAR',
    says: /filter and group by the time of the metric/,
    model: [[WITH_DAYS[0], WITH_DAYS[1].replace(/ {4}calendar: .*\n/, '')]],
    query: { ...monthly, where: [over('eq', 2025, 'Days.Year No')] },
    ask: { ...monthly, where: [over('between', ['2025-01-01', '2025-12-31'])] },
    means: growth('TRUE', 'year(a.month) = 2025'),
  },
  {
    code: 'GRAIN_NOT_SUBSET',
    says: /or use keepOnly/,
    query: { select: { dimensions: ['Country'], measures: ['Revenue By Status'] } },
    edit: [['grain: { mode: FIXED, include: [Status] }', 'grain: { mode: FIXED, keepOnly: [Status] }']],
    means: `SELECT DISTINCT country, (SELECT sum(amount) FROM sales.orders) FROM ${ORDERS_OF_CUSTOMERS}`,
  },
  {
    code: 'FILTER_APPLIES_TO_NOTHING',
    says: /select a measure that it applies to/,
    query: { select: revenue, where: [over('gt', 5, 'Minutes')] },
    ask: { select: { measures: ['Calls Count'] }, where: [over('gt', 5, 'Minutes')] },
    means: 'SELECT count(*) FROM calls WHERE minutes > 5',
  },
  {
    code: 'FILTER_NOT_APPLICABLE',
    says: /Read the measure as unfiltered/,
    query: { select: { measures: ['Revenue', 'Pages'] }, where: [over('eq', 'a', 'Status')] },
    means: "SELECT (SELECT sum(amount) FROM sales.orders WHERE status = 'a'), (SELECT sum(pages) FROM visits)",
  },
  {
    code: 'ORDER_NOT_DETERMINED',
    says: /or a dimension of 'Orders.ID'/,
    model: [['dimensions:\n', 'dimensions:\n  Order No: { dataObject: Orders, column: ID }\n']],
    query: { ...by('Country'), order_by: [{ field: 'Day', direction: 'desc' }] },
    ask: { ...by('Order No'), order_by: [{ field: 'Day', direction: 'desc' }] },
    means: 'SELECT id, amount FROM sales.orders ORDER BY day DESC',
  },
  {
    code: 'ORDER_NOT_DETERMINED',
    says: /the same time in shorter periods/,
    query: { ...by('Status'), order_by: [{ field: 'Month', direction: 'desc' }, { field: 'Revenue' }] },
    ask: { ...by('Day'), order_by: [{ field: 'Month', direction: 'desc' }, { field: 'Revenue' }] },
    means: "SELECT day, amount FROM sales.orders ORDER BY date_trunc('month', day) DESC, amount",
  },
  {
    code: 'ORDER_NOT_DETERMINED',
    says: /a dimension whose sortBy it is/,
    model: [
      [
        'Country: { dataObject: Customers, column: Country }',
        'Country: { dataObject: Customers, column: Country, sortBy: Since }',
      ],
    ],
    query: { ...by('Status'), order_by: [{ field: 'Since' }] },
    ask: { ...by('Country'), order_by: [{ field: 'Since' }] },
    means: `SELECT country, sum(amount) FROM ${ORDERS_OF_CUSTOMERS} GROUP BY 1 ORDER BY min(since) NULLS LAST`,
  },
  {
    code: 'DIMENSION_READ_DIFFERENTLY',
    says: /declare one data object for each role of the table/,
    model: [HOMES],
    query: { select: { dimensions: ['City'], measures: ['Revenue', 'Customers Count'] } },
    ask: { select: { dimensions: ['Home City'], measures: ['Revenue', 'Customers Count'] } },
    edit: [
      ['joinTo: Addresses, columnsFrom: [Home]', 'joinTo: Homes, columnsFrom: [Home]'],
      [
        '  Items:\n',
        '  Homes:\n    code: addresses\n    columns: { ID: { code: id, abstractType: int, primaryKey: true }, City: { code: city, abstractType: string } }\n  Items:\n',
      ],
      ['dimensions:\n', 'dimensions:\n  Home City: { dataObject: Homes, column: City }\n'],
    ],
    means: `SELECT city, sum(amount), count(DISTINCT c.id) FROM lake.sales.customers c FULL JOIN sales.orders o ON c.id = o.customer_id
      LEFT JOIN addresses a ON a.id = c.home GROUP BY 1`,
  },
  {
    code: 'SEVERAL_PATHS',
    says: /or a dimension with via/,
    model: [HOMES],
    query: by('City'),
    ask: by('Home City'),
    edit: [['dimensions:\n', 'dimensions:\n  Home City: { dataObject: Addresses, column: City, via: Customers }\n']],
    means: `SELECT city, sum(amount) FROM ${ORDERS_OF_CUSTOMERS} LEFT JOIN addresses a ON a.id = c.home GROUP BY 1`,
  },
  {
    code: 'CALENDAR_RANGE_REQUIRED',
    says: /each a date or \{ relative/,
    model: [['  Calls:\n', '  Dates: { calendar: { grain: day } }\n  Calls:\n']],
    query: { select: { fields: ['Dates.Date'] } },
    edit: [['{ grain: day }', "{ grain: day, from: { relative: 'start of year' }, to: '2025-01-02' }"]],
    means: "SELECT * FROM (VALUES (DATE '2025-01-01'), (DATE '2025-01-02'))",
  },
  {
    code: 'INVALID_PERIOD',
    says: /and is called FY2025/,
    model: [
      [
        'dimensions:\n',
        'calendars: { fiscal: { yearStart: 07-01, label: end } }\ndimensions:\n  Fiscal Year: { dataObject: Orders, column: Day, timeGrain: fiscal_year }\n',
      ],
    ],
    query: { select: revenue, where: [{ field: 'Fiscal Year', op: '=', value: '2025-01-01' }] },
    ask: { select: revenue, where: [{ field: 'Fiscal Year', op: '=', value: 'FY2025' }] },
    means: "SELECT sum(amount) FROM sales.orders WHERE day BETWEEN DATE '2024-07-01' AND DATE '2025-06-30'",
  },
  {
    code: 'INVALID_PERIOD',
    says: /or compare with < and >=/,
    query: { select: revenue, where: [{ field: 'Month', op: '=', value: '2025-01-10' }] },
    ask: { select: revenue, where: [{ field: 'Month', op: '>=', value: '2025-01-10' }] },
    means: "SELECT sum(amount) FROM sales.orders WHERE day >= DATE '2025-02-01'",
  },
  {
    code: 'CUMULATIVE_RECOMPUTED',
    says: /Nothing to do|cumulativeType/,
    model: [['metrics:\n', 'metrics:\n  So Far: { type: cumulative, measure: Typical, timeDimension: Day }\n']],
    query: { select: { dimensions: ['Day'], measures: ['So Far'] } },
    means: 'SELECT day, median(CAST(amount AS DOUBLE)) OVER (ORDER BY day) FROM sales.orders',
  },
  {
    code: 'OVERLAPPING_GROUPS',
    says: /Read the total without the dimension/,
    query: by('SKU'),
    means: `SELECT sku, sum(amount) FROM (SELECT DISTINCT o.id, sku, amount FROM sales.orders o LEFT JOIN items i ON i.order_id = o.id) GROUP BY 1`,
  },
  {
    code: 'UNKNOWN_PATH_NAME',
    says: /there is 'billing', 'shipping'/,
    query: { ...by('City'), use_path_names: [{ source: 'Orders', target: 'Addresses', path_name: 'bil' }] },
    ask: { ...by('City'), use_path_names: [{ source: 'Orders', target: 'Addresses', path_name: 'billing' }] },
    means: cityOf('bill_to'),
  },
  {
    code: 'PARTIAL_PERIOD',
    says: /take care when you read that period/,
    model: [[', comparison: ratio', ', comparison: ratio, compare: whole']],
    query: { ...monthly, where: [over('gte', '2025-02-10')] },
    means: `SELECT DATE '2025-02-01', (SELECT sum(amount) FROM sales.orders WHERE day BETWEEN DATE '2025-02-10' AND DATE '2025-02-28')
        / (SELECT sum(amount) FROM sales.orders WHERE day BETWEEN DATE '2025-01-01' AND DATE '2025-01-31')
      UNION ALL SELECT DATE '2025-03-01', 5 / 27.25 UNION ALL SELECT DATE '2025-06-01', NULL`,
  },
]
