import type { PostgresPlan } from './options.js'

/** Each setting of a session on which an answer depends. Redshift knows neither a default of read-only transactions nor the styles of intervals. */
export function preparation({ dialect, statementTimeoutMs }: Pick<PostgresPlan, 'dialect' | 'statementTimeoutMs'>): string {
  return [
    "SET TIME ZONE 'UTC'",
    "SET DateStyle = 'ISO, YMD'",
    ...OWN[dialect],
    ...(statementTimeoutMs === undefined ? [] : [`SET statement_timeout = ${statementTimeoutMs}`]),
  ].join('; ')
}

const OWN: Readonly<Record<PostgresPlan['dialect'], readonly string[]>> = {
  postgres: ['SET default_transaction_read_only = on', 'SET extra_float_digits = 1', "SET bytea_output = 'hex'"],
  // Off, a cast to a decimal of fewer digits cuts them off: https://docs.aws.amazon.com/redshift/latest/dg/r_enable_numeric_rounding.html
  redshift: ['SET enable_numeric_rounding TO on'],
}
