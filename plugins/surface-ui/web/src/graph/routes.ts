/** How the links of a layout are drawn: each has separate ports at both ends. */
import { grouped } from './grouped.js'
import type { Layers, Link, Place, Point } from './layers.js'

export interface Port extends Point {
  /** The side of the box: 1 is right, -1 is left. */
  readonly side: 1 | -1
}

export interface Route {
  readonly path: string
  readonly start: Port
  readonly end: Port
  readonly middle: Point
}

export const PORT_GAP = 15

export function routesOf({ places, bends }: Layers, links: readonly Link[]): ReadonlyMap<string, Route> {
  const drawn = links.filter(({ from, to }) => places.has(from) && places.has(to))
  const ends = drawn.flatMap((link) => endsOf(link, places, bends.get(link.id) ?? []))
  const ports = new Map<string, Port>()
  for (const [, side] of grouped(ends, ({ box, side }) => `${side} ${box.id}`)) {
    const sorted = side.toSorted((a, b) => a.towards - b.towards)
    const { box } = sorted[0]!
    const gap = Math.min(PORT_GAP, (box.height - 8) / sorted.length)
    for (const [n, { key, side: of }] of sorted.entries()) {
      const y = box.y + box.height / 2 + (n - (sorted.length - 1) / 2) * gap
      ports.set(key, { x: of === 1 ? box.x + box.width : box.x, y, side: of })
    }
  }
  return new Map(
    drawn.map(({ id }) => {
      const [start, end] = [ports.get(`${id} from`)!, ports.get(`${id} to`)!]
      return [id, routeBetween(start, end, bends.get(id) ?? [])]
    }),
  )
}

interface End {
  readonly key: string
  readonly box: Place
  readonly side: 1 | -1
  /** The height of its other end. */
  readonly towards: number
}

function endsOf({ id, from, to }: Link, places: ReadonlyMap<string, Place>, bends: readonly Point[]): readonly End[] {
  const [a, b] = [places.get(from)!, places.get(to)!]
  const side = b.x > a.x || from === to ? 1 : -1
  const far = from === to ? 1 : side === 1 ? -1 : 1
  return [
    { key: `${id} from`, box: a, side, towards: bends[0]?.y ?? middleOf(b) },
    { key: `${id} to`, box: b, side: far, towards: bends.at(-1)?.y ?? middleOf(a) },
  ]
}

const middleOf = ({ y, height }: Place): number => y + height / 2

function routeBetween(start: Port, end: Port, bends: readonly Point[]): Route {
  const points: readonly Point[] = [start, ...bends, end]
  const curves = points.slice(1).map((to, n) => {
    const from = points[n]!
    const reach = Math.max(36, Math.abs(to.x - from.x) / 2)
    const [leave, arrive] = [from.x + reach * start.side, to.x + reach * end.side]
    return `C${round(leave)} ${round(from.y)} ${round(arrive)} ${round(to.y)} ${round(to.x)} ${round(to.y)}`
  })
  const at = points.length >> 1
  const middle = bends[bends.length >> 1] ?? between(points[at - 1]!, points[at]!)
  return { path: `M${round(start.x)} ${round(start.y)}${curves.join('')}`, start, end, middle }
}

const between = (a: Point, b: Point): Point => ({ x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 })
const round = (value: number): number => Math.round(value * 10) / 10
