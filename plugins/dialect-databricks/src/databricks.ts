import { type DataType, GrainlineError } from '@grainline/core'
import {
  ansi,
  count,
  defineDialect,
  divisor,
  isClock,
  type LikeRequest,
  orderedParts,
  type SpellingOf,
  type TimeGrain,
  timeUnit,
  upperKeeping,
} from '@grainline/core/dialect'
import { elements, jsonValue, notAnArray } from './variant.js'

const SPACES = "' \\t\\n\\r'"
const ISO_DATE = '[0-9]{4}-[0-9]{2}-[0-9]{2}'
const ISO_TIME = '([T ][0-9]{2}:[0-9]{2}(:[0-9]{2}([.][0-9]{1,6})?)?)?'

const ESCAPES = new Map([
  ['\\', '\\\\'],
  ["'", "\\'"],
  ['\n', '\\n'],
  ['\r', '\\r'],
  ['$', '\\u0024'],
])

/** What the dollar of `${env:HOME}` would begin is put in place of it before the statement is read, inside of texts and names, too. */
const string = (value: string): string => `'${value.replace(/[\\'\n\r]|\$(?=\{)/g, (found) => ESCAPES.get(found) ?? found)}'`

/** A name knows no escape. */
function quote(identifier: string): string {
  if (identifier.includes('${'))
    throw new GrainlineError(
      'UNSUPPORTED_SQL_FEATURE',
      `a name with '\${', such as '${identifier}', has no SQL equivalent on databricks`,
    )
  return `\`${identifier.replaceAll('`', '``')}\``
}

const isFloat = (type: DataType): boolean => type.kind === 'float'
const asDay = (value: string, type: DataType): string => (type.kind === 'date' ? value : `CAST(${value} AS DATE)`)

/** For a double they return a BIGINT there; a double beyond BIGINT is already whole. */
const whole =
  (name: string): SpellingOf<'floor'> =>
  ([x], [type]) => {
    if (type.kind === 'int') return x
    return isFloat(type) ? `CASE WHEN ABS(${x}) < 1e15 THEN CAST(${name}(${x}) AS DOUBLE) ELSE ${x} END` : `${name}(${x})`
  }

const towardZero = (x: string, digits = ''): string => `CASE WHEN ${x} < 0 THEN CEIL(${x}${digits}) ELSE FLOOR(${x}${digits}) END`

const trunc: SpellingOf<'trunc'> = ([x, n = '0'], [type]) => {
  if (type.kind === 'int' && Number(n) >= 0) return x
  if (!isFloat(type)) return towardZero(x, n === '0' ? '' : `, ${digitsOf(n)}`)
  const written = `CAST(${x} AS DECIMAL(38, 20))`
  return `CASE WHEN ABS(${x}) < 1e15 THEN CAST(${towardZero(written, `, ${digitsOf(n)}`)} AS DOUBLE) ELSE ${x} END`
}

/** https://docs.databricks.com/aws/en/sql/language-manual/functions/round: the digits are a constant. */
function digitsOf(n: string): string {
  if (/^-?\d+$/.test(n)) return n
  throw new GrainlineError('UNSUPPORTED_FUNCTION', 'digits that are not written out cannot be expressed on databricks')
}

/** A backslash may only precede `%`, `_` and itself there; before another letter it means that letter. */
function like({ value, pattern, literal, negated }: LikeRequest): string {
  const plain = literal?.replace(/\\(.)/gs, (found, letter: string) => ('%_\\'.includes(letter) ? found : letter))
  const text = plain === undefined || plain === literal ? pattern : string(plain)
  return `${value} ${negated ? 'NOT ' : ''}LIKE ${text}`
}

function truncate(grain: TimeGrain, value: string, type: DataType, weekStart: 'monday' | 'sunday'): string {
  if (isClock(grain)) {
    const start = `DATE_TRUNC('${grain}', ${value})`
    return type.kind === 'timestamp_tz' ? start : `CAST(${start} AS TIMESTAMP_NTZ)`
  }
  const day = asDay(value, type)
  if (grain === 'day') return day
  if (grain === 'week' && weekStart === 'sunday') return `DATE_SUB(TRUNC(DATE_ADD(${day}, 1), 'week'), 1)`
  return `TRUNC(${day}, '${grain}')`
}

/** How many months or days a unit of dates has. */
const MONTHS: Partial<Record<TimeGrain, number>> = { month: 1, quarter: 3, year: 12 }
const times = (number: string, factor: number): string => (factor === 1 ? number : `${number} * ${factor}`)

function dateAdd(unit: TimeGrain, number: string, value: string, type: DataType): string {
  if (type.kind !== 'date') return `TIMESTAMPADD(${unit.toUpperCase()}, ${number}, ${value})`
  if (isClock(unit)) return `TIMESTAMPADD(${unit.toUpperCase()}, ${number}, CAST(${value} AS TIMESTAMP_NTZ))`
  const months = MONTHS[unit]
  return months === undefined
    ? `DATE_ADD(${value}, ${times(count(number), unit === 'week' ? 7 : 1)})`
    : `ADD_MONTHS(${value}, ${times(count(number), months)})`
}

/** TIMESTAMPDIFF counts whole units, of which the starts of two have no other. */
const dateDiff: SpellingOf<'date_diff'> = ([unit, start, end], [, from, to]) => {
  const grain = timeUnit(unit)
  return `TIMESTAMPDIFF(${grain.toUpperCase()}, ${truncate(grain, start, from, 'monday')}, ${truncate(grain, end, to, 'monday')})`
}

/** Databricks SQL, which is Spark SQL in ANSI mode: text compares by code point, and overflows fail. */
export const databricks = defineDialect(ansi, {
  name: 'databricks',
  // https://docs.databricks.com/aws/en/admin/system-tables/
  // `csv`.`/path` reads a file, and so does the class of a format: https://spark.apache.org/docs/latest/sql-data-sources-load-save-functions.html
  // Views that any session has created are in `global_temp`. A name of the catalog has neither slashes nor colons.
  system: {
    schemas: /^(information_schema|system|global_temp|__databricks_internal)$/,
    tables: /[/\\:]/,
    files:
      /^((avro|binaryfile|cloudfiles|csv|delta|deltasharing|excel|hudi|iceberg|image|jdbc|json|kafka|libsvm|orc|parquet|protobuf|rate|socket|statestore|text|tfrecord|xml)\.|(com\.databricks|io\.delta|org\.apache)\.)/,
  },
  storedKinds: { timestamp: 'timestamp_tz' },
  byCodePoint: (value) => `${value} COLLATE UTF8_BINARY`,
  capabilities: {
    supports_qualify: true,
    supports_arrays: true,
    supports_window_filters: true,
    supports_ilike: true,
    supports_time_travel: true,
    supports_semi_structured: true,
  },
  // shownOrder: Spark's optimizer fails on an ORDER BY over a union that reads a column which is selected, too.
  semantics: {
    exactText: true,
    nullsOrder: true,
    hiddenOrder: false,
    shownOrder: false,
    columnNames: true,
    leastBooleans: true,
    lagDefault: true,
    signedRanks: true,
    distinctStatistics: true,
    distinctLists: true,
    orderedLists: true,
    mixedOrders: false,
    mixedLists: true,
    mixedChoices: true,
    typedDoubles: true,
    lagNull: true,
    signedCounts: true,
    keysInWindows: true,
    keysInHaving: true,
    comparedUuids: true,
    doublePartitions: true,
    wideSums: false,
    wideDecimals: true,
    longScales: false,
    overflowGuard: true,
    specialCasts: false,
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
    groupedExpressions: true,
    // Spark returns no row for GROUPING SETS (()) over no rows.
    emptySets: false,
    repeatedKeys: true,
  },
  quote,
  // https://docs.databricks.com/aws/en/sql/language-manual/sql-ref-names
  maxIdentifierBytes: 255,
  forbiddenIdentifierChars: /\$(?=\{)/g,
  type: (type) => {
    switch (type.kind) {
      case 'string':
        return 'STRING'
      case 'float':
        return 'DOUBLE'
      case 'timestamp':
        return 'TIMESTAMP_NTZ'
      case 'timestamp_tz':
        return 'TIMESTAMP'
      case 'json':
        return 'VARIANT'
      default:
        return ansi.type(type)
    }
  },
  like,
  // Spark's optimizer takes a condition on `x / NULLIF(y, 0)` apart, and may divide before it has tested the divisor.
  quotient: (dividend, divisor) => `TRY_DIVIDE(${dividend}, ${divisor})`,
  cast(value, to, from) {
    // 3, not 3.0.
    if (to.kind === 'string' && from.kind === 'float') return `REGEXP_REPLACE(${ansi.cast.call(this, value, to)}, '[.]0$', '')`
    const isRounded = to.kind === 'decimal' && from.kind === 'float' && value !== 'NULL'
    // FORMAT_STRING writes NULL as a text.
    const digits = isRounded ? `NULLIF(FORMAT_STRING('%.14e', ${value}), 'null')` : value
    return ansi.cast.call(this, digits, to)
  },
  literals: {
    string,
    timestamp: (iso) => `TIMESTAMP_NTZ '${iso}'`,
    timestamp_tz: (iso) => `TIMESTAMP '${iso}+00:00'`,
  },
  functions: {
    not_an_array: notAnArray,
    // NaN exceeds Infinity.
    finite: ([x]) => `CASE WHEN ABS(${x}) < CAST('Infinity' AS DOUBLE) THEN ${x} END`,
    substring: ([x, ...numbers]) => `SUBSTRING(${[x, ...numbers.map(count)].join(', ')})`,
    upper: ([x]) => upperKeeping(x, (kept) => `UPPER(${kept})`),
    trim: ([x]) => `TRIM(BOTH ${SPACES} FROM ${x})`,
    ltrim: ([x]) => `TRIM(LEADING ${SPACES} FROM ${x})`,
    rtrim: ([x]) => `TRIM(TRAILING ${SPACES} FROM ${x})`,
    split_part: ([x, delimiter, n]) => `SPLIT_PART(${x}, ${delimiter}, ${count(n)})`,
    starts_with: ([x, prefix]) => `STARTSWITH(${x}, ${prefix})`,
    ends_with: ([x, suffix]) => `ENDSWITH(${x}, ${suffix})`,
    floor: whole('FLOOR'),
    ceil: whole('CEIL'),
    round: ([x, n]) => `ROUND(${x}${n === undefined ? '' : `, ${digitsOf(n)}`})`,
    trunc,
    div: ([a, b], types) => {
      const by = divisor(b)
      if (types.some(isFloat)) return trunc([`((${a}) / ${by})`], [{ kind: 'float' }])
      if (types.every(({ kind }) => kind === 'int')) return `((${a}) DIV ${by})`
      return `CAST(((${a}) - MOD(${a}, ${by})) / ${by} AS DECIMAL(38, 0))`
    },
    date_diff: dateDiff,
    last_day: ([x], [type]) => `LAST_DAY(${asDay(x, type)})`,
    json_value: jsonValue,
    to_char_iso: ([x]) => `REPLACE(CAST(${x} AS STRING), ' ', 'T')`,
    parse_date: ([x]) => `CASE WHEN ${x} RLIKE '^${ISO_DATE}$' THEN TRY_CAST(${x} AS DATE) END`,
    parse_timestamp: ([x]) => `CASE WHEN ${x} RLIKE '^${ISO_DATE}${ISO_TIME}$' THEN TRY_CAST(${x} AS TIMESTAMP_NTZ) END`,
    too_deep: ([x]) => `CAST(RAISE_ERROR(CONCAT('TREE_TOO_DEEP ', CAST(${x} AS STRING))) AS BIGINT)`,
    regexp_matches: ([x, pattern]) => `(${x} RLIKE ${pattern})`,
    // Without a match it returns ''.
    regexp_extract: ([x, pattern, group = '0']) =>
      `CASE WHEN ${x} RLIKE ${pattern} THEN REGEXP_EXTRACT(${x}, ${pattern}, ${group}) END`,
  },
  aggregates: {
    count_distinct: ({ args }) => `COUNT(DISTINCT ${args.join(', ')})`,
    // The least of the most frequent; of values that are there once each, the least of all.
    mode: ({ args, distinct }) => (distinct ? `MIN(${args[0]})` : `MODE(${args[0]}, TRUE)`),
    // NULLs come last in both directions. The struct is never NULL, so no row is skipped.
    first: ({ args: [value], keys }) =>
      `${keys[0]?.descending ? 'MAX_BY' : 'MIN_BY'}(${value}, STRUCT(${orderedParts(keys).join(', ')})) FILTER (WHERE ${value} IS NOT NULL)`,
    median: ({ args, distinct }) => `MEDIAN(${distinct ? 'DISTINCT ' : ''}${args[0]})`,
    percentile: ({ args, distinct, percentile }) => `PERCENTILE(${distinct ? 'DISTINCT ' : ''}${args[0]}, ${percentile})`,
    listagg: ({ args, distinct, delimiter, orderBy }) =>
      `LISTAGG(${distinct ? 'DISTINCT ' : ''}${args[0]}, ${delimiter ?? "','"}) WITHIN GROUP (ORDER BY ${orderBy.join(', ')})`,
  },
  truncate,
  dateAdd,
  // https://docs.databricks.com/aws/en/sql/language-manual/sql-ref-syntax-qry-select-cte
  recursiveTable: (name, columns) => `${name} (${columns.join(', ')})`,
  // It follows java.time: https://docs.oracle.com/en/java/javase/21/docs/api/java.base/java/time/ZonedDateTime.html
  repeatedTimes: 'first',
  instantToZone: (value, zone) => `CONVERT_TIMEZONE(${zone}, ${value})`,
  // The session runs in UTC.
  zoneToInstant: (value, zone) => `CAST(CONVERT_TIMEZONE(${zone}, 'UTC', ${value}) AS TIMESTAMP)`,
  elements,
  // https://docs.databricks.com/en/sql/language-manual/functions/lteqgtsign.html
  nullSafeEqual: '<=>',
})
