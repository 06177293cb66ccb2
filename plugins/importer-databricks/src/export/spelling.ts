/** How Databricks writes values and functions of the model. */
import { Unsaid } from '@grainline/importer-dbt/foreign'

const same = (name: string) => (args: readonly string[]) => `${name.toUpperCase()}(${args.join(', ')})`

/** Functions that Databricks has with the same meaning. */
const CALLS: Readonly<Record<string, (args: readonly string[]) => string>> = {
  ...Object.fromEntries(
    ['upper', 'lower', 'length', 'replace', 'abs', 'floor', 'ceil', 'coalesce', 'nullif'].map((name) => [name, same(name)]),
  ),
  concat: same('concat'),
  // A divisor of 0 is an error there, and NULL here.
  mod: ([a, b]) => `MOD(${a}, NULLIF(${b}, 0))`,
}

const UNITS = ['year', 'quarter', 'month', 'day', 'hour', 'minute', 'second']

/** Two quotes in a text are one in some versions, and none in others: such a text stands between double quotes. */
function text(value: string): string {
  if (!value.includes("'")) return `'${value}'`
  if (value.includes('"')) throw new Unsaid('a text in it has quotes of both kinds, which versions read in different ways')
  return `"${value}"`
}

/** `weekStart`: a week begins there on Monday. */
export const spellingOf = (weekStart: string) => ({
  double: 'DOUBLE',
  timestamp: 'TIMESTAMP_NTZ',
  calls: CALLS,
  units: new Set([...UNITS, ...(weekStart === 'monday' ? ['week'] : [])]),
  text,
})

/** Aggregates with the same meaning, by their names in the model. */
export const AGGREGATES: Readonly<Record<string, string>> = Object.fromEntries(
  `sum count avg min max median stddev_samp stddev_pop var_samp var_pop count_if approx_count_distinct bool_and bool_or`
    .split(' ')
    .map((name) => [name, name.toUpperCase()]),
)

/** Aggregates whose value is one of several there. */
export const REWRITTEN: Readonly<Record<string, { readonly name: string; readonly says: string }>> = {
  any_value: { name: 'MIN', says: 'is the least of its values, as here' },
  mode: { name: 'MODE', says: 'is any of the most frequent values there, and the least of them here' },
}
