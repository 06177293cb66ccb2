import { type DataType, isNumeric, isTemporal } from '../model/data-type.js'
import { dateItself } from '../resolve/grain-expressions.js'
import { isDimension, type PeriodWindow } from '../resolve/resolved-query.js'

/** Windows that begin at the first of all periods, or at the first of a longer one, and are one group each. */
export const isRunning = ({ periods, groupBy }: PeriodWindow): boolean => periods === undefined && groupBy.length === 0

/** Windows of n periods at the grain of the row, which have the length of an interval, and are one group each. */
export const isTrailing = ({ grain, periods, unit, groupBy }: PeriodWindow): boolean =>
  periods !== undefined && typeof grain === 'string' && (unit === undefined || unit === grain) && groupBy.length === 0

/** A row of the answer shows the last period of its window: a date is its own day. */
export function showsPeriod({ own, time, period }: PeriodWindow): boolean {
  const shown = dateItself(own)
  return shown.kind === 'column' && shown.name === time.name && isDimension(time, period)
}

/** Whether window functions can aggregate values of the type. Texts have their own order, and not every engine has a least boolean. */
export const runs = (type: DataType): boolean => isNumeric(type) || isTemporal(type)
