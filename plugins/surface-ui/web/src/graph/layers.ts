/** A layered layout: joins lead from left to right. The same graph is always laid out the same. */
import { grouped } from './grouped.js'

export interface Box {
  readonly id: string
  readonly width: number
  readonly height: number
}

export interface Link {
  readonly id: string
  readonly from: string
  readonly to: string
}

export interface Place extends Box {
  /** The position of the top left corner. */
  readonly x: number
  readonly y: number
}

export interface Point {
  readonly x: number
  readonly y: number
}

export interface Layers {
  readonly places: ReadonlyMap<string, Place>
  /** Where a link crosses the layers between its ends, in its direction. */
  readonly bends: ReadonlyMap<string, readonly Point[]>
}

/** If a layer has more, it gets several columns. */
const IN_COLUMN = 30
const GAP = { layer: 110, column: 44, row: 18, lane: 14 } as const
const SWEEPS = 8

/** The content of a column: a box, or the lane of a link that crosses it. */
interface Item {
  readonly box: Box
  readonly link?: string
  /** Their items in other columns. */
  readonly met: Item[]
  /** Its middle. */
  y: number
}

export function layersOf(boxes: readonly Box[], links: readonly Link[]): Layers {
  const known = new Set(boxes.map(({ id }) => id))
  const real = links.filter(({ from, to }) => from !== to && known.has(from) && known.has(to))
  const touched = new Set(real.flatMap(({ from, to }) => [from, to]))
  const joined = boxes.filter(({ id }) => touched.has(id))
  const { columns, lanes } = columnsOf(joined, real, ranks(joined, real))
  for (let sweep = 0; sweep < SWEEPS; sweep++) {
    for (const { items: column } of sweep % 2 === 0 ? columns : columns.toReversed()) settle(column, sweep < SWEEPS - 2)
  }
  const left = xOf(columns)
  const top = Math.min(...columns.flatMap((column) => column.items.map(({ box, y }) => y - box.height / 2)))
  const places = new Map<string, Place>()
  for (const [n, { items: column }] of columns.entries())
    for (const { box, link, y } of column)
      if (link === undefined) places.set(box.id, { ...box, x: left[n]!, y: y - box.height / 2 - top })
  const middle = new Map(
    columns.flatMap(({ items: column, width }, n) => column.map((item) => [item, left[n]! + width / 2] as const)),
  )
  const bends = new Map(
    [...lanes].map(([id, passed]) => [id, passed.map((item) => ({ x: middle.get(item)!, y: item.y - top }))] as const),
  )
  const alone = boxes.filter(({ id }) => !touched.has(id))
  return { places: new Map([...places, ...shelved(alone, places)]), bends }
}

/** The longest path to each box; a link that closes a cycle does not count. A box without incoming links moves next to its first target. */
function ranks(boxes: readonly Box[], links: readonly Link[]): ReadonlyMap<string, number> {
  const out = grouped(links, ({ from }) => from)
  const into = new Set(links.map(({ to }) => to))
  const state = new Map<string, 'open' | 'done'>()
  const order: string[] = []
  const forward: Link[] = []
  const walk = (start: string) => {
    const stack = [{ id: start, next: 0 }]
    state.set(start, 'open')
    while (stack.length > 0) {
      const top = stack.at(-1)!
      const link = out.get(top.id)?.[top.next++]
      if (link === undefined) {
        state.set(top.id, 'done')
        order.unshift(top.id)
        stack.pop()
      } else if (state.get(link.to) !== 'open') {
        forward.push(link)
        if (!state.has(link.to)) {
          state.set(link.to, 'open')
          stack.push({ id: link.to, next: 0 })
        }
      }
    }
  }
  for (const { id } of [...boxes.filter((box) => !into.has(box.id)), ...boxes]) if (!state.has(id)) walk(id)
  const rank = new Map(order.map((id) => [id, 0]))
  const targets = grouped(forward, ({ from }) => from)
  for (const id of order) for (const { to } of targets.get(id) ?? []) rank.set(to, Math.max(rank.get(to)!, rank.get(id)! + 1))
  for (const { id } of boxes)
    if (!into.has(id)) rank.set(id, Math.min(...(targets.get(id) ?? []).map(({ to }) => rank.get(to)! - 1)))
  return rank
}

interface Column {
  readonly items: Item[]
  readonly layer: number
  readonly width: number
}

/** Boxes in the columns of their layers, and lanes where a link crosses a layer. */
function columnsOf(boxes: readonly Box[], links: readonly Link[], layer: ReadonlyMap<string, number>) {
  const items = new Map(boxes.map((box) => [box.id, { box, met: [], y: 0 } as Item]))
  const layers: Item[][] = []
  for (const id of nearOrder(boxes, links)) place(layers, layer.get(id)!).push(items.get(id)!)
  const lanes = new Map<string, readonly Item[]>()
  for (const { id, from, to } of links) {
    const [a, b] = [layer.get(from)!, layer.get(to)!]
    const step = Math.sign(b - a)
    const passed: Item[] = []
    for (let at = a + step; step !== 0 && at !== b; at += step) {
      const lane: Item = { box: { id: `${id} ${at}`, width: 0, height: GAP.lane }, link: id, met: [], y: 0 }
      place(layers, at).push(lane)
      passed.push(lane)
    }
    lanes.set(id, passed)
    meet([items.get(from)!, ...passed, items.get(to)!])
  }
  const columns = layers.flatMap((all, n) => split(all).map((part): Column => ({ items: part, layer: n, width: widthOf(part) })))
  for (const { items: column } of columns) settle(column, false)
  return { columns, lanes }
}

function place(layers: Item[][], at: number): Item[] {
  while (layers.length <= at) layers.push([])
  return layers[at]!
}

function meet(way: readonly Item[]): void {
  for (let n = 1; n < way.length; n++) {
    way[n]!.met.push(way[n - 1]!)
    way[n - 1]!.met.push(way[n]!)
  }
}

const widthOf = (items: readonly Item[]): number => Math.max(0, ...items.map(({ box }) => box.width))

/** Distributed in turn, so that each column reaches from top to bottom. */
function split(items: readonly Item[]): Item[][] {
  const count = Math.max(1, Math.ceil(items.filter(({ link }) => link === undefined).length / IN_COLUMN))
  return Array.from({ length: count }, (_, n) => items.filter((_item, at) => at % count === n))
}

/** Neighbours follow one another. */
function nearOrder(boxes: readonly Box[], links: readonly Link[]): readonly string[] {
  const near = new Map<string, string[]>(boxes.map(({ id }) => [id, []]))
  for (const { from, to } of links) {
    near.get(from)!.push(to)
    near.get(to)!.push(from)
  }
  const seen = new Set<string>()
  for (const { id } of boxes) {
    seen.add(id)
    // Iterating over a set includes items that are added meanwhile.
    for (const reached of seen) for (const next of near.get(reached)!) seen.add(next)
  }
  return [...seen]
}

/** Each item is as near to the middle of its neighbours as the other items allow. While the order is free, items are sorted by that. */
function settle(column: Item[], isFree: boolean): void {
  const wish = new Map(column.map((item) => [item, item.met.length === 0 ? item.y : mean(item.met.map(({ y }) => y))]))
  if (isFree) column.sort((a, b) => wish.get(a)! - wish.get(b)!)
  const offsets: number[] = []
  for (const [n, { box }] of column.entries()) {
    const before = column[n - 1]
    offsets.push(before === undefined ? 0 : offsets[n - 1]! + before.box.height / 2 + GAP.row + box.height / 2)
  }
  const found = rising(column.map((item, n) => wish.get(item)! - offsets[n]!))
  for (const [n, item] of column.entries()) item.y = found[n]! + offsets[n]!
}

/** The non-decreasing numbers that are nearest to the given ones (isotonic regression): decreasing neighbours get their mean. */
function rising(wished: readonly number[]): readonly number[] {
  const pools: { sum: number; count: number }[] = []
  for (const value of wished) {
    pools.push({ sum: value, count: 1 })
    while (pools.length > 1) {
      const [a, b] = [pools.at(-2)!, pools.at(-1)!]
      if (a.sum / a.count <= b.sum / b.count) break
      pools.splice(-2, 2, { sum: a.sum + b.sum, count: a.count + b.count })
    }
  }
  return pools.flatMap(({ sum, count }) => Array.from({ length: count }, () => sum / count))
}

const mean = (values: readonly number[]): number => values.reduce((a, b) => a + b, 0) / values.length

function xOf(columns: readonly Column[]): readonly number[] {
  const left: number[] = []
  for (const [n, { layer }] of columns.entries()) {
    const before = columns[n - 1]
    left.push(before === undefined ? 0 : left[n - 1]! + before.width + (before.layer === layer ? GAP.column : GAP.layer))
  }
  return left
}

/** Boxes without links, in rows below the others. */
function shelved(boxes: readonly Box[], above: ReadonlyMap<string, Place>): [string, Place][] {
  const placed = [...above.values()]
  const width = Math.max(640, ...placed.map((each) => each.x + each.width))
  let [x, y, height] = [0, placed.length === 0 ? 0 : Math.max(...placed.map((each) => each.y + each.height)) + 2 * GAP.row, 0]
  return boxes.map((box) => {
    if (x > 0 && x + box.width > width) {
      y += height + GAP.row
      x = 0
      height = 0
    }
    const place = { ...box, x, y }
    x += box.width + GAP.row
    height = Math.max(height, box.height)
    return [box.id, place]
  })
}
