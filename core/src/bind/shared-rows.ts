import type { PlannedRequest } from './block-requests.js'
import type { RequestRule } from './request-rule.js'
import { countsAllRows, isOfBase, isOfSameRows } from './rows-of-requests.js'

/**
 * A block of another period reads all rows of its base, whatever its measures count, if a block of the answer does so, too: both are then one aggregation. Its groups are
 * only looked up, so that a group more, in which no aggregate counts a row, is a group that is not found.
 */
export const sharedRows: RequestRule = { name: 'shared-rows', rewrite: withSharedRows }

function withSharedRows(requests: readonly PlannedRequest[]): readonly PlannedRequest[] {
  const givers = requests.filter((r) => r.shift === undefined && countsAllRows(r))
  return requests.map((r) => {
    const isShared =
      r.shift !== undefined &&
      !r.contributesRows &&
      isFiltered(r) &&
      isOfBase(r) &&
      givers.some((giver) => isOfSameRows(giver.request, r.request))
    return isShared ? { ...r, request: { ...r.request, ofAllRows: true } } : r
  })
}

const isFiltered = ({ request }: PlannedRequest): boolean => request.aggregates.every((a) => a.filters.length > 0)
