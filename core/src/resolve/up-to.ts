import type { TimeContext } from './clock.js'
import { condition } from './conditions.js'
import type { Conjunct, FieldLeaf, ResolvedDimension, WhereLeaf } from './resolved-query.js'
import { nameOfDimension } from './resolved-query.js'
import { dateText, type Micros, timestampText } from './time.js'

/** A condition that leaves the times before an end. A filter context names it by the dimension, or as a metric does. */
export function upTo(
  end: Micros,
  time: ResolvedDimension,
  clocks: TimeContext,
  path: string,
  name = nameOfDimension(time),
): Conjunct {
  const { members } = time
  const [{ type }] = members
  const leaf: FieldLeaf = { kind: 'where-field', members, type, name }
  const subject = { expression: leaf, type, grain: undefined, name }
  const value = type.kind === 'date' ? dateText(end) : timestampText(end)
  const comparison = { operator: 'lt', values: [value], path } as const
  const expression = condition<WhereLeaf>(subject, comparison, clocks)
  const times = [{ expression, condition: { kind: 'compared', subject, comparison } }] as const
  return { expression, leaves: [leaf], path: time.path || path, fields: [name], ofMeasure: true, times }
}
