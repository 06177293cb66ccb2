/**
 * The functions that a statement can use, by their PostgreSQL names. Each depends only on its arguments: none reads a file, a setting, the
 * catalogue, the clock or the network, and none makes a text or list of any length from a number.
 */
import type { EvaluatorFunction } from '@grainline/core/vendor'
import { concatenated, concatenatedWith, replaced, replacedByPattern } from './bounded-text.js'
import { substring } from './substring.js'
import { truncated } from './truncated.js'

type Functions = Readonly<Record<string, EvaluatorFunction>>

const plain = (kind: EvaluatorFunction['kind'], names: string): Functions =>
  Object.fromEntries(names.split(' ').map((name) => [name, { kind }]))

const scalar = (spelled: (args: readonly string[]) => string): EvaluatorFunction => ({ kind: 'scalar', spelled })
const renamed = (name: string): EvaluatorFunction => scalar((args) => `${name}(${args.join(', ')})`)

/** A longer text is not padded for. */
const padded = (name: string): EvaluatorFunction =>
  scalar(([text, length, fill = "' '"]) => `${name}(${text}, CAST(LEAST(${length}, 10000) AS INTEGER), ${fill})`)

export const functions: Functions = {
  ...plain(
    'scalar',
    'abs ceil ceiling floor sign sqrt exp ln power pow mod sin cos tan asin acos atan atan2 radians degrees pi ' +
      'upper lower length char_length character_length ltrim rtrim left right reverse strpos ' +
      'starts_with ascii chr md5 date_part make_date isfinite',
  ),
  ...plain(
    'aggregate',
    'count sum avg min max stddev stddev_samp stddev_pop variance var_samp var_pop corr covar_samp covar_pop',
  ),
  ...plain(
    'aggregate',
    'regr_slope regr_intercept bool_and bool_or every string_agg any_value percentile_cont percentile_disc mode',
  ),
  ...plain('window', 'row_number rank dense_rank percent_rank cume_dist ntile lag lead first_value last_value nth_value'),
  every: { kind: 'aggregate', spelled: (args) => `BOOL_AND(${args.join(', ')})` },
  /** DuckDB's own keeps the scale of a decimal and needs it as a plain integer. */
  round: scalar(([value, places]) => (places === undefined ? `ROUND(${value})` : `ROUND(${value}, CAST(${places} AS INTEGER))`)),
  trunc: scalar(([value]) => `TRUNC(${value})`),
  /** Base ten with one argument, and the base first with two, as in PostgreSQL. */
  log: renamed('LOG'),
  div: scalar(([left, right]) => `CAST(TRUNC(${left} / ${right}) AS BIGINT)`),
  date_trunc: scalar(truncated),
  btrim: renamed('TRIM'),
  trim: renamed('TRIM'),
  concat: scalar(concatenated),
  concat_ws: scalar(concatenatedWith),
  replace: scalar(replaced),
  lpad: padded('LPAD'),
  rpad: padded('RPAD'),
  split_part: renamed('SPLIT_PART'),
  position: scalar(([text, part]) => `STRPOS(${text}, ${part})`),
  substring: scalar(substring),
  substr: scalar(substring),
  extract: scalar(([part, moment]) => `DATE_PART(${part}, ${moment})`),
  regexp_replace: scalar(replacedByPattern),
  regexp_like: renamed('REGEXP_MATCHES'),
  approx_count_distinct: { kind: 'aggregate' },
  median: { kind: 'aggregate' },
}
