import type { DataType } from '@grainline/core'
import {
  ansi,
  defineDialect,
  divisor,
  type ElementsRequest,
  type SpellingOf,
  type TimeGrain,
  timeUnit,
} from '@grainline/core/dialect'
import { likePattern } from './like-pattern.js'
import { dateDiff, moved, parsedTimestamp, started, truncate } from './times.js'

const power = (scale: number): string => `1${'0'.repeat(scale)}`

/** A decimal as the whole number of its last digit's units, which a double holds exactly. */
const units = (x: string, scale: number): string => (scale === 0 ? `ROUND(${x})` : `ROUND((${x}) * ${power(scale)})`)

const scaleOf = (type: DataType | undefined): number => (type?.kind === 'decimal' ? type.scale : 0)

/** A decimal rounded to fewer digits: half of an integer number of units is an exact double, so that a tie is recognized. */
const cut = (name: 'ROUND' | 'TRUNC', x: string, from: number, to: number): string => {
  const shorter = `${name}(${units(x, from)} / ${power(from - to)}.0)`
  return to === 0 ? shorter : `(${shorter} / ${power(to)}.0)`
}

/** ROUND or TRUNC to a number of digits, of which SQLite's TRUNC knows none and its ROUND none before the point. */
const digits =
  (name: 'ROUND' | 'TRUNC'): SpellingOf<'round'> =>
  ([x, n = '0'], [type]) => {
    const scale = scaleOf(type)
    if (/^\d+$/.test(n) && type.kind === 'decimal') return Number(n) < scale ? cut(name, x, scale, Number(n)) : x
    if (n === '0') return `${name}(${x})`
    // Without the noise of the multiplication, such as 28.999999999999996 for 0.29 * 100.
    const shifted = (by: string) => `${name}(ROUND((${x}) * ${by}, 9)) / ${by}`
    const result = shifted(/^\d+$/.test(n) ? `${power(Number(n))}.0` : `POWER(10, ${n})`)
    return type.kind === 'int' ? `CAST(${result} AS INTEGER)` : `(${result})`
  }

/** Operators divide integers exactly, functions divide doubles; decimals are converted to integers first. */
const division =
  (whole: (a: string, b: string) => string, double: (a: string, b: string) => string, keepsScale: boolean): SpellingOf<'div'> =>
  ([a, b], types) => {
    if (types.every(({ kind }) => kind === 'int')) return whole(`(${a})`, divisor(`(${b})`))
    if (types.some(({ kind }) => kind === 'float')) return double(`(${a})`, divisor(`(${b})`))
    const scale = Math.max(...types.map(scaleOf))
    const inUnits = (arg: string) => `CAST(${units(arg, scale)} AS INTEGER)`
    const result = whole(inUnits(a), divisor(inUnits(b)))
    return keepsScale && scale > 0 ? `(${result} / ${power(scale)}.0)` : result
  }

/** A JSON text holds the array; its elements are values or objects. Each function of JSON reads only what is JSON, for it fails on other texts. */
function elements({ table, array, key, fields }: ElementsRequest): string {
  const columns = [
    ...key.map(({ column, alias }) => `"row".${column} AS ${alias}`),
    ...fields.map((field) => `${fieldOf(field)} AS ${field.name}`),
  ]
  const text = `"row".${array}`
  const list = `CASE WHEN NOT JSON_VALID(${text}) THEN NULL WHEN JSON_TYPE(${text}) = 'array' THEN ${text} END`
  return `SELECT ${columns.join(', ')}\nFROM ${table} AS "row" CROSS JOIN JSON_EACH(${list}) AS "each"`
}

/** A field of an element as JSON, or as a value; NULL if the element is no object, or its value has another type. */
function fieldOf({ code, text, type, sqlType }: ElementsRequest['fields'][number]): string {
  if (code === '#') return '"each"."key" + 1'
  const whole = code === '*'
  const path = `'$."' || ${text} || '"'`
  const found = whole ? '"each"."value"' : `JSON_EXTRACT("each"."value", ${path})`
  const cases = whole ? [] : [`WHEN "each"."type" <> 'object' THEN NULL`]
  if (type.kind === 'json')
    return whole
      ? `CASE WHEN "each"."type" IN ('array', 'object') THEN ${found} ELSE JSON_QUOTE(${found}) END`
      : `CASE ${cases} ELSE "each"."value" -> (${path}) END`
  if (TEXTS.has(type.kind)) return whole ? found : `CASE ${cases} ELSE ${found} END`
  // A text is equal to the number that it is written as, and to no other.
  const number = `CAST(${found} AS ${type.kind === 'int' ? sqlType : 'NUMERIC'})`
  return `CASE ${[...cases, `WHEN ${found} = ${number} THEN CAST(${found} AS ${sqlType})`].join(' ')} END`
}

const WHITE = "' ' || CHAR(9) || CHAR(10) || CHAR(13)"

const fill = (length: string, filling: string): string => `REPLACE(PRINTF('%*s', ${length}, ''), ' ', ${filling})`

/** The part of a text between its delimiters n - 1 and n, found one part after another. */
const splitPart: SpellingOf<'split_part'> = ([x, delimiter, n]) =>
  [
    `CASE WHEN ${x} IS NOT NULL AND ${delimiter} IS NOT NULL AND ${n} IS NOT NULL THEN (`,
    `WITH RECURSIVE parts(n, rest, delimiter, wanted) AS (SELECT 1, ${x} || ${delimiter}, ${delimiter}, ${n} UNION ALL `,
    "SELECT n + 1, SUBSTR(rest, INSTR(rest, delimiter) + LENGTH(delimiter)), delimiter, wanted FROM parts WHERE n < wanted AND rest <> '') ",
    "SELECT COALESCE(MAX(CASE WHEN n = wanted THEN SUBSTR(rest, 1, INSTR(rest, delimiter) - 1) END), '') FROM parts) END",
  ].join('')

const TYPES: Partial<Record<DataType['kind'], string>> = { string: 'TEXT', boolean: 'INTEGER', int: 'INTEGER', float: 'REAL' }
const TEXTS: ReadonlySet<DataType['kind']> = new Set(['string', 'date', 'time', 'timestamp', 'timestamp_tz', 'json'])

const written = (double: string): string => `PRINTF('%.15g', ${double})`

function asString(value: string, from: DataType): string {
  if (TEXTS.has(from.kind)) return value
  if (from.kind === 'boolean') return `CASE WHEN ${value} THEN 'true' WHEN NOT (${value}) THEN 'false' END`
  if (from.kind === 'float') return `CASE WHEN ${value} IS NOT NULL THEN ${written(value)} END`
  if (from.kind !== 'decimal') return `CAST(${value} AS TEXT)`
  return `CASE WHEN ${value} IS NOT NULL THEN PRINTF('%.${from.scale}f', ${value}) END`
}

/** Half of a whole number of units is an exact double. PRINTF writes NULL as 0. */
function rounded(value: string, scale: number): string {
  const inUnits = `ROUND(CAST(${written(scale === 0 ? value : `(${value}) * ${power(scale)}`)} AS REAL))`
  return `CASE WHEN ${value} IS NOT NULL THEN ${scale === 0 ? inUnits : `${inUnits} / ${power(scale)}`} END`
}

function asDecimal(value: string, scale: number, from: DataType): string {
  if (from.kind === 'int') return scale === 0 ? value : `CAST(${value} AS REAL)`
  if (from.kind === 'decimal' && from.scale > scale) return cut('ROUND', value, from.scale, scale)
  if (from.kind === 'float') return rounded(value, scale)
  return `ROUND(${value}, ${scale})`
}

/**
 * SQLite 3.46 and newer, with its mathematical functions. It has numbers and texts alone: a boolean is 0 or 1, a decimal is a double,
 * a date is the text `YYYY-MM-DD`, a timestamp `YYYY-MM-DD HH:MM:SS[.f]`: https://www.sqlite.org/datatype3.html
 */
export const sqlite = defineDialect(ansi, {
  name: 'sqlite',
  system: { schemas: /^temp$/, tables: /^((sqlite|pragma)_|(bytecode|dbstat|fsdir|fts3tokenize|tables_used)$)/ },
  capabilities: { supports_window_filters: true, supports_semi_structured: true },
  // https://www.sqlite.org/lang_datefunc.html
  semantics: {
    exactText: true,
    nullsOrder: true,
    hiddenOrder: true,
    shownOrder: true,
    columnNames: false,
    leastBooleans: true,
    lagDefault: true,
    signedRanks: true,
    distinctStatistics: false,
    distinctLists: false,
    orderedLists: true,
    mixedOrders: true,
    mixedLists: true,
    mixedChoices: true,
    typedDoubles: false,
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
    exactDecimals: false,
    laterDates: false,
    exactAverages: false,
    emptyRollup: true,
    nullKeys: true,
    correlated: false,
    openEnds: true,
    computedKeys: true,
    sharedKeys: true,
    rangeJoins: true,
  },
  planner: {
    peerFrames: true,
    keepsTables: true,
  },
  // No limit is documented; this one keeps names readable.
  maxIdentifierBytes: 1024,
  // A schema is an attached database: https://www.sqlite.org/lang_attach.html
  tablePath: ({ database, schema, name }) => [schema ?? database, name].filter((part) => part !== undefined),
  type: (type) => TYPES[type.kind] ?? (type.kind === 'decimal' ? ansi.type(type) : 'TEXT'),
  cast(value, to, from) {
    switch (to.kind) {
      case 'string':
        return asString(value, from)
      case 'boolean':
        return from.kind === 'string'
          ? `CASE LOWER(${value}) WHEN 'true' THEN TRUE WHEN 'false' THEN FALSE END`
          : `((${value}) <> 0)`
      case 'decimal':
        return asDecimal(value, to.scale, from)
      case 'date':
        // A date is cast to a date if a time may be stored instead.
        if (from.kind === 'string') return `DATE(${value})`
        return value === 'NULL' ? value : `SUBSTR(${value}, 1, 10)`
      case 'timestamp':
      case 'timestamp_tz':
        return from.kind === 'string' ? parsedTimestamp(value) : started(value, from)
      case 'time':
        return from.kind === 'string' ? `TIME(${value})` : `SUBSTR(${started(value, from)}, 12)`
      case 'json':
        return value
      default:
        return `CAST(${value} AS ${TYPES[to.kind]})`
    }
  },
  // LIKE ignores case; GLOB does not: https://www.sqlite.org/lang_expr.html#like
  like: (request) => `${request.value} ${request.negated ? 'NOT ' : ''}GLOB ${likePattern(request)}`,
  lowered: (value) => `LOWER(${value})`,
  // An offset needs a limit before it, of which -1 is none: https://www.sqlite.org/lang_select.html#limitoffset
  page: (limit, offset = 0) => ansi.page(limit ?? (offset > 0 ? -1 : undefined), offset),
  literals: {
    date: ansi.literals.string,
    time: ansi.literals.string,
    timestamp: ansi.literals.string,
    timestamp_tz: ansi.literals.string,
  },
  exceptions: { lower: 'only ASCII letters change', upper: 'only ASCII letters change' },
  functions: {
    not_an_array: ([x]) => `CASE WHEN JSON_VALID(${x}) THEN JSON_TYPE(${x}) NOT IN ('array', 'null') ELSE ${x} IS NOT NULL END`,
    substring: ([x, ...numbers]) => `SUBSTR(${[x, ...numbers].join(', ')})`,
    trim: ([x]) => `TRIM(${x}, ${WHITE})`,
    ltrim: ([x]) => `LTRIM(${x}, ${WHITE})`,
    rtrim: ([x]) => `RTRIM(${x}, ${WHITE})`,
    position: ([needle, haystack]) => `INSTR(${haystack}, ${needle})`,
    split_part: splitPart,
    lpad: ([x, length, filling]) =>
      `SUBSTR(SUBSTR(${fill(length, filling)}, 1, MAX(${length} - LENGTH(${x}), 0)) || (${x}), 1, ${length})`,
    rpad: ([x, length, filling]) => `SUBSTR((${x}) || ${fill(length, filling)}, 1, ${length})`,
    starts_with: ([x, prefix]) => `(SUBSTR(${x}, 1, LENGTH(${prefix})) = ${prefix})`,
    ends_with: ([x, suffix]) => `(SUBSTR(${x}, LENGTH(${x}) - LENGTH(${suffix}) + 1) = ${suffix})`,
    round: digits('ROUND'),
    trunc: digits('TRUNC'),
    mod: division(
      (a, b) => `(${a} % ${b})`,
      (a, b) => `MOD(${a}, ${b})`,
      true,
    ),
    div: division(
      (a, b) => `(${a} / ${b})`,
      (a, b) => `TRUNC(${a} / ${b})`,
      false,
    ),
    greatest: (args) => (args.length === 1 ? args[0] : `MAX(${args.join(', ')})`),
    least: (args) => (args.length === 1 ? args[0] : `MIN(${args.join(', ')})`),
    date_diff: ([unit, start, end], [, from, to]) => dateDiff(timeUnit(unit), started(start, from), started(end, to)),
    extract: ([unit, x], [, type]) => `CAST(${FIELDS[timeUnit(unit)](started(x, type))} AS INTEGER)`,
    // Four hundred years earlier, because the month after December 9999 has no dates.
    last_day: ([x]) => `DATE(SUBSTR(${x}, 1, 10), 'start of month', '-4799 months', '-1 day', '+4800 months')`,
    json_value: ([x, path]) =>
      `CASE WHEN JSON_TYPE(${x}, ${path}) = 'text' THEN ${x} ->> ${path} WHEN JSON_TYPE(${x}, ${path}) NOT IN ('object', 'array', 'null') THEN ${x} -> ${path} END`,
    to_char_iso: ([x]) => `REPLACE(${x}, ' ', 'T')`,
    // A text that is not a date, or not in this form, changes when it is read as a date.
    parse_date: ([x]) => `CASE WHEN DATE(${x}) = ${x} THEN ${x} END`,
    parse_timestamp: ([x]) => parsedTimestamp(x),
    // Nothing that is cast fails; a path of JSON does, with its text.
    too_deep: ([x]) => `JSON_EXTRACT('{}', 'TREE_TOO_DEEP ' || ${x})`,
    // The operator exists, but the function that implements it does not: https://www.sqlite.org/lang_expr.html#regexp
    regexp_matches: null,
    regexp_extract: null,
  },
  aggregates: {
    count_distinct: ({ args }) =>
      args.length === 1
        ? `COUNT(DISTINCT ${args[0]})`
        : `COUNT(DISTINCT CASE WHEN ${args.map((a) => `${a} IS NOT NULL`).join(' AND ')} THEN JSON_ARRAY(${args.join(', ')}) END)`,
    // Exact: the engine has no sketch.
    approx_count_distinct: ({ args }) => `COUNT(DISTINCT ${args[0]})`,
    mode: 'rewritten',
    median: 'rewritten',
    percentile: 'rewritten',
    stddev_samp: 'rewritten',
    stddev_pop: 'rewritten',
    var_samp: 'rewritten',
    var_pop: 'rewritten',
    corr: 'rewritten',
    covar_samp: 'rewritten',
    covar_pop: 'rewritten',
    regr_slope: 'rewritten',
    regr_intercept: 'rewritten',
    listagg: ({ args, delimiter, orderBy }) => `GROUP_CONCAT(${args[0]}, ${delimiter ?? "','"} ORDER BY ${orderBy.join(', ')})`,
    bool_and: ({ args }) => `(MIN((${args[0]}) <> 0) = 1)`,
    bool_or: ({ args }) => `(MAX((${args[0]}) <> 0) = 1)`,
  },
  truncate,
  dateAdd: moved,
  instantToZone: inUtc,
  zoneToInstant: inUtc,
  elements,
  // An automatic index serves it, and no expression: https://www.sqlite.org/optoverview.html#automatic_query_time_indexes
  nullSafeEqual: 'IS',
  // For a column that is declared with NOCASE or RTRIM.
  byCodePoint: (text) => `${text} COLLATE BINARY`,
})

const FIELDS: Readonly<Record<TimeGrain, (time: string) => string>> = {
  year: (x) => `SUBSTR(${x}, 1, 4)`,
  quarter: (x) => `(SUBSTR(${x}, 6, 2) + 2) / 3`,
  month: (x) => `SUBSTR(${x}, 6, 2)`,
  week: (x) => `STRFTIME('%V', SUBSTR(${x}, 1, 10))`,
  day: (x) => `SUBSTR(${x}, 9, 2)`,
  hour: (x) => `SUBSTR(${x}, 12, 2)`,
  minute: (x) => `SUBSTR(${x}, 15, 2)`,
  second: (x) => `SUBSTR(${x}, 18, 2)`,
}

/** An instant is a text in UTC; the engine knows no other zone but that of its host. */
function inUtc(value: string, zone: string): string | null {
  return /^'(Etc\/)?(UTC|Universal|Zulu)'$/i.test(zone) ? value : null
}
