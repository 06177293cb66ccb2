/** Functions of the model that Snowflake has with the same meaning. */

const same = (name: string) => (args: readonly string[]) => `${name.toUpperCase()}(${args.join(', ')})`

export const CALLS: Readonly<Record<string, (args: readonly string[]) => string>> = {
  ...Object.fromEntries(
    ['upper', 'lower', 'length', 'replace', 'abs', 'floor', 'ceil', 'coalesce', 'nullif', 'greatest', 'least'].map((name) => [
      name,
      same(name),
    ]),
  ),
  concat: (args) => `(${args.join(' || ')})`,
  // A divisor of 0 is an error there, and NULL here.
  mod: ([a, b]) => `MOD(${a}, NULLIF(${b}, 0))`,
}

/** A week begins there as the session says. */
export const UNITS: ReadonlySet<string> = new Set(['year', 'quarter', 'month', 'day', 'hour', 'minute', 'second'])
