import type { DataType } from '@grainline/core'
import { ansi, type Dialect, defineDialect, divisor, timeUnit } from '@grainline/core/dialect'
import { elements } from './elements.js'
import { big, dateAdd, dateDiff, instant, instantToZone, truncate, zoneToInstant } from './times.js'

const text = ansi.literals.string
const white = "' ' || CHR(9) || CHR(10) || CHR(13)"

const type = (of: DataType): string =>
  of.kind === 'float' ? 'DOUBLE' : of.kind === 'timestamp' ? 'TIMESTAMP(6)' : of.kind === 'json' ? 'VARCHAR' : ansi.type(of)

/** 2024-02-29T23:59:58.500 → 2024-02-29T23:59:58.5 */
const isoText = (value: string): string => `REGEXP_REPLACE(CAST(${value} AS VARCHAR), '([.][0-9]*[1-9])0+', '\\1')`

const inDouble = (x: string, of: DataType | undefined): string => (of?.kind === 'float' ? x : `CAST(${x} AS DOUBLE)`)

const isInt = (of: DataType | undefined): boolean => of?.kind === 'int'

export const datafusion: Dialect = defineDialect(ansi, {
  name: 'datafusion',
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
    keysInHaving: true,
    comparedUuids: true,
    doublePartitions: true,
    wideSums: false,
    wideDecimals: true,
    longScales: true,
    overflowGuard: false,
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
  maxIdentifierBytes: 1024,
  type,
  literals: {
    // A number with a point is a double here.
    decimal: (digits, of) => `${type(of)} ${text(digits)}`,
    timestamp: (iso) => `TIMESTAMP(6) ${text(iso)}`,
    timestamp_tz: (iso) => instant(text(`${iso}Z`)),
  },
  cast: (value, to, from) => {
    if (to.kind === 'timestamp_tz') return instant(value)
    if (to.kind === 'string' && (from.kind === 'timestamp' || from.kind === 'timestamp_tz'))
      return `REPLACE(${isoText(value)}, 'T', ' ')`
    const plain = `CAST(${value} AS ${type(to)})`
    // A text with an exponent can only be parsed as a double.
    return to.kind === 'decimal' && from.kind === 'string'
      ? `CASE WHEN ${value} ILIKE '%e%' THEN CAST(CAST(${value} AS DOUBLE) AS ${type(to)}) ELSE ${plain} END`
      : plain
  },
  functions: {
    trim: ([x]) => `BTRIM(${x}, ${white})`,
    ltrim: ([x]) => `LTRIM(${x}, ${white})`,
    rtrim: ([x]) => `RTRIM(${x}, ${white})`,
    length: ([x]) => big(`CHARACTER_LENGTH(${x})`),
    position: ([needle, x]) => big(`STRPOS(${x}, ${needle})`),
    sign: ([x]) => big(`SIGNUM(${x})`),
    sqrt: ([x], [of]) => `SQRT(CASE WHEN ${inDouble(x, of)} >= 0 THEN ${inDouble(x, of)} END)`,
    ln: ([x], [of]) => `LN(CASE WHEN ${inDouble(x, of)} > 0 THEN ${inDouble(x, of)} END)`,
    exp: ([x], [of]) => `EXP(${inDouble(x, of)})`,
    power: ([x, y], [a, b]) => ansi.functions.power([inDouble(x, a), inDouble(y, b)]),
    log: ([x, y], [a, b]) => ansi.functions.log([inDouble(x, a), inDouble(y, b)]),
    round: ([x, n], [of]) => (isInt(of) && n === undefined ? x : `ROUND(${n === undefined ? x : `${x}, ${n}`})`),
    trunc: ([x, n], [of]) => {
      if (!isInt(of)) return `TRUNC(${n === undefined ? x : `${x}, ${n}`})`
      return n === undefined ? x : big(`TRUNC(CAST(${x} AS DECIMAL(38, 0)), ${n})`)
    },
    // DataFusion 55 returns 0 for every decimal % 1.
    mod: ([x, y], [of]) => (y === '1' && !isInt(of) ? `((${x}) - TRUNC(${x}))` : `((${x}) % ${divisor(y)})`),
    div: ([x, y], types) => {
      const quotient = `(${x}) / ${divisor(y)}`
      if (types.every(isInt)) return `(${quotient})`
      return types.some((of) => of?.kind === 'float') ? `TRUNC(${quotient})` : big(`TRUNC(${quotient})`)
    },
    date_diff: ([unit, from, to]) => dateDiff(timeUnit(unit), from, to),
    extract: ([unit, x]) => big(`FLOOR(DATE_PART(${unit}, ${x}))`),
    last_day: ([x], [of]) => `(${truncate('month', x, of, 'monday')} + INTERVAL '1 month' - INTERVAL '1 day')`,
    json_value: null,
    to_char_iso: ([x], [of]) => (of?.kind === 'date' ? `CAST(${x} AS VARCHAR)` : isoText(x)),
    parse_date: ([x]) => `CASE WHEN REGEXP_LIKE(${x}, '^[0-9]{4}-[0-9]{2}-[0-9]{2}$') THEN TRY_CAST(${x} AS DATE) END`,
    parse_timestamp: ([x]) =>
      `CASE WHEN REGEXP_LIKE(${x}, '^[0-9]{4}-[0-9]{2}-[0-9]{2}([T ][0-9]{2}:[0-9]{2}(:[0-9]{2}([.][0-9]{1,6})?)?)?$') THEN TRY_CAST(${x} AS TIMESTAMP(6)) END`,
    regexp_matches: ([x, pattern]) => `REGEXP_LIKE(${x}, ${pattern})`,
    regexp_extract: ([x, pattern, group]) => `REGEXP_MATCH(${x}, '(' || ${pattern} || ')')[${group ?? 0} + 1]`,
  },
  aggregates: {
    // It accepts texts, integers and times, but neither doubles nor decimals.
    approx_count_distinct: ({ args }) => big(`APPROX_DISTINCT(CAST(${args[0]} AS VARCHAR))`),
    mode: 'rewritten',
    first: ({ args, orderBy }) => `FIRST_VALUE(${args[0]} ORDER BY ${orderBy.join(', ')}) FILTER (WHERE ${args[0]} IS NOT NULL)`,
    listagg: ({ args, distinct, delimiter, orderBy }) =>
      `CAST(STRING_AGG(${distinct ? 'DISTINCT ' : ''}${args[0]}, ${delimiter ?? "','"}${orderBy.length > 0 ? ` ORDER BY ${orderBy.join(', ')}` : ''}) AS VARCHAR)`,
  },
  truncate,
  dateAdd,
  instantToZone,
  zoneToInstant,
  elements,
})
