import { hasDimension } from '../resolve/resolved-query.js'
import { isSame } from '../same.js'
import type { BlockRequest } from './block-request.js'
import type { PlannedRequest } from './block-requests.js'

/** Whether a block has a row for each group of the rows of another. */
export const isOfAllRowsOf = (planned: PlannedRequest, rows: BlockRequest): boolean =>
  planned.shift === undefined && rows.bridges.size === 0 && countsAllRows(planned) && isOfSameRows(planned.request, rows)

/** Whether each row of the base counts once, in its own group. */
export const isOfBase = ({ request, window }: PlannedRequest): boolean =>
  window === undefined &&
  request.bridges.size === 0 &&
  !request.fanOut &&
  request.semiAdditive === undefined &&
  request.multiFact === undefined

/** Whether no filter of a measure leaves out rows of the base. */
export const countsAllRows = (planned: PlannedRequest): boolean =>
  isOfBase(planned) && planned.request.aggregates.some((a) => a.filters.length === 0 && a.converts === undefined)

/** Whether both read the same rows of one base in the same groups. */
export function isOfSameRows(a: BlockRequest, b: BlockRequest): boolean {
  const same = a.conjuncts.length === b.conjuncts.length && a.conjuncts.every((c, i) => isSame(c, b.conjuncts[i]))
  return (
    a.base === b.base &&
    isSame(a.inDays, b.inDays) &&
    same &&
    a.dimensions.length === b.dimensions.length &&
    a.dimensions.every((d) => hasDimension(b.dimensions, d))
  )
}
