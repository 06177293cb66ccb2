import type { DataType, Spelling } from '@grainline/core'
import { ansi, defineDialect, divisor, type LikeRequest, type SpellingOf, translatedLower } from '@grainline/core/dialect'
import { elements, notAnArray } from './elements.js'
import { dateDiff, extract, moved, textOf, truncate } from './times.js'

const ISO_DATE = '[0-9]{4}-[0-9]{2}-[0-9]{2}'
const ISO_TIME = '([T ][0-9]{2}:[0-9]{2}(:[0-9]{2}([.][0-9]{1,6})?)?)?'

/** A text of another form is not a date. A text of this form that is not a valid date gives NULL. */
const parsed =
  (form: string, type: string): Spelling =>
  ([x]) =>
    `CASE WHEN REGEXP_LIKE(${x}, '^${form}\\z') THEN TRY_CAST(REPLACE(${x}, 'T', ' ') AS ${type}) END`

const trimmed =
  (side: string): Spelling =>
  ([x]) =>
    `TRIM(${side} U&' \\0009\\000A\\000D' FROM ${x})`

const isFloat = (types: readonly DataType[]): boolean => types.some(({ kind }) => kind === 'float')

/** Only decimals are cut to digits; a value beyond every decimal has no digits after the point. */
const truncated: SpellingOf<'trunc'> = ([x, n], [type]) => {
  if (n === undefined) return type.kind === 'int' ? x : `TRUNCATE(${x})`
  if (type.kind === 'int') return `CAST(TRUNCATE(CAST(${x} AS DECIMAL(19, 0)), ${n}) AS BIGINT)`
  if (type.kind !== 'float') return `TRUNCATE(${x}, ${n})`
  const cut = `CAST(TRUNCATE(CAST(${x} AS DECIMAL(38, 15)), ${n}) AS DOUBLE)`
  return `CASE WHEN ABS(${x}) < 1E22 THEN ${cut} ELSE ${x} END`
}

/** A backslash before a letter without a special meaning is refused, so the backslash is removed. */
function like({ value, pattern, literal, negated }: LikeRequest): string {
  const verb = negated ? 'NOT LIKE' : 'LIKE'
  if (literal === undefined) {
    const plain = `REGEXP_REPLACE(${pattern}, '(?s)(\\\\[%_\\\\])|\\\\(.)', '$1$2')`
    return `${value} ${verb} ${plain} ESCAPE '\\'`
  }
  if (!literal.includes('\\')) return `${value} ${verb} ${pattern}`
  const plain = ansi.literals.string(literal.replace(/(\\[%_\\])|\\(.)/gs, '$1$2'))
  return `${value} ${verb} ${plain} ESCAPE '\\'`
}

function cast(value: string, to: DataType, from: DataType): string {
  if (to.kind === 'json' && from.kind === 'string') return `JSON_PARSE(${value})`
  // FORMAT writes NULL as a text.
  if (to.kind === 'decimal' && from.kind === 'float' && value !== 'NULL')
    return `CAST(NULLIF(FORMAT('%.14e', ${value}), 'null') AS ${nameOf(to)})`
  if (to.kind !== 'string') return `CAST(${value} AS ${nameOf(to)})`
  switch (from.kind) {
    case 'json':
      return `JSON_FORMAT(${value})`
    // 1.5, which a cast writes as 1.5E0; and 3, not 3.0.
    case 'float':
      return `REGEXP_REPLACE(JSON_FORMAT(CAST(${value} AS JSON)), '[.]0$', '')`
    case 'time':
    case 'timestamp':
    case 'timestamp_tz':
      return textOf(value, from)
    default:
      return `CAST(${value} AS VARCHAR)`
  }
}

/** Times have three digits unless they say so: https://trino.io/docs/current/language/types.html#date-and-time */
function nameOf(type: DataType): string {
  switch (type.kind) {
    case 'float':
      return 'DOUBLE'
    case 'time':
      return 'TIME(6)'
    case 'timestamp':
      return 'TIMESTAMP(6)'
    case 'timestamp_tz':
      return 'TIMESTAMP(6) WITH TIME ZONE'
    default:
      return ansi.type(type)
  }
}

/** Trino. Text compares by code point, and whole numbers that leave 64 bits are an error. */
export const trino = defineDialect(ansi, {
  name: 'trino',
  // The catalogs `system` and `jmx`, and of a table `t` its metadata, `t$files`.
  system: { schemas: /^(information_schema|jmx|system)$/, tables: /\$/ },
  // FILTER may follow an aggregate, but not a window call. The connector decides about time travel: Iceberg, Delta Lake.
  capabilities: { supports_arrays: true, supports_time_travel: true, supports_semi_structured: true },
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
    comparedUuids: false,
    doublePartitions: true,
    wideSums: false,
    wideDecimals: true,
    longScales: true,
    overflowGuard: true,
    specialCasts: false,
    specialStatistics: false,
    specialModes: true,
    specialPercentiles: true,
    comparedNaN: false,
    orderedNaN: false,
    distinctOrder: false,
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
    emptySets: true,
    repeatedKeys: true,
  },
  // No limit is documented; this one keeps names readable.
  maxIdentifierBytes: 255,
  type: nameOf,
  cast,
  like,
  // https://trino.io/docs/current/sql/select.html: an offset comes before the limit.
  page: (limit, offset) => [...ansi.page(undefined, offset), ...ansi.page(limit, undefined)],
  literals: {
    // Digits without a point are a BIGINT.
    decimal: (digits) => (/^-?\d{19,}$/.test(digits) ? `DECIMAL '${digits}'` : digits),
    timestamp_tz: (iso) => `TIMESTAMP '${iso} UTC'`,
  },
  lowered: translatedLower({ ς: 'σ' }),
  functions: {
    not_an_array: notAnArray,
    finite: ([x]) => `CASE WHEN IS_FINITE(${x}) THEN ${x} END`,
    is_nan: ([x]) => `IS_NAN(${x})`,
    trim: trimmed('BOTH'),
    ltrim: trimmed('LEADING'),
    rtrim: trimmed('TRAILING'),
    // An empty text is found between all letters.
    replace: ([x, from, to]) => `CASE ${from} WHEN '' THEN ${x} ELSE REPLACE(${x}, ${from}, ${to}) END`,
    split_part: ([x, delimiter, n]) =>
      `COALESCE(SPLIT_PART(${x}, ${delimiter}, ${n}), CASE WHEN ${[x, delimiter, n].map((a) => `${a} IS NOT NULL`).join(' AND ')} THEN '' END)`,
    ends_with: ([x, suffix]) => `(SUBSTRING(${x}, LENGTH(${x}) - LENGTH(${suffix}) + 1) = ${suffix})`,
    trunc: truncated,
    // Without the remainder a quotient of decimals has no digits to round.
    div: ([a, b], types) => {
      const by = divisor(b)
      if (isFloat(types)) return `TRUNCATE((${a}) / ${by})`
      if (types.every(({ kind }) => kind === 'int')) return `((${a}) / ${by})`
      return `CAST(((${a}) - MOD(${a}, ${by})) / ${by} AS DECIMAL(38, 0))`
    },
    // NULL if any is NULL: https://trino.io/docs/current/functions/comparison.html#greatest-and-least
    greatest: (args) => `GREATEST(${args.join(', ')})`,
    least: (args) => `LEAST(${args.join(', ')})`,
    extract,
    date_diff: dateDiff,
    last_day: ([x]) => `LAST_DAY_OF_MONTH(${x})`,
    json_value: ([x, path]) => `JSON_EXTRACT_SCALAR(${x}, ${path})`,
    to_char_iso: ([x], [type]) => `REPLACE(${textOf(x, type)}, ' ', 'T')`,
    parse_date: parsed(ISO_DATE, 'DATE'),
    parse_timestamp: parsed(`${ISO_DATE}${ISO_TIME}`, 'TIMESTAMP(6)'),
    regexp_matches: ([x, pattern]) => `REGEXP_LIKE(${x}, ${pattern})`,
  },
  aggregates: {
    approx_count_distinct: ({ args }) => `APPROX_DISTINCT(${args[0]})`,
    // They do not exist, or only as approximations: https://trino.io/docs/current/functions/aggregate.html
    mode: 'rewritten',
    median: 'rewritten',
    percentile: 'rewritten',
    first: ({ args, orderBy }) =>
      `(ARRAY_AGG(${args[0]} ORDER BY ${orderBy.join(', ')}) FILTER (WHERE ${args[0]} IS NOT NULL))[1]`,
    listagg: ({ args, distinct, delimiter, orderBy }) =>
      `LISTAGG(${distinct ? 'DISTINCT ' : ''}${args[0]}, ${delimiter ?? "','"}) WITHIN GROUP (ORDER BY ${orderBy.join(', ')})`,
  },
  truncate,
  dateAdd: moved,
  // Of each table beside one that reads itself, too: https://trino.io/docs/current/sql/select.html#with-recursive-clause
  recursiveTable: (name, columns) => `${name} (${columns.join(', ')})`,
  instantToZone: (value, zone) => `CAST(${value} AT TIME ZONE ${zone} AS TIMESTAMP(6))`,
  // A value of the zone would be shown in that zone.
  zoneToInstant: (value, zone) => `(WITH_TIMEZONE(${value}, ${zone}) AT TIME ZONE 'UTC')`,
  elements,
})
