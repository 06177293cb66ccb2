import type { DataType } from '@grainline/core'
import {
  type AggregateSpelling,
  aggregate,
  ansi,
  defineDialect,
  divisor,
  orderedParts,
  replaced,
  type SpellAggregate,
  type SpellingOf,
  upperKeeping,
} from '@grainline/core/dialect'
import { elements, notAnArray } from './elements.js'
import { jsonValue } from './json-value.js'
import { dateDiff, extract, moved, truncate } from './times.js'

/**
 * What ClickHouse would otherwise read in another way: a row without a match has zeros, a sum over nothing is 0, the start of a month
 * ends in 2149, a time has the zone of the server. https://clickhouse.com/docs/operations/settings/settings
 */
const SETTINGS = [
  'join_use_nulls = 1',
  'aggregate_functions_null_for_empty = 1',
  'enable_extended_results_for_datetime_functions = 1',
  "session_timezone = 'UTC'",
]

const TYPES: Readonly<Record<Exclude<DataType['kind'], 'decimal'>, string>> = {
  string: 'String',
  json: 'String',
  boolean: 'Bool',
  int: 'Int64',
  float: 'Float64',
  date: 'Date32',
  time: 'Time64(6)',
  timestamp: "DateTime64(6, 'UTC')",
  timestamp_tz: "DateTime64(6, 'UTC')",
}

const nameOf = (type: DataType): string =>
  type.kind === 'decimal' ? `Decimal(${type.precision}, ${type.scale})` : TYPES[type.kind]

/** A double as the decimal that it is written as. */
const DIGITS = 'Nullable(Decimal(76, 30))'
/** All that a text may say of a decimal. */
const READ = 'Nullable(Decimal(76, 38))'
const TOO_FINE: ReadonlySet<DataType['kind']> = new Set(['float', 'string'])
const written = (x: string): string => `CAST(toString(${x}) AS ${DIGITS})`
/** Those of a double that do not depend on the order of rows. https://clickhouse.com/docs/sql-reference/functions/string-replace-functions#printf */
const firstDigits = (x: string): string => `printf('%.15g', ${x})`
/** The last digit depends on how threads share the rows. https://clickhouse.com/docs/sql-reference/aggregate-functions/reference/sumkahan */
const compensatedSum: AggregateSpelling = (call) => `toFloat64(${firstDigits(aggregate('sumKahan')(call))})`

/**
 * Of a double the tie is rounded to the even digit here, of a decimal away from zero. What no decimal holds has no digits to round. A
 * wide decimal becomes a double beside it (3 becomes 2.9999999999999996), its text becomes the nearest one.
 */
const inDecimal =
  (name: string): SpellingOf<'round'> =>
  ([x, n = '0'], [type]) =>
    type.kind === 'float'
      ? `CASE WHEN abs(${x}) < 1e30 THEN toFloat64(toString(${name}(${written(x)}, ${n}))) ELSE ${x} END`
      : `${name}(${x}, ${n})`

/** The remainder of decimals is computed from their digits without the point, so both need the same scale. */
function alike([a, b]: readonly [string, string], [of, by]: readonly [DataType, DataType]): readonly [string, string] {
  const inDouble = (x: string, type: DataType): string => (type.kind === 'decimal' ? `toFloat64(${x})` : x)
  if (of.kind === 'float' || by.kind === 'float') return [inDouble(a, of), inDouble(b, by)]
  const scaleOf = (type: DataType): number => (type.kind === 'decimal' ? type.scale : 0)
  const scale = Math.max(scaleOf(of), scaleOf(by))
  const scaled = (x: string, type: DataType): string =>
    scaleOf(type) === scale ? x : `CAST(${x} AS Nullable(Decimal(38, ${scale})))`
  return [scaled(a, of), scaled(b, by)]
}

/** NULL instead of NaN for an undefined statistic. */
const nullForNaN =
  (name: string): SpellAggregate =>
  (call) => {
    const value = aggregate(name)(call)
    return `CASE WHEN isFinite(${value}) THEN ${value} END`
  }

/** A count over no rows is 0. Only COUNT returns that by itself; other counts return NULL. */
const numberOf = (count: string): string => `ifNull(${count}, 0)`

const WHITE = "' \\t\\n\\r'"
const trimmed =
  (side: string): SpellingOf<'trim'> =>
  ([x]) =>
    `trim(${side} ${WHITE} FROM ${x})`

/** The dedicated functions need constant delimiters and fillings. */
const isText = (rendered: string): boolean => rendered.startsWith("'")

const splitPart: SpellingOf<'split_part'> = ([x, delimiter, n]) => {
  // No text of ours holds U+0000.
  const [separator, text] = isText(delimiter) ? [delimiter, x] : ["'\\0'", `replaceAll(${x}, ${delimiter}, '\\0')`]
  const part = `splitByString(${separator}, assumeNotNull(${text}))[assumeNotNull(${n})]`
  return `CASE WHEN ${x} IS NOT NULL AND ${n} IS NOT NULL THEN ${part} END`
}

const padded =
  (name: string, joined: (text: string, filling: string) => string): SpellingOf<'lpad'> =>
  ([x, length, filling]) => {
    if (isText(filling)) return `${name}(${x}, ${length}, ${filling})`
    const missing = `substringUTF8(repeat(${filling}, ${length}), 1, greatest(${length} - lengthUTF8(${x}), 0))`
    return `substringUTF8(${joined(`(${x})`, missing)}, 1, ${length})`
  }

/** The text of a time without zeros at the end of its fraction. */
const timeText = (x: string): string => `replaceRegexpOne(toString(CAST(${x} AS Nullable(${TYPES.timestamp}))), '[.]?0+$', '')`

function asText(value: string, from: DataType): string {
  switch (from.kind) {
    case 'boolean':
      return `CASE WHEN ${value} THEN 'true' WHEN NOT (${value}) THEN 'false' END`
    case 'float':
      return firstDigits(value)
    case 'decimal':
      return `toDecimalString(${value}, ${from.scale})`
    case 'timestamp':
    case 'timestamp_tz':
      return timeText(value)
    default:
      return `CAST(${value} AS Nullable(String))`
  }
}

const ISO_DATE = '^[0-9]{4}-[0-9]{2}-[0-9]{2}'
const ISO_TIME = '([T ]([01][0-9]|2[0-3]):[0-5][0-9](:[0-5][0-9]([.][0-9]{1,6})?)?)?$'

/** A day that its month does not have becomes one of the next month, and is another text as a date. */
const isDate = (x: string): string => `toString(toDate32OrNull(substring(${x}, 1, 10))) = substring(${x}, 1, 10)`

/** ClickHouse 24.12 and newer. Its types are not NULL unless they say so; texts compare by byte, which is by code point. */
export const clickhouse = defineDialect(ansi, {
  name: 'clickhouse',
  system: { schemas: /^(information_schema|system|_temporary_and_external_tables)$/, tables: /[/\\*?]/ },
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
    columnNames: false,
    leastBooleans: true,
    lagDefault: true,
    signedRanks: false,
    distinctStatistics: false,
    distinctLists: true,
    orderedLists: false,
    mixedOrders: false,
    mixedLists: false,
    mixedChoices: false,
    typedDoubles: true,
    lagNull: false,
    signedCounts: false,
    keysInWindows: true,
    keysInHaving: true,
    comparedUuids: true,
    doublePartitions: true,
    wideSums: false,
    wideDecimals: false,
    longScales: true,
    overflowGuard: false,
    specialCasts: false,
    specialStatistics: false,
    specialModes: false,
    specialPercentiles: false,
    comparedNaN: false,
    orderedNaN: false,
    distinctOrder: true,
    plainZero: false,
    exactDecimals: true,
    laterDates: true,
    exactAverages: false,
    emptyRollup: false,
    nullKeys: false,
    // https://clickhouse.com/docs/sql-reference/operators/exists
    correlated: false,
    openEnds: true,
    computedKeys: false,
    sharedKeys: true,
    rangeJoins: false,
  },
  planner: {
    peerFrames: true,
    groupingSets: true,
    groupedExpressions: true,
    emptySets: true,
    repeatedKeys: true,
  },
  // A backslash escapes in names as it does in texts: https://clickhouse.com/docs/sql-reference/syntax#identifiers
  quote: (identifier) => `"${identifier.replaceAll('\\', '\\\\').replaceAll('"', '""')}"`,
  // No limit is documented; this one keeps names readable.
  maxIdentifierBytes: 1024,
  // A schema is a database here.
  tablePath: ({ database, schema, name }) => [schema ?? database, name].filter((part) => part !== undefined),
  type: (type) => `Nullable(${nameOf(type)})`,
  cast(value, to, from) {
    if (to.kind === 'string') return asText(value, from)
    if (to.kind === 'boolean' && from.kind !== 'string') return `((${value}) <> 0)`
    const exact =
      from.kind === 'float'
        ? `CAST(${firstDigits(value)} AS ${DIGITS})`
        : from.kind === 'string'
          ? `CAST(${value} AS ${READ})`
          : value
    // A cast cuts digits off.
    const cuts = to.kind === 'decimal' && (TOO_FINE.has(from.kind) || (from.kind === 'decimal' && from.scale > to.scale))
    return `CAST(${cuts ? `round(${exact}, ${to.scale})` : value} AS ${this.type(to)})`
  },
  // A backslash always escapes: https://clickhouse.com/docs/sql-reference/functions/string-search-functions#like
  like: ({ value, pattern, negated }) => `${value} ${negated ? 'NOT ' : ''}LIKE ${pattern}`,
  literals: {
    string: (value) => `'${value.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`,
    // Without its type a number with a point is a double.
    decimal: (digits, type) => `${digits}::${nameOf(type)}`,
    date: (iso) => `toDate32('${iso}')`,
    time: (iso) => `CAST('${iso}' AS ${TYPES.time})`,
    timestamp: (iso) => `toDateTime64('${iso}', 6, 'UTC')`,
    timestamp_tz: (iso) => `toDateTime64('${iso}', 6, 'UTC')`,
  },
  lowered: (value, among) => `lowerUTF8(${replaced(value, { ς: 'σ', Σ: 'σ', İ: 'i' }, among, 'replaceAll')})`,
  exceptions: { upper: 'Greek letters with an iota below, and Armenian ligatures, become several characters' },
  functions: {
    not_an_array: notAnArray,
    unless_nan: ([x]) => `CASE WHEN NOT isNaN(${x}) THEN ${x} END`,
    // A cast also reads the value below a NULL.
    finite: ([x]) => `CASE WHEN isFinite(${x}) THEN ifNotFinite(${x}, 0) END`,
    is_nan: ([x]) => `isNaN(${x})`,
    nullable: ([x]) => `toNullable(${x})`,
    substring: ([x, ...numbers]) => `substringUTF8(${[x, ...numbers].join(', ')})`,
    upper: ([x]) => upperKeeping(x, (kept) => `upperUTF8(${kept})`, 'translateUTF8'),
    trim: trimmed('BOTH'),
    ltrim: trimmed('LEADING'),
    rtrim: trimmed('TRAILING'),
    length: ([x]) => `toInt64(lengthUTF8(${x}))`,
    replace: ([x, from, to]) => `replaceAll(${x}, ${from}, ${to})`,
    position: ([needle, haystack]) => `toInt64(positionUTF8(${haystack}, ${needle}))`,
    split_part: splitPart,
    lpad: padded('leftPadUTF8', (text, filling) => `${filling} || ${text}`),
    rpad: padded('rightPadUTF8', (text, filling) => `${text} || ${filling}`),
    starts_with: ([x, prefix]) => `startsWith(${x}, ${prefix})`,
    ends_with: ([x, suffix]) => `endsWith(${x}, ${suffix})`,
    sign: ([x]) => `toInt64(sign(${x}))`,
    round: inDecimal('round'),
    trunc: inDecimal('trunc'),
    mod: (args, types) => {
      const [a, b] = alike(args, types)
      return `((${a}) % ${divisor(b)})`
    },
    div: (args, types) => {
      const [a, b] = alike(args, types)
      if (types.some(({ kind }) => kind === 'float')) return `trunc((${a}) / ${divisor(b)})`
      const quotient = `intDiv(${a}, ${divisor(b)})`
      return types.every(({ kind }) => kind === 'int') ? quotient : `CAST(${quotient} AS Nullable(Decimal(38, 0)))`
    },
    extract: ([unit, x], [, type]) => extract(unit, x, type),
    date_diff: ([unit, start, end]) => dateDiff(unit, start, end),
    last_day: ([x]) => `toLastDayOfMonth(toDate32(${x}))`,
    json_value: jsonValue,
    to_char_iso: ([x], [type]) => (type?.kind === 'date' ? `toString(${x})` : `replaceOne(${timeText(x)}, ' ', 'T')`),
    parse_date: ([x]) => `CASE WHEN match(${x}, '${ISO_DATE}$') AND ${isDate(x)} THEN toDate32OrNull(${x}) END`,
    // A conversion of a text that may be NULL gives a number instead of failing. The message is a constant.
    too_deep: ([x]) => `throwIf(${x} >= 0, 'TREE_TOO_DEEP')`,
    parse_timestamp: ([x]) =>
      `CASE WHEN match(${x}, '${ISO_DATE}${ISO_TIME}') AND ${isDate(x)} THEN toDateTime64OrNull(${x}, 6, 'UTC') END`,
    regexp_matches: ([x, pattern]) => `match(${x}, ${pattern})`,
    regexp_extract: ([x, pattern, group = '0']) =>
      `CASE WHEN match(${x}, ${pattern}) THEN regexpExtract(${x}, ${pattern}, ${group}) END`,
  },
  aggregates: {
    compensated_sum: compensatedSum,
    compensated_avg: (call) => `${compensatedSum(call)} / ${aggregate('COUNT')(call)}`,
    count_distinct: ({ args }) =>
      args.length === 1
        ? `COUNT(DISTINCT ${args[0]})`
        : numberOf(`uniqExactIf(${args.join(', ')}, ${args.map((arg) => `${arg} IS NOT NULL`).join(' AND ')})`),
    approx_count_distinct: ({ args }) => numberOf(`uniqCombined(${args[0]})`),
    // NULLs come last in both directions, and a value that is NULL is skipped: https://clickhouse.com/docs/sql-reference/aggregate-functions/reference/argmin
    first: ({ args: [value], keys }) =>
      `${keys[0]?.descending ? 'argMax' : 'argMin'}(${value}, (${orderedParts(keys).join(', ')}))`,
    // A mode is the least of the most frequent values, and topK is approximate.
    mode: 'rewritten',
    median: ({ args }) => `quantileExactInclusive(0.5)(${args[0]})`,
    percentile: ({ args, percentile }) => `quantileExactInclusive(${percentile})(${args[0]})`,
    stddev_samp: nullForNaN('stddevSampStable'),
    stddev_pop: aggregate('stddevPopStable'),
    var_samp: nullForNaN('varSampStable'),
    var_pop: aggregate('varPopStable'),
    corr: nullForNaN('corrStable'),
    covar_samp: nullForNaN('covarSampStable'),
    covar_pop: aggregate('covarPopStable'),
    regr_slope: 'rewritten',
    regr_intercept: 'rewritten',
    // Ordered by the places that come with the values.
    listagg: ({ args: [value, place], delimiter }) => {
      const pairs = `groupArrayIf((${place}, assumeNotNull(${value})), ${value} IS NOT NULL)`
      const text = `arrayStringConcat(arrayMap(pair -> pair.2, arraySort(${pairs})), ${delimiter ?? "','"})`
      return `CASE WHEN COUNT(${value}) > 0 THEN ${text} END`
    },
    bool_and: ({ args }) => `(MIN((${args[0]}) <> 0) = 1)`,
    bool_or: ({ args }) => `(MAX((${args[0]}) <> 0) = 1)`,
  },
  // They skip NULLs by default: https://clickhouse.com/docs/sql-reference/aggregate-functions/reference/first_value
  windowCall: (name, args) =>
    `${ansi.windowCall(name, args)}${name === 'first_value' || name === 'last_value' ? ' RESPECT NULLS' : ''}`,
  truncate,
  dateAdd: moved,
  // The local time is stored as a time of UTC, and read as a time of the zone.
  instantToZone: (value, zone) => `toDateTime64(toString(toTimeZone(${value}, ${zone})), 6, 'UTC')`,
  zoneToInstant: (value, zone) => `toTimeZone(toDateTime64(toString(${value}), 6, ${zone}), 'UTC')`,
  elements,
  // https://clickhouse.com/docs/sql-reference/statements/select/join#null-values-in-join-keys
  nullSafeEqual: 'IS NOT DISTINCT FROM',
  statementSuffix: `SETTINGS ${SETTINGS.join(', ')}`,
})
