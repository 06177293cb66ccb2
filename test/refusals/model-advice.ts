/** By code, each way that its advice offers, as edits of the model that its first case in test/support/model-faults.ts has broken. */
import type { ErrorCode } from '@grainline/core'

export type Edit = readonly [was: string, is: string]

const TO_CUSTOMERS = `{joinType: many-to-one, joinTo: Customers, columnsFrom: [Customer], columnsTo: [Id]}`
const SECOND_CUSTOMERS = `  Payers:
    code: customers
    columns:
      Id: {code: id, abstractType: int, primaryKey: true}
`

export const MODEL_ADVICE: Partial<Record<ErrorCode, readonly (readonly Edit[])[]>> = {
  YAML_SAFETY_ERROR: [[['!!binary abc', '1.0']]],
  DUPLICATE_IDENTIFIER: [[["  Revenue:\n    expression: '{[Revenue]}", "  Rate:\n    expression: '{[Revenue]}"]]],
  CYCLIC_JOIN: [
    [
      [
        'dataObjects:\n',
        'dataObjects:\n  First Orders:\n    code: orders\n    columns: {Id: {code: id, abstractType: int, primaryKey: true}}\n',
      ],
      ['joinTo: Orders', "joinTo: 'First Orders'"],
    ],
    [['columnsFrom: [Id], columnsTo: [Id]}]', 'columnsFrom: [Id], columnsTo: [Id], secondary: true, pathName: first order}]']],
  ],
  SELF_JOIN: [
    [
      [
        'dataObjects:\n',
        'dataObjects:\n  Earlier Orders:\n    code: orders\n    columns: {Id: {code: id, abstractType: int, primaryKey: true}}\n',
      ],
      ['joinTo: Orders\n        secondary: true\n        pathName: p', 'joinTo: Earlier Orders'],
      // The rest of the model that refers to Customers has no path there any more.
      [
        '      - {column: {dataObject: Customers, column: Country}, operator: equals, values: [{dataType: string, valueString: DE}]}\n',
        '',
      ],
    ],
  ],
  SEVERAL_PATHS: [
    [
      ['dataObjects:\n', `dataObjects:\n${SECOND_CUSTOMERS}`],
      [TO_CUSTOMERS, TO_CUSTOMERS.replace('joinTo: Customers', 'joinTo: Payers')],
    ],
  ],
  INVALID_JOIN_PERIOD: [[['time: Day, from: Label', 'time: Day, from: Since']]],
  PERIOD_IN_UTC: [
    [['during: {', 'during: {zone: Europe/Paris, ']],
    [['dataObjects:\n', 'settings: {defaultTimezone: Europe/Paris}\ndataObjects:\n']],
  ],
  KEY_OVER_INSTANT: [[['abstractType: timestamp, primaryKey: true}', 'abstractType: timestamp}']]],
  MISSING_VIA: [
    [['    dataObject: Customers\n    column: Country\n', '    dataObject: Customers\n    column: Country\n    via: Bills\n']],
  ],
  CALENDAR_KEY: [
    [
      [
        'Country: {code: country, abstractType: string}',
        'Country: {code: country, abstractType: string}\n      Since: {code: since, abstractType: date}',
      ],
      ['calendar: {key: Id}', 'calendar: {key: Since}'],
    ],
  ],
  INVALID_BRIDGE: [
    [
      [
        'dataObjects:\n',
        'dataObjects:\n  Items:\n    code: items\n    columns: {Id: {code: id, abstractType: int, primaryKey: true}}\n',
      ],
      ['    refresh:', '      - {joinType: many-to-one, joinTo: Items, columnsFrom: [Qty], columnsTo: [Id]}\n    refresh:'],
    ],
  ],
  SECONDARY_JOIN_MISSING_PATH_NAME: [[['secondary: true', 'secondary: true\n        pathName: buyer']]],
  DUPLICATE_JOIN_PATH_NAME: [[['pathName: p}', 'pathName: q}']]],
  UNKNOWN_COLUMN_IN_EXPRESSION: [[['{Qtyy}', '{Qty}']]],
  UNKNOWN_DATA_OBJECT_IN_EXPRESSION: [[['{[Order].[Amount]}', '{[Orders].[Amount]}']]],
  CYCLIC_COMPUTED_COLUMN: [[['{Amount} * {Total}', '{Amount} * {Qty}']]],
  INVALID_COLUMN: [[['measure: Running}', 'measure: Revenue}']]],
  CYCLIC_FILTER: [
    [["field: Customers.Bought, op: '>', value: 3", "field: Customers.Country, op: '=', value: DE"]],
    [
      [
        "access: {rows: [{name: rich, dataObject: Customers, where: {field: Customers.Bought, op: '>', value: 3}}]}",
        "segments: {Rich: {filters: [{field: Customers.Bought, op: '>', value: 3}]}}",
      ],
    ],
  ],
  INCOMPLETE_COLUMN_REF: [[['columns: [{dataObject: Orders}]', 'columns: [{dataObject: Orders, column: Amount}]']]],
  NUM_CLASS_ON_NON_NUMERIC: [[[', numClass: additive}\n      Doc', '}\n      Doc']]],
  INVALID_VIA_DATA_OBJECT: [
    [
      [
        'dataObjects:\n',
        `dataObjects:\n  Lines:\n    code: lines\n    columns: {Order: {code: o, abstractType: int}}\n    joins: [{joinType: many-to-one, joinTo: Orders, columnsFrom: [Order], columnsTo: [Id]}]\n`,
      ],
      ['via: Customers', 'via: Lines'],
    ],
  ],
  INVALID_AGGREGATION_INPUTS: [
    [
      [
        "expression: '{[Orders].[Amount]} * 2'\n    aggregation: corr",
        'columns: [{dataObject: Orders, column: Amount}, {dataObject: Orders, column: Qty}]\n    aggregation: corr',
      ],
    ],
  ],
  WITHIN_GROUP_NOT_IN_DISTINCT_ARGS: [
    [
      [
        'withinGroup: {column: {dataObject: Customers, column: Id}',
        'withinGroup: {column: {dataObject: Customers, column: Country}',
      ],
    ],
  ],
  INVALID_METRIC: [[['type: cumulative\n', 'type: cumulative\n    measure: Revenue\n']]],
  CYCLIC_METRIC: [[['{[Per Order]}', '{[Revenue]}']]],
  INVALID_LAG_LEAD: [[['offset: -1', 'offset: 1']]],
  INVALID_NTILE_BUCKETS: [[['buckets: 0', 'buckets: 4']]],
  UNKNOWN_PARTITION_DIMENSION: [[['[Contry]', '[Country]']]],
  UNKNOWN_GRAIN_DIMENSION: [[['[Mont]', '[Month]']]],
  UNKNOWN_FILTER_COLUMN: [[['Contry', 'Country']]],
  WRONG_FUNCTION_ARITY: [[['2 * replace(1)', "length(replace({[Customers].[Country]}, ''a'', ''b''))"]]],
  UNKNOWN_TIME_UNIT: [[['fortnight', 'week']]],
  INVALID_JSON_PATH: [[[', 1)', ", ''$.name'')"]]],
  NON_PORTABLE_FUNCTION: [[['soundex(', 'upper(']]],
  REFRESH_PARSE_ERROR: [
    [['mode: interval, interval: often', 'mode: interval, interval: 2h']],
    [['mode: interval, interval: often', 'mode: static']],
  ],
  SHARED_TABLE_CONTRACT_DISAGREEMENT: [[['refresh: {mode: static}', 'refresh: {mode: interval, interval: 1h}']]],
  ORPHAN_DATA_OBJECT: [
    [
      [
        'Alone: {code: alone}',
        'Alone: {code: alone, columns: {Buyer: {code: b, abstractType: int}}, joins: [{joinType: many-to-one, joinTo: Customers, columnsFrom: [Buyer], columnsTo: [Id]}]}',
      ],
    ],
  ],
  DUPLICATE_EXAMPLE_NAME: [[['{name: one, query: {}}', '{name: two, query: {select: {measures: [Volume]}}}']]],
  INVALID_SETTING: [[['Mars/Base', 'Europe/Berlin']]],
  REPLACEMENT_MISSING: [[['status: deprecated\n', 'status: deprecated\n    use: Month\n']]],
  INVALID_REPLACEMENT: [[['use: Mont\n', 'use: Month\n']]],
  CERTIFIED_OVER_PROPOSED: [[['status: proposed', 'status: certified']], [['status: certified', 'status: proposed']]],
}
