import type { Point } from './chart-data.js'

const DAY_MS = 86_400_000
/** Shorter steps are often irregular by themselves: days without weekends, hours without nights. */
const SHORTEST_STEP = 27 * DAY_MS
/** Months, quarters and years differ by less. */
const LONGER_BY = 1.5

/** The points of lines over months, quarters or years, with a point without a value where some are missing: a line is not drawn across them. */
export function brokenLines(points: readonly Point[]): readonly Point[] {
  const times = [...new Set(points.map(({ x }) => Number(x)))].toSorted((a, b) => a - b)
  const step = Math.min(...times.slice(1).map((time, n) => time - times[n]!))
  if (!Number.isFinite(step) || step < SHORTEST_STEP) return points
  const last = new Map<string, Point>()
  const inOrder = points.toSorted((a, b) => Number(a.x) - Number(b.x))
  return inOrder.flatMap((point) => {
    const before = last.get(point.series)
    last.set(point.series, point)
    if (before === undefined || Number(point.x) - Number(before.x) < step * LONGER_BY) return [point]
    const gap = { ...before, x: new Date(Number(before.x) + step), values: before.values.map(() => null) }
    return [gap, point]
  })
}
