import { fail } from '../errors.js'
import type { AggregateQuery } from '../resolve/resolved-query.js'
import { isSame } from '../same.js'
import type { PlannedRequest } from './block-requests.js'
import { nearPeriods } from './near-periods.js'
import type { RequestRule, RequestRuleOptions } from './request-rule.js'
import { sharedRows } from './shared-rows.js'

/** Each rule rewrites the requests that the one before it returns. After them comes `rollup-tables`, which needs what binding knows. */
export const requestRules: readonly RequestRule[] = [nearPeriods, sharedRows]

/** Requests after some rules, and the names of those that changed them. */
export interface RuledRequests {
  readonly requests: readonly PlannedRequest[]
  readonly rules: readonly string[]
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
        if (after.length === before.requests.length && after.every((request, i) => request === before.requests[i])) return before
        if (isChecked) refuseOtherMeaning(name, before.requests, after)
        return { requests: after, rules: [...before.rules, name] }
      },
      { requests, rules: [] },
    )

function refuseOtherMeaning(name: string, before: readonly PlannedRequest[], after: readonly PlannedRequest[]): void {
  if (isSame(meaningOf(before), meaningOf(after))) return
  fail(
    'INTERNAL_ERROR',
    `the rule '${name}' changes what is computed from ${before.map(({ request }) => `'${request.base}'`).join(', ')}`,
  )
}

/** What a rule must not change of each aggregate: all but the bounds that it adds, the form of conditions, and the table that is read. */
const meaningOf = (requests: readonly PlannedRequest[]): readonly object[] =>
  requests
    .flatMap(({ request, ...planned }) => {
      const { ofAllRows: _all, rollup: _table, conjuncts, aggregates, ...rest } = request
      const own = conjuncts.filter(({ isNear }) => !isNear).map(({ path, fields }) => ({ path, fields }))
      return aggregates.map((aggregate) => {
        const contributesRows = planned.contributesRows && aggregate.contributesRows
        return { ...planned, ...rest, contributesRows, aggregate, conjuncts: own }
      })
    })
    .sort((a, b) => (a.aggregate.name < b.aggregate.name ? -1 : 1))
