import type { DataType, Spelling } from '@grainline/core'
import {
  aggregate,
  ansi,
  defineDialect,
  type LowerLetters,
  replaced,
  type SpellingOf,
  type TimeGrain,
  timeUnit,
} from '@grainline/core/dialect'
import { elements, textLiteral } from './elements.js'

/** Makes text compare by code point, trailing spaces included. The default collation treats 'a', 'A' and 'á' as equal, an older one also 'a '. */
export const collated =
  (collation: string) =>
  (text: string): string =>
    `CONVERT(${text} USING utf8mb4) COLLATE ${collation}`

/** The functions that compare text. */
export function comparing(collation: string): Readonly<Record<string, Spelling>> {
  const exact = collated(collation)
  const exactly =
    (spell: (args: readonly string[]) => string): Spelling =>
    (args, types) =>
      spell(args.map((arg, i) => (types[i]?.kind === 'string' ? exact(arg) : arg)))
  return {
    position: exactly(([needle, haystack]) => `LOCATE(${needle}, ${haystack})`),
    starts_with: exactly(([x, prefix]) => `(LEFT(${x}, CHAR_LENGTH(${prefix})) = ${prefix})`),
    ends_with: exactly(([x, suffix]) => `(RIGHT(${x}, CHAR_LENGTH(${suffix})) = ${suffix})`),
    nullif: exactly((args) => `NULLIF(${args.join(', ')})`),
    greatest: exactly((args) => `GREATEST(${args.join(', ')})`),
    least: exactly((args) => `LEAST(${args.join(', ')})`),
    regexp_matches: exactly(([x, pattern]) => `(${x} REGEXP ${pattern})`),
    regexp_extract: exactly(([x, pattern, group = '0']) => {
      const found = `REGEXP_SUBSTR(${x}, ${pattern})`
      return group === '0' ? found : `REGEXP_REPLACE(${found}, ${pattern}, '$${group}')`
    }),
  }
}

/** It does not pad, and exists since 8.0.17: https://dev.mysql.com/doc/refman/8.0/en/charset-unicode-sets.html */
const CODE_POINTS = 'utf8mb4_0900_bin'

const WHITE = '[ \\\\t\\\\n\\\\r]+'
const ISO_DATE = '[0-9]{4}-[0-9]{2}-[0-9]{2}'
const ISO_TIME = '([T ]([01][0-9]|2[0-3]):[0-5][0-9](:[0-5][0-9]([.][0-9]{1,6})?)?)?'

/** A text of another form is not a date. A text of this form that is not a valid date gives NULL. */
const parsed =
  (form: string, type: string): Spelling =>
  ([x]) =>
    `CASE WHEN ${x} REGEXP '^${form}$' THEN CAST(${x} AS ${type}) END`

const DIGITS = 'DECIMAL(65, 30)'
/** ROUND of a double rounds ties to even here, ROUND of a decimal away from zero. A value outside the range of decimals has no digits to round. */
const inDecimal =
  (name: string): Spelling =>
  ([x, n = '0'], [type]) =>
    type?.kind === 'float'
      ? `CASE WHEN ABS(${x}) < 1e30 THEN CAST(${name}(CAST(${x} AS ${DIGITS}), ${n}) AS DOUBLE) ELSE ${x} END`
      : `${name}(${x}, ${n})`

const day = (x: string): string => `CAST(${x} AS DATE)`
const startOfMonth = (x: string): string => `${day(x)} - INTERVAL (DAYOFMONTH(${x}) - 1) DAY`

const CLOCK: Partial<Record<TimeGrain, string>> = { hour: '%H:00:00', minute: '%H:%i:00', second: '%H:%i:%s' }

/** The bucket of a DATE or DATETIME. */
function truncate(grain: TimeGrain, x: string, weekStart: 'monday' | 'sunday'): string {
  const clock = CLOCK[grain]
  if (clock !== undefined) return `CAST(DATE_FORMAT(${x}, '%Y-%m-%d ${clock}') AS DATETIME)`
  if (!COLUMN.test(x) && grain !== 'day') return saidOnce(grain, x, weekStart)
  switch (grain) {
    case 'year':
      return `(${day(x)} - INTERVAL (DAYOFYEAR(${x}) - 1) DAY)`
    case 'quarter':
      return `(${startOfMonth(x)} - INTERVAL MOD(MONTH(${x}) - 1, 3) MONTH)`
    case 'month':
      return `(${startOfMonth(x)})`
    case 'week':
      return `(${day(x)} - INTERVAL ${weekStart === 'monday' ? `WEEKDAY(${x})` : `(DAYOFWEEK(${x}) - 1)`} DAY)`
    default:
      return day(x)
  }
}

/** An expression that is short enough to be written twice. */
const COLUMN = /^[\w`.:]+$/

/** A Monday, and the first day of a month, a quarter and a year: whole units since then, at midnight, are boundaries that were passed. */
const FIRST = "DATE '0001-01-01'"

/** The same bucket of an expression that is not a column: written twice, nested buckets would double the text with each level. */
function saidOnce(grain: TimeGrain, x: string, weekStart: 'monday' | 'sunday'): string {
  const since = (unit: string): string => `TIMESTAMPDIFF(${unit}, ${FIRST}, ${x})`
  if (grain === 'week' && weekStart === 'sunday') return `(${FIRST} + INTERVAL ((${since('DAY')} + 1) DIV 7 * 7 - 1) DAY)`
  const unit = grain.toUpperCase()
  return `(${FIRST} + INTERVAL ${since(unit)} ${unit})`
}

/** How many boundaries of the unit lie between two times: TIMESTAMPDIFF counts whole units, of which the starts of two have no other. */
const dateDiff: SpellingOf<'date_diff'> = ([unit, ...times]) => {
  const grain = timeUnit(unit)
  const cut = times.map((time) => truncate(grain, time, 'monday'))
  return `TIMESTAMPDIFF(${grain.toUpperCase()}, ${cut.join(', ')})`
}

/** The largest LIMIT: 2^64 - 1. */
const MOST_ROWS = '18446744073709551615'

const CAST_NAMES: Partial<Record<DataType['kind'], string>> = {
  string: 'CHAR',
  boolean: 'SIGNED',
  int: 'SIGNED',
  float: 'DOUBLE',
  time: 'TIME(6)',
  timestamp: 'DATETIME(6)',
  // An instant is a DATETIME in UTC here: https://dev.mysql.com/doc/refman/8.0/en/cast-functions.html
  timestamp_tz: 'DATETIME(6)',
}

/** Zones that a server without time zone tables knows too. */
const isUtc = (zone: string): boolean => /^'(Etc\/)?(UTC|Universal|Zulu)'$/i.test(zone)

/** A TIMESTAMP as the DATETIME that it shows in UTC. */
const shown = (value: string): string => `CAST(${value} AS DATETIME(6))`

const LETTERS: LowerLetters = { ς: 'σ', İ: 'i', ẞ: 'ß' }

/** A double with 15 digits; 0 has no logarithm. */
const digits = (x: string): string => `COALESCE(ROUND(${x}, 14 - FLOOR(LOG10(ABS(${x})))), ${x})`

/** MySQL 8.0.17 and newer. A schema is a database here, a boolean a number, and NULLs come first. */
export const mysql = defineDialect(ansi, {
  name: 'mysql',
  // https://dev.mysql.com/doc/refman/8.4/en/system-schema.html
  system: { schemas: /^(information_schema|mysql|ndbinfo|performance_schema|sys)$/ },
  capabilities: { supports_semi_structured: true },
  semantics: {
    exactText: false,
    nullsOrder: false,
    hiddenOrder: true,
    shownOrder: true,
    columnNames: true,
    leastBooleans: true,
    lagDefault: true,
    signedRanks: false,
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
    keysInHaving: false,
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
    // https://dev.mysql.com/doc/refman/8.4/en/datetime.html
    laterDates: false,
    exactAverages: false,
    emptyRollup: true,
    nullKeys: true,
    correlated: true,
    openEnds: true,
    computedKeys: true,
    sharedKeys: false,
    rangeJoins: true,
  },
  planner: {
    peerFrames: true,
    keepsTables: true,
    rangeFrames: true,
  },
  quote: (identifier) => `\`${identifier.replaceAll('`', '``')}\``,
  // Characters, in fact: https://dev.mysql.com/doc/refman/8.0/en/identifier-length.html
  maxIdentifierBytes: 64,
  // In a three-part name, MySQL calls the schema a database.
  tablePath: ({ database, schema, name }) => [schema ?? database, name].filter((part) => part !== undefined),
  type: (type) => CAST_NAMES[type.kind] ?? ansi.type(type),
  cast(value, to, from) {
    if (to.kind === 'boolean') return `((${value}) <> 0)`
    if (to.kind === 'string' && from.kind === 'boolean')
      return `CASE WHEN ${value} THEN 'true' WHEN NOT (${value}) THEN 'false' END`
    const rounds = from.kind === 'float' && (to.kind === 'decimal' || to.kind === 'string') && value !== 'NULL'
    return `CAST(${rounds ? digits(value) : value} AS ${this.type(to)})`
  },
  lowered: (value, among) => `LOWER(${replaced(value, LETTERS, among)})`,
  // A TIMESTAMP is an instant, which the session shows in UTC: https://dev.mysql.com/doc/refman/8.4/en/datetime.html
  storedKinds: { timestamp: 'timestamp_tz' },
  order: (value, descending) => `${value}${descending ? ' DESC' : ''}`,
  // An offset needs a limit before it: https://dev.mysql.com/doc/refman/8.0/en/select.html
  page: (limit, offset = 0) =>
    limit === undefined && offset > 0 ? [`LIMIT ${MOST_ROWS}`, `OFFSET ${offset}`] : ansi.page(limit, offset),
  literals: {
    string: textLiteral,
    // The session runs in UTC; a literal with an offset is known to 8.0.19 and newer only.
    timestamp_tz: (iso) => `TIMESTAMP '${iso}'`,
  },
  functions: {
    not_an_array: ([x]) => `JSON_TYPE(${x}) NOT IN ('ARRAY', 'NULL')`,
    ...comparing(CODE_POINTS),
    concat: (args) => `CONCAT(${args.join(', ')})`,
    length: ([x]) => `CHAR_LENGTH(${x})`,
    lpad: ([x, length, fill]) => `LPAD(${x}, ${length}, ${fill})`,
    rpad: ([x, length, fill]) => `RPAD(${x}, ${length}, ${fill})`,
    trim: ([x]) => `REGEXP_REPLACE(${x}, '^${WHITE}|${WHITE}$', '')`,
    ltrim: ([x]) => `REGEXP_REPLACE(${x}, '^${WHITE}', '')`,
    rtrim: ([x]) => `REGEXP_REPLACE(${x}, '${WHITE}$', '')`,
    replace: ([x, from, to]) => `CASE WHEN ${from} = '' AND ${to} IS NOT NULL THEN ${x} ELSE REPLACE(${x}, ${from}, ${to}) END`,
    split_part: ([x, delimiter, n]) => {
      const parts = `(CHAR_LENGTH(${x}) - CHAR_LENGTH(REPLACE(${x}, ${delimiter}, ''))) DIV CHAR_LENGTH(${delimiter}) + 1`
      return `CASE WHEN ${n} > ${parts} THEN '' ELSE SUBSTRING_INDEX(SUBSTRING_INDEX(${x}, ${delimiter}, ${n}), ${delimiter}, -1) END`
    },
    sign: ([x]) => `SIGN(${x})`,
    round: inDecimal('ROUND'),
    trunc: inDecimal('TRUNCATE'),
    mod: ([a, b]) => `MOD(${a}, ${b})`,
    div: ([a, b], types) => {
      if (types.every(({ kind }) => kind === 'int')) return `((${a}) DIV (${b}))`
      if (types.some(({ kind }) => kind === 'float')) return `TRUNCATE((${a}) / (${b}), 0)`
      // The quotient of decimals is cut after some digits; without the remainder it is a whole number.
      return `ROUND(((${a}) - MOD(${a}, ${b})) / (${b}))`
    },
    extract: ([unit, x]) => {
      const grain = timeUnit(unit)
      return grain === 'week' ? `WEEK(${x}, 3)` : `EXTRACT(${grain.toUpperCase()} FROM ${x})`
    },
    date_diff: dateDiff,
    last_day: ([x]) => `LAST_DAY(${x})`,
    json_value: ([x, path]) => {
      const found = `JSON_EXTRACT(${x}, ${path})`
      return `CASE WHEN JSON_TYPE(${found}) NOT IN ('OBJECT', 'ARRAY', 'NULL') THEN JSON_UNQUOTE(${found}) END`
    },
    to_char_iso: ([x], [type]) =>
      type?.kind === 'date'
        ? `CAST(${x} AS CHAR)`
        : `TRIM(TRAILING '.' FROM TRIM(TRAILING '0' FROM DATE_FORMAT(${x}, '%Y-%m-%dT%H:%i:%s.%f')))`,
    // Only arithmetic fails in a SELECT; the message repeats it.
    too_deep: ([x]) => `(9223372036854775807 + CHAR_LENGTH(CONCAT('TREE_TOO_DEEP ', ${x})))`,
    parse_date: parsed(ISO_DATE, 'DATE'),
    parse_timestamp: parsed(`${ISO_DATE}${ISO_TIME}`, 'DATETIME(6)'),
  },
  aggregates: {
    // https://dev.mysql.com/doc/refman/8.0/en/aggregate-functions.html
    count_distinct: ({ args }) => `COUNT(DISTINCT ${args.join(', ')})`,
    approx_count_distinct: ({ args }) => `COUNT(DISTINCT ${args[0]})`,
    any_value: aggregate('MIN'),
    mode: 'rewritten',
    median: 'rewritten',
    percentile: 'rewritten',
    corr: 'rewritten',
    covar_samp: 'rewritten',
    covar_pop: 'rewritten',
    regr_slope: 'rewritten',
    regr_intercept: 'rewritten',
    listagg: ({ args, distinct, delimiter, orderBy }) =>
      `GROUP_CONCAT(${distinct ? 'DISTINCT ' : ''}${args[0]} ORDER BY ${orderBy.join(', ')} SEPARATOR ${delimiter ?? "','"})`,
    bool_and: ({ args }) => `(MIN((${args[0]}) <> 0) = 1)`,
    bool_or: ({ args }) => `(MAX((${args[0]}) <> 0) = 1)`,
  },
  truncate: (grain, value, _type, weekStart) => truncate(grain, value, weekStart),
  dateAdd: (unit, count, value) => `(${value} + INTERVAL ${count} ${unit.toUpperCase()})`,
  // NULL if the time zone tables of the server are empty: https://dev.mysql.com/doc/refman/8.0/en/time-zone-support.html
  instantToZone: (value, zone) => (isUtc(zone) ? shown(value) : `CONVERT_TZ(${value}, '+00:00', ${zone})`),
  zoneToInstant: (value, zone) => (isUtc(zone) ? value : `CONVERT_TZ(${value}, ${zone}, '+00:00')`),
  collate: collated(CODE_POINTS),
  // https://dev.mysql.com/doc/refman/8.4/en/comparison-operators.html#operator_equal-to
  nullSafeEqual: '<=>',
  elements,
})
