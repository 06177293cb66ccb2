import type { WeekStart } from '../model/grain.js'
import type { Clock } from './clock.js'

/** The clock and calendar that conditions are resolved in, one per query. */
export interface TimeContext {
  readonly clock: Clock
  readonly zone: string
  readonly weekStart: WeekStart
  /** The zone in which timestamps without zone are written; `undefined` where they are not moved. */
  readonly naiveZone: string | undefined
  /** The query has a time zone, but the zone of timestamps without zone is unknown. */
  readonly leavesNaive: boolean
}
