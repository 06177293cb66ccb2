import { isLiteral } from '../model/expression/ast.js'
import { binary, call, integer, text } from '../resolve/expressions.js'
import { leapsSince, timeZone } from '../time-zones/time-zone.js'
import type { Dialect } from './dialect.js'
import type { SqlExpr } from './statement.js'

/** Before this time, the records of the time zone database are known to be incomplete, and engines differ in which of them they contain. */
const SINCE_1970 = 0
const HOUR = 3_600

/**
 * The instant of a local time, `from_zone(x, zone)`, with the same result on every engine: a time that clocks showed twice is the first of
 * two instants. A skipped time is read with the offset before the jump, on which engines agree or which is computed here.
 */
export function firstInstant(x: SqlExpr, zone: SqlExpr, { repeatedTimes }: Pick<Dialect, 'repeatedTimes'>): SqlExpr {
  const read = (wall: SqlExpr): SqlExpr => call('from_zone', wall, zone)
  const found = isLiteral(zone) ? timeZone(String(zone.value)) : undefined
  const back = found ? leapsSince(found, SINCE_1970, false) : []
  const isFixed = found !== undefined && back.length === 0 && leapsSince(found, SINCE_1970, true).length === 0
  if (repeatedTimes === 'first' || isFixed) return read(x)
  return repeatedTimes === 'second' ? earlierBy(back, x, read(x), zone) : aroundTheDay(x, read, zone)
}

/**
 * The engine takes the second of two: an instant that is earlier by the size of the clock change, and shows the same local time, is the
 * first.
 */
const earlierBy = (seconds: readonly number[], x: SqlExpr, second: SqlExpr, zone: SqlExpr): SqlExpr =>
  seconds.length === 0
    ? second
    : {
        kind: 'case',
        branches: seconds
          .map((by) => moved(-by, second))
          .map((earlier) => ({ when: binary('=', call('in_zone', earlier, zone), x), then: earlier })),
        otherwise: second,
      }

/** Nothing is known about the engine: the offset of the previous day is used, unless only that of the next day gives this time. */
function aroundTheDay(x: SqlExpr, read: (wall: SqlExpr) => SqlExpr, zone: SqlExpr): SqlExpr {
  const byOffsetOf = (days: -1 | 1): SqlExpr => moved(-days * 24 * HOUR, read(moved(days * 24 * HOUR, x)))
  const [before, after] = [byOffsetOf(-1), byOffsetOf(1)]
  const shows = (instant: SqlExpr, operator: '=' | '<>'): SqlExpr => binary(operator, call('in_zone', instant, zone), x)
  return {
    kind: 'case',
    branches: [{ when: binary('and', shows(after, '='), shows(before, '<>')), then: after }],
    otherwise: before,
  }
}

const moved = (seconds: number, value: SqlExpr): SqlExpr => call('date_add', text('second'), integer(seconds), value)
