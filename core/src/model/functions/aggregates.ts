/** The aggregations of measures. Result types follow docs/column-types.md; the width of a column may narrow the type of a sum later. */
import { BOOLEAN, type DataType, decimal, FLOAT, INT, MAX_PRECISION, STRING } from '../data-type.js'
import type { AggregateSpec } from './function-spec.js'

type Result = AggregateSpec['result']
const always =
  (type: DataType): Result =>
  () =>
    type
const first: Result = (args) => args[0] ?? STRING
const sum: Result = ([type = FLOAT]) => {
  if (type.kind === 'float') return FLOAT
  return decimal(MAX_PRECISION, type.kind === 'decimal' ? type.scale : 0)
}

const count = { result: always(INT), empty: 'zero' } as const
const statistic = { result: always(FLOAT), empty: 'null', additivity: 'non-additive' } as const
const pick = { result: first, empty: 'null', additivity: 'non-additive' } as const

const specs: readonly AggregateSpec[] = [
  {
    name: 'sum',
    arity: [1, 1],
    result: sum,
    additivity: 'additive',
    empty: 'null',
    meaning: 'the sum; wide enough never to overflow silently',
  },
  {
    name: 'count',
    arity: [0, 1],
    ...count,
    additivity: 'additive',
    meaning: 'how many values are not NULL; rows, when it has no input',
  },
  { name: 'count_if', arity: [1, 1], ...count, additivity: 'additive', meaning: 'how many rows meet a condition' },
  {
    name: 'count_distinct',
    arity: [1, Infinity],
    ...count,
    additivity: 'non-additive',
    meaning: 'how many different values, or tuples without any NULL',
  },
  {
    name: 'approx_count_distinct',
    arity: [1, 1],
    ...count,
    additivity: 'non-additive',
    meaning: 'about how many different values, to some 5 %',
  },
  { name: 'avg', arity: [1, 1], ...statistic, meaning: 'the mean, in double precision' },
  { name: 'min', arity: [1, 1], ...pick, meaning: 'the least value' },
  { name: 'max', arity: [1, 1], ...pick, meaning: 'the greatest value' },
  { name: 'any_value', arity: [1, 1], ...pick, meaning: 'one of the values: the least' },
  { name: 'mode', arity: [1, 1], ...pick, meaning: 'the most frequent value; of several, the smallest' },
  { name: 'first', arity: [1, 1], ...pick, meaning: 'the value of the first row in the order of orderBy' },
  { name: 'last', arity: [1, 1], ...pick, meaning: 'the value of the last row in the order of orderBy' },
  { name: 'median', arity: [1, 1], ...statistic, meaning: 'the middle value, interpolated' },
  { name: 'percentile', arity: [1, 1], ...statistic, meaning: 'the value at a fraction of the ordered values, interpolated' },
  {
    name: 'listagg',
    arity: [1, 1],
    result: always(STRING),
    empty: 'null',
    additivity: 'non-additive',
    meaning: 'the values as one text, delimited and ordered',
  },
  { name: 'stddev_samp', arity: [1, 1], ...statistic, meaning: 'the sample standard deviation; NULL of fewer than two values' },
  { name: 'stddev_pop', arity: [1, 1], ...statistic, meaning: 'the population standard deviation' },
  { name: 'var_samp', arity: [1, 1], ...statistic, meaning: 'the sample variance; NULL of fewer than two values' },
  { name: 'var_pop', arity: [1, 1], ...statistic, meaning: 'the population variance' },
  { name: 'corr', arity: [2, 2], ...statistic, meaning: 'the correlation of the dependent with the independent values' },
  { name: 'covar_pop', arity: [2, 2], ...statistic, meaning: 'the population covariance' },
  { name: 'covar_samp', arity: [2, 2], ...statistic, meaning: 'the sample covariance' },
  {
    name: 'regr_slope',
    arity: [2, 2],
    ...statistic,
    meaning: 'the slope of the regression line of the first input on the second',
  },
  {
    name: 'regr_intercept',
    arity: [2, 2],
    ...statistic,
    meaning: 'the intercept of the regression line of the first input on the second',
  },
  {
    name: 'bool_and',
    arity: [1, 1],
    result: always(BOOLEAN),
    empty: 'null',
    additivity: 'non-additive',
    meaning: 'whether all values are true',
  },
  {
    name: 'bool_or',
    arity: [1, 1],
    result: always(BOOLEAN),
    empty: 'null',
    additivity: 'non-additive',
    meaning: 'whether any value is true',
  },
]

/** The aggregates of the portable catalogue, by name. */
export const builtInAggregates: ReadonlyMap<string, AggregateSpec> = new Map(specs.map((spec) => [spec.name, spec]))

/** Spellings that a document may use for another name. */
export const AGGREGATE_ALIASES: ReadonlyMap<string, string> = new Map([
  ['stddev', 'stddev_samp'],
  ['variance', 'var_samp'],
])

/** Other names of aggregations, with the name that the error message suggests. */
export const MEANT_AGGREGATES: ReadonlyMap<string, string> = new Map([
  ['mean', 'avg'],
  ['average', 'avg'],
  ['total', 'sum'],
  ['distinct', 'count_distinct'],
  ['distinct_count', 'count_distinct'],
  ['countdistinct', 'count_distinct'],
  ['unique', 'count_distinct'],
  ['nunique', 'count_distinct'],
  ['maximum', 'max'],
  ['minimum', 'min'],
  ['std', 'stddev'],
  ['var', 'variance'],
  ['string_agg', 'listagg'],
  ['group_concat', 'listagg'],
])

/** Aggregates whose every input is a number. */
export const NUMERIC_AGGREGATES: ReadonlySet<string> = new Set(
  'sum avg median percentile stddev_samp stddev_pop var_samp var_pop corr covar_pop covar_samp regr_slope regr_intercept'.split(
    ' ',
  ),
)
/** Aggregates whose input is a condition. */
export const BOOLEAN_AGGREGATES: ReadonlySet<string> = new Set(['count_if', 'bool_and', 'bool_or'])
