/** A refusal or a warning of each code that a question can meet, on the model of test/compile, and what its advice makes of it. */
import type { ErrorCode } from '../../core/src/errors.js'

type Edit = readonly [was: string, is: string]

export interface Refused {
  readonly query: object
  readonly path?: string
  /** The cause. */
  readonly says: RegExp
  /** What the advice makes of the question, or of the model. */
  readonly fix: object | Edit
  /** What the model must be for this. */
  readonly model?: Edit
  /** On a dialect without square roots and medians. */
  readonly poor?: true
}

const revenue = { measures: ['Revenue'] }
const by = (...dimensions: unknown[]) => ({ select: { dimensions, measures: ['Revenue'] } })
const over = (op: string, value: unknown, field = 'Day') => ({ field, op, value })

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
  PARTIAL_PERIOD: {
    query: { select: { dimensions: ['Month'], measures: ['Growth'] }, where: [over('gte', '2025-02-10')] },
    path: 'where[0]',
    says: /cuts the month of 2025-02-01/,
    fix: { select: { dimensions: ['Month'], measures: ['Growth'] }, where: [over('gte', '2025-02-01')] },
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
    says: /split it into separate filters/,
    fix: {
      select: { dimensions: ['Month'], measures: ['Growth'] },
      where: [over('gte', '2024-01-01'), over('eq', 'a', 'Status')],
    },
  },
  GRAIN_NOT_SUBSET: {
    query: { select: { dimensions: ['Country'], measures: ['Revenue By Status'] } },
    path: 'select.measures[0]',
    says: /'Status', which the query does not select; select it/,
    fix: { select: { dimensions: ['Country', 'Status'], measures: ['Revenue By Status'] } },
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

/** Where the other codes are provoked: they need a service, a database or a process. */
export const ELSEWHERE: Readonly<Record<string, readonly ErrorCode[]>> = {
  'core/src/query/parse-query.test.ts': ['QUERY_TOO_LARGE'],
  'core/src/service/check-examples.test.ts': ['INVALID_TEST'],
  'core/src/service/places-of-clients.test.ts': ['TOO_MANY_STATEMENTS'],
  'test/cache/faults.test.ts': ['CACHE_UNAVAILABLE'],
  'test/cli/changes.test.ts': ['COLUMN_NOT_FOUND'],
  'test/cli/commands.test.ts': ['SERVER_UNREACHABLE', 'TABLE_NOT_FOUND'],
  'test/compile/stored-types.test.ts': ['TYPE_MISMATCH', 'DATE_OVER_TIMESTAMP', 'INEXACT_COLLATION'],
  'test/flight/shared.test.ts': ['DEFAULT_LIMIT_EXCEEDED'],
  'test/host/config.test.ts': ['INVALID_CONFIG', 'PLUGIN_LOAD_FAILED', 'NOT_A_PLUGIN'],
  'test/host/embed.test.ts': ['PLUGIN_FAILED'],
  'test/host/host.test.ts': [
    'INVALID_OPTIONS',
    'PLUGIN_CYCLE',
    'DUPLICATE_PLUGIN',
    'MISSING_DEPENDENCY',
    'HOST_VERSION',
    'DUPLICATE_EXTENSION',
    'UNKNOWN_EXTENSION',
    'REGISTRY_CLOSED',
  ],
  'test/host/init.test.ts': ['UNSUPPORTED_FEATURE'],
  'test/host/refusals.test.ts': ['INVALID_VARIABLE', 'PLUGIN_NOT_FOUND'],
  'test/rest/batch.test.ts': [
    'SESSION_NOT_FOUND',
    'SESSION_LIMIT',
    'RATE_LIMITED',
    'MODEL_INVALID',
    'CURATED_MODE',
    'BATCH_PARALLELISM_CLAMPED',
  ],
  'test/rest/budgets.test.ts': ['ANSWER_TOO_LARGE', 'DATABASE_ERROR'],
  'test/rest/curated.test.ts': ['CONFLICT', 'SESSION_PROTECTED'],
  'test/rest/discovery.test.ts': ['FIELD_NOT_FOUND'],
  'test/rest/door.test.ts': ['ADMIN_REQUIRED', 'HOST_REFUSED', 'ORIGIN_REFUSED'],
  'test/rest/errors.test.ts': [
    'BAD_REQUEST',
    'NOT_FOUND',
    'METHOD_NOT_ALLOWED',
    'PAYLOAD_TOO_LARGE',
    'UNSUPPORTED_MEDIA_TYPE',
    'AUTH_REQUIRED',
    'AUTH_INVALID',
    'INTERNAL_ERROR',
  ],
  'test/rest/execution.test.ts': [
    'EXECUTION_DISABLED',
    'NO_CONNECTION',
    'DEFAULT_LIMIT_APPLIED',
    'SQL_NOT_VALIDATED',
    'VENDOR_UNAVAILABLE',
    'POOL_EXHAUSTED',
    'RESULT_TYPE_MISMATCH',
    'QUERY_TIMEOUT',
    'QUERY_CANCELLED',
    'SHUTTING_DOWN',
    'NO_ROWS_BEHIND',
  ],
  'test/rest/formats.test.ts': ['NOT_ACCEPTABLE'],
  'test/rest/memory.test.ts': ['MEMORY_LIMIT'],
  'test/rest/model-sql.test.ts': ['MODEL_SQL_DENIED'],
  'test/rest/models.test.ts': ['EXAMPLE_NOT_FOUND', 'MODEL_LIMIT'],
  'test/rest/names.test.ts': ['MODEL_NOT_FOUND'],
  'test/rest/queries.test.ts': ['INVALID_EXAMPLE', 'SQL_REJECTED'],
  'test/rest/semantic-ql.test.ts': ['WRITE_OPERATION_REJECTED', 'INVALID_REQUEST'],
  'test/rest/served.test.ts': ['UNSUPPORTED_DIALECT'],
  'test/rest/sessions.test.ts': ['SESSION_LIST_DISABLED'],
  'test/rest/standalone.test.ts': ['MALFORMED_REQUEST', 'HEADERS_TOO_LARGE', 'EXPECTATION_FAILED', 'REQUEST_TIMEOUT'],
  'test/rest/text-growth.test.ts': ['STATEMENT_TOO_LARGE'],
  'test/rest/turns.test.ts': ['COMPILE_BUDGET'],
  'test/semantic-ql/isolation.test.ts': ['EVALUATION_TOO_LARGE'],
  'test/semantic-ql/preview.test.ts': ['PREVIEW_LEFT_OUT'],
  'test/semantic-ql/refusals.test.ts': [
    'UNKNOWN_SELECT_ITEM',
    'SQL_SYNTAX_ERROR',
    'UNBOUND_PARAMETER',
    'EVALUATION_REFUSED',
    'UNSUPPORTED_SQL_FEATURE',
    'RAW_SQL_REJECTED',
  ],
  'test/semantic-ql/routes.test.ts': ['NO_MODEL_SELECTED'],
  'test/semantic-ql/subselects.test.ts': ['GROUPS_ADDED_UP'],
  'test/ui/standalone.test.ts': ['API_UNREACHABLE'],
  'test/verify/bridges.test.ts': ['VERIFY_WEIGHTS'],
  'test/verify/faults.test.ts': [
    'VERIFY_DUPLICATE_KEY',
    'VERIFY_NULL_KEY',
    'VERIFY_ORPHANS',
    'VERIFY_CARDINALITY',
    'VERIFY_HIGH_CARDINALITY',
    'VERIFY_OVERFLOW_RISK',
  ],
}
