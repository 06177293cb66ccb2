import type { DataType, Spelling } from '@grainline/core'
import {
  type AggregateSpelling,
  aggregate,
  ansi,
  defineDialect,
  divisor,
  type ElementsRequest,
  inDouble,
  isClock,
  timeUnit,
} from '@grainline/core/dialect'

const DOUBLE = 'DOUBLE PRECISION'
const SPACES = "' \\t\\n\\r'"
const ISO_DATE = '[0-9]{4}-[0-9]{2}-[0-9]{2}'
const ISO_TIME = '([T ][0-9]{2}:[0-9]{2}(:[0-9]{2}([.][0-9]{1,6})?)?)?'

/** A text of another form is not a date. A text of this form that is not a valid date gives NULL. */
const parsed =
  (form: string, parse: string): Spelling =>
  ([x]) =>
    `CASE WHEN REGEXP_LIKE(${x}, '${form}') THEN ${parse}(${x}) END`

/** `'$.a.b[0]'` in the form of GET_PATH, `'a.b[0]'`: https://docs.snowflake.com/en/sql-reference/functions/get_path */
const pathOf = (literal: string): string => literal.replace(/^'\$\.?/, "'")

const isFloat = (types: readonly DataType[]): boolean => types.some(({ kind }) => kind === 'float')

const onDay = (value: string, type: DataType | undefined): string => (type?.kind === 'date' ? value : `CAST(${value} AS DATE)`)

/** The day on which a week begins, whatever the WEEK_START of the session. */
const startOfWeek = (day: string, weekStart: 'monday' | 'sunday'): string =>
  `DATEADD(DAY, -${weekStart === 'monday' ? `(DAYOFWEEKISO(${day}) - 1)` : `MOD(DAYOFWEEKISO(${day}), 7)`}, ${day})`

/** A statistic that is not defined is NULL, and no NaN. */
const nullForNaN =
  (name: string): AggregateSpelling =>
  (call) =>
    `NULLIF(${aggregate(name)(call)}, CAST('NaN' AS ${DOUBLE}))`

/** An ARRAY or a VARIANT that holds one; a value that is not an array has no elements. */
function elements({ table, array, key, fields }: ElementsRequest): string {
  const fieldOf = ({ code, text, type, sqlType: as }: ElementsRequest['fields'][number]): string => {
    if (code === '#') return '"each".INDEX + 1'
    const value = code === '*' ? '"each".VALUE' : `GET("each".VALUE, ${text})`
    return type.kind === 'json' ? value : `CAST(${value} AS ${as})`
  }
  const columns = [
    ...key.map(({ column, alias }) => `"row".${column} AS ${alias}`),
    ...fields.map((field) => `${fieldOf(field)} AS ${field.name}`),
  ]
  const list = `CASE WHEN IS_ARRAY("row".${array}) THEN "row".${array} END`
  return `SELECT ${columns.join(', ')}\nFROM ${table} AS "row", LATERAL FLATTEN(INPUT => ${list}) AS "each"`
}

/** Snowflake. Names are quoted, so they must match exactly: an identifier that was created without quotes is in capitals. */
export const snowflake = defineDialect(ansi, {
  name: 'snowflake',
  // https://docs.snowflake.com/en/sql-reference/snowflake-db
  // Schemas of the database SNOWFLAKE need no database where it is that of the connection. A stage is a place of files.
  system: {
    schemas: /^(information_schema|snowflake|(reader_)?account_usage|organization_usage|data_sharing_usage)$/,
    tables: /^[@~%]/,
  },
  byCodePoint: (value) => `COLLATE(${value}, '')`,
  capabilities: {
    supports_qualify: true,
    supports_arrays: true,
    supports_ilike: true,
    supports_time_travel: true,
    supports_semi_structured: true,
  },
  // https://docs.snowflake.com/en/sql-reference/constructs/group-by-grouping-sets
  semantics: {
    exactText: true,
    nullsOrder: true,
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
    keysInWindows: true,
    keysInHaving: true,
    comparedUuids: true,
    doublePartitions: true,
    wideSums: true,
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
    laterDates: true,
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
    groupingSets: true,
    repeatedKeys: true,
  },
  // https://docs.snowflake.com/en/sql-reference/identifiers-syntax
  maxIdentifierBytes: 255,
  // https://docs.snowflake.com/en/sql-reference/operators-arithmetic#multiplication
  productScale: 12,
  type: (type) => {
    switch (type.kind) {
      case 'timestamp':
        return 'TIMESTAMP_NTZ'
      case 'timestamp_tz':
        return 'TIMESTAMP_TZ'
      case 'json':
        return 'VARIANT'
      default:
        return ansi.type(type)
    }
  },
  // https://docs.snowflake.com/en/sql-reference/constructs/limit: no limit is NULL, and an offset needs one before it.
  page: (limit, offset = 0) =>
    limit === undefined && offset > 0 ? ['LIMIT NULL', `OFFSET ${offset}`] : ansi.page(limit, offset),
  literals: {
    string: (value) => `'${value.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`,
    // A setting of the session decides the meaning of plain TIMESTAMP.
    timestamp: (iso) => `CAST('${iso}' AS TIMESTAMP_NTZ)`,
    timestamp_tz: (iso) => `CAST('${iso} +00:00' AS TIMESTAMP_TZ)`,
  },
  functions: {
    not_an_array: ([x]) => `TYPEOF(CAST(${x} AS VARIANT)) NOT IN ('ARRAY', 'NULL_VALUE')`,
    substring: ([x, ...numbers]) => `SUBSTR(${[x, ...numbers].join(', ')})`,
    trim: ([x]) => `TRIM(${x}, ${SPACES})`,
    ltrim: ([x]) => `LTRIM(${x}, ${SPACES})`,
    rtrim: ([x]) => `RTRIM(${x}, ${SPACES})`,
    position: ([needle, haystack]) => `POSITION(${needle}, ${haystack})`,
    starts_with: ([x, prefix]) => `STARTSWITH(${x}, ${prefix})`,
    ends_with: ([x, suffix]) => `ENDSWITH(${x}, ${suffix})`,
    sqrt: inDouble(DOUBLE, ansi.functions.sqrt),
    ln: inDouble(DOUBLE, ansi.functions.ln),
    log: inDouble(DOUBLE, ansi.functions.log),
    power: inDouble(DOUBLE, ansi.functions.power),
    exp: inDouble(DOUBLE, ([x]) => `EXP(${x})`),
    // A quotient of exact numbers has few digits after the point; without the remainder it has none.
    div: ([a, b], types) => {
      const by = divisor(b)
      return isFloat(types) ? `TRUNC((${a}) / ${by})` : `CAST(((${a}) - MOD(${a}, ${by})) / ${by} AS DECIMAL(38, 0))`
    },
    // NULL if any is NULL: https://docs.snowflake.com/en/sql-reference/functions/greatest
    greatest: (args) => `GREATEST(${args.join(', ')})`,
    least: (args) => `LEAST(${args.join(', ')})`,
    date_diff: ([unit, start, end], [, from, to]) => {
      const grain = timeUnit(unit)
      if (grain !== 'week') return `DATEDIFF(${grain.toUpperCase()}, ${start}, ${end})`
      const [first, last] = [startOfWeek(onDay(start, from), 'monday'), startOfWeek(onDay(end, to), 'monday')]
      return `CAST(DATEDIFF(DAY, ${first}, ${last}) / 7 AS BIGINT)`
    },
    extract: ([unit, x], [, type]) => {
      const grain = timeUnit(unit)
      // A session may have other weeks.
      if (grain === 'week') return `WEEKISO(${x})`
      const time = type.kind === 'date' && isClock(grain) ? `CAST(${x} AS TIMESTAMP_NTZ)` : x
      return `EXTRACT(${grain.toUpperCase()} FROM ${time})`
    },
    last_day: ([x]) => `LAST_DAY(${x})`,
    json_value: ([x, path], [type]) => {
      const found = `GET_PATH(${type?.kind === 'json' ? x : `TRY_PARSE_JSON(${x})`}, ${pathOf(path)})`
      return `CASE WHEN TYPEOF(${found}) NOT IN ('OBJECT', 'ARRAY', 'NULL_VALUE') THEN CAST(${found} AS VARCHAR) END`
    },
    to_char_iso: ([x], [type]) =>
      type?.kind === 'date'
        ? `TO_CHAR(${x}, 'YYYY-MM-DD')`
        : `RTRIM(RTRIM(TO_CHAR(${x}, 'YYYY-MM-DD"T"HH24:MI:SS.FF6'), '0'), '.')`,
    parse_date: parsed(ISO_DATE, 'TRY_TO_DATE'),
    parse_timestamp: parsed(`${ISO_DATE}${ISO_TIME}`, 'TRY_TO_TIMESTAMP_NTZ'),
    // REGEXP_LIKE matches the whole text: https://docs.snowflake.com/en/sql-reference/functions/regexp_like
    regexp_matches: ([x, pattern]) => `(REGEXP_INSTR(${x}, ${pattern}) > 0)`,
    regexp_extract: ([x, pattern, group = '0']) =>
      `REGEXP_SUBSTR(${x}, ${pattern}, 1, 1, ${group === '0' ? "'c'" : `'e', ${group}`})`,
  },
  aggregates: {
    count_distinct: ({ args }) => `COUNT(DISTINCT ${args.join(', ')})`,
    // If several values are most frequent, it may return any of them: https://docs.snowflake.com/en/sql-reference/functions/mode
    mode: 'rewritten',
    // A list over no values is '' there: https://docs.snowflake.com/en/sql-reference/functions/listagg
    listagg: ({ args, distinct, delimiter, orderBy }) => {
      const list = `LISTAGG(${distinct ? 'DISTINCT ' : ''}${args[0]}, ${delimiter ?? "','"}) WITHIN GROUP (ORDER BY ${orderBy.join(', ')})`
      return `CASE WHEN COUNT(${args[0]}) > 0 THEN ${list} END`
    },
    bool_and: aggregate('BOOLAND_AGG'),
    bool_or: aggregate('BOOLOR_AGG'),
    corr: nullForNaN('CORR'),
    regr_slope: nullForNaN('REGR_SLOPE'),
    regr_intercept: nullForNaN('REGR_INTERCEPT'),
  },
  truncate: (grain, value, type, weekStart) => {
    if (grain === 'week') return startOfWeek(onDay(value, type), weekStart)
    if (grain === 'day') return onDay(value, type)
    if (isClock(grain)) return `DATE_TRUNC('${grain}', ${type.kind === 'date' ? `CAST(${value} AS TIMESTAMP_NTZ)` : value})`
    return `DATE_TRUNC('${grain}', ${onDay(value, type)})`
  },
  // https://docs.snowflake.com/en/sql-reference/constructs/with
  recursiveTable: (name, columns) => `${name} (${columns.join(', ')})`,
  dateAdd: (unit, count, value) => `DATEADD(${unit.toUpperCase()}, ${count}, ${value})`,
  instantToZone: (value, zone) => `CAST(CONVERT_TIMEZONE(${zone}, ${value}) AS TIMESTAMP_NTZ)`,
  // The session runs in UTC.
  zoneToInstant: (value, zone) => `CAST(CONVERT_TIMEZONE(${zone}, 'UTC', ${value}) AS TIMESTAMP_TZ)`,
  elements,
})
