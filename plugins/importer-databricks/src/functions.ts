/** Functions of Databricks that are other expressions of the model. */
import { LeftOut, type Reading } from '@grainline/importer-dbt/foreign'

type Call = NonNullable<Reading['call']>

export const functionCall: Call = ({ name, args, isOdd, isWindow, isDistinct, isStar }, write) => {
  if (isWindow) throw new LeftOut('a window over rows is no value of a row here')
  if (isOdd || isDistinct || isStar) return undefined
  if (name === 'date_trunc') {
    const unit = UNIT.exec(args[0] === undefined ? '' : write(args[0]))?.[1]?.toLowerCase()
    return unit === undefined || args.length !== 2 ? undefined : `date_trunc('${unit}', ${write(args[1], 'time')})`
  }
  const rewrite = Object.hasOwn(REWRITTEN, name) ? REWRITTEN[name] : undefined
  if (!rewrite || args.length !== rewrite.length) return undefined
  const use = (at: number) =>
    NUMBERS.has(name) ? ('number' as const) : name === 'if' || name === 'iff' ? BRANCHES[at] : undefined
  return rewrite(...args.map((each, at) => write(each, use(at))))
}

const UNIT = /^'(year|quarter|month|week|day|hour|minute|second)'$/i
const NUMBERS = new Set(['try_divide', 'zeroifnull', 'nullifzero'])
const BRANCHES = ['boolean' as const, undefined, undefined]

type Rewrite = (...args: string[]) => string

const REWRITTEN: Readonly<Record<string, Rewrite>> = {
  if: (test, yes, no) => `CASE WHEN ${test} THEN ${yes} ELSE ${no} END`,
  iff: (test, yes, no) => `CASE WHEN ${test} THEN ${yes} ELSE ${no} END`,
  nvl: (a, b) => `coalesce(${a}, ${b})`,
  ifnull: (a, b) => `coalesce(${a}, ${b})`,
  nvl2: (a, b, c) => `CASE WHEN (${a} IS NOT NULL) THEN ${b} ELSE ${c} END`,
  zeroifnull: (a) => `coalesce(${a}, 0)`,
  nullifzero: (a) => `nullif(${a}, 0)`,
  try_divide: (a, b) => `(${a} / ${b})`,
  ucase: (a) => `upper(${a})`,
  lcase: (a) => `lower(${a})`,
}
