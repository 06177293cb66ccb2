import type { SemanticModel } from '../model/semantic-model.js'
import { intersection, type Ranges } from '../time-zones/ranges.js'
import type { TimeContext } from './clock.js'
import { readsDaysOfPeriods } from './days-of-periods.js'
import { daysNamed, namesNoDay } from './generated-periods.js'
import { isOfGenerated, namesPeriod } from './named-periods.js'
import type { Conjunct, ResolvedDimension } from './resolved-query.js'
import { MICROS_PER_DAY, parseTime } from './time.js'
import { timesLeft } from './times-left.js'

interface Of {
  readonly time: ResolvedDimension
  readonly clocks: TimeContext
  readonly model: SemanticModel
}

/** The times that conditions leave; `undefined` if the days or their periods are in a table, or a condition is no comparison with times. */
export function knownLeft(onTime: readonly Conjunct[], { time, clocks, model }: Of): Ranges | undefined {
  if (onTime.some((conjunct) => readsDaysOfPeriods(conjunct, time, model))) return undefined
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
