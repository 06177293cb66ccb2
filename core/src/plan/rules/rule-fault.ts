import { isSame } from '../../same.js'
import { columnsOf } from '../columns.js'
import type { LogicalPlan } from '../logical-plan.js'
import { ofPlainRows } from './of-plain-rows.js'
import type { Rule } from './rule.js'
import { type Signature, Signatures } from './signatures.js'

/** What a rule changed that it must not: the columns of the plan, or the tables or conditions that a value is computed from. */
export function ruleFault(
  { name, rephrases = false, drops = false, leavesOut = false, shares = false, carries = false }: Rule,
  before: LogicalPlan,
  after: LogicalPlan,
): string | undefined {
  if (!isSame(columnsOf(before), columnsOf(after))) return `the rule '${name}' changes the columns of the answer`
  const signed = (plan: LogicalPlan): Signatures =>
    carries ? new Signatures(ofPlainRows(plan), drops) : signaturesOf(plan, drops)
  const signatures = signed(after)
  const values = signed(before).values
  const all = new Set([...values.values()].flatMap(({ tables }) => [...tables]))
  for (const [value, was] of values) {
    const isSaid = (is: Signature): boolean =>
      (leavesOut && isOfLess(is, was)) ||
      ((shares ? isBetween(is.tables, was.tables, all) : isEqual(was.tables, is.tables)) &&
        (rephrases || isEqual(was.conditions, is.conditions)))
    const said = signatures.of(value)
    if (said.length === 0 ? !leavesOut : !said.some(isSaid)) return `the rule '${name}' changes what '${value}' is computed from`
  }
  return undefined
}

/** The plan after a rule is the one before the next. */
const known = [new WeakMap<LogicalPlan, Signatures>(), new WeakMap<LogicalPlan, Signatures>()] as const

function signaturesOf(plan: LogicalPlan, isOfReadTables: boolean): Signatures {
  const all = known[isOfReadTables ? 1 : 0]
  const signatures = all.get(plan) ?? new Signatures(plan, isOfReadTables)
  all.set(plan, signatures)
  return signatures
}

const isOfLess = (is: Signature, was: Signature): boolean =>
  isSubset(is.tables, was.tables) && isSubset(is.conditions, was.conditions)

const isBetween = <T>(set: ReadonlySet<T>, least: ReadonlySet<T>, most: ReadonlySet<T>): boolean =>
  isSubset(least, set) && isSubset(set, most)

const isSubset = <T>(part: ReadonlySet<T>, whole: ReadonlySet<T>): boolean => [...part].every((one) => whole.has(one))

const isEqual = (a: ReadonlySet<string>, b: ReadonlySet<string>): boolean => a.size === b.size && isSubset(a, b)
