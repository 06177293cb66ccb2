import { fail } from '../errors.js'
import { isHiddenName } from '../hidden-name.js'
import { type DataType, isTemporal } from '../model/data-type.js'
import { staysWithin } from '../model/grain.js'
import type { QueryObject } from '../query/query-object.js'
import type { JoinGraph } from './join-graph.js'
import type { Fill, ResolvedDimension } from './resolved-query.js'
import { decidedBy, finest, followsFrom, ofSameTime } from './time-dimension.js'

/** The only time whose gaps a query fills: its finest grain; coarser grains are derived from it. Throws `TIME_DIMENSION_NOT_SELECTED`. */
export function fillOf({ fill_gaps }: QueryObject, dimensions: readonly ResolvedDimension[], graph: JoinGraph): Fill | undefined {
  if (!fill_gaps) return undefined
  const times = dimensions.filter((d) => d.grain !== undefined && d.ofTable?.placedIn === undefined)
  const time = finest(times)
  const siblingGrains = time ? ofSameTime(time, dimensions, graph) : []
  // Columns of a calendar are looked up for its periods.
  const grains = time ? siblingGrains.filter((d) => !followsFrom(time, d, graph)) : []
  const isPlain = time && grains.every((d) => d.grain !== undefined) && times.length === grains.length + 1
  const astray = isPlain && grains.find((d) => !staysWithin(time.grain!, d.grain!))
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
  if (isPlain) return { time, siblingGrains: decidedBy(time, dimensions, graph), perTuple: false }
  return fail(
    'TIME_DIMENSION_NOT_SELECTED',
    `fill_gaps runs along one time with a grain, and ${insteadOf(times, dimensions, graph)}`,
    {
      path: 'fill_gaps',
    },
  )
}

/** What the query selects instead of one time with a grain, and what to select. */
function insteadOf(times: readonly ResolvedDimension[], dimensions: readonly ResolvedDimension[], graph: JoinGraph): string {
  if (times.length > 0) return `the query selects several: ${quoted(times)}; select one of them`
  const bare = dimensions.find(({ type }) => hasPeriods(type))
  if (bare) return `'${bare.label}' has none; select '${bare.name}:day', or another grain`
  const first = [...graph.model.dimensions.values()].find(({ name, type }) => !isHiddenName(name) && hasPeriods(type))
  return `the query selects none${first ? `; select one, such as '${first.name}:month'` : ''}`
}

const quoted = (dimensions: readonly ResolvedDimension[]): string => dimensions.map(({ label }) => `'${label}'`).join(', ')

const hasPeriods = (type: DataType): boolean => isTemporal(type) && type.kind !== 'time'

/** The same on a subtotal level, or in an inner query; without the time there are no gaps. */
export function fillAt(fill: Fill | undefined, level: readonly ResolvedDimension[], graph: JoinGraph): Fill | undefined {
  const times = fill ? level.filter((d) => d === fill.time || ofSameTime(fill.time, [d], graph).length > 0) : []
  const time = finest(times.filter((d) => d.grain !== undefined))
  // What follows from the periods of the level need not follow from those of the query, such as a quarter from weeks.
  return time && { time, siblingGrains: decidedBy(time, level, graph), perTuple: false }
}
