import type { DataType, Spelling } from '@grainline/core'
import {
  aggregate,
  ansi,
  count,
  defineDialect,
  divisor,
  type ElementsRequest,
  inDouble,
  type LowerLetters,
  type SpellAggregate,
  type SpellingOf,
  timeUnit,
  translated,
  upperKeeping,
} from '@grainline/core/dialect'

const numeric = (x: string): string => `CAST(${x} AS NUMERIC)`

const DOUBLE = 'DOUBLE PRECISION'

const inC = (text: string): string => `${text} COLLATE "C"`

/**
 * A collation goes on to what is made of the text, and LOWER under "C" knows only ASCII. What was compared by code point is therefore
 * given back in the collation of the database.
 */
const givenBack = (result: string): string => `${result} COLLATE "default"`

/** Collations of servers with ICU, which is the default since PostgreSQL 16: https://www.postgresql.org/docs/current/collation.html */
const UNICODE = '"und-x-icu"'

/** Upper and lower case follow Unicode, whatever the locale of the database: with C they would be ASCII only. */
const inEveryLocale = (name: string, x: string): string =>
  givenBack(`${name}(${/^("[^"]+"\.)?"[^"]+"$|^[A-Z]+\(.*\)$/.test(x) ? x : `(${x})`} COLLATE ${UNICODE})`)

/** LOWER follows the letters around a sigma, and makes two characters of İ. */
const LETTERS: LowerLetters = { ς: 'σ', Σ: 'σ', İ: 'i' }

const inParentheses = (text: string): string => inC(`(${text})`)

/** The functions that compare without an operator, so they need an explicit collation. */
const collated =
  (spell: SpellingOf<'greatest'>): SpellingOf<'greatest'> =>
  ([first, ...rest], types) =>
    types.every(({ kind }) => kind === 'string')
      ? givenBack(`(${spell([inParentheses(first), ...rest.map(inParentheses)], types)})`)
      : spell([first, ...rest], types)

const collatedAggregate =
  (spell: SpellAggregate): SpellAggregate =>
  (call) =>
    call.args[0]?.endsWith(inC('')) ? givenBack(spell(call)) : spell(call)

const SPACES = "E' \\t\\n\\r'"
const ISO_DATE = '(000[1-9]|00[1-9][0-9]|0[1-9][0-9]{2}|[1-9][0-9]{3})-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])'
const ISO_TIME = '([T ]([01][0-9]|2[0-3]):[0-5][0-9](:[0-5][0-9]([.][0-9]{1,6})?)?)?'

/** A cast that would fail is not reached: first the form, then the length of the month. */
const parsed =
  (form: string, type: string): Spelling =>
  ([x]) => {
    const text = `CAST(${x} AS TEXT)`
    const month = `CAST(SUBSTRING(${text}, 1, 8) || '01' AS DATE)`
    const days = `EXTRACT(DAY FROM ${month} + INTERVAL '1 month' - INTERVAL '1 day')`
    const fits = `CAST(SUBSTRING(${text}, 9, 2) AS INTEGER) <= ${days}`
    return `CASE WHEN ${text} ~ '^${form}$' THEN CASE WHEN ${fits} THEN CAST(${text} AS ${type}) END END`
  }

/** Computed in NUMERIC, which rounds a tie away from zero, and returned in the type of the arguments. */
const inNumeric =
  (name: string, divides = false): SpellingOf<'round'> =>
  ([a, b], types) => {
    const second = b === undefined ? '' : divides ? `, ${divisor(b, numeric)}` : `, ${count(b)}`
    const result = `${name}(${numeric(a)}${second})`
    const kinds = (divides ? types : types.slice(0, 1)).map((type: DataType) => type.kind)
    if (kinds.includes('float')) return `CAST(${result} AS DOUBLE PRECISION)`
    return kinds.every((kind) => kind === 'int') ? `CAST(${result} AS BIGINT)` : result
  }

/** How many boundaries of the unit lie between two times. */
function boundaries([unit, start, end]: readonly [string, string, string]): string {
  const field = (name: string, x: string): string => `EXTRACT(${name} FROM CAST(${x} AS TIMESTAMP))`
  const years = `(${field('YEAR', end)} - ${field('YEAR', start)})`
  const truncated = (x: string): string => `DATE_TRUNC(${unit}, CAST(${x} AS TIMESTAMP))`
  const seconds = `EXTRACT(EPOCH FROM ${truncated(end)} - ${truncated(start)})`
  const whole = (x: string): string => `CAST(${x} AS BIGINT)`
  switch (timeUnit(unit)) {
    case 'year':
      return whole(years)
    case 'quarter':
      return whole(`${years} * 4 + ${field('QUARTER', end)} - ${field('QUARTER', start)}`)
    case 'month':
      return whole(`${years} * 12 + ${field('MONTH', end)} - ${field('MONTH', start)}`)
    case 'week':
      return whole(`${seconds} / 604800`)
    case 'day':
      return whole(`${seconds} / 86400`)
    case 'hour':
      return whole(`${seconds} / 3600`)
    case 'minute':
      return whole(`${seconds} / 60`)
    default:
      return whole(seconds)
  }
}

const isArrayType = (sqlType: string | undefined): boolean => sqlType?.trim().endsWith('[]') ?? false

/** A JSON array; an array of values or of a composite type if the model declares a type that ends in `[]`. */
function elements({ table, array, sqlType, key, fields }: ElementsRequest): string {
  const isArray = isArrayType(sqlType)
  const json = `CAST("row".${array} AS JSONB)`
  const list = `CASE WHEN JSONB_TYPEOF(${json}) = 'array' THEN ${json} END`
  const each = isArray
    ? `(SELECT "row".${array}[i] AS "*", i AS "#" FROM GENERATE_SUBSCRIPTS("row".${array}, 1) AS i)`
    : `JSONB_ARRAY_ELEMENTS(${list}) WITH ORDINALITY`
  const fieldOf = ({ code, name, text, type, sqlType: as }: ElementsRequest['fields'][number]): string => {
    if (code === '#') return 'CAST("each"."#" AS BIGINT)'
    if (isArray) return code === '*' ? '"each"."*"' : `("each"."*").${name}`
    if (type.kind === 'json') return code === '*' ? '"each"."*"' : `"each"."*" -> ${text}`
    return `CAST("each"."*" ${code === '*' ? "#>> '{}'" : `->> ${text}`} AS ${as})`
  }
  const columns = [
    ...key.map(({ column, alias }) => `"row".${column} AS ${alias}`),
    ...fields.map((field) => `${fieldOf(field)} AS ${field.name}`),
  ]
  return `SELECT ${columns.join(', ')}\nFROM ${table} AS "row" CROSS JOIN LATERAL ${each} AS "each"("*", "#")`
}

/** PostgreSQL 15 and newer. Text is compared in the "C" collation, so that it means the same under every locale. */
export const postgres = defineDialect(ansi, {
  name: 'postgres',
  repeatedTimes: 'second',
  // The search path always begins with pg_catalog, and each session has its own pg_temp_3. Both prefixes are reserved.
  system: { schemas: /^(information_schema$|pg_)/, tables: /^pg_/ },
  capabilities: { supports_arrays: true, supports_window_filters: true, supports_ilike: true, supports_semi_structured: true },
  semantics: {
    exactText: true,
    nullsOrder: true,
    hiddenOrder: true,
    shownOrder: true,
    columnNames: true,
    leastBooleans: false,
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
    specialStatistics: true,
    specialModes: true,
    specialPercentiles: false,
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
    keepsTables: true,
    groupingSets: true,
    groupedExpressions: true,
    emptySets: true,
    repeatedKeys: true,
    rangeFrames: true,
    asksForKeys: true,
    readsByRow: true,
  },
  // NAMEDATALEN - 1: https://www.postgresql.org/docs/current/sql-syntax-lexical.html#SQL-SYNTAX-IDENTIFIERS
  maxIdentifierBytes: 63,
  type: (type) => (type.kind === 'json' ? 'JSONB' : type.kind === 'string' ? 'TEXT' : ansi.type(type)),
  literals: {
    // A backslash is plain text only if standard_conforming_strings is on; E'' always has the same meaning.
    string: (value) =>
      value.includes('\\') ? `E'${value.replaceAll('\\', '\\\\').replaceAll("'", "''")}'` : ansi.literals.string(value),
  },
  foldedLike: ({ value, pattern, literal, negated }) => {
    const escaping = literal?.includes('\\') === false ? '' : " ESCAPE E'\\\\'"
    return `${translated(value, LETTERS, literal)} COLLATE ${UNICODE} ${negated ? 'NOT ' : ''}ILIKE ${pattern}${escaping}`
  },
  lowered: (value, among) => inEveryLocale('LOWER', translated(value, LETTERS, among)),
  // A double as a NUMERIC has 15 digits: https://www.postgresql.org/docs/current/datatype-numeric.html
  cast(value, to, from) {
    // A numeric may be NaN here, which is no whole number.
    if (to.kind === 'int' && from.kind === 'decimal') return ansi.cast.call(this, `NULLIF(${value}, 'NaN')`, to)
    if (to.kind !== 'string' || from.kind !== 'float') return ansi.cast.call(this, value, to)
    return `CAST(CAST(${numeric(value)} AS ${DOUBLE}) AS TEXT)`
  },
  exceptions: { upper: 'Greek letters with an iota below, and Armenian ligatures, become several characters' },
  functions: {
    not_an_array: ([x, type]) =>
      isArrayType(type.slice(1, -1)) ? '1 = 0' : `JSONB_TYPEOF(CAST(${x} AS JSONB)) NOT IN ('array', 'null')`,
    unless_nan: ([x]) => `NULLIF(${x}, 'NaN')`,
    // NaN exceeds Infinity.
    finite: ([x]) => `CASE WHEN ABS(${x}) < 'Infinity' THEN ${x} END`,
    ends_with: ([x, suffix]) => `(RIGHT(${x}, LENGTH(${suffix})) = ${suffix})`,
    round: inNumeric('ROUND'),
    trunc: inNumeric('TRUNC'),
    mod: inNumeric('MOD', true),
    div: (args, types) =>
      types.some(({ kind }) => kind === 'float')
        ? `TRUNC(${args[0]} / NULLIF(${args[1]}, 0))`
        : inNumeric('DIV', true)(args, types),
    sqrt: inDouble(DOUBLE, ansi.functions.sqrt),
    ln: inDouble(DOUBLE, ansi.functions.ln),
    log: inDouble(DOUBLE, ansi.functions.log),
    power: inDouble(DOUBLE, ansi.functions.power),
    exp: inDouble(DOUBLE, ([x]) => `EXP(${x})`),
    upper: ([x]) => upperKeeping(x, (kept) => inEveryLocale('UPPER', kept)),
    greatest: collated(ansi.functions.greatest),
    least: collated(ansi.functions.least),
    substring: ([x, ...numbers]) => `SUBSTRING(${[x, ...numbers.map(count)].join(', ')})`,
    split_part: ([x, delimiter, n]) => `SPLIT_PART(${x}, ${delimiter}, ${count(n)})`,
    trim: ([x]) => `BTRIM(${x}, ${SPACES})`,
    ltrim: ([x]) => `LTRIM(${x}, ${SPACES})`,
    rtrim: ([x]) => `RTRIM(${x}, ${SPACES})`,
    extract: ([unit, x], [, type]) => ansi.functions.extract([unit, type.kind === 'date' ? `CAST(${x} AS TIMESTAMP)` : x]),
    parse_date: parsed(ISO_DATE, 'DATE'),
    parse_timestamp: parsed(`${ISO_DATE}${ISO_TIME}`, 'TIMESTAMP'),
    date_diff: (args) => boundaries(args),
    last_day: ([x]) => `CAST(DATE_TRUNC('month', CAST(${x} AS TIMESTAMP)) + INTERVAL '1 month' - INTERVAL '1 day' AS DATE)`,
    json_value: ([x, path]) => {
      const found = `jsonb_path_query_first(CAST(${x} AS JSONB), ${path})`
      return `CASE WHEN jsonb_typeof(${found}) NOT IN ('object', 'array', 'null') THEN ${found} #>> '{}' END`
    },
    regexp_matches: ([x, pattern]) => `(${x} ~ ${pattern})`,
    regexp_extract: ([x, pattern, group = '0']) => `REGEXP_SUBSTR(${x}, ${pattern}, 1, 1, 'c', ${group})`,
    to_char_iso: ([x]) => `REPLACE(CAST(${x} AS TEXT), ' ', 'T')`,
  },
  aggregates: {
    // Exact: the engine has no sketch.
    approx_count_distinct: ({ args }) => `COUNT(DISTINCT ${args[0]})`,
    min: collatedAggregate(aggregate('MIN')),
    max: collatedAggregate(aggregate('MAX')),
    any_value: collatedAggregate(aggregate('MIN')),
    mode: collatedAggregate(ansi.aggregates.mode),
    first: ({ args: [value = ''], orderBy, type }) => {
      const first = `(ARRAY_AGG(${value} ORDER BY ${orderBy.join(', ')}) FILTER (WHERE ${value} IS NOT NULL))[1]`
      // A UNION refuses two different collations that are written: MIN and MAX give theirs back, too.
      return type.kind === 'string' && value.includes(inC('')) ? givenBack(first) : first
    },
    // DISTINCT requires that the listed and the ordering expression are the same, and a VARCHAR that becomes TEXT is not.
    listagg: collatedAggregate((call) => {
      const [listed = ''] = call.args
      const text = `CAST(${listed} AS TEXT)`
      const orderBy = call.orderBy.map((key) => (key.startsWith(`${listed} `) ? text + key.slice(listed.length) : key))
      return ansi.aggregates.listagg({ ...call, args: [text, ...call.args.slice(1)], orderBy })
    }),
  },
  elements,
  collate: inC,
  byCodePoint: inC,
})
