import type { AggregateQuery } from '../resolve/resolved-query.js'
import type { PlannedRequest } from './block-requests.js'

/**
 * A rewriting of the requests of an answer for speed. It is not a rule of plans because it reads the dimensions and conditions of the query, which a bound block does not
 * have any more. It may add bounds that leave out only rows that no row of the answer reads, read more rows of which no aggregate counts any, and read aggregates from the
 * table of a rollup: the request still says what they are.
 */
export interface RequestRule {
  /** As in `--without near-periods`. */
  readonly name: string
  /** The same aggregates; a request that the rule does not change is the same object. */
  readonly rewrite: (requests: readonly PlannedRequest[], query: AggregateQuery) => readonly PlannedRequest[]
}

export interface RequestRuleOptions {
  /** The names of rules that are left out. */
  readonly without: ReadonlySet<string>
  /** Whether a rule that changes the meaning of a request is found. */
  readonly isChecked: boolean
}
