import type { DataType } from '@grainline/core'
import {
  type AggregateSpelling,
  aggregate,
  ansi,
  defineDialect,
  divisor,
  type ElementsRequest,
  inDouble,
  isClock,
  type SpellingOf,
  timeUnit,
} from '@grainline/core/dialect'
import { keepGroup } from './keep-group.js'

const ISO_DATE = '[0-9]{4}-[0-9]{2}-[0-9]{2}'
const ISO_TIME = '([T ][0-9]{2}:[0-9]{2}(:[0-9]{2}([.][0-9]{1,6})?)?)?'
const SPACES = "' \\t\\n\\r'"

const escaped = (text: string): string => text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n').replaceAll('\r', '\\r')

/**
 * Nine digits after the point; a value that needs more is a BIGNUMERIC.
 * https://cloud.google.com/bigquery/docs/reference/standard-sql/data-types#decimal_types
 */
const decimalName = (scale: number): string => (scale <= 9 ? 'NUMERIC' : 'BIGNUMERIC')

const datetime = (value: string, type: DataType): string => (type.kind === 'timestamp' ? value : `DATETIME(${value})`)
/** An instant stays one. */
const asBefore = (value: string, type: DataType): string => (type.kind === 'timestamp_tz' ? `TIMESTAMP(${value})` : value)

/** The unit of DATE_TRUNC and DATE_DIFF: WEEK alone begins on Sunday. */
const part = (unit: string, weekStart = 'monday'): string =>
  unit.toLowerCase() === 'week' && weekStart === 'monday' ? 'WEEK(MONDAY)' : unit.toUpperCase()

/** Rounded as a decimal; a ROUND of whole numbers is a double. */
const rounding =
  (name: string): SpellingOf<'round'> =>
  ([x, n], [type]) => {
    if (type.kind !== 'int') return `${name}(${[x, ...(n === undefined ? [] : [n])].join(', ')})`
    return n === undefined ? x : `CAST(${name}(CAST(${x} AS NUMERIC), ${n}) AS INT64)`
  }

const isFloat = (types: readonly DataType[]): boolean => types.some(({ kind }) => kind === 'float')

/** NaN where the statistic is not defined (no spread): https://cloud.google.com/bigquery/docs/reference/standard-sql/statistical_aggregate_functions#corr */
const nullForNaN =
  (name: string): AggregateSpelling =>
  (call) => {
    const value = aggregate(name)(call)
    return `CASE WHEN NOT IS_NAN(${value}) THEN ${value} END`
  }

const isJsonType = (sqlType: string | undefined): boolean => sqlType?.toLowerCase() === 'json'

/** An ARRAY of values or STRUCTs; an array of JSON if the model declares the column as `json`. */
function elements({ table, array, sqlType, key, fields }: ElementsRequest): string {
  const isJson = isJsonType(sqlType)
  const list = `\`row\`.${array}`
  const fieldOf = ({ code, name, text, type, sqlType: as }: ElementsRequest['fields'][number]): string => {
    if (code === '#') return '`#` + 1'
    if (!isJson) return code === '*' ? '`*`' : `\`*\`.${name}`
    const path = code === '*' ? "'$'" : `CONCAT('$."', ${text}, '"')`
    return type.kind === 'json' ? `JSON_QUERY(\`*\`, ${path})` : `SAFE_CAST(JSON_VALUE(\`*\`, ${path}) AS ${as})`
  }
  const columns = [
    ...key.map(({ column, alias }) => `\`row\`.${column} AS ${alias}`),
    ...fields.map((field) => `${fieldOf(field)} AS ${field.name}`),
  ]
  const each = isJson ? `JSON_QUERY_ARRAY(${list})` : list
  return `SELECT ${columns.join(', ')}\nFROM ${table} AS \`row\` CROSS JOIN UNNEST(${each}) AS \`*\` WITH OFFSET AS \`#\``
}

/** Google BigQuery: GoogleSQL. NULL is the least value, a decimal is written with its type, and a column's name has few signs. */
export const bigquery = defineDialect(ansi, {
  name: 'bigquery',
  // Each dataset has `__TABLES__`, and each session its temporary tables: https://cloud.google.com/bigquery/docs/sessions
  system: { schemas: /^(information_schema|_session)$/, tables: /^__.*__$|\$/ },
  storedKinds: { timestamp: 'timestamp_tz' },
  byCodePoint: (value) => `COLLATE(${value}, '')`,
  capabilities: { supports_qualify: true, supports_arrays: true, supports_time_travel: true, supports_semi_structured: true },
  semantics: {
    exactText: true,
    // NULLS LAST of an ascending order is refused in aggregates and in windows over a range of values.
    nullsOrder: false,
    hiddenOrder: true,
    shownOrder: true,
    columnNames: true,
    leastBooleans: true,
    lagDefault: true,
    signedRanks: true,
    distinctStatistics: false,
    distinctLists: true,
    orderedLists: true,
    mixedOrders: true,
    mixedLists: true,
    mixedChoices: true,
    typedDoubles: true,
    lagNull: true,
    signedCounts: true,
    keysInWindows: false,
    keysInHaving: true,
    comparedUuids: true,
    // https://cloud.google.com/bigquery/docs/reference/standard-sql/window-function-calls#def_window_spec
    doublePartitions: false,
    wideSums: false,
    wideDecimals: true,
    longScales: true,
    overflowGuard: true,
    specialCasts: true,
    specialStatistics: true,
    specialModes: true,
    specialPercentiles: true,
    comparedNaN: true,
    orderedNaN: true,
    distinctOrder: true,
    plainZero: true,
    exactDecimals: true,
    // https://cloud.google.com/bigquery/docs/reference/standard-sql/data-types#date_type
    laterDates: false,
    exactAverages: false,
    emptyRollup: true,
    nullKeys: true,
    correlated: true,
    openEnds: true,
    computedKeys: true,
    sharedKeys: true,
    rangeJoins: true,
  },
  planner: {
    peerFrames: true,
    // https://cloud.google.com/bigquery/docs/reference/standard-sql/query-syntax#group_by_grouping_sets
    groupingSets: true,
  },
  // https://cloud.google.com/bigquery/docs/reference/standard-sql/lexical#quoted_identifiers
  quote: (identifier) => `\`${escaped(identifier).replaceAll('`', '\\`')}\``,
  // https://cloud.google.com/bigquery/docs/schemas#column_names
  maxIdentifierBytes: 300,
  forbiddenIdentifierChars: /[!"$()*,./;?@[\\\]^`{}~\p{Cc}]/gu,
  productScale: 9,
  type: (type) => {
    switch (type.kind) {
      case 'string':
        return 'STRING'
      case 'boolean':
        return 'BOOL'
      case 'int':
        return 'INT64'
      case 'float':
        return 'FLOAT64'
      case 'decimal':
        return `${decimalName(type.scale)}(${type.precision}, ${type.scale})`
      case 'timestamp':
        return 'DATETIME'
      case 'timestamp_tz':
        return 'TIMESTAMP'
      default:
        return ansi.type(type)
    }
  },
  // A rounding sets the number of digits: a cast of NULL, a whole number or a shorter decimal has no digits to lose.
  cast(value, to, from) {
    if (to.kind === 'string' && from.kind === 'float') return `FORMAT('%.15g', ${value})`
    if (to.kind !== 'decimal') return `CAST(${value} AS ${this.type(to)})`
    if (from.kind === 'float' && value !== 'NULL') {
      const digits = `ROUND(CAST(FORMAT('%.15g', ${value}) AS BIGNUMERIC), ${to.scale})`
      return decimalName(to.scale) === 'BIGNUMERIC' ? digits : `CAST(${digits} AS ${decimalName(to.scale)})`
    }
    const decimal = `CAST(${value} AS ${decimalName(to.scale)})`
    const fits = value === 'NULL' || from.kind === 'int' || (from.kind === 'decimal' && from.scale <= to.scale)
    return fits ? decimal : `ROUND(${decimal}, ${to.scale})`
  },
  order: (value, descending) => `${value}${descending ? ' DESC' : ''}`,
  // There is no ESCAPE; a backslash always escapes: https://cloud.google.com/bigquery/docs/reference/standard-sql/operators#like_operator
  like: ({ value, pattern, negated }) => `${value} ${negated ? 'NOT ' : ''}LIKE ${pattern}`,
  // An offset needs a limit before it: https://cloud.google.com/bigquery/docs/reference/standard-sql/query-syntax#limit_and_offset_clause
  page: (limit, offset = 0) =>
    limit === undefined && offset > 0 ? [`LIMIT ${2n ** 63n - 1n}`, `OFFSET ${offset}`] : ansi.page(limit, offset),
  literals: {
    string: (value) => `'${escaped(value).replaceAll("'", "\\'")}'`,
    // Digits with a point and no suffix are a double.
    decimal: (digits) => `${decimalName(digits.split('.')[1]?.length ?? 0)} '${digits}'`,
    timestamp: (iso) => `DATETIME '${iso}'`,
    timestamp_tz: (iso) => `TIMESTAMP '${iso}+00:00'`,
  },
  functions: {
    not_an_array: ([x, type]) => (isJsonType(type.slice(1, -1)) ? `JSON_TYPE(${x}) NOT IN ('array', 'null')` : '1 = 0'),
    substring: ([x, ...numbers]) => `SUBSTR(${[x, ...numbers].join(', ')})`,
    trim: ([x]) => `TRIM(${x}, ${SPACES})`,
    ltrim: ([x]) => `LTRIM(${x}, ${SPACES})`,
    rtrim: ([x]) => `RTRIM(${x}, ${SPACES})`,
    length: ([x]) => `CHAR_LENGTH(${x})`,
    position: ([needle, haystack]) => `STRPOS(${haystack}, ${needle})`,
    split_part: ([x, delimiter, n]) =>
      `CASE WHEN ${x} IS NOT NULL AND ${delimiter} IS NOT NULL AND ${n} IS NOT NULL THEN COALESCE(SPLIT(${x}, ${delimiter})[SAFE_ORDINAL(${n})], '') END`,
    lpad: ([x, length, fill]) => `LPAD(${x}, ${length}, ${fill})`,
    rpad: ([x, length, fill]) => `RPAD(${x}, ${length}, ${fill})`,
    sign: ([x]) => `CAST(SIGN(${x}) AS INT64)`,
    round: rounding('ROUND'),
    trunc: rounding('TRUNC'),
    mod: ([a, b], types) => (isFloat(types) ? `(${a} - (${b}) * TRUNC((${a}) / ${divisor(b)}))` : `MOD(${a}, ${divisor(b)})`),
    div: ([a, b], types) => (isFloat(types) ? `TRUNC((${a}) / ${divisor(b)})` : `DIV(${a}, ${divisor(b)})`),
    sqrt: inDouble('FLOAT64', ansi.functions.sqrt),
    ln: inDouble('FLOAT64', ansi.functions.ln),
    log: inDouble('FLOAT64', ansi.functions.log),
    power: inDouble('FLOAT64', ansi.functions.power),
    exp: inDouble('FLOAT64', ([x]) => `EXP(${x})`),
    // NULL if any is NULL: https://cloud.google.com/bigquery/docs/reference/standard-sql/mathematical_functions#greatest
    greatest: (args) => `GREATEST(${args.join(', ')})`,
    least: (args) => `LEAST(${args.join(', ')})`,
    date_diff: ([unit, start, end], [, from, to]) => {
      const grain = timeUnit(unit)
      const between = (name: string, cut: (x: string, type: DataType) => string): string =>
        `${name}(${cut(end, to)}, ${cut(start, from)}, ${part(grain)})`
      if (isClock(grain)) return between('DATETIME_DIFF', (x, type) => `DATETIME_TRUNC(${datetime(x, type)}, ${part(grain)})`)
      return between('DATE_DIFF', (x, type) => (type.kind === 'date' ? x : `DATE(${x})`))
    },
    extract: ([unit, x], [, type]) => {
      const grain = timeUnit(unit)
      const time = type.kind === 'date' && !isClock(grain) ? x : datetime(x, type)
      return `EXTRACT(${grain === 'week' ? 'ISOWEEK' : grain.toUpperCase()} FROM ${time})`
    },
    last_day: ([x], [type]) => `LAST_DAY(${type?.kind === 'date' ? x : `DATE(${x})`})`,
    json_value: ([x, path]) => `JSON_VALUE(${x}, ${path})`,
    to_char_iso: ([x], [type]) =>
      type?.kind === 'date'
        ? `CAST(${x} AS STRING)`
        : `RTRIM(RTRIM(FORMAT_DATETIME('%FT%H:%M:%E6S', ${datetime(x, type)}), '0'), '.')`,
    parse_date: ([x]) => `CASE WHEN REGEXP_CONTAINS(${x}, '^${ISO_DATE}$') THEN SAFE_CAST(${x} AS DATE) END`,
    // A DATETIME is read with its seconds or without a time.
    parse_timestamp: ([x]) =>
      `CASE WHEN REGEXP_CONTAINS(${x}, '^${ISO_DATE}${ISO_TIME}$') THEN SAFE_CAST(CONCAT(${x}, CASE CHAR_LENGTH(${x}) WHEN 16 THEN ':00' ELSE '' END) AS DATETIME) END`,
    too_deep: ([x]) => `ERROR(CONCAT('TREE_TOO_DEEP ', CAST(${x} AS STRING)))`,
    regexp_matches: ([x, pattern]) => `REGEXP_CONTAINS(${x}, ${pattern})`,
    regexp_extract: ([x, pattern, group = '0']) => `REGEXP_EXTRACT(${x}, ${keepGroup(pattern, Number(group))})`,
  },
  aggregates: {
    count_if: ({ args }) => `COUNTIF(${args[0]})`,
    // A tuple cannot be counted; its text can.
    count_distinct: ({ args }) =>
      args.length === 1
        ? `COUNT(DISTINCT ${args[0]})`
        : `COUNT(DISTINCT CASE WHEN ${args.map((arg) => `${arg} IS NOT NULL`).join(' AND ')} THEN TO_JSON_STRING(STRUCT(${args.join(', ')})) END)`,
    mode: 'rewritten',
    // Only window functions are exact.
    median: 'rewritten',
    percentile: 'rewritten',
    regr_slope: 'rewritten',
    regr_intercept: 'rewritten',
    corr: nullForNaN('CORR'),
    bool_and: aggregate('LOGICAL_AND'),
    bool_or: aggregate('LOGICAL_OR'),
    // No NULL is listed; with DISTINCT the order is that of the listed value alone, without a key for NULLs.
    listagg: ({ args, distinct, delimiter, orderBy }) =>
      `STRING_AGG(${distinct ? 'DISTINCT ' : ''}${args[0]}, ${delimiter ?? "','"} ORDER BY ${(distinct ? orderBy.slice(-1) : orderBy).join(', ')})`,
    first: ({ args, orderBy }) => `ARRAY_AGG(${args[0]} IGNORE NULLS ORDER BY ${orderBy.join(', ')} LIMIT 1)[SAFE_OFFSET(0)]`,
  },
  truncate: (grain, value, type, weekStart) => {
    if (isClock(grain)) return asBefore(`DATETIME_TRUNC(${datetime(value, type)}, ${part(grain)})`, type)
    const day = type.kind === 'date' ? value : `DATE(${value})`
    return grain === 'day' ? day : `DATE_TRUNC(${day}, ${part(grain, weekStart)})`
  },
  dateAdd: (unit, count, value, type) =>
    type.kind === 'date' && !isClock(unit)
      ? `DATE_ADD(${value}, INTERVAL ${count} ${unit.toUpperCase()})`
      : asBefore(`DATETIME_ADD(${datetime(value, type)}, INTERVAL ${count} ${unit.toUpperCase()})`, type),
  instantToZone: (value, zone) => `DATETIME(${value}, ${zone})`,
  zoneToInstant: (value, zone) => `TIMESTAMP(${value}, ${zone})`,
  elements,
})
