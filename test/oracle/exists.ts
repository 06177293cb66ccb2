/** The unique shortest path between two objects in any direction, and the rows that it connects. */
import { refuse } from './refusal.js'
import type { Link, Row, World } from './world.js'

/** Refuses with AMBIGUOUS_JOIN if several paths are shortest, NO_JOIN_PATH if there is none. */
export function undirectedPath(world: World, from: string, to: string, pathName: string | undefined): readonly Link[] {
  const usable = world.links.filter((l) => !l.secondary || (pathName !== undefined && l.pathName === pathName))
  let ways: (readonly Link[])[] = [[]]
  for (let length = 0; length <= world.things.size; length++) {
    const arrived = ways.filter((w) => endOf(from, w) === to && usesName(w, pathName))
    if (arrived.length === 1) return arrived[0]!
    if (arrived.length > 1) return refuse('AMBIGUOUS_JOIN', `${arrived.length} shortest ways from ${from} to ${to}`)
    ways = ways.flatMap((w) => usable.filter((l) => l.from === endOf(from, w) && !visits(from, w, l.to)).map((l) => [...w, l]))
  }
  return refuse('NO_JOIN_PATH', `${from} and ${to} are not connected`)
}

const endOf = (from: string, way: readonly Link[]): string => way.at(-1)?.to ?? from
const visits = (from: string, way: readonly Link[], object: string): boolean =>
  object === from || way.some((l) => l.to === object)
const usesName = (way: readonly Link[], name: string | undefined): boolean =>
  name === undefined || way.some((l) => l.pathName === name)

export function connectedRows(row: Row | null, links: readonly Link[]): readonly Row[] {
  let rows = new Set(row === null ? [] : [row])
  for (const link of links) rows = new Set([...rows].flatMap((r) => link.match(r)))
  return [...rows]
}
