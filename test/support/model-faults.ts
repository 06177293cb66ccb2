/** A valid model, and every way to break it: the findings of the loader, and the words that they mark. */
import type { Finding } from '@grainline/core'

export const commerce = `version: 1.0
name: commerce
dataObjects:
  Customers:
    code: customers
    schema: public
    columns:
      Id: {code: id, abstractType: int, primaryKey: true}
      Country: {code: country, abstractType: string}
      Doc: {code: doc, abstractType: json}
  Orders:
    code: orders
    columns:
      Id: {code: id, abstractType: int, primaryKey: true}
      Customer: {code: customer_id, abstractType: int}
      Amount: {code: amount, abstractType: float, sqlType: "decimal(18,2)", numClass: additive}
      Qty: {code: qty, abstractType: int}
      Paid: {code: paid, abstractType: boolean}
      Ordered: {code: ordered_at, abstractType: timestamp}
      Total:
        expression: "{Amount} * {Qty}"
    joins:
      - joinType: many-to-one
        joinTo: Customers
        columnsFrom: [Customer]
        columnsTo: [Id]
    refresh: {mode: interval, interval: 1h}
dimensions:
  Country:
    dataObject: Customers
    column: Country
  Month:
    dataObject: Orders
    column: Ordered
    timeGrain: month
measures:
  Revenue:
    columns: [{dataObject: Orders, column: Amount}]
    aggregation: sum
    filters:
      - {column: {dataObject: Customers, column: Country}, operator: equals, values: [{dataType: string, valueString: DE}]}
      - logic: or
        filters: [{field: Orders.Qty, op: '>', value: 3}, {field: Orders.Qty, op: is_null}]
  Volume:
    expression: '{[Orders].[Amount]} * 2'
    aggregation: max
  Countries:
    columns: [{dataObject: Customers, column: Country}]
    aggregation: listagg
metrics:
  Per Order:
    expression: '{[Revenue]} / {[Orders Count]}'
  Running:
    type: cumulative
    measure: Revenue
    timeDimension: Month
filters:
  - {dataObject: Orders, column: Qty, operator: gte, value: 0}
examples:
  - {name: one, query: {select: {measures: [Revenue]}}}
`

/** The model with one passage replaced, which must exist. */
export function edited(from: string, to: string): string {
  if (!commerce.includes(from)) throw new Error(`the model has no ${from}`)
  return commerce.replace(from, () => to)
}

/** Sales joined to the prices of their time. */
const priced = (during: string): string => joinedOver(`during: {${during}}`)

/** Sales joined over time. */
const joinedOver = (keys: string): string => `dataObjects:
  Prices:
    code: prices
    columns: {Id: {code: i, abstractType: int, primaryKey: true}, Since: {code: s, abstractType: date, primaryKey: true}, Until: {code: u, abstractType: date}, Stamp: {code: m, abstractType: timestamp}, Label: {code: l, abstractType: string}}
  Sales:
    code: sales
    columns: {Price: {code: p, abstractType: int}, Day: {code: d, abstractType: date}, At: {code: t, abstractType: timestamp_tz}}
    joins:
      - {joinType: many-to-one, joinTo: Prices, columnsFrom: [Price], columnsTo: [Id], ${keys}}
`

/** Code, path, the wrong words, and the edit that causes the finding. */
export const modelFaults: readonly (readonly [Finding['code'], string, string, string, string])[] = [
  ['SCHEMA_VALIDATION', 'dataObjects.Customers.code', '[customers]', 'code: customers', 'code: [customers]'],
  ['SCHEMA_VALIDATION', 'dataObjects.Customers', 'Customers', '    code: customers\n', ''],
  ['SCHEMA_VALIDATION', 'dimensions.Month.timeGrain', 'months', 'timeGrain: month', 'timeGrain: months'],
  ['SCHEMA_VALIDATION', 'measures.Revenue.aggregation', 'summ', 'aggregation: sum', 'aggregation: summ'],
  ['SCHEMA_VALIDATION', 'measures.Volume.dataType', 'decimals', 'aggregation: max', 'aggregation: max\n    dataType: decimals'],
  ['UNKNOWN_PROPERTY', 'dimensions.Country.dataObjct', 'dataObjct', 'column: Country\n', 'column: Country\n    dataObjct: x\n'],
  ['DUPLICATE_IDENTIFIER', 'metrics.Revenue', 'Revenue', '  Per Order:', '  Revenue:'],
  [
    'DUPLICATE_IDENTIFIER',
    'dataObjects.Orders.countLabel',
    'Country',
    'code: orders\n',
    'code: orders\n    countLabel: Country\n',
  ],
  [
    'UNKNOWN_DATA_OBJECT',
    'dimensions.Country.dataObject',
    'Customer',
    '    dataObject: Customers\n',
    '    dataObject: Customer\n',
  ],
  ['UNKNOWN_COLUMN', 'measures.Revenue.columns[0].column', 'Amout', 'column: Amount}]', 'column: Amout}]'],
  ['UNKNOWN_JOIN_TARGET', 'dataObjects.Orders.joins[0].joinTo', 'Clients', 'joinTo: Customers', 'joinTo: Clients'],
  ['UNKNOWN_JOIN_COLUMN', 'dataObjects.Orders.joins[0].columnsTo[0]', 'Idd', 'columnsTo: [Id]', 'columnsTo: [Idd]'],
  [
    'JOIN_COLUMN_COUNT_MISMATCH',
    'dataObjects.Orders.joins[0]',
    'joinType: many-to-one',
    'columnsTo: [Id]',
    'columnsTo: [Id, Country]',
  ],
  [
    'SECONDARY_JOIN_MISSING_PATH_NAME',
    'dataObjects.Orders.joins[0]',
    'joinType: many-to-one',
    'columnsTo: [Id]',
    'columnsTo: [Id]\n        secondary: true',
  ],
  [
    'DUPLICATE_JOIN_PATH_NAME',
    'dataObjects.Orders.joins[2].pathName',
    'p',
    'columnsTo: [Id]\n',
    `columnsTo: [Id]\n${'      - {joinType: many-to-one, joinTo: Customers, columnsFrom: [Qty], columnsTo: [Id], secondary: true, pathName: p}\n'.repeat(2)}`,
  ],
  [
    'CYCLIC_JOIN',
    'dataObjects.Orders.joins[0]',
    'joinType: many-to-one',
    'schema: public\n',
    'schema: public\n    joins: [{joinType: many-to-one, joinTo: Orders, columnsFrom: [Id], columnsTo: [Id]}]\n',
  ],
  ['UNKNOWN_COLUMN_IN_EXPRESSION', 'dataObjects.Orders.columns.Total.expression', '{Qtyy}', '* {Qty}"', '* {Qtyy}"'],
  [
    'UNKNOWN_DATA_OBJECT_IN_EXPRESSION',
    'measures.Volume.expression',
    '{[Order].[Amount]}',
    '{[Orders].[Amount]} * 2',
    '1 + {[Order].[Amount]} * 2',
  ],
  [
    'CYCLIC_COMPUTED_COLUMN',
    'dataObjects.Orders.columns.Total.expression',
    '{Amount} * {Total}',
    '{Amount} * {Qty}',
    '{Amount} * {Total}',
  ],
  [
    'INVALID_COLUMN',
    'dataObjects.Customers.columns.Bought.measure',
    'Running',
    '      Doc: {code',
    '      Bought: {measure: Running}\n      Doc: {code',
  ],
  [
    'CYCLIC_FILTER',
    'access.rows[0].where',
    "{field: Customers.Bought, op: '>', value: 3}",
    'dataObjects:\n  Customers:\n    code: customers\n    schema: public\n    columns:\n',
    "access: {rows: [{name: rich, dataObject: Customers, where: {field: Customers.Bought, op: '>', value: 3}}]}\ndataObjects:\n  Customers:\n    code: customers\n    schema: public\n    columns:\n      Bought: {measure: Revenue}\n",
  ],
  [
    'INCOMPLETE_COLUMN_REF',
    'measures.Revenue.columns[0]',
    '{dataObject: Orders}',
    'dataObject: Orders, column: Amount',
    'dataObject: Orders',
  ],
  ['INCOMPLETE_COLUMN_REF', 'measures.Volume.expression', '{[Amount]}', '{[Orders].[Amount]} * 2', '2 * {[Amount]}'],
  [
    'TIME_GRAIN_ON_NON_TEMPORAL',
    'dimensions.Country.timeGrain',
    'month',
    'column: Country\n',
    'column: Country\n    timeGrain: month\n',
  ],
  [
    'NUM_CLASS_ON_NON_NUMERIC',
    'dataObjects.Customers.columns.Country.numClass',
    'additive',
    'abstractType: string}',
    'abstractType: string, numClass: additive}',
  ],
  ['INVALID_VIA_DATA_OBJECT', 'dimensions.Month.via', 'Customers', 'timeGrain: month', 'via: Customers'],
  ['INVALID_VIA_DATA_OBJECT', 'dimensions.Month.via', 'Nowhere', 'timeGrain: month', 'via: Nowhere'],
  ['INVALID_AGGREGATION_INPUTS', 'measures.Volume', 'Volume', 'aggregation: max', 'aggregation: corr'],
  [
    'INVALID_AGGREGATION_INPUTS',
    'measures.Countries.columns[0]',
    '{dataObject: Customers, column: Country}',
    'aggregation: listagg',
    'aggregation: avg',
  ],
  ['INVALID_AGGREGATION_INPUTS', 'measures.Volume', 'Volume', 'aggregation: max', 'aggregation: percentile'],
  [
    'WITHIN_GROUP_NOT_IN_DISTINCT_ARGS',
    'measures.Countries.withinGroup',
    '{column: {dataObject: Customers, column: Id}, order: desc}',
    'aggregation: listagg',
    'aggregation: listagg\n    distinct: true\n    withinGroup: {column: {dataObject: Customers, column: Id}, order: desc}',
  ],
  ['UNKNOWN_MEASURE_REF', 'metrics.Per Order.expression', '{[Revenu]}', '{[Revenue]} /', '{[Revenu]} /'],
  ['UNKNOWN_MEASURE_REF', 'metrics.Running.measure', 'Revenu', 'measure: Revenue\n', 'measure: Revenu\n'],
  ['INVALID_METRIC', 'metrics.Running', 'Running', '    measure: Revenue\n', ''],
  ['CYCLIC_METRIC', 'metrics.Per Order', 'Per Order', '{[Revenue]} /', '{[Per Order]} /'],
  [
    'INVALID_LAG_LEAD',
    'metrics.Running.offset',
    '-1',
    'type: cumulative',
    'type: window\n    windowFunction: lag\n    offset: -1',
  ],
  [
    'INVALID_NTILE_BUCKETS',
    'metrics.Running.buckets',
    '0',
    'type: cumulative',
    'type: window\n    windowFunction: ntile\n    buckets: 0',
  ],
  [
    'UNKNOWN_PARTITION_DIMENSION',
    'metrics.Running.partitionBy[0]',
    'Contry',
    'type: cumulative',
    'type: cumulative\n    partitionBy: [Contry]',
  ],
  ['TIME_GRAIN_ON_NON_TEMPORAL', 'metrics.Running.timeDimension', 'Country', 'timeDimension: Month', 'timeDimension: Country'],
  [
    'UNKNOWN_GRAIN_DIMENSION',
    'measures.Volume.grain.include[0]',
    'Mont',
    'aggregation: max',
    'aggregation: max\n    grain: {mode: FIXED, include: [Mont]}',
  ],
  [
    'UNKNOWN_FILTER_COLUMN',
    'measures.Revenue.filters[0].column.column',
    'Contry',
    'Customers, column: Country}, operator',
    'Customers, column: Contry}, operator',
  ],
  ['INVALID_FILTER_OPERATOR', 'filters[0].operator', 'gtee', 'operator: gte', 'operator: gtee'],
  ['INVALID_FILTER_OPERATOR', 'filters[0].operator', 'contains', 'operator: gte, value: 0', 'operator: contains, value: a'],
  ['INVALID_FILTER_VALUE', 'filters[0].value', 'many', 'value: 0', 'value: many'],
  [
    'INVALID_FILTER_VALUE',
    'measures.Revenue.filters[1].filters[0]',
    "{field: Orders.Qty, op: '>'}",
    "op: '>', value: 3",
    "op: '>'",
  ],
  ['WRONG_FUNCTION_ARITY', 'measures.Volume.expression', 'replace', '{[Orders].[Amount]} * 2', '2 * replace(1)'],
  [
    'UNKNOWN_TIME_UNIT',
    'measures.Volume.expression',
    'fortnight',
    '{[Orders].[Amount]} * 2',
    'extract(fortnight FROM {[Orders].[Ordered]})',
  ],
  [
    'INVALID_JSON_PATH',
    'measures.Volume.expression',
    'json_value',
    '{[Orders].[Amount]} * 2',
    'json_value({[Customers].[Doc]}, 1)',
  ],
  [
    'NON_PORTABLE_FUNCTION',
    'measures.Volume.expression',
    'soundex',
    '{[Orders].[Amount]} * 2',
    'soundex({[Customers].[Country]})',
  ],
  ['INVALID_EXPRESSION', 'measures.Volume.expression', ')', '{[Orders].[Amount]} * 2', '({[Orders].[Amount]} * )'],
  ['INVALID_EXPRESSION', 'measures.Volume.expression', 'sum', '{[Orders].[Amount]} * 2', 'sum({[Orders].[Amount]})'],
  ['REFRESH_PARSE_ERROR', 'dataObjects.Orders.refresh.interval', 'often', 'interval: 1h', 'interval: often'],
  [
    'SHARED_TABLE_CONTRACT_DISAGREEMENT',
    'dataObjects.Orders.refresh',
    '{mode: interval, interval: 1h}',
    'code: customers\n    schema: public\n',
    'code: orders\n    refresh: {mode: static}\n',
  ],
  ['ORPHAN_DATA_OBJECT', 'dataObjects.Alone', 'Alone', 'dataObjects:\n', 'dataObjects:\n  Alone: {code: alone}\n'],
  [
    'CONFUSABLE_NAME',
    'dataObjects.Or\u200bders',
    'Or\u200bders',
    'dataObjects:\n',
    'dataObjects:\n  Or\u200bders: {code: alone}\n',
  ],
  ['DUPLICATE_EXAMPLE_NAME', 'examples[1].name', 'one', 'examples:\n', 'examples:\n  - {name: one, query: {}}\n'],
  [
    'INVALID_SETTING',
    'settings.queryTimezone',
    'Mars/Base',
    'name: commerce',
    'name: commerce\nsettings: {queryTimezone: Mars/Base}',
  ],
  [
    'INVALID_SETTING',
    'dataObjects.Orders.joins[0].foreignKey',
    'true',
    'joinType: many-to-one\n',
    'joinType: many-to-many\n        foreignKey: true\n',
  ],
  ['INVALID_SETTING', 'inherits', 'base.yaml', 'name: commerce', 'name: commerce\ninherits: base.yaml'],
  ['INVALID_SETTING', 'extends[0]', 'more.yaml', 'name: commerce', 'name: commerce\nextends: [more.yaml]'],
  [
    'INVALID_SETTING',
    'measures.Volume.grain',
    'grain',
    'aggregation: max',
    'aggregation: max\n    total: true\n    grain: {mode: FIXED}',
  ],
  [
    'UNKNOWN_DIMENSION',
    'dimensions.Country.hierarchy[0]',
    'Contnent',
    'column: Country\n',
    'column: Country\n    hierarchy: [Contnent]\n',
  ],
  [
    'SELF_JOIN',
    'dataObjects.Orders.joins[0]',
    'joinType: many-to-one',
    'joinTo: Customers',
    'joinTo: Orders\n        secondary: true\n        pathName: p',
  ],
  [
    'KEY_OVER_INSTANT',
    'dataObjects.Orders.columns.Hour.expression',
    "date_trunc('hour', {Ordered})",
    'Ordered: {code: ordered_at, abstractType: timestamp}',
    `Ordered: {code: ordered_at, abstractType: timestamp_tz}\n      Hour: {expression: "date_trunc('hour', {Ordered})", abstractType: timestamp, primaryKey: true}`,
  ],
  [
    'JOIN_COLUMN_TYPE_MISMATCH',
    'dataObjects.Orders.joins[0].columnsFrom[0]',
    'Paid',
    'columnsFrom: [Customer]',
    'columnsFrom: [Paid]',
  ],
  [
    'INVALID_JOIN_PERIOD',
    'dataObjects.Sales.joins[0].during.from',
    'Label',
    'dataObjects:\n',
    priced('time: Day, from: Label, to: Until'),
  ],
  [
    'INVALID_JOIN_PERIOD',
    'dataObjects.Sales.joins[0].during.time',
    'Price',
    'dataObjects:\n',
    priced('time: Price, from: Since, to: Until'),
  ],
  [
    'INVALID_JOIN_PERIOD',
    'dataObjects.Sales.joins[0].during.interval',
    'here',
    'dataObjects:\n',
    priced('interval: here, time: Since, from: Day, to: Day'),
  ],
  [
    'UNKNOWN_JOIN_COLUMN',
    'dataObjects.Sales.joins[0].during.to',
    'Untill',
    'dataObjects:\n',
    priced('time: Day, from: Since, to: Untill'),
  ],
  ...(
    [
      ['asOf: {time: Day, to: Label}', 'asOf.to', 'Label'],
      ['asOf: {time: Price, to: Since}', 'asOf.time', 'Price'],
      ['asOf: {time: Day, to: Since, within: a while}', 'asOf.within', 'a while'],
      ['asOf: {time: Day, to: Since, within: 12 hours}', 'asOf.within', '12 hours'],
      ['asOf: {time: Day, to: Stamp}', 'asOf.time', 'Day'],
      ['asOf: {time: At, to: Stamp}', 'asOf.time', 'At'],
    ] as const
  ).map(
    ([keys, path, words]) =>
      ['INVALID_JOIN_PERIOD', `dataObjects.Sales.joins[0].${path}`, words, 'dataObjects:\n', joinedOver(keys)] as const,
  ),
  [
    'UNKNOWN_JOIN_COLUMN',
    'dataObjects.Sales.joins[0].asOf.to',
    'Sinse',
    'dataObjects:\n',
    joinedOver('asOf: {time: Day, to: Sinse}'),
  ],
  ['PERIOD_IN_UTC', 'dataObjects.Sales.joins[0].during.time', 'At', 'dataObjects:\n', priced('time: At, from: Since, to: Until')],
  [
    'CALENDAR_KEY',
    'dataObjects.Customers.calendar.key',
    'Id',
    '    code: customers\n',
    '    code: customers\n    calendar: {key: Id}\n',
  ],
  ['INVALID_BRIDGE', 'dataObjects.Orders.bridge', 'true', 'code: orders\n', 'code: orders\n    bridge: true\n'],
  [
    'REPLACEMENT_MISSING',
    'dimensions.Country.status',
    'deprecated',
    'column: Country\n',
    'column: Country\n    status: deprecated\n',
  ],
  [
    'INVALID_REPLACEMENT',
    'dimensions.Country.use',
    'Mont',
    'column: Country\n',
    'column: Country\n    status: deprecated\n    use: Mont\n',
  ],
  [
    'CERTIFIED_OVER_PROPOSED',
    'metrics.Sure.status',
    'certified',
    'metrics:\n',
    "  Draft: {aggregation: count, columns: [{dataObject: Orders, column: Id}], status: proposed}\nmetrics:\n  Sure: {expression: '{[Draft]} * 2', status: certified}\n",
  ],
  [
    'SEVERAL_PATHS',
    'dataObjects.Shipments',
    'Shipments',
    'dataObjects:\n',
    'dataObjects:\n  Shipments:\n    code: shipments\n    columns: {Order: {code: o, abstractType: int}, Customer: {code: c, abstractType: int}}\n    joins:\n      - {joinType: many-to-one, joinTo: Orders, columnsFrom: [Order], columnsTo: [Id]}\n      - {joinType: many-to-one, joinTo: Customers, columnsFrom: [Customer], columnsTo: [Id]}\n',
  ],
  [
    'MISSING_VIA',
    'dimensions.Country',
    'Country',
    'dataObjects:\n',
    `dataObjects:\n  Bills:\n    code: bills\n    columns: {Id: {code: i, abstractType: int}, Customer: {code: c, abstractType: int}}\n    joins: [{joinType: many-to-one, joinTo: Customers, columnsFrom: [Customer], columnsTo: [Id]}]
  Shipments:\n    code: shipments\n    columns: {Order: {code: o, abstractType: int}, Bill: {code: b, abstractType: int}}\n    joins:\n      - {joinType: many-to-one, joinTo: Orders, columnsFrom: [Order], columnsTo: [Id]}\n      - {joinType: many-to-one, joinTo: Bills, columnsFrom: [Bill], columnsTo: [Id]}\n`,
  ],
  [
    'NO_JOIN_PATH',
    'dataObjects.Customers.columns.Odd.expression',
    '{[Orders].[Amount]}',
    'Doc: {',
    "Odd: {expression: '{[Orders].[Amount]}'}\n      Doc: {",
  ],
  [
    'UNKNOWN_FILTER_FIELD',
    'segments.Few.filters[0].field',
    'Contry',
    'metrics:\n',
    'segments:\n  Few: {filters: [{field: Contry, op: eq, value: DE}]}\nmetrics:\n',
  ],
  ['YAML_PARSE_ERROR', '', 'aggregation: sum', 'column: Amount}]', 'column: Amount'],
  ['YAML_SAFETY_ERROR', '', '!!binary abc', 'version: 1.0', 'version: !!binary abc'],
]
