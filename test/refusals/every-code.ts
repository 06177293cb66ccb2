/** An error or a warning of each code that a query can cause, on the model of test/compile, and the result of its advice. */
import type { ErrorCode } from '../../core/src/errors.js'

type Edit = readonly [was: string, is: string]

export interface Refused {
  readonly query: object
  readonly path?: string
  /** A pattern for the cause. */
  readonly says: RegExp
  /** The query, or the model, after the advice was followed. */
  readonly fix: object | Edit
  /** The model that the case needs. */
  readonly model?: Edit
  /** On a dialect without square roots and medians. */
  readonly poor?: true
}

const revenue = { measures: ['Revenue'] }
const by = (...dimensions: unknown[]) => ({ select: { dimensions, measures: ['Revenue'] } })
const over = (op: string, value: unknown, field = 'Day') => ({ field, op, value })

/** A calendar that the orders join. */
export const WITH_DAYS: Edit = [
  'pathName: shipping, secondary: true }\n',
  `pathName: shipping, secondary: true }
      - { joinType: many-to-one, joinTo: Days, columnsFrom: [Day], columnsTo: [Day] }
  Days:
    code: "(SELECT DATE '2020-01-01' + CAST(n AS INT) AS day FROM range(0, 4000) AS r(n))"
    calendar: { key: Day, periods: { Year No: year, Month No: month_of_year } }
    columns:
      Day: { code: day, abstractType: date, primaryKey: true }
      Year No: { expression: "extract('year', {Day})", abstractType: int }
      Month No: { expression: "extract('month', {Day})", abstractType: int }
`,
]

export const REFUSED: Partial<Record<ErrorCode, Refused>> = {
  AMBIGUOUS_JOIN: {
    query: { select: { dimensions: ['Region'], measures: ['Shipments Count'] } },
    path: 'select.dimensions[0]',
    says: /via/,
    fix: ['{ dataObject: Regions, column: Name }', '{ dataObject: Regions, column: Name, via: Depots }'],
  },
  NO_JOIN_PATH: {
    query: { select: { dimensions: ['Minutes'], measures: ['Revenue'] } },
    path: 'select.dimensions[0]',
    says: /'Minutes'/,
    fix: { select: { dimensions: ['Minutes'], measures: ['Calls Count'] } },
  },
  KEY_REQUIRED: {
    query: { select: { dimensions: ['Status'], measures: ['Stock'] } },
    path: 'select.measures[0]',
    says: /primaryKey/,
    fix: [
      'SKU: { code: sku, abstractType: string }\n      Maker',
      'SKU: { code: sku, abstractType: string, primaryKey: true }\n      Maker',
    ],
  },
  ANCHOR_REQUIRED: {
    query: { select: { measures: ['Anything'] } },
    path: 'select.measures[0]',
    says: /'Anything'.*anchor/,
    fix: ["expression: '1' }", "expression: '1', anchor: Orders }"],
  },
  UNKNOWN_PATH_NAME: {
    query: { ...by('City'), use_path_names: [{ source: 'Orders', target: 'Addresses', path_name: 'shiping' }] },
    path: 'use_path_names[0]',
    says: /'shiping'/,
    fix: { ...by('City'), use_path_names: [{ source: 'Orders', target: 'Addresses', path_name: 'shipping' }] },
  },
  UNSUPPORTED_AGGREGATION: {
    query: { select: { measures: ['Typical'] } },
    path: 'select.measures[0]',
    says: /'median' cannot be expressed on poor/,
    fix: ['aggregation: median', 'aggregation: avg'],
    poor: true,
  },
  UNSUPPORTED_FUNCTION: {
    query: { select: { measures: ['Rooted'] } },
    path: 'select.measures[0]',
    says: /'sqrt' cannot be expressed on poor/,
    fix: { select: { measures: ['Revenue'] } },
    poor: true,
  },
  FILTER_NOT_APPLICABLE: {
    query: { select: { measures: ['Revenue', 'Pages'] }, where: [over('eq', 'a', 'Status')] },
    path: 'where[0]',
    says: /'Status' cannot be reached from .*'Pages'/,
    fix: { select: revenue, where: [over('eq', 'a', 'Status')] },
  },
  FILTER_APPLIES_TO_NOTHING: {
    query: { select: revenue, where: [over('gt', 1, 'Minutes')] },
    path: 'where[0]',
    says: /'Minutes'/,
    fix: { select: revenue },
  },
  TIME_DIMENSION_NOT_SELECTED: {
    model: [
      '  Running: { type: cumulative, measure: Revenue, timeDimension: Day }',
      '  Running: { type: window, windowFunction: lag, measure: Revenue, timeDimension: Month }',
    ],
    query: { select: { measures: ['Running'] } },
    path: 'select.measures[0]',
    says: /'Running' runs along 'Month'/,
    fix: { select: { dimensions: ['Month'], measures: ['Running'] } },
  },
  TIME_RANGE_REQUIRED: {
    query: { select: { measures: ['Growth'] } },
    path: 'select.measures[0]',
    says: /'Growth'.*a first and a last one/,
    fix: { select: { measures: ['Growth'] }, where: [over('between', ['2025-02-01', '2025-02-10'])] },
  },
  WINDOW_GRAIN_REQUIRED: {
    model: [', offsetGrain: month, comparison: ratio', ', comparison: ratio'],
    query: { select: { measures: ['Growth'] }, where: [over('between', ['2025-02-01', '2025-02-10'])] },
    path: 'select.measures[0]',
    says: /'Growth' counts in the periods of 'Month'/,
    fix: { select: { dimensions: ['Month'], measures: ['Growth'] }, where: [over('between', ['2025-02-01', '2025-02-10'])] },
  },
  NO_VALUE_FOR_TOTAL: {
    query: { select: { dimensions: ['Month'], measures: ['Growth'] }, grouping: 'rollup' },
    path: 'select.measures[0]',
    says: /no value in the total/,
    fix: {
      select: { dimensions: ['Month'], measures: ['Growth'] },
      grouping: 'rollup',
      where: [over('between', ['2025-02-01', '2025-02-10'])],
    },
  },
  PARTIAL_PERIOD: {
    model: [', comparison: ratio', ', comparison: ratio, compare: whole'],
    query: { select: { dimensions: ['Month'], measures: ['Growth'] }, where: [over('gte', '2025-02-10')] },
    path: 'where[0]',
    says: /cuts the month of 2025-02-01/,
    fix: { select: { dimensions: ['Month'], measures: ['Growth'] }, where: [over('gte', '2025-02-01')] },
  },
  COMPARED_RANGE_RESTRICTED: {
    model: ['metrics:\n', 'filters:\n  - { dataObject: Orders, column: Day, operator: gte, value: 2025-01-03 }\nmetrics:\n'],
    query: { select: { dimensions: ['Month'], measures: ['Growth'] }, where: [over('between', ['2025-02-01', '2025-02-10'])] },
    path: 'select.measures[0]',
    says: /compares with 2025-01-01 to 2025-01-10, and a filter of the model/,
    fix: { select: { dimensions: ['Month'], measures: ['Growth'] }, where: [over('between', ['2025-02-03', '2025-02-10'])] },
  },
  DIMENSION_READ_DIFFERENTLY: {
    model: [
      'Since: { code: since, abstractType: date }\n',
      'Since: { code: since, abstractType: date }\n      Home: { code: home, abstractType: int }\n    joins:\n      - { joinType: many-to-one, joinTo: Addresses, columnsFrom: [Home], columnsTo: [ID] }\n',
    ],
    query: { select: { dimensions: ['City'], measures: ['Revenue', 'Customers Count'] } },
    path: 'select.dimensions[0]',
    says: /'City'/,
    fix: by('City'),
  },
  CUMULATIVE_RECOMPUTED: {
    model: ['metrics:\n', 'metrics:\n  So Far: { type: cumulative, measure: Typical, timeDimension: Day }\n'],
    query: { select: { dimensions: ['Day'], measures: ['So Far'] } },
    path: 'select.measures[0]',
    says: /'So Far' is 'Typical' over the rows/,
    fix: ['measure: Typical, timeDimension: Day }', 'measure: Typical, timeDimension: Day, cumulativeType: max }'],
  },
  OVERLAPPING_GROUPS: { query: by('SKU'), says: /'SKU'|Orders/, fix: { select: revenue } },
  CONFORMED_GRAIN_ASSUMED: {
    query: { select: { measures: ['Across'] } },
    path: 'select.measures[0]',
    says: /'Across'/,
    fix: ["{[Visits].[Pages]}' }", "{[Visits].[Pages]}', anchor: Customers }"],
  },
  NAIVE_TIMESTAMP: {
    query: { ...by('Written Hour'), timezone: 'Asia/Tokyo' },
    path: 'select.dimensions[0]',
    says: /'Written Hour' is a timestamp without zone/,
    fix: ['name: shop\n', 'name: shop\nsettings: { defaultTimezone: UTC }\n'],
  },
  TIME_FILTER_NOT_SEPARABLE: {
    query: {
      select: { dimensions: ['Month'], measures: ['Growth'] },
      where: [{ logic: 'or', filters: [over('gt', '2024-01-01'), over('eq', 'a', 'Status')] }],
    },
    path: 'where[0]',
    says: /cannot look past it/,
    fix: {
      select: { dimensions: ['Month'], measures: ['Growth'] },
      where: [over('gte', '2024-01-01'), over('eq', 'a', 'Status')],
    },
  },
  TIME_BESIDE_A_CALENDAR: {
    query: {
      select: { dimensions: ['Month'], measures: ['Growth'] },
      where: [over('eq', 2025, 'Days.Year No')],
    },
    model: [WITH_DAYS[0], WITH_DAYS[1].replace(/ {4}calendar: .*\n/, '')],
    path: 'select.measures[0]',
    says: /takes 'Days.Year No' for an ordinary field.*declare calendar: \{ key: Day/,
    fix: ['range(0, 4000) AS r(n))"\n', 'range(0, 4000) AS r(n))"\n    calendar: { key: Day, periods: { Year No: year } }\n'],
  },
  CALENDAR_RANGE_REQUIRED: {
    query: { select: { fields: ['Dates.Date', 'Dates.Month Label'] } },
    model: ['  Calls:\n', '  Dates: { calendar: { grain: day } }\n  Calls:\n'],
    path: 'dataObjects.Dates.calendar',
    says: /declare its first and last day/,
    fix: ['{ grain: day }', "{ grain: day, from: '2025-01-31', to: '2025-02-01' }"],
  },
  TIME_FILTER_NOT_A_RANGE: {
    query: {
      select: { dimensions: ['Month'], measures: ['Growth'] },
      where: [over('eq', 2, 'Days.Month No')],
    },
    model: WITH_DAYS,
    path: 'where[0]',
    says: /no filter names the year.*give them as a range of dates/,
    fix: {
      select: { dimensions: ['Month'], measures: ['Growth'] },
      where: [over('gte', '2024-01-01')],
    },
  },
  GRAIN_NOT_SUBSET: {
    query: { select: { dimensions: ['Country'], measures: ['Revenue By Status'] } },
    path: 'select.measures[0]',
    says: /'Status', which the query does not select; select it/,
    fix: { select: { dimensions: ['Country', 'Status'], measures: ['Revenue By Status'] } },
  },
  INVALID_PERIOD: {
    query: { select: revenue, where: [over('equals', '2025-02-10', 'Month')] },
    path: 'where[0].value',
    says: /no month of 'Month' begins on '2025-02-10'; the one that contains it begins on 2025-02-01/,
    fix: { select: revenue, where: [over('equals', '2025-02-01', 'Month')] },
  },
  INVALID_RELATIVE_FILTER: {
    query: { select: revenue, where: [over('relative', { count: 3 })] },
    path: 'where[0].value',
    says: /needs a unit, one of second/,
    fix: { select: revenue, where: [over('relative', { unit: 'day', count: 3 })] },
  },
  DIMENSIONS_EXCLUDE_WITH_MEASURES: {
    query: { ...by('Status', 'Country'), dimensions_exclude: true },
    says: /measures/,
    fix: { select: { dimensions: ['Status', 'Country'] }, dimensions_exclude: true },
  },
  DIMENSIONS_EXCLUDE_INSUFFICIENT: {
    query: { select: { dimensions: ['Status'] }, dimensions_exclude: true },
    says: /two/,
    fix: { select: { dimensions: ['Status', 'Country'] }, dimensions_exclude: true },
  },
  COALESCE_MISSING_ALIAS: {
    query: by({ coalesce: ['Status', 'Medium'] }),
    says: /as/,
    fix: by({ coalesce: ['Status', 'Country'], as: 'Kind' }),
  },
  COALESCE_ALIAS_COLLISION: {
    query: by({ coalesce: ['Status', 'Country'], as: 'Pages' }),
    path: 'select.dimensions[0].as',
    says: /'Pages'/,
    fix: by({ coalesce: ['Status', 'Country'], as: 'Kind' }),
  },
  COALESCE_TOO_FEW_MEMBERS: {
    query: by({ coalesce: ['Status'], as: 'Kind' }),
    says: /two/,
    fix: by({ coalesce: ['Status', 'Country'], as: 'Kind' }),
  },
  COALESCE_TYPE_MISMATCH: {
    query: by({ coalesce: ['Status', 'Day'], as: 'Kind' }),
    path: 'select.dimensions[0].coalesce',
    says: /'Status' and 'Day'/,
    fix: by({ coalesce: ['Status', 'Country'], as: 'Kind' }),
  },
  MIXED_RAW_AND_AGGREGATE_MODE: {
    query: { select: { fields: ['Orders.Status'], measures: ['Revenue'] } },
    says: /fields/,
    fix: { select: { fields: ['Orders.Status'] } },
  },
  DEPRECATED_FIELD: {
    model: [
      'Status: { dataObject: Orders, column: Status }',
      'Status: { dataObject: Orders, column: Status, status: deprecated, use: Country }',
    ],
    query: by('Status'),
    says: /'Status'.*'Country'/,
    fix: by('Country'),
  },
  PROPOSED_FIELD: {
    model: ['Revenue: { aggregation: sum', 'Revenue: { status: proposed, aggregation: sum'],
    query: by('Country'),
    says: /'Revenue'/,
    fix: ['status: proposed', 'status: certified'],
  },
}

interface Applied {
  readonly file: string
  /** The title of the test, or a part of it, as it is written there. */
  readonly title: string
  readonly codes: readonly ErrorCode[]
  /** Why the question that follows the advice has no number, or none that the advice could change. The test of other codes compares the number. */
  readonly none?: string
}

const STARTS = 'a service, a plugin or a command starts; no question is asked'
const SENT = 'the advice changes how a request is sent, and not what it asks'
const DATA = 'the finding is about rows: it is gone when they, or what is declared of them, are right'
const LATER = 'the same question is asked again, when the server can answer it'
const COMPILED = 'SQL is compiled, and nothing is asked'
const LOADED = 'a model is loaded or checked, and nothing is asked'

/**
 * The tests that apply the advice of the other codes, because they need a service, a database or a process. They compare the number that the followed
 * question has, or there is a reason why it has none.
 */
export const APPLIED: readonly Applied[] = [
  {
    file: 'core/src/resolve/synonyms.test.ts',
    title: 'everywhere in a query, a synonym means the field, and the answer says which one',
    codes: ['SYNONYM_USED'],
    none: 'the statement is the one of the query with the names of the fields',
  },
  {
    file: 'core/src/bind/in-days.test.ts',
    title: 'the error names the grain that works, and its suggestion is an answer',
    codes: ['FINER_THAN_DATA'],
    none: 'the page docs/budget-beside-actual.md has the numbers, by the query and by SQL',
  },
  {
    file: 'test/host/importers.test.ts',
    title: 'a fault and a loss have their place in the text of the other format, and their advice works',
    codes: ['IMPORT_FAILED', 'IMPORT_LOSS'],
    none: LOADED,
  },
  {
    file: 'test/host/exporters.test.ts',
    title: 'a fault of an export has its place in the text, and its advice works',
    codes: ['EXPORT_FAILED'],
    none: LOADED,
  },
  {
    file: 'test/refusals/advice-numbers.test.ts',
    title: "'nothing is left to say'",
    codes: ['JOIN_NOT_TO_A_KEY', 'FILTER_THROUGH_BRIDGE'],
  },
  {
    file: 'test/refusals/service.test.ts',
    title: ': the advice works',
    codes: [
      'QUERY_TOO_LARGE',
      'ANSWER_TOO_LARGE',
      'COMPILE_BUDGET',
      'STATEMENT_TOO_LARGE',
      'DEFAULT_LIMIT_APPLIED',
      'DATABASE_ERROR',
      'NUMERIC_OVERFLOW',
      'TYPE_MISMATCH',
      'RESULT_TYPE_MISMATCH',
      'UNKNOWN_SELECT_ITEM',
      'SQL_SYNTAX_ERROR',
      'UNBOUND_PARAMETER',
      'RAW_SQL_REJECTED',
      'WRITE_OPERATION_REJECTED',
      'NO_MODEL_SELECTED',
    ],
  },
  {
    file: 'test/refusals/service.test.ts',
    title: ': the advice works',
    codes: ['SQL_NOT_VALIDATED', 'SQL_REJECTED'],
    none: COMPILED,
  },
  {
    file: 'test/refusals/service.test.ts',
    title: ': the advice works',
    codes: ['MODEL_SQL_DENIED', 'MODEL_LIMIT', 'MEMORY_LIMIT', 'INVALID_EXAMPLE', 'INVALID_TEST'],
    none: LOADED,
  },
  {
    file: 'test/refusals/service.test.ts',
    title: ': the advice works',
    codes: [
      'EXECUTION_DISABLED',
      'SESSION_PROTECTED',
      'SESSION_LIMIT',
      'RATE_LIMITED',
      'SESSION_LIST_DISABLED',
      'BATCH_PARALLELISM_CLAMPED',
    ],
    none: SENT,
  },
  {
    file: 'test/refusals/service.test.ts',
    title: ': the advice works',
    codes: ['NO_ROWS_BEHIND'],
    none: 'the rows behind a value are asked for, which are compared in test/compile',
  },
  {
    file: 'test/types/type-pairs.test.ts',
    title: 'the advice of every refusal, applied, is answered',
    codes: ['EXPRESSION_TYPE_MISMATCH'],
    none: 'the advice is a text for an expression; the database computes each of more than 500',
  },
  {
    file: 'test/compile/views.test.ts',
    title: 'the advice for an unknown view, applied, is answered',
    codes: ['UNKNOWN_VIEW'],
    none: 'the suggested view has the statement of the question to the model',
  },
  {
    file: 'test/parameters/parameters.test.ts',
    title: 'the advice of each code, applied, is answered',
    codes: [
      'UNKNOWN_PARAMETER',
      'INVALID_PARAMETER_VALUE',
      'PARAMETER_REQUIRED',
      'PARAMETER_DEFAULT_USED',
      'PARAMETER_IN_POLICY',
      'PARAMETER_IN_FILTER',
    ],
  },
  {
    file: 'test/units/advice.test.ts',
    title: 'the advice of each code, applied, gives a number of one unit',
    codes: ['INVALID_UNIT', 'UNIT_MISMATCH', 'MIXED_UNITS'],
  },
  { file: 'test/refusals/service.test.ts', title: 'CURATED_MODE: the advice works', codes: ['CURATED_MODE'], none: SENT },
  {
    file: 'test/refusals/suggestions.test.ts',
    title: 'a join of a number column with a text column causes a warning',
    codes: ['JOIN_COLUMN_TYPE_MISMATCH'],
  },
  {
    file: 'test/refusals/data.test.ts',
    title: 'valid data has no findings',
    codes: [
      'VERIFY_DUPLICATE_KEY',
      'VERIFY_NULL_KEY',
      'VERIFY_ORPHANS',
      'VERIFY_FOREIGN_KEY',
      'VERIFY_CARDINALITY',
      'VERIFY_OVERFLOW_RISK',
    ],
    none: DATA,
  },
  {
    file: 'test/verify/bridges.test.ts',
    title: 'correct weights, and a bridge without weights, have no findings',
    codes: ['VERIFY_WEIGHTS'],
    none: DATA,
  },
  {
    file: 'test/verify/intervals.test.ts',
    title: 'after the correction of ties and of times nothing is found',
    codes: ['VERIFY_TIES'],
    none: DATA,
  },
  {
    file: 'test/verify/sort-by.test.ts',
    title: 'one place for each value has no finding',
    codes: ['VERIFY_SORT_BY'],
    none: DATA,
  },
  {
    file: 'test/compile/funnels.test.ts',
    title: 'the warning about dates is gone for a time of day',
    codes: ['FUNNEL_OVER_DATES'],
    none: 'the warning asks for another column of the data, whose funnel is another question',
  },
  {
    file: 'test/compile/closures.test.ts',
    title: 'what is no tree does not load',
    codes: ['INVALID_CLOSURE'],
  },
  {
    file: 'test/compile/closures.test.ts',
    title: 'a tree that is deeper than it may be is an error, and never cut',
    codes: ['TREE_TOO_DEEP'],
  },
  {
    file: 'test/verify/trees.test.ts',
    title: 'a tree has no finding',
    codes: ['VERIFY_CIRCLE'],
    none: DATA,
  },
  {
    file: 'test/verify/calendars.test.ts',
    title: 'a calendar whose days and periods are right has no finding',
    codes: ['VERIFY_CALENDAR'],
    none: DATA,
  },
  {
    file: 'test/verify/bridges.test.ts',
    title: 'JSON that is no array has no elements, and is counted; after the correction nothing is found',
    codes: ['VERIFY_NOT_AN_ARRAY'],
    none: DATA,
  },
  {
    file: 'test/verify/faults.test.ts',
    title: 'the warning about many values is gone for a dimension with bins',
    codes: ['VERIFY_HIGH_CARDINALITY'],
    none: DATA,
  },
  {
    file: 'test/refusals/host.test.ts',
    title: 'the valid config of the tests below starts',
    codes: [
      'PLUGIN_NOT_FOUND',
      'NOT_A_PLUGIN',
      'HOST_VERSION',
      'PLUGIN_FAILED',
      'MISSING_DEPENDENCY',
      'DUPLICATE_PLUGIN',
      'INVALID_CONFIG',
      'INVALID_OPTIONS',
      'INVALID_VARIABLE',
      'PLUGIN_LOAD_FAILED',
      'PLUGIN_CYCLE',
      'DUPLICATE_EXTENSION',
    ],
    none: STARTS,
  },
  {
    file: 'core/src/sql/ansi.test.ts',
    title: 'a dialect without a relative states what its engine does, key by key',
    codes: ['INCOMPLETE_DIALECT'],
    none: STARTS,
  },
  {
    file: 'test/refusals/host.test.ts',
    title: 'UNKNOWN_EXTENSION and REGISTRY_CLOSED: the advice to the plugin works',
    codes: ['UNKNOWN_EXTENSION', 'REGISTRY_CLOSED'],
    none: STARTS,
  },
  {
    file: 'test/host/init.test.ts',
    title: 'a database whose plugin cannot list tables is refused by name, with the advice to write a model by hand',
    codes: ['UNSUPPORTED_FEATURE'],
    none: STARTS,
  },
  {
    file: 'test/cli/commands.test.ts',
    title: 'validate --against-database names missing tables and columns, each with its line, and shows the types',
    codes: ['TABLE_NOT_FOUND', 'COLUMN_NOT_FOUND'],
    none: LOADED,
  },
  { file: 'test/cli/over-tls.test.ts', title: 'as processes, over mutual TLS', codes: ['SERVER_UNREACHABLE'], none: SENT },
  {
    file: 'test/mcp/processes.test.ts',
    title: 'an API that does not answer is an error that says so, and the correct address works',
    codes: ['API_UNREACHABLE'],
    none: SENT,
  },
  {
    file: 'core/src/execute/load-driver.test.ts',
    title: 'a missing driver is refused with the command that installs it, and is loaded after that',
    codes: ['VENDOR_UNAVAILABLE'],
    none: STARTS,
  },
  {
    file: 'core/src/service/places-of-clients.test.ts',
    title: 'a client that waits too long is refused with the name of the setting; one that disconnects stops waiting',
    codes: ['TOO_MANY_STATEMENTS'],
    none: LATER,
  },
  {
    file: 'test/cache/faults.test.ts',
    title: 'a heartbeat that cannot be stored is refused, so that its sender sends it again',
    codes: ['CACHE_UNAVAILABLE'],
    none: LATER,
  },
  {
    file: 'test/access/tokens.test.ts',
    title: 'keys come from a file, which is read again, or from an address',
    codes: ['AUTH_UNAVAILABLE'],
    none: LATER,
  },
  {
    file: 'test/interop/postgres/refusals.test.ts',
    title: 'the error of a full pool names the setting; with a free connection, or a larger pool, the query is answered',
    codes: ['POOL_EXHAUSTED'],
    none: LATER,
  },
  {
    file: 'test/connections/stalled-readers.test.ts',
    title: 'an answer that is too large to be kept ends where another client waits, and says so',
    codes: ['READER_TOO_SLOW'],
    none: LATER,
  },
  {
    file: 'test/rest/served-settings.test.ts',
    title: 'a served process stops statements that take too long or whose client has disconnected',
    codes: ['QUERY_TIMEOUT', 'QUERY_CANCELLED'],
    none: LATER,
  },
  {
    file: 'test/rest/ready.test.ts',
    title: 'a database that does not answer makes the server not ready, and not ill',
    codes: ['NOT_READY'],
    none: LATER,
  },
  {
    file: 'test/rest/execution.test.ts',
    title: 'a service that stops cancels running queries',
    codes: ['SHUTTING_DOWN'],
    none: LATER,
  },
  {
    file: 'test/rest/errors.test.ts',
    title: 'an unexpected error is 500 with the request id and no details',
    codes: ['INTERNAL_ERROR'],
    none: 'the operator reads the log',
  },
  {
    file: 'test/rest/errors.test.ts',
    title: 'the advice of each error works',
    codes: [
      'CONFLICT',
      'BAD_REQUEST',
      'INVALID_REQUEST',
      'NOT_FOUND',
      'METHOD_NOT_ALLOWED',
      'UNSUPPORTED_MEDIA_TYPE',
      'PAYLOAD_TOO_LARGE',
      'NOT_ACCEPTABLE',
      'SESSION_NOT_FOUND',
      'MODEL_NOT_FOUND',
      'FIELD_NOT_FOUND',
      'EXAMPLE_NOT_FOUND',
      'UNSUPPORTED_DIALECT',
      'NO_CONNECTION',
      'MODEL_INVALID',
    ],
    none: SENT,
  },
  {
    file: 'test/rest/errors.test.ts',
    title: 'the key comes from its header, or else from a bearer token',
    codes: ['AUTH_REQUIRED', 'AUTH_INVALID'],
    none: SENT,
  },
  {
    file: 'test/rollups/load.test.ts',
    title: 'the advice of each error of a rollup works',
    codes: ['INVALID_ROLLUP', 'VOLATILE_ROLLUP', 'PARAMETER_WITHOUT_DEFAULT'],
    none: LOADED,
  },
  {
    file: 'test/rollups/exact.test.ts',
    title: 'where tables are required, a question about rows is refused',
    codes: ['ROLLUP_REQUIRED'],
    none: 'the advice changes where a number is read, and not the number',
  },
  {
    file: 'test/rollups/failed-builds.test.ts',
    title: 'a table that a builder made of other rows is refused',
    codes: ['ROLLUP_BUILD_FAILED'],
    none: 'a table is built, and nothing is asked',
  },
  {
    file: 'test/access/advice.test.ts',
    title: 'the advice of each error of access rules works',
    codes: ['POLICY_DOES_NOT_BIND', 'POLICY_MISSES_TABLE', 'POLICY_NEEDS_DENIES_BY', 'UNKNOWN_ATTRIBUTE', 'UNKNOWN_ACCESS_FIELD'],
    none: LOADED,
  },
  {
    file: 'test/access/advice.test.ts',
    title: 'the advice of each warning about hidden fields works',
    codes: ['COLUMN_NOT_HIDDEN', 'PUBLISHES_VALUES'],
    none: LOADED,
  },
  {
    file: 'test/access/advice.test.ts',
    title: 'the advice of each refusal by access rules works',
    codes: ['ACCESS_ATTRIBUTE_MISSING', 'SQL_WITHHELD', 'PRINCIPAL_REQUIRED', 'MODELS_ARE_FIXED'],
  },
  {
    file: 'test/access/on-behalf-of.test.ts',
    title: 'over REST and MCP a header names the principal, and the audit file has both names',
    codes: ['ON_BEHALF_REFUSED'],
    none: SENT,
  },
  {
    file: 'test/rest/door.test.ts',
    title: 'administration is for ADMIN_API_KEYS, for every key if none is listed, and for this machine if there are no keys',
    codes: ['ADMIN_REQUIRED'],
    none: SENT,
  },
  {
    file: 'test/rest/served-settings.test.ts',
    title: 'a served process accepts the configured host names, origins and administrators',
    codes: ['HOST_REFUSED', 'ORIGIN_REFUSED'],
    none: SENT,
  },
  {
    file: 'test/rest/standalone.test.ts',
    title: 'answers a request that follows the advice of its error',
    codes: ['MALFORMED_REQUEST', 'HEADERS_TOO_LARGE', 'EXPECTATION_FAILED', 'REQUEST_TIMEOUT'],
    none: SENT,
  },
  {
    file: 'test/rest/standalone.test.ts',
    title: 'refuses an address with many connections whose request is incomplete, until one of them ends',
    codes: ['TOO_MANY_CONNECTIONS'],
  },
  {
    file: 'test/pgwire/protocol.test.ts',
    title: 'no answer is truncated silently: it has all its rows, or ends with an error',
    codes: ['DEFAULT_LIMIT_EXCEEDED'],
  },
  {
    file: 'test/semantic-ql/refusals.test.ts',
    title: 'a condition on a window function is refused in WHERE and in HAVING, and works in an outer statement',
    codes: ['UNSUPPORTED_SQL_FEATURE'],
  },
  {
    file: 'test/semantic-ql/refusals.test.ts',
    title: 'errors of the evaluator are reported without its internal names, and the corrected expression works',
    codes: ['EVALUATION_REFUSED'],
  },
  { file: 'test/semantic-ql/isolation.test.ts', title: 'time, rows and memory are bounded', codes: ['EVALUATION_TOO_LARGE'] },
  {
    file: 'test/semantic-ql/subselects.test.ts',
    title: 'a dimension alone has the values that occur with rows of the fact',
    codes: ['ROWS_NOT_OF_FACT'],
  },
  {
    file: 'test/semantic-ql/preview.test.ts',
    title: 'a column that a preview omits can be selected by name',
    codes: ['PREVIEW_LEFT_OUT'],
  },
  {
    file: 'test/semantic-ql/subselects.test.ts',
    title: 'groups of a closed subselect can be summed, and the answer describes what that means',
    codes: ['GROUPS_ADDED_UP'],
  },
  {
    file: 'test/cli/types.test.ts',
    title: 'types shows them, and --write writes the file with which a compilation alone gives the SQL of the database',
    codes: ['TYPES_NOT_CHECKED'],
    none: COMPILED,
  },
  {
    file: 'test/cli/types.test.ts',
    title: 'a stale file is named: when the model has other columns, and when the database has',
    codes: ['TYPES_FILE_STALE'],
    none: COMPILED,
  },
  {
    file: 'test/cli/types.test.ts',
    title: 'a broken file is refused, and removing it and writing it again works',
    codes: ['TYPES_FILE_INVALID'],
    none: COMPILED,
  },
  {
    file: 'test/compile/stored-types.test.ts',
    title: 'conversions are explained, and a date over timestamps causes one warning',
    codes: ['DATE_OVER_TIMESTAMP'],
    none: COMPILED,
  },
  {
    file: 'test/compile/stored-types.test.ts',
    title: 'a collation is replaced by comparison of code points, or causes a warning',
    codes: ['INEXACT_COLLATION'],
    none: COMPILED,
  },
  {
    file: 'test/look-alikes.test.ts',
    title: 'an author gets a warning for names that look alike, and for invisible characters',
    codes: ['CONFUSABLE_NAME'],
    none: LOADED,
  },
]
