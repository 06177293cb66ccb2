import * as Plot from '@observablehq/plot'
import type { Point } from './chart-data.js'

const LETTER = 7
/** Longer numbers would take the space of the bars. */
const LETTERS_AT_MOST = 14

/** The number of each bar at its end, and the room that the longest one needs; absent if bars point to both sides, or numbers are long. */
export function barLabels(points: readonly Point[], at: number) {
  const longest = Math.max(0, ...points.map(({ texts }) => texts[at]?.length ?? 0))
  if (longest > LETTERS_AT_MOST || points.some(({ values }) => (values[at] ?? 0) < 0)) return undefined
  const text = (point: Point) => point.texts[at] ?? ''
  const look = {
    x: (point: Point) => point.values[at] ?? null,
    y: (point: Point) => point.place,
    text,
    textAnchor: 'start' as const,
    dx: 5,
  }
  return { room: Math.max(26, longest * LETTER + 12), marks: [Plot.text(points, look)] }
}
