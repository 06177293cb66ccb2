/**
 * The pieces of the hints of docs/reference/errors.md that offer several ways, in their order: what applies each of them. A piece ends where another
 * sentence, clause or alternative begins.
 */
import type { ErrorCode } from '../../core/src/errors.js'

/** The way that the sweep of all codes applies. */
const SWEPT = 'swept'
/** The end of the way before: the words offer no other one. */
const SAME = 'same'
/** An explanation, which asks for nothing. */
const SAYS = 'says'
/** No test applies it yet. */
const OPEN = 'open'

/** A test of another file, by words of it; or words of a case of the files that apply advice. */
type Place = typeof SWEPT | typeof SAME | typeof SAYS | typeof OPEN | readonly [file: string, words: string]

const further = (words: string): Place => ['test/refusals/further-ways.ts', words]
const ofModel = (words: string): Place => ['test/refusals/further-model-ways.ts', words]
const numbers = (words: string): Place => ['test/refusals/advice-numbers.test.ts', words]
const advice = (words: string): Place => ['test/refusals/model-advice.ts', words]
const service = (words: string): Place => ['test/refusals/service.test.ts', words]
const data = (words: string): Place => ['test/refusals/data.test.ts', words]
const access = (words: string): Place => ['test/access/advice.test.ts', words]
const units = (words: string): Place => ['test/units/advice.test.ts', words]
const parameters = (words: string): Place => ['test/parameters/parameters.test.ts', words]
const http = (words: string): Place => ['test/rest/errors.test.ts', words]

export const WAYS: Partial<Record<ErrorCode, readonly Place[]>> = {
  YAML_PARSE_ERROR: [SWEPT, ['test/refusals/suggestions.test.ts', 'indent with spaces']],
  UNKNOWN_PROPERTY: [SWEPT, SAYS],
  DUPLICATE_IDENTIFIER: [SWEPT, SAYS],
  UNKNOWN_DATA_OBJECT: [SWEPT, SAYS],
  UNKNOWN_COLUMN: [SWEPT, SAYS],
  CALENDAR_RANGE_REQUIRED: [SWEPT, further("{ relative: 'start of year' }")],
  CYCLIC_JOIN: [SWEPT, advice('secondary: true, pathName: first order'), SAYS],
  SEVERAL_PATHS: [SWEPT, further('or a dimension with via')],
  JOIN_NOT_TO_A_KEY: [
    numbers("Add 'Region' to columnsTo"),
    numbers('uniqueKeys: \\[\\[Sku\\]\\]'),
    numbers('make the join many-to-many'),
    ['test/verify/bridges.test.ts', 'answers over a join that ends at no key have a warning until verify has proved it'],
    numbers('strict joins a join to no key'),
  ],
  INVALID_JOIN_PERIOD: [
    SWEPT,
    SAME,
    ofModel('a many-to-one join has the interval in the joined object'),
    ofModel('includesEnd is for dates'),
    ofModel('with asOf is many-to-one'),
  ],
  PERIOD_IN_UTC: [SWEPT, ofModel('Give during or asOf a zone'), advice('settings: {defaultTimezone: Europe/Paris}')],
  INVALID_CLOSURE: [SWEPT, SAME],
  INVALID_BRIDGE: [SWEPT, ofModel('use one of its own numeric columns as weight')],
  INVALID_COLUMN: [
    SWEPT,
    ofModel('or a metric without running values'),
    ofModel('give a window function the column'),
    ofModel('write a condition on the row itself as an expression'),
    ofModel('identify and join rows by stored columns'),
  ],
  CYCLIC_FILTER: [ofModel('Put the condition into the where of a query'), ofModel('or the filters of a measure')],
  TIME_GRAIN_ON_NON_TEMPORAL: [['test/refusals/suggestions.test.ts', "fix: '{ select: { dimensions: [Category] } }'"], SWEPT],
  NUM_CLASS_ON_NON_NUMERIC: [SWEPT, ofModel('or correct the abstractType')],
  MISSING_VIA: [SWEPT, ofModel('or pin the path in the query')],
  GRAIN_NOT_SUBSET: [SWEPT, further('or use keepOnly')],
  EXPRESSION_TYPE_MISMATCH: [SWEPT, SAYS],
  REFRESH_PARSE_ERROR: [SWEPT, advice('mode: static')],
  ORPHAN_DATA_OBJECT: [SWEPT, ofModel('or ignore the warning if it needs no join')],
  CONFUSABLE_NAME: [SWEPT, ofModel('or ignore the warning if the name is intended')],
  INVALID_EXAMPLE: [SWEPT, SAYS],
  INVALID_TEST: [SWEPT, service("expect: { error: 'UNKNOWN_MEASURE' }"), SAYS],
  UNKNOWN_VIEW: [SWEPT, ofModel('or leave out view to ask the model')],
  UNKNOWN_PARAMETER: [SWEPT, parameters('A declared name')],
  INVALID_PARAMETER_VALUE: [SWEPT, parameters('null of a nullable one')],
  PARAMETER_REQUIRED: [SWEPT, parameters('a default in the model')],
  INVALID_ROLLUP: [SWEPT, ['test/rollups/load.test.ts', 'a rollup of its own data object']],
  ROLLUP_REQUIRED: [
    SAYS,
    ['test/rollups/exact.test.ts', 'what a built table has is answered'],
    ['test/rollups/exact.test.ts', "rollups: 'allow'"],
  ],
  ROLLUP_BUILD_FAILED: [SAYS, SAYS, SAME, SWEPT],
  PARAMETER_WITHOUT_DEFAULT: [SWEPT, ['test/rollups/load.test.ts', 'or leave out what reads it']],
  POLICY_DOES_NOT_BIND: [access('name: products'), access('POLICY_DOES_NOT_BIND: an object that it joins'), SWEPT],
  POLICY_MISSES_TABLE: [access('POLICY_MISSES_TABLE: the policy there as well'), access('unbound: [Products, Twins]')],
  POLICY_NEEDS_DENIES_BY: [access('op: in, value: [North]'), access('deniesBy: true')],
  UNKNOWN_ATTRIBUTE: [access('the attribute is declared'), SWEPT, SAYS],
  UNKNOWN_ACCESS_FIELD: [SAME, access('a segment is hidden'), SWEPT],
  COLUMN_NOT_HIDDEN: [SWEPT, access("start(closed, people('staffed'")],
  PUBLISHES_VALUES: [SWEPT, SAME, SAYS],
  PARAMETER_IN_POLICY: [SWEPT, access('{ attribute: regions }')],
  PARAMETER_IN_FILTER: [SWEPT, SAYS],
  EXPORT_FAILED: [SWEPT, ['test/host/exporters.test.ts', 'another format']],
  INVALID_UNIT: [SWEPT, units('a product of names'), SAME, units('a column that the rows reach')],
  UNIT_MISMATCH: [SWEPT, units('a factor, and the unit of the result'), units('the unit that is wrong is corrected')],
  MIXED_UNITS: [SWEPT, units('asked(filtered)'), units('asked(converted)'), ['test/units/units.test.ts', 'strictUnits']],
  IMPORT_FAILED: [SWEPT, OPEN],
  MODEL_SQL_DENIED: [
    SWEPT,
    ['test/rest/model-sql.test.ts', 'functions'],
    ['test/rest/served-settings.test.ts', 'MODEL_SQL=allow accepts listed functions'],
    ['test/rest/served-settings.test.ts', 'MODEL_SCHEMAS lists it'],
    ['test/rest/curated.test.ts', 'models from files are served'],
  ],
  UNKNOWN_FILTER_FIELD: [SWEPT, further('a measure or metric in having')],
  ORDER_NOT_DETERMINED: [SWEPT, further("or a dimension of 'Orders.ID'"), further('the same time in shorter periods')],
  UNKNOWN_ORDER_BY_FIELD: [SWEPT, further('a dimension that the selected ones determine')],
  DIMENSION_READ_DIFFERENTLY: [SWEPT, further('declare one data object for each role of the table')],
  AMBIGUOUS_JOIN: [SWEPT, ofModel('or pin one with use_path_names'), numbers('let it read a second data object')],
  NO_JOIN_PATH: [numbers("from which 'Kind' on 'Calls' cannot be reached"), SWEPT],
  COMPILE_BUDGET: [SWEPT, service('COMPILE_MAX_STEPS: 1_000_000')],
  QUERY_TOO_LARGE: [SWEPT, service('QUERY_MAX_VALUES: 3')],
  UNSUPPORTED_AGGREGATION: [SWEPT, further('SELECT median(CAST')],
  UNSUPPORTED_FUNCTION: [SWEPT, further('sum(sqrt(amount))')],
  UNSUPPORTED_FEATURE: [['test/host/first-model.test.ts', 'the joins of a database without constraints'], SWEPT],
  FILTER_THROUGH_BRIDGE: [
    numbers('declare bridge: true on it'),
    numbers('exclude the field in its filterContext'),
    numbers('strict filters refuse a filter through another fact'),
  ],
  FILTER_NOT_APPLICABLE: [further('Read the measure as unfiltered'), ['test/compile/refusals.test.ts', 'strict_filters']],
  FINER_THAN_DATA: [SWEPT, ['core/src/bind/in-days.test.ts', 'spread: even']],
  PARTIAL_PERIOD: [SWEPT, further('take care when you read that period')],
  COMPARED_RANGE_RESTRICTED: [SWEPT, ofModel('or read the comparison as one with a part')],
  TIME_BESIDE_A_CALENDAR: [SWEPT, further('filter and group by the time of the metric')],
  SYNONYM_USED: [SWEPT, SAME],
  INVALID_REPLACEMENT: [SWEPT, ofModel('or another measure or metric for a measure or metric'), SAME, SAME],
  CERTIFIED_OVER_PROPOSED: [SWEPT, advice('status: proposed')],
  CUMULATIVE_RECOMPUTED: [further('Nothing to do|cumulativeType'), SWEPT],
  FILTER_APPLIES_TO_NOTHING: [SWEPT, further('select a measure that it applies to')],
  KEY_OVER_INSTANT: [ofModel('Nothing to do if the zone is right'), ofModel('declare a second column with the same expression')],
  TYPE_MISMATCH: [SWEPT, service('convert the column in a SELECT')],
  DATE_OVER_TIMESTAMP: [['test/compile/stored-types.test.ts', 'a filter on a day of timestamps is a range of the column'], SWEPT],
  TIME_RANGE_REQUIRED: [SWEPT, further("select 'Month' at a grain")],
  TIME_FILTER_NOT_A_RANGE: [SWEPT, further("such as 'Month:day'"), further('no filter names the year')],
  WINDOW_GRAIN_REQUIRED: [SWEPT, further('give the metric a windowGrain'), further('give the metric an offsetGrain')],
  NO_VALUE_FOR_TOTAL: [
    ofModel('Nothing to do/'),
    ofModel('give the metric a windowGrain'),
    further('give the metric an offsetGrain'),
    further("filter 'Month' with between"),
  ],
  TIME_FILTER_NOT_SEPARABLE: [SWEPT, further('if one is enough, put the condition into the filters of the measure')],
  DIMENSIONS_EXCLUDE_INSUFFICIENT: [SWEPT, SAME],
  COALESCE_TOO_FEW_MEMBERS: [SWEPT, SAME],
  MIXED_RAW_AND_AGGREGATE_MODE: [SWEPT, ofModel('or dimensions and measures')],
  EVALUATION_REFUSED: [SWEPT, SAME],
  ROWS_NOT_OF_FACT: [SWEPT, ['test/semantic-ql/preview.test.ts', 'settings.mainFact selects the object whose rows are shown']],
  DEFAULT_LIMIT_EXCEEDED: [SWEPT, ['test/pgwire/protocol.test.ts', "['SELECT 4044']"]],
  ANSWER_TOO_LARGE: [service('Filter, group'), SWEPT, service('ANSWER_MAX_ROWS: 3')],
  EVALUATION_TOO_LARGE: [OPEN, ['test/semantic-ql/isolation.test.ts', 'grouped inside']],
  HEADERS_TOO_LARGE: [['test/rest/standalone.test.ts', "'x'.repeat(8000)"], SWEPT],
  NOT_ACCEPTABLE: [http("accept: 'application/json'"), SWEPT],
  AUTH_REQUIRED: [SWEPT, http('or else from a bearer token')],
  AUTH_INVALID: [SWEPT, ['test/access/tokens.test.ts', 'expired']],
  AUTH_UNAVAILABLE: [SWEPT, SAYS],
  PRINCIPAL_REQUIRED: [access("rows('north', total)"), access('const asker =')],
  ACCESS_ATTRIBUTE_MISSING: [access("rows('north', total)"), access('default: [North]')],
  SQL_WITHHELD: [access("rows('north', total)"), access("post('developer'")],
  MODELS_ARE_FIXED: [access('published ones can be asked'), SAYS],
  ON_BEHALF_REFUSED: [SWEPT, SAME],
  ADMIN_REQUIRED: [SWEPT, ['test/rest/door.test.ts', 'for this machine if there are no keys']],
  HOST_REFUSED: [['test/rest/door.test.ts', 'only host names of this machine are answered'], SWEPT],
  SESSION_LIMIT: [SWEPT, SAYS],
  TOO_MANY_STATEMENTS: [SWEPT, ['test/rest/served-plugins.test.ts', 'CLIENT_MAX_STATEMENTS']],
  TOO_MANY_CONNECTIONS: [SAME, SWEPT, ['test/connections/http.test.ts', 'HTTP_CLIENT_MAX_INCOMPLETE']],
  MEMORY_LIMIT: [SWEPT, service('or a session'), service('SESSION_MAX_MODEL_BYTES: 100_000_000')],
  CURATED_MODE: [SWEPT, ['test/rest/curated.test.ts', 'models from files are served']],
  TYPES_NOT_CHECKED: [
    ['test/cli/types.test.ts', 'types shows them'],
    ['test/cli/types.test.ts', '--write writes the file'],
    ['test/cli/types.test.ts', 'COMPILE_UNKNOWN_TYPES=cast casts every column'],
  ],
  SQL_NOT_VALIDATED: [SAYS, SWEPT],
  SQL_REJECTED: [SWEPT, SAME],
  BATCH_PARALLELISM_CLAMPED: [SWEPT, service('ONESHOT_BATCH_MAX_PARALLELISM: 2')],
  CACHE_UNAVAILABLE: [SWEPT, SAYS],
  READER_TOO_SLOW: [SWEPT, ['test/connections/stalled-readers.test.ts', 'which are read to their end afterwards'], SAME, OPEN],
  TREE_TOO_DEEP: [
    ['test/verify/trees.test.ts', 'a tree that is too deep is a finding'],
    ['test/compile/closures.test.ts', 'with a greater maxDepth'],
  ],
  NUMERIC_OVERFLOW: [SWEPT, service('filter out the rows')],
  STATEMENT_TOO_LARGE: [SWEPT, OPEN],
  QUERY_TIMEOUT: [SAME, SWEPT],
  NOT_READY: [SWEPT, SAYS],
  SHUTTING_DOWN: [SAYS, SWEPT],
  TABLE_NOT_FOUND: [SWEPT, SAME, OPEN],
  COLUMN_NOT_FOUND: [SWEPT, SAYS],
  VERIFY_DUPLICATE_KEY: [SWEPT, data('or declare columns with unique values as primaryKey')],
  VERIFY_NULL_KEY: [SWEPT, data('or declare a key that every row has')],
  VERIFY_ORPHANS: [SWEPT, SAYS, SAYS],
  VERIFY_FOREIGN_KEY: [SWEPT, data('or remove foreignKey from the join')],
  VERIFY_SORT_BY: [SWEPT, ['test/verify/sort-by.test.ts', 'a column that has one value for each']],
  VERIFY_CIRCLE: [SWEPT, ['test/compile/closures.test.ts', 'rows above themselves'], SAME],
  VERIFY_CALENDAR: [
    SWEPT,
    ['test/verify/calendars.test.ts', 'a name that several periods have is a place in a longer one'],
    ['test/verify/calendars.test.ts', 'an attribute of a day is no period'],
  ],
  VERIFY_TIES: [SWEPT, OPEN],
  VERIFY_WEIGHTS: [SWEPT, ['test/verify/bridges.test.ts', 'correct weights, and a bridge without weights, have no findings']],
  VERIFY_NOT_AN_ARRAY: [SWEPT, OPEN, SAME],
  VERIFY_CARDINALITY: [data('join on more columns'), data('or declare the joinType that fits the data')],
  VERIFY_HIGH_CARDINALITY: [SWEPT, ['test/verify/faults.test.ts', 'hidden'], SAYS],
  PLUGIN_LOAD_FAILED: [SWEPT, SAYS, OPEN],
}
