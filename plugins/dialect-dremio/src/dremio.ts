import { type DataType, fail } from '@grainline/core'
import {
  ansi,
  defineDialect,
  divisor,
  type ElementsRequest,
  inDouble,
  isClock,
  type SpellingOf,
  type TimeGrain,
  timeUnit,
} from '@grainline/core/dialect'

const ISO_DATE = '[0-9]{4}-[0-9]{2}-[0-9]{2}'
const ISO_TIME = '([T ]([01][0-9]|2[0-3]):[0-5][0-9](:[0-5][0-9]([.][0-9]{1,6})?)?)?'
const WHITE = '[ \\t\\n\\r]+'

const isFloat = (types: readonly DataType[]): boolean => types.some(({ kind }) => kind === 'float')
const timestamp = (value: string, type: DataType | undefined): string =>
  type?.kind === 'date' ? `CAST(${value} AS TIMESTAMP)` : value
const day = (value: string, type: DataType | undefined): string => (type?.kind === 'date' ? value : `CAST(${value} AS DATE)`)

/** The bucket of a time; weeks begin on Monday: https://docs.dremio.com/current/reference/sql/sql-functions/functions/DATE_TRUNC/ */
function truncate(grain: TimeGrain, value: string, type: DataType | undefined, weekStart: 'monday' | 'sunday'): string {
  if (isClock(grain)) return `DATE_TRUNC('${grain}', ${timestamp(value, type)})`
  if (grain === 'day') return day(value, type)
  const cut = (x: string): string => `CAST(DATE_TRUNC('${grain}', ${x}) AS DATE)`
  if (grain !== 'week' || weekStart === 'monday') return cut(day(value, type))
  return moved('day', '-1', cut(moved('day', '1', day(value, type), 'DATE')), 'DATE')
}

const moved = (unit: string, count: string, value: string, type: 'DATE' | 'TIMESTAMP'): string =>
  `CAST(TIMESTAMPADD(${unit.toUpperCase()}, ${count}, ${value}) AS ${type})`

/** How many boundaries of the unit lie between two times: TIMESTAMPDIFF counts whole units, of which the starts of two have no other. */
const dateDiff: SpellingOf<'date_diff'> = ([unit, start, end], [, from, to]) => {
  const grain = timeUnit(unit)
  const cut = (x: string, type: DataType | undefined): string => truncate(grain, x, type, 'monday')
  return `CAST(TIMESTAMPDIFF(${grain.toUpperCase()}, ${cut(start, from)}, ${cut(end, to)}) AS BIGINT)`
}

/** REGEXP_LIKE matches the whole text: https://docs.dremio.com/current/reference/sql/sql-functions/functions/REGEXP_LIKE/ */
function matches(x: string, pattern: string): string {
  const inside = pattern.startsWith("'") ? `'(?s).*(?:${pattern.slice(1, -1)}).*'` : `'(?s).*(?:' || ${pattern} || ').*'`
  return `REGEXP_LIKE(${x}, ${inside})`
}

/** A cast that would fail is not reached: first the form, then the length of the month. */
const parsed =
  (form: string, type: string): SpellingOf<'parse_date'> =>
  ([x]) => {
    const days = `EXTRACT(DAY FROM LAST_DAY(CAST(SUBSTRING(${x}, 1, 8) || '01' AS DATE)))`
    const fits = `CAST(SUBSTRING(${x}, 6, 2) AS INTEGER) BETWEEN 1 AND 12 AND CAST(SUBSTRING(${x}, 9, 2) AS INTEGER) BETWEEN 1 AND ${days}`
    return `CASE WHEN ${matches(x, `'^${form}$'`)} THEN CASE WHEN ${fits} THEN CAST(REPLACE(${x}, 'T', ' ') AS ${type}) END END`
  }

/** A tuple cannot be counted. The text of its parts, each after its length, is different for every different tuple. */
function tuple(args: readonly string[]): string {
  const texts = args.map((arg) => `CAST(${arg} AS VARCHAR)`)
  const parts = texts.map((text) => `CAST(CHAR_LENGTH(${text}) AS VARCHAR) || ':' || ${text}`)
  return `CASE WHEN ${args.map((arg) => `${arg} IS NOT NULL`).join(' AND ')} THEN ${parts.join(' || ')} END`
}

/** A list of values or structs; FLATTEN makes rows of it, without a place. */
function elements({ table, array, sqlType, key, fields }: ElementsRequest): string {
  if (sqlType?.toLowerCase() === 'json')
    return fail('UNSUPPORTED_SQL_FEATURE', 'the elements of an array in a JSON text cannot be read as rows on dremio')
  const fieldOf = ({ code, name, type, sqlType: as }: ElementsRequest['fields'][number]): string => {
    if (code === '#') return fail('UNSUPPORTED_SQL_FEATURE', 'the place of an element of an array cannot be expressed on dremio')
    const value = code === '*' ? '"unnested"."*"' : `"unnested"."*".${name}`
    return type.kind === 'json' ? value : `CAST(${value} AS ${as})`
  }
  const outer = [
    ...key.map(({ alias }) => `"unnested".${alias} AS ${alias}`),
    ...fields.map((field) => `${fieldOf(field)} AS ${field.name}`),
  ]
  const inner = [...key.map(({ column, alias }) => `${column} AS ${alias}`), `FLATTEN(${array}) AS "*"`]
  return `SELECT ${outer.join(', ')}\nFROM (SELECT ${inner.join(', ')} FROM ${table}) AS "unnested"`
}

/** Dremio. An instant is a TIMESTAMP in UTC, and times have milliseconds. */
export const dremio = defineDialect(ansi, {
  name: 'dremio',
  // Beside the system tables, folders with the results of jobs, uploaded files and reflections.
  system: { schemas: /^(information_schema|sys|\$scratch|__\w+)$/ },
  capabilities: { supports_qualify: true, supports_arrays: true, supports_ilike: true, supports_time_travel: true },
  planner: { peerFrames: true },
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
  type: (type) => {
    switch (type.kind) {
      case 'float':
        return 'DOUBLE'
      case 'timestamp_tz':
        return 'TIMESTAMP'
      case 'json':
        return 'VARCHAR'
      default:
        return ansi.type(type)
    }
  },
  literals: { timestamp_tz: (iso) => `TIMESTAMP '${iso}'` },
  functions: {
    length: ([x]) => `CHAR_LENGTH(${x})`,
    trim: ([x]) => `REGEXP_REPLACE(${x}, '^${WHITE}|${WHITE}$', '')`,
    ltrim: ([x]) => `REGEXP_REPLACE(${x}, '^${WHITE}', '')`,
    rtrim: ([x]) => `REGEXP_REPLACE(${x}, '${WHITE}$', '')`,
    sqrt: inDouble('DOUBLE', ansi.functions.sqrt),
    ln: inDouble('DOUBLE', ansi.functions.ln),
    log: inDouble('DOUBLE', ansi.functions.log),
    power: inDouble('DOUBLE', ansi.functions.power),
    exp: inDouble('DOUBLE', ([x]) => `EXP(${x})`),
    trunc: ([x, n = '0']) => `TRUNCATE(${x}, ${n})`,
    div: ([a, b], types) => {
      const by = divisor(b)
      if (isFloat(types)) return `TRUNCATE((${a}) / ${by}, 0)`
      // A quotient of whole numbers is whole; one of decimals is so without the remainder.
      return types.every(({ kind }) => kind === 'int')
        ? `((${a}) / ${by})`
        : `CAST(((${a}) - MOD(${a}, ${by})) / ${by} AS DECIMAL(38, 0))`
    },
    date_diff: dateDiff,
    extract: ([unit, x], [, type]) => `CAST(EXTRACT(${timeUnit(unit).toUpperCase()} FROM ${timestamp(x, type)}) AS BIGINT)`,
    last_day: ([x], [type]) => `LAST_DAY(${day(x, type)})`,
    // Its JSON is read into structs, whose fields the text of a path does not name.
    json_value: null,
    to_char_iso: ([x], [type]) =>
      type?.kind === 'date' ? `TO_CHAR(${x}, 'YYYY-MM-DD')` : `REPLACE(CAST(${x} AS VARCHAR), ' ', 'T')`,
    parse_date: parsed(ISO_DATE, 'DATE'),
    parse_timestamp: parsed(`${ISO_DATE}${ISO_TIME}`, 'TIMESTAMP'),
    regexp_matches: ([x, pattern]) => matches(x, pattern),
    regexp_extract: ([x, pattern, group = '0']) =>
      `CASE WHEN ${matches(x, pattern)} THEN REGEXP_EXTRACT(${x}, ${pattern}, ${group}) END`,
  },
  aggregates: {
    count_distinct: ({ args }) => `COUNT(DISTINCT ${args.length === 1 ? args[0] : tuple(args)})`,
    mode: 'rewritten',
    regr_slope: 'rewritten',
    regr_intercept: 'rewritten',
    // The manual does not mention the case of no spread.
    corr: 'rewritten',
    bool_and: ({ args }) => `(MIN(CASE WHEN ${args[0]} THEN 1 WHEN NOT (${args[0]}) THEN 0 END) = 1)`,
    bool_or: ({ args }) => `(MAX(CASE WHEN ${args[0]} THEN 1 WHEN NOT (${args[0]}) THEN 0 END) = 1)`,
    // It can be ordered only by the listed value: https://docs.dremio.com/software/sql-reference/sql-functions/functions/LISTAGG
    listagg: ({ args, distinct, delimiter, orderBy }) => {
      const [first = ''] = orderBy
      if (!orderBy.every((key) => key.startsWith(`${args[0]} `)))
        return fail(
          'UNSUPPORTED_AGGREGATION',
          "the aggregation 'listagg' in the order of another column cannot be expressed on dremio",
        )
      const order = first.replace(/ NULLS (?:FIRST|LAST)$/, '')
      return `LISTAGG(${distinct ? 'DISTINCT ' : ''}${args[0]}, ${delimiter ?? "','"}) WITHIN GROUP (ORDER BY ${order})`
    },
  },
  truncate,
  recursiveTable: null,
  dateAdd: (unit, count, value, type) =>
    moved(
      unit,
      count,
      isClock(unit) ? timestamp(value, type) : value,
      type.kind === 'date' && !isClock(unit) ? 'DATE' : 'TIMESTAMP',
    ),
  // https://docs.dremio.com/current/reference/sql/sql-functions/functions/CONVERT_TIMEZONE/
  instantToZone: (value, zone) => `CONVERT_TIMEZONE('UTC', ${zone}, ${value})`,
  zoneToInstant: (value, zone) => `CONVERT_TIMEZONE(${zone}, 'UTC', ${value})`,
  elements,
})
