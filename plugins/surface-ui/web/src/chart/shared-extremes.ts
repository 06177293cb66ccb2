import type { Point } from './chart-data.js'
import type { ChartKind } from './chart-look.js'

interface Numbers {
  /** The drawn numbers, in the order of the values of a point. */
  readonly names: readonly string[]
  readonly name: string
  readonly points: readonly Point[]
  readonly kind: ChartKind
}

/** What a comparison of a question adds to the name of a measure. */
const BEFORE = ' before'

/** The least and the largest value of a measure and of the same one in another period; nothing for a number that is drawn alone. */
export function sharedExtremes({ names, name, points, kind }: Numbers): readonly number[] {
  const base = name.endsWith(BEFORE) && names.includes(name.slice(0, -BEFORE.length)) ? name.slice(0, -BEFORE.length) : name
  const linked = names.flatMap((each, at) => (each === base || each === base + BEFORE ? [at] : []))
  if (linked.length < 2) return []
  const all = linked.flatMap((at) => (kind === 'line' || kind === 'grouped' ? valuesOf(points, at) : heightsOf(points, at)))
  return all.length === 0 ? [] : [Math.min(...all), Math.max(...all)]
}

const valuesOf = (points: readonly Point[], at: number): readonly number[] => points.flatMap(({ values }) => values[at] ?? [])

/** Bars stand on each other. */
function heightsOf(points: readonly Point[], at: number): readonly number[] {
  const sums = new Map<string, number>()
  for (const { place, values } of points) sums.set(place, (sums.get(place) ?? 0) + (values[at] ?? 0))
  return [...sums.values()]
}
