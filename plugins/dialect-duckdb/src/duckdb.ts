import { type AggregateSpelling, aggregate, ansi, defineDialect } from '@grainline/core'

/** NaN where the statistic is not defined (no spread); NULL says so. https://duckdb.org/docs/stable/sql/functions/aggregates */
const nullForNaN =
  (name: string): AggregateSpelling =>
  (call) =>
    `NULLIF(${aggregate(name)(call)}, CAST('NaN' AS DOUBLE))`

/** DuckDB. Text compares by code point as it is, sums of integers are 128 bits wide, and MODE takes its order. */
export const duckdb = defineDialect(ansi, {
  name: 'duckdb',
  capabilities: {
    supports_qualify: true,
    supports_arrays: true,
    supports_window_filters: true,
    supports_ilike: true,
    supports_semi_structured: true,
  },
  // No limit is documented; this one keeps names readable.
  maxIdentifierBytes: 1024,
  type: (type) => (type.kind === 'float' ? 'DOUBLE' : ansi.type(type)),
  functions: {
    position: ([needle, haystack]) => `STRPOS(${haystack}, ${needle})`,
    div: ([a, b]) => `((${a}) // NULLIF(${b}, 0))`,
    extract: ([unit, x]) => `EXTRACT(${unit!.replaceAll("'", '')} FROM ${x})`,
    json_value: ([x, path]) =>
      `CASE WHEN json_type(${x}, ${path}) NOT IN ('OBJECT', 'ARRAY') THEN json_extract_string(${x}, ${path}) END`,
    regexp_extract: ([x, pattern, group = '0']) =>
      `CASE WHEN regexp_matches(${x}, ${pattern}) THEN regexp_extract(${x}, ${pattern}, ${group}) END`,
  },
  aggregates: {
    median: aggregate('MEDIAN'),
    percentile: ({ args, percentile }) => `QUANTILE_CONT(${args[0]}, ${percentile})`,
    corr: nullForNaN('CORR'),
    regr_slope: nullForNaN('REGR_SLOPE'),
    regr_intercept: nullForNaN('REGR_INTERCEPT'),
  },
  dateAdd: (unit, count, value, type) => {
    const moved = `${value} + INTERVAL (${count}) ${unit}`
    return type.kind === 'date' && !['hour', 'minute', 'second'].includes(unit) ? `CAST(${moved} AS DATE)` : `(${moved})`
  },
})
