/** Functions of Snowflake that are other expressions of the model. */
import type { Reading } from '@grainline/importer-dbt/foreign'
import { timeCall } from './times.js'

type Call = NonNullable<Reading['call']>

export const functionCall: Call = ({ name, args, isOdd }, write) => {
  const time = isOdd ? undefined : timeCall(name, args, write)
  if (time !== undefined) return time
  const rewrite = Object.hasOwn(REWRITTEN, name) ? REWRITTEN[name] : undefined
  if (!rewrite || isOdd || args.length !== rewrite.length) return undefined
  return rewrite(
    ...args.map((each, at) => write(each, NUMBERS.has(name) ? 'number' : name === 'iff' && at === 0 ? 'boolean' : undefined)),
  )
}

const NUMBERS = new Set(['div0', 'div0null', 'zeroifnull', 'nullifzero'])

type Rewrite = (...args: string[]) => string

const REWRITTEN: Readonly<Record<string, Rewrite>> = {
  iff: (test, yes, no) => `CASE WHEN ${test} THEN ${yes} ELSE ${no} END`,
  nvl: (a, b) => `coalesce(${a}, ${b})`,
  ifnull: (a, b) => `coalesce(${a}, ${b})`,
  zeroifnull: (a) => `coalesce(${a}, 0)`,
  nullifzero: (a) => `nullif(${a}, 0)`,
  div0: (a, b) => `CASE WHEN ${b} = 0 THEN 0 ELSE (${a} / ${b}) END`,
  div0null: (a, b) => `CASE WHEN coalesce(${b}, 0) = 0 THEN 0 ELSE (${a} / ${b}) END`,
}
