import { isSame } from '../../same.js'
import { columnsOf } from '../columns.js'
import type { LogicalPlan } from '../logical-plan.js'
import { ofPlainRows } from './of-plain-rows.js'
import type { Rule } from './rule.js'
import { Signatures } from './signatures.js'

/** What a rule changed that it must not: the columns of the plan, or the tables or conditions that a value is computed from. */
export function ruleFault(
  { name, rephrases = false, drops = false, shares = false, carries = false }: Rule,
  before: LogicalPlan,
  after: LogicalPlan,
): string | undefined {
  if (!isSame(columnsOf(before), columnsOf(after))) return `the rule '${name}' changes the columns of the answer`
  const signed = (plan: LogicalPlan): Signatures => new Signatures(carries ? ofPlainRows(plan) : plan, drops)
  const signatures = signed(after)
  const known = signed(before).values
  const all = new Set([...known.values()].flatMap(({ tables }) => [...tables]))
  for (const [value, was] of known) {
    const is = signatures.of(value)
    const isOfSameTables = is && (shares ? isBetween(is.tables, was.tables, all) : isEqual(was.tables, is.tables))
    if (!isOfSameTables || (!rephrases && !isEqual(was.conditions, is.conditions)))
      return `the rule '${name}' changes what '${value}' is computed from`
  }
  return undefined
}

const isBetween = <T>(set: ReadonlySet<T>, least: ReadonlySet<T>, most: ReadonlySet<T>): boolean =>
  [...least].every((one) => set.has(one)) && [...set].every((one) => most.has(one))

const isEqual = (a: ReadonlySet<string>, b: ReadonlySet<string>): boolean =>
  a.size === b.size && [...a].every((one) => b.has(one))
