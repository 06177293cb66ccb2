import { fail } from '../errors.js'
import type { AggregateQuery } from '../resolve/resolved-query.js'
import { isSame } from '../same.js'
import type { PlannedRequest } from './block-requests.js'
import { nearPeriods } from './near-periods.js'
import { sharedRows } from './shared-rows.js'

/**
 * A rewriting of the requests of an answer for speed. It is not a rule of plans because it reads the dimensions and conditions of the query, which a bound block does not
 * have any more. It may add bounds that leave out only rows that no row of the answer reads, and read more rows of which no aggregate counts any.
 */
export interface RequestRule {
  /** As in `--without near-periods`. */
  readonly name: string
  /** The same requests in the same order. A request that the rule does not change is the same object. */
  readonly rewrite: (requests: readonly PlannedRequest[], query: AggregateQuery) => readonly PlannedRequest[]
}

/** Each rule rewrites the requests that the one before it returns. */
export const requestRules: readonly RequestRule[] = [nearPeriods, sharedRows]

/** Requests after some rules, and the names of those that changed them. */
export interface RuledRequests {
  readonly requests: readonly PlannedRequest[]
  readonly rules: readonly string[]
}

export interface RequestRuleOptions {
  /** The names of rules that are left out. */
  readonly without: ReadonlySet<string>
  /** Whether a rule that changes the meaning of a request is found. */
  readonly isChecked: boolean
}

const EVERY_RULE: RequestRuleOptions = { without: new Set(), isChecked: false }

/** The requests rewritten by each rule in turn. */
export const applyRequestRules = (
  requests: readonly PlannedRequest[],
  query: AggregateQuery,
  { without, isChecked }: RequestRuleOptions = EVERY_RULE,
  rules = requestRules,
): RuledRequests =>
  rules
    .filter(({ name }) => !without.has(name))
    .reduce<RuledRequests>(
      (before, { name, rewrite }) => {
        const after = rewrite(before.requests, query)
        if (after.every((request, i) => request === before.requests[i])) return before
        if (isChecked) refuseOtherMeaning(name, before.requests, after)
        return { requests: after, rules: [...before.rules, name] }
      },
      { requests, rules: [] },
    )

function refuseOtherMeaning(name: string, before: readonly PlannedRequest[], after: readonly PlannedRequest[]): void {
  if (isSame(before.map(meaningOf), after.map(meaningOf))) return
  fail(
    'INTERNAL_ERROR',
    `the rule '${name}' changes what is computed from ${before.map(({ request }) => `'${request.base}'`).join(', ')}`,
  )
}

/** What a rule must not change: all but the bounds that it adds, and the form of conditions. */
function meaningOf({ request, ...planned }: PlannedRequest): object {
  const { ofAllRows: _, conjuncts, ...rest } = request
  const own = conjuncts.filter(({ isNear }) => !isNear)
  return { ...planned, ...rest, conjuncts: own.map(({ path, fields }) => ({ path, fields })) }
}
