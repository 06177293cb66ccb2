/**
 * Settings on which an answer depends, beside those that a statement carries, with the values for which the dialect is written. A profile may
 * have others: https://clickhouse.com/docs/operations/settings/settings
 */
const MEANING = {
  // A profile that keeps the defaults of an older version changes some hundred settings.
  compatibility: '',
  allow_experimental_analyzer: 1,
  cast_keep_nullable: 0,
  count_distinct_implementation: 'uniqExact',
  decimal_check_overflow: 1,
  empty_result_for_aggregation_by_empty_set: 0,
  enable_positional_arguments: 1,
  force_grouping_standard_compatibility: 1,
  group_by_use_nulls: 0,
  join_default_strictness: 'ALL',
  prefer_column_name_to_alias: 0,
  short_circuit_function_evaluation: 'enable',
  transform_null_in: 0,
} as const

/** A limit of rows or time may refuse a statement. It must not shorten an answer without an error. */
const WHOLE = {
  limit: '0',
  offset: '0',
  distinct_overflow_mode: 'throw',
  group_by_overflow_mode: 'throw',
  join_overflow_mode: 'throw',
  read_overflow_mode: 'throw',
  result_overflow_mode: 'throw',
  set_overflow_mode: 'throw',
  sort_overflow_mode: 'throw',
  timeout_overflow_mode: 'throw',
  transfer_overflow_mode: 'throw',
} as const

/** The form in which an answer is read. */
const FORM = {
  session_timezone: 'UTC',
  date_time_output_format: 'iso',
  bool_true_representation: 'true',
  bool_false_representation: 'false',
  extremes: 0,
  format_tsv_null_representation: '\\N',
  output_format_tsv_crlf_end_of_line: 0,
} as const

export const SETTINGS = { ...MEANING, ...WHOLE, ...FORM } as const
