/** The drawn parts of a graph, with their positions. */
import { type Layers, layersOf, type Place } from './layers.js'
import { countsInWords, type GraphObject, KIND_NAMES, type ModelGraph } from './model-graph.js'
import { PORT_GAP, type Route, routesOf } from './routes.js'

export interface Drawn {
  readonly graph: ModelGraph
  readonly places: ReadonlyMap<string, Place>
  readonly routes: ReadonlyMap<string, Route>
  readonly bounds: Bounds
  /** Only names, if there are many columns. */
  readonly isCompact: boolean
}

export interface Bounds {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

const COMPACT_FROM = 60
const LETTERS_AT_MOST = 34
const PORTS_AT_MOST = 24
const MARGIN = 24

export function drawnOf(graph: ModelGraph): Drawn {
  const isCompact = graph.objects.length >= COMPACT_FROM
  const base = isCompact ? 30 : 62
  const boxes = graph.objects.map((object) => ({
    id: object.name,
    width: widthOf(object, isCompact),
    height: Math.max(base, Math.min(PORTS_AT_MOST, portsOf(graph, object.name)) * PORT_GAP + 10),
  }))
  const layers = layersOf(boxes, graph.joins)
  return { graph, places: layers.places, routes: routesOf(layers, graph.joins), bounds: boundsOf(layers), isCompact }
}

export const shortened = (name: string): string => {
  const letters = [...name]
  return letters.length <= LETTERS_AT_MOST ? name : `${letters.slice(0, LETTERS_AT_MOST - 1).join('')}…`
}

/** The text of a box. */
export function linesOf(object: GraphObject): { readonly name: string; readonly about: string; readonly counts: string } {
  const { name, kind, table } = object
  const isNamedSo = table === '' || table.toLowerCase() === name.toLowerCase()
  const about = isNamedSo ? KIND_NAMES[kind] : `${KIND_NAMES[kind]} · ${table}`
  return { name: shortened(name), about: shortened(about), counts: countsInWords(object) }
}

function widthOf(object: GraphObject, isCompact: boolean): number {
  const { name, about, counts } = linesOf(object)
  const lines = isCompact ? [lengthOf(name) * 8.2] : [lengthOf(name) * 8.2, lengthOf(about) * 6.7, lengthOf(counts) * 6.7]
  return Math.round(Math.max(120, ...lines) + 26)
}

/** Letters outside of Latin, Greek and Cyrillic are wider. */
const lengthOf = (text: string): number => [...text].reduce((sum, letter) => sum + (letter.codePointAt(0)! < 0x600 ? 1 : 1.8), 0)

/** The number on the side that has more. */
function portsOf({ joins }: ModelGraph, name: string): number {
  return Math.max(joins.filter(({ from }) => from === name).length, joins.filter(({ to }) => to === name).length)
}

function boundsOf({ places, bends }: Layers): Bounds {
  const corners = [
    ...[...places.values()].flatMap(({ x, y, width, height }) => [
      { x, y },
      { x: x + width, y: y + height },
    ]),
    ...[...bends.values()].flat(),
  ]
  const [xs, ys] = [corners.map(({ x }) => x), corners.map(({ y }) => y)]
  const [left, top] = [Math.min(0, ...xs) - MARGIN, Math.min(0, ...ys) - MARGIN]
  return { x: left, y: top, width: Math.max(0, ...xs) + MARGIN - left, height: Math.max(0, ...ys) + MARGIN - top }
}

export type Direction = 'left' | 'right' | 'up' | 'down'

/** The nearest box in a direction. Sideways distance counts more than distance in the direction. */
export function nextIn(places: ReadonlyMap<string, Place>, from: string, direction: Direction): string | undefined {
  const start = places.get(from)
  if (start === undefined) return undefined
  const sign = direction === 'right' || direction === 'down' ? 1 : -1
  const isAcross = direction === 'left' || direction === 'right'
  const away = (place: Place) => {
    const dx = place.x + place.width / 2 - start.x - start.width / 2
    const dy = place.y + place.height / 2 - start.y - start.height / 2
    const [ahead, aside] = isAcross ? [dx * sign, dy] : [dy * sign, dx]
    return ahead <= 1 ? Number.POSITIVE_INFINITY : ahead + 3 * Math.abs(aside)
  }
  const near = [...places.values()].filter((place) => away(place) < Number.POSITIVE_INFINITY)
  return near.toSorted((a, b) => away(a) - away(b))[0]?.id
}
