import type { SemanticModel } from '../model/semantic-model.js'
import { intersection, type Ranges } from '../time-zones/ranges.js'
import type { TimeContext } from './clock.js'
import { daysNamed, namesNoDay } from './generated-periods.js'
import { isOfGenerated, namesPeriod } from './named-periods.js'
import type { Conjunct } from './resolved-query.js'
import { MICROS_PER_DAY, parseTime } from './time.js'
import { timesLeft } from './times-left.js'

/** The times that conditions leave; `undefined` if the days are in a table, or a condition is no comparison with times. */
export function knownLeft(onTime: readonly Conjunct[], clocks: TimeContext, model: SemanticModel): Ranges | undefined {
  const named = onTime.filter((c) => namesPeriod(c, model))
  const left = timesLeft(
    onTime.filter((c) => !named.includes(c)),
    clocks,
  )
  const [first] = named
  if (!first || !left) return left
  if (!isOfGenerated(first, model)) return undefined
  if (namesNoDay(named, model)) return []
  const days = daysNamed(named, model)
  const ends = days && [parseTime(days.first), parseTime(days.last)]
  if (!ends?.[0] || !ends[1]) return undefined
  return intersection(left, [{ from: ends[0].micros, to: ends[1].micros + MICROS_PER_DAY }])
}
