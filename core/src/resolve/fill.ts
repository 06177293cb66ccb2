import { fail } from '../errors.js'
import { staysWithin } from '../model/grain.js'
import type { QueryObject } from '../query/query-object.js'
import type { Fill, ResolvedDimension } from './resolved-query.js'
import { finest, ofSameTime } from './time-dimension.js'

/** The only time whose gaps a query fills: its finest grain; coarser grains are derived from it. Throws `TIME_DIMENSION_NOT_SELECTED`. */
export function fillOf({ fill_gaps }: QueryObject, dimensions: readonly ResolvedDimension[]): Fill | undefined {
  if (!fill_gaps) return undefined
  const times = dimensions.filter((d) => d.grain !== undefined)
  const time = finest(times)
  const siblingGrains = time ? ofSameTime(time, dimensions) : []
  const isPlain = time && siblingGrains.every((d) => d.grain !== undefined) && times.length === siblingGrains.length + 1
  const astray = isPlain && siblingGrains.find((d) => !staysWithin(time.grain!, d.grain!))
  if (astray)
    fail(
      'TIME_DIMENSION_NOT_SELECTED',
      `fill_gaps runs along '${time.label}', whose periods do not lie within those of '${astray.label}'; select grains of one calendar`,
      { path: 'fill_gaps' },
    )
  const cut = isPlain && [time, ...siblingGrains].find((d) => d.top)
  if (cut)
    fail(
      'TIME_DIMENSION_NOT_SELECTED',
      `fill_gaps reports every period, and top a few of '${cut.label}'; leave one of them out`,
      {
        path: 'fill_gaps',
      },
    )
  if (isPlain) return { time, siblingGrains, perTuple: false }
  return fail(
    'TIME_DIMENSION_NOT_SELECTED',
    `fill_gaps runs along one time with a grain, and the query selects ${times.length === 0 ? 'none' : 'several'}; select one, such as 'Date:month'`,
    { path: 'fill_gaps' },
  )
}

/** The same on a subtotal level, or in an inner query; without the time there are no gaps. */
export function fillAt(fill: Fill | undefined, level: readonly ResolvedDimension[]): Fill | undefined {
  const times = fill ? level.filter((d) => d === fill.time || ofSameTime(fill.time, [d]).length > 0) : []
  const time = finest(times)
  return time && { time, siblingGrains: times.filter((d) => d !== time), perTuple: false }
}
