import { aggregate, ansi, defineDialect, isClock, unitKeyword } from '@grainline/core/dialect'
import { postgres } from '@grainline/dialect-postgres'

const EXACT = 'DECIMAL(38, 15)'

/** A double is rounded as its decimal text; NUMERIC without a scale has no digits after the point here. */
const rounding =
  (name: string) =>
  ([x, n = '0']: readonly string[], [type]: readonly { readonly kind: string }[]): string =>
    type?.kind === 'float' ? `CAST(${name}(CAST(${x} AS ${EXACT}), ${n}) AS DOUBLE PRECISION)` : `${name}(${x}, ${n})`

/**
 * Amazon Redshift: an older PostgreSQL with other functions, whose text compares by byte.
 * https://docs.aws.amazon.com/redshift/latest/dg/c_redshift-and-postgres-sql.html
 */
export const redshift = defineDialect(postgres, {
  name: 'redshift',
  // https://docs.aws.amazon.com/redshift/latest/dg/cm_chap_system-tables.html
  system: {
    schemas: /^(information_schema$|catalog_history$|pg_)/,
    tables: /^(pg|stcs|stl|stll|stv|svcs|svl|svv|sys)_/,
  },
  capabilities: { supports_arrays: false, supports_window_filters: false, supports_qualify: true },
  semantics: {
    distinctStatistics: false,
  },
  planner: {
    keepsTables: false,
    groupingSets: false,
    rangeFrames: false,
    // https://docs.aws.amazon.com/redshift/latest/dg/r_WF_SUM.html: a frame must be given, and is one of ROWS.
    peerFrames: false,
    asksForKeys: false,
    readsByRow: false,
  },
  // It does not have PostgreSQL's JSON functions, and navigates a SUPER differently.
  elements: null,
  maxIdentifierBytes: 127,
  // A VARCHAR of a cast has 256 bytes, and so has TEXT.
  type: (type) => (type.kind === 'string' ? 'VARCHAR(65535)' : type.kind === 'json' ? 'SUPER' : ansi.type(type)),
  // A backslash escapes in every literal.
  literals: { string: (value) => `'${value.replaceAll('\\', '\\\\').replaceAll("'", "''")}'` },
  // It has no collations of ICU.
  foldedLike: null,
  lowered: ansi.lowered,
  // Its doubles have their own text.
  cast: ansi.cast,
  exceptions: {},
  functions: {
    upper: ([x]) => `UPPER(${x})`,
    greatest: ansi.functions.greatest,
    least: ansi.functions.least,
    starts_with: ([x, prefix]) => `(LEFT(${x}, LEN(${prefix})) = ${prefix})`,
    length: ([x]) => `LEN(${x})`,
    ends_with: ([x, suffix]) => `(RIGHT(${x}, LEN(${suffix})) = ${suffix})`,
    round: rounding('ROUND'),
    trunc: rounding('TRUNC'),
    mod: ([a, b]) => `MOD(${a}, NULLIF(${b}, 0))`,
    div: ([a, b], types) =>
      types.every(({ kind }) => kind === 'int') ? `((${a}) / NULLIF(${b}, 0))` : `TRUNC((${a}) / NULLIF(${b}, 0))`,
    date_diff: ([unit, start, end]) =>
      unit === "'week'"
        ? `(DATEDIFF(DAY, DATE_TRUNC('week', ${start}), DATE_TRUNC('week', ${end})) / 7)`
        : `DATEDIFF(${unitKeyword(unit)}, ${start}, ${end})`,
    last_day: ([x]) => `LAST_DAY(${x})`,
    // Its paths are words, not expressions.
    json_value: null,
    regexp_extract: ([x, pattern, group = '0']) => {
      const found = `REGEXP_SUBSTR(${x}, ${pattern})`
      const part = group === '0' ? found : `REGEXP_REPLACE(${found}, ${pattern}, '$${group}')`
      return `CASE WHEN ${x} ~ ${pattern} THEN ${part} END`
    },
    to_char_iso: ([x]) => `REPLACE(CAST(${x} AS VARCHAR(40)), ' ', 'T')`,
  },
  aggregates: {
    approx_count_distinct: ({ args }) => `APPROXIMATE COUNT(DISTINCT ${args[0]})`,
    count_distinct: ({ args }) =>
      args.length === 1
        ? `COUNT(DISTINCT ${args[0]})`
        : `COUNT(DISTINCT CASE WHEN ${args.map((arg) => `${arg} IS NOT NULL`).join(' AND ')} THEN JSON_SERIALIZE(ARRAY(${args.join(', ')})) END)`,
    min: aggregate('MIN'),
    max: aggregate('MAX'),
    any_value: aggregate('MIN'),
    // https://docs.aws.amazon.com/redshift/latest/dg/r_LISTAGG.html
    listagg: ({ args, distinct, delimiter, orderBy }) =>
      `LISTAGG(${distinct ? 'DISTINCT ' : ''}${args[0]}, ${delimiter ?? "','"}) WITHIN GROUP (ORDER BY ${orderBy.join(', ')})`,
    first: 'rewritten',
    mode: 'rewritten',
    // Several of them in one SELECT must share their order, and none can be combined with DISTINCT.
    median: 'rewritten',
    percentile: 'rewritten',
    corr: 'rewritten',
    covar_samp: 'rewritten',
    covar_pop: 'rewritten',
    regr_slope: 'rewritten',
    regr_intercept: 'rewritten',
  },
  // https://docs.aws.amazon.com/redshift/latest/dg/r_WITH_clause.html
  recursiveTable: (name, columns) => `${name} (${columns.join(', ')})`,
  dateAdd: (unit, count, value, type) => {
    const moved = `DATEADD(${unit.toUpperCase()}, ${count}, ${value})`
    return type.kind === 'date' && !isClock(unit) ? `CAST(${moved} AS DATE)` : moved
  },
  collate: (value) => value,
  // https://docs.aws.amazon.com/redshift/latest/dg/r_COLLATE.html
  byCodePoint: (value) => `COLLATE(${value}, 'case_sensitive')`,
})
