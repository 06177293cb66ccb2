import * as Plot from '@observablehq/plot'
import type { Point } from './chart-data.js'

/** A pointer finds the place along the axis, and reads there every drawn series. */
export function placeTips(points: readonly Point[], at: number, heading: string) {
  const tips = tipsOf(points, at, heading)
  return [
    Plot.ruleX(tips, Plot.pointerX({ x: 'x', stroke: 'currentColor', strokeOpacity: 0.4 })),
    Plot.tip(tips, Plot.pointerX({ x: 'x', y: 'y', title: 'title' })),
  ]
}

/** For each place its series, the largest first. */
export function tipsOf(points: readonly Point[], at: number, heading: string) {
  const places = new Map<number, Point[]>()
  for (const point of points) places.set(Number(point.x), [...(places.get(Number(point.x)) ?? []), point])
  return [...places.values()].map((here) => {
    const ordered = here.toSorted((a, b) => (b.values[at] ?? 0) - (a.values[at] ?? 0))
    const lines = ordered.map(({ series, texts }) => `${series}: ${texts[at]}`)
    return { x: here[0]!.x, y: ordered[0]!.values[at] ?? null, title: [here[0]!.place, heading, ...lines].join('\n') }
  })
}
