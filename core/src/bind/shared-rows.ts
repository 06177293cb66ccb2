import { hasDimension } from '../resolve/resolved-query.js'
import { isSame } from '../same.js'
import type { BlockRequest } from './block-request.js'
import type { PlannedRequest } from './block-requests.js'

/**
 * The same blocks. A block of another period reads all rows of its base, whatever its measures count, if a block of the answer does so, too: both
 * are then one aggregation.
 */
export function withSharedRows(requests: readonly PlannedRequest[]): readonly PlannedRequest[] {
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

/** Whether a block has a row for each group of the rows of another. */
export const isOfAllRowsOf = (planned: PlannedRequest, rows: BlockRequest): boolean =>
  planned.shift === undefined && rows.bridges.size === 0 && countsAllRows(planned) && isOfSameRows(planned.request, rows)

const isOfBase = ({ request, window }: PlannedRequest): boolean =>
  window === undefined &&
  request.bridges.size === 0 &&
  !request.fanOut &&
  request.semiAdditive === undefined &&
  request.multiFact === undefined

const isFiltered = ({ request }: PlannedRequest): boolean => request.aggregates.every((a) => a.filters.length > 0)

const countsAllRows = (planned: PlannedRequest): boolean =>
  isOfBase(planned) && planned.request.aggregates.some((a) => a.filters.length === 0 && a.converts === undefined)

function isOfSameRows(a: BlockRequest, b: BlockRequest): boolean {
  const same = a.conjuncts.length === b.conjuncts.length && a.conjuncts.every((c, i) => isSame(c, b.conjuncts[i]))
  return (
    a.base === b.base &&
    same &&
    a.dimensions.length === b.dimensions.length &&
    a.dimensions.every((d) => hasDimension(b.dimensions, d))
  )
}
