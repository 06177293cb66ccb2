import {
  type AggregateSpelling,
  aggregate,
  ansi,
  count,
  defineDialect,
  type ElementsRequest,
  isClock,
  translatedLower,
} from '@grainline/core/dialect'

/** NULL instead of NaN for an undefined statistic (no spread). https://duckdb.org/docs/stable/sql/functions/aggregates */
const nullForNaN =
  (name: string): AggregateSpelling =>
  (call) =>
    `NULLIF(${aggregate(name)(call)}, CAST('NaN' AS DOUBLE))`

const SPACES = "' ' || CHR(9) || CHR(10) || CHR(13)"
const ISO_DATE = '[0-9]{4}-[0-9]{2}-[0-9]{2}'
const ISO_TIME = '([T ][0-9]{2}:[0-9]{2}(:[0-9]{2}([.][0-9]{1,6})?)?)?'

const CUTS_A_DATE: ReadonlySet<string> = new Set(['week', 'month', 'quarter', 'year'])

const isJsonType = (sqlType: string | undefined): boolean => sqlType?.toLowerCase() === 'json'

/** A LIST of values or STRUCTs; an array of JSON if the model declares the column as `json`. Both UNNEST in parallel. */
function elements({ table, array, sqlType, key, fields }: ElementsRequest): string {
  const isJson = isJsonType(sqlType)
  // JSON that is no array has no elements.
  const list = isJson ? `TRY_CAST("row".${array} AS JSON[])` : `"row".${array}`
  const each = '"unnested"."*"'
  const fieldOf = ({ code, text, type, sqlType: as }: ElementsRequest['fields'][number]): string => {
    if (code === '#') return '"unnested"."#"'
    if (!isJson) return code === '*' ? each : `STRUCT_EXTRACT(${each}, ${text})`
    const path = code === '*' ? "'$'" : `CONCAT('$."', ${text}, '"')`
    return type.kind === 'json' ? `JSON_EXTRACT(${each}, ${path})` : `TRY_CAST(JSON_EXTRACT_STRING(${each}, ${path}) AS ${as})`
  }
  const outer = [
    ...key.map(({ alias }) => `"unnested".${alias} AS ${alias}`),
    ...fields.map((field) => `${fieldOf(field)} AS ${field.name}`),
  ]
  const places = fields.some(({ code }) => code === '#')
  const inner = [
    ...key.map(({ column, alias }) => `"row".${column} AS ${alias}`),
    ...(!places || fields.length > 1 ? [`UNNEST(${list}) AS "*"`] : []),
    ...(places ? [`GENERATE_SUBSCRIPTS(${list}, 1) AS "#"`] : []),
  ]
  return `SELECT ${outer.join(', ')}\nFROM (SELECT ${inner.join(', ')} FROM ${table} AS "row") AS "unnested"`
}

/** A double with 15 digits. https://duckdb.org/docs/stable/sql/functions/text#printf-syntax */
const written = (value: string): string => `PRINTF('%.15g', ${value})`

/**
 * The last digit of a compensated sum depends on how threads share the rows. The greatest double has no text of 15 digits, and the plain
 * sum is read then. https://duckdb.org/docs/stable/sql/functions/aggregates#fsumarg
 */
const compensatedSum: AggregateSpelling = (call) => `TRY_CAST(${written(aggregate('FSUM')(call))} AS DOUBLE)`

/**
 * Numbers near 0 are written with an exponent, of which DuckDB rounds the first digit, whatever its
 * position: 6e-07 becomes 0.1 (DuckDB 1.5). They become 0 if too few digits are kept, otherwise all digits are written.
 */
const small = (value: string, scale: number): string =>
  `WHEN ABS(${value}) < 0.0001 THEN ${scale <= DIGITS_BEFORE_EXPONENT ? "'0'" : `CAST(CAST(${written(value)} AS DECIMAL(38, 37)) AS VARCHAR)`}`

const rounded = (value: string, type: string, scale: number): string =>
  `CAST(CASE ${small(value, scale)} ELSE ${written(value)} END AS ${type})`

/** 0.0001 is the least number without one; half of the last of three digits is more. */
const DIGITS_BEFORE_EXPONENT = 3

/** DuckDB. Text compares by code point, sums of integers have 128 bits, and MODE accepts an order. */
export const duckdb = defineDialect(ansi, {
  name: 'duckdb',
  // Files open under their names, and every schema has the system views: https://duckdb.org/docs/stable/sql/meta/duckdb_table_functions
  system: {
    schemas: /^(information_schema|pg_catalog|system|temp)$/,
    tables:
      /^(duckdb|pg|pragma|sqlite)_|[/\\*?]|\.(arrow|arrows|avro|csv|db|duckdb|feather|geojson|gpkg|ipc|json|jsonl|ndjson|parquet|pq|shp|tsv|txt|vortex|xlsx)(\.(bz2|gz|zst))?$/,
  },
  capabilities: {
    supports_qualify: true,
    supports_arrays: true,
    supports_window_filters: true,
    supports_ilike: true,
    supports_semi_structured: true,
  },
  semantics: {
    exactText: true,
    nullsOrder: true,
    hiddenOrder: true,
    shownOrder: true,
    columnNames: true,
    leastBooleans: true,
    lagDefault: true,
    signedRanks: true,
    distinctStatistics: true,
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
    specialCasts: false,
    specialStatistics: false,
    specialModes: false,
    specialPercentiles: false,
    comparedNaN: true,
    orderedNaN: true,
    distinctOrder: true,
    plainZero: true,
    exactDecimals: true,
    laterDates: true,
    exactAverages: true,
    emptyRollup: true,
    nullKeys: true,
    correlated: true,
    openEnds: false,
    computedKeys: true,
    sharedKeys: true,
    rangeJoins: true,
  },
  planner: {
    peerFrames: true,
    keepsTables: true,
    keepsIfAsked: true,
    asOfJoins: true,
    hashJoins: true,
    groupingSets: true,
    groupedExpressions: true,
    emptySets: true,
    repeatedKeys: true,
    rangeFrames: true,
    earlySubqueries: true,
    antiJoins: true,
  },
  // No limit is documented; this one keeps names readable.
  maxIdentifierBytes: 1024,
  type: (type) => (type.kind === 'float' ? 'DOUBLE' : ansi.type(type)),
  truncate(grain, value, type, weekStart) {
    // The optimizer takes `DATE_TRUNC('hour', NULL) <> TIMESTAMP '2024-03-04 00:15:00'` for true, because no hour begins then.
    if (isClock(grain) && type.kind !== 'date') return `TIME_BUCKET(INTERVAL '1' ${grain.toUpperCase()}, ${value})`
    // A date is truncated as a date, which is far cheaper than as a timestamp.
    return type.kind === 'date' && CUTS_A_DATE.has(grain) && !(grain === 'week' && weekStart === 'sunday')
      ? `CAST(DATE_TRUNC('${grain}', ${value}) AS DATE)`
      : ansi.truncate(grain, value, type, weekStart)
  },
  cast(value, to, from) {
    const type = this.type(to)
    const plain = `CAST(${value} AS ${type})`
    if (to.kind === 'string' && from.kind === 'float') return written(value)
    if (to.kind !== 'decimal') return plain
    if (from.kind === 'float') return rounded(value, type, to.scale)
    // Text with an exponent was written from a double, and is rounded as one.
    const double = `CAST(${value} AS DOUBLE)`
    return from.kind === 'string'
      ? `CASE WHEN ${value} ILIKE '%e-%' THEN ${rounded(double, type, to.scale)} ELSE ${plain} END`
      : plain
  },
  finiteDecimal(value, to) {
    const digits = `CASE ${small(value, to.scale)} WHEN ISFINITE(${value}) THEN ${written(value)} END`
    return `CAST(${digits} AS ${this.type(to)})`
  },
  functions: {
    finite: ([x]) => `CASE WHEN ISFINITE(${x}) THEN ${x} END`,
    round: ([x, digits]) => `ROUND(${digits === undefined ? x : `${x}, ${count(digits)}`})`,
    trunc: ([x, digits]) => `TRUNC(${digits === undefined ? x : `${x}, ${count(digits)}`})`,
    not_an_array: ([x, type]) => (isJsonType(type.slice(1, -1)) ? `JSON_TYPE(${x}) NOT IN ('ARRAY', 'NULL')` : '1 = 0'),
    unless_nan: ([x]) => `NULLIF(${x}, 'NaN')`,
    position: ([needle, haystack]) => `STRPOS(${haystack}, ${needle})`,
    // It knows a capital ß, which the simple upper case of Unicode does not.
    upper: ([x]) => `REPLACE(UPPER(${x}), 'ẞ', 'ß')`,
    trim: ([x]) => `TRIM(${x}, ${SPACES})`,
    ltrim: ([x]) => `LTRIM(${x}, ${SPACES})`,
    rtrim: ([x]) => `RTRIM(${x}, ${SPACES})`,
    div: ([a, b], types) => {
      if (types.every(({ kind }) => kind === 'int')) return `((${a}) // NULLIF(${b}, 0))`
      if (types.some(({ kind }) => kind === 'float')) return `TRUNC((${a}) / NULLIF(${b}, 0))`
      // The quotient of decimals is a double; without the remainder it is a whole number, and rounding finds it.
      return `CAST(ROUND(((${a}) - MOD(${a}, NULLIF(${b}, 0))) / NULLIF(${b}, 0)) AS DECIMAL(38, 0))`
    },
    // DATE_DIFF counts weeks of seven days, not the Mondays in between.
    date_diff: ([unit, start, end]) =>
      unit === "'week'"
        ? `DATE_DIFF('day', DATE_TRUNC('week', ${start}), DATE_TRUNC('week', ${end})) // 7`
        : `DATE_DIFF(${unit}, ${start}, ${end})`,
    parse_date: ([x]) => `CASE WHEN REGEXP_FULL_MATCH(${x}, '${ISO_DATE}') THEN TRY_CAST(${x} AS DATE) END`,
    parse_timestamp: ([x]) => `CASE WHEN REGEXP_FULL_MATCH(${x}, '${ISO_DATE}${ISO_TIME}') THEN TRY_CAST(${x} AS TIMESTAMP) END`,
    extract: ([unit, x]) => `EXTRACT(${unit.replaceAll("'", '')} FROM ${x})`,
    json_value: ([x, path]) =>
      `CASE WHEN json_type(${x}, ${path}) NOT IN ('OBJECT', 'ARRAY') THEN json_extract_string(${x}, ${path}) END`,
    regexp_extract: ([x, pattern, group = '0']) =>
      `CASE WHEN regexp_matches(${x}, ${pattern}) THEN regexp_extract(${x}, ${pattern}, ${group}) END`,
  },
  aggregates: {
    compensated_sum: compensatedSum,
    compensated_avg: (call) => `${compensatedSum(call)} / ${aggregate('COUNT')(call)}`,
    median: aggregate('MEDIAN'),
    first: ({ args, orderBy }) => `FIRST(${args[0]} ORDER BY ${orderBy.join(', ')}) FILTER (WHERE ${args[0]} IS NOT NULL)`,
    percentile: ({ args, percentile }) => `QUANTILE_CONT(${args[0]}, ${percentile})`,
    corr: nullForNaN('CORR'),
    regr_slope: nullForNaN('REGR_SLOPE'),
    regr_intercept: nullForNaN('REGR_INTERCEPT'),
  },
  elements,
  nullSafeEqual: 'IS NOT DISTINCT FROM',
  repeatedTimes: 'second',
  lowered: translatedLower({ ς: 'σ' }),
  byCodePoint: (text) => `${text} COLLATE C`,
  dateAdd: (unit, count, value, type) => {
    const [, sign, digits] = /^\(?(-?)(\d+)\)?$/.exec(count) ?? []
    const moved = digits ? `${value} ${sign ? '-' : '+'} INTERVAL ${digits} ${unit}` : `${value} + INTERVAL (${count}) ${unit}`
    return type.kind === 'date' && !isClock(unit) ? `CAST(${moved} AS DATE)` : `(${moved})`
  },
})
