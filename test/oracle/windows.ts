/** Window functions over the rows of a level in which their own measure has a row, before `having`. */
import { rowsAlone } from './compared-rows.js'
import { defaultValueOf, kindOfName } from './components.js'
import { withGaps } from './gaps.js'
import { groupBy } from './group-by.js'
import type { Level, Tuple } from './levels.js'
import type { MetricJson } from './model.js'
import { timeAt } from './periods.js'
import type { Sheet } from './sheet.js'
import { compare, int, keyOf, keyOfAll, type Value } from './values.js'

interface WindowRow {
  readonly index: number
  readonly tuple: Tuple
  readonly key: Value
  readonly value: Value
}

/** All NULL if the metric's time dimension is rolled up. Rows that only other measures create are NULL, and no window sees them. */
export function windowColumn({ level, tuples, column }: Sheet, metric: MetricJson): readonly Value[] {
  const { dimensions, world } = level
  const time = metric.timeDimension === undefined ? -1 : timeAt(level, metric.timeDimension)
  if (metric.timeDimension !== undefined && time < 0) return tuples.map(() => null)
  const values = column(metric.measure!)
  const rows = tuples.map((tuple, index): WindowRow => {
    const value = values[index]!
    return { index, tuple, value, key: time < 0 ? value : tuple[time]! }
  })
  const partition = dimensions.flatMap((d, i) => (metric.partitionBy?.includes(d.name) ? [i] : []))
  const descending = metric.orderDirection === undefined ? time < 0 : metric.orderDirection === 'desc'
  const absent = defaultValueOf(metric.defaultValue, kindOfName(world, metric.measure!))
  const results = new Map<number, Value>()
  const own = ownTuples(level, metric)
  const seen = rows.filter((r) => own.has(keyOfAll(r.tuple)))
  for (const part of groupBy(seen, (r) => keyOfAll(partition.map((i) => r.tuple[i]!))).values()) {
    const placed = (tuple: Tuple): Tuple => tuple.flatMap((v, i) => dimensions[i]!.placesOf(v))
    const sorted = part.toSorted((a, b) => nullsLast(a.key, b.key, descending) || byTuple(placed(a.tuple), placed(b.tuple)))
    sorted.forEach((row, at) => void results.set(row.index, valueAt(metric, sorted, at, absent)))
  }
  return tuples.map((_, i) => results.get(i) ?? null)
}

/** The rows of the answer if the measure of the metric were asked alone. */
const ownTuples = (level: Level, { measure }: MetricJson): ReadonlySet<string> =>
  new Set(withGaps(level, rowsAlone(level, [measure!]), [measure!]).map(keyOfAll))

function nullsLast(a: Value, b: Value, descending: boolean): number {
  if (a === null || b === null) return a === b ? 0 : a === null ? 1 : -1
  return descending ? compare(b, a) : compare(a, b)
}

/** Every dimension ascending; those that partition or order are equal among ties. */
const byTuple = (a: Tuple, b: Tuple): number => a.map((v, i) => nullsLast(v, b[i]!, false)).find((d) => d !== 0) ?? 0

function valueAt(metric: MetricJson, sorted: readonly WindowRow[], at: number, absent: Value): Value {
  const { windowFunction, offset = 1, buckets = 1 } = metric
  switch (windowFunction) {
    case 'row_number':
      return int(at + 1)
    case 'rank':
      return int(sorted.findIndex((r) => sameKey(r, sorted[at]!)) + 1)
    case 'dense_rank':
      return int(new Set(sorted.slice(0, at + 1).map((r) => keyOf(r.key))).size)
    case 'ntile':
      return int(bucketOf(at, sorted.length, buckets))
    case 'first_value':
      return sorted[0]!.value
    case 'last_value':
      return sorted.at(-1)!.value
    default: {
      const other = sorted[windowFunction === 'lag' ? at - offset : at + offset]
      return other ? other.value : absent
    }
  }
}

const sameKey = (a: WindowRow, b: WindowRow): boolean => keyOf(a.key) === keyOf(b.key)

/** As in SQL: the first buckets have one row more if the rows do not divide evenly. */
function bucketOf(at: number, rows: number, buckets: number): number {
  const [small, large] = [Math.floor(rows / buckets), rows % buckets]
  const inLarge = large * (small + 1)
  return at < inLarge ? Math.floor(at / (small + 1)) + 1 : large + Math.floor((at - inLarge) / small) + 1
}
