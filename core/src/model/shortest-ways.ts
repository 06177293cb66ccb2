import { type Term, turned } from './join-term.js'
import type { Join } from './semantic-model.js'

/** One undirected step of a way: `from` is the side nearer to its start. */
export interface Hop {
  readonly from: string
  readonly to: string
  readonly on: readonly Term<string>[]
}

export interface NamedHop extends Hop {
  readonly pathName: string | undefined
}

/** The joins of a way: the primary ones, and with a name those that have it. One of them must be used. */
export interface Walked {
  readonly joins: readonly Join[]
  readonly pathName: string | undefined
}

/** The shortest ways between two objects along joins in any direction, through no object twice. With a name, of those that use a join with it. */
export function shortestWays(subject: string, target: string, { joins, pathName }: Walked): readonly (readonly NamedHop[])[] {
  if (subject === target && pathName === undefined) return [[]]
  const steps = hopsOf(joins)
  let trails: readonly Trail[] = [{ at: subject, hops: [], isNamed: pathName === undefined }]
  const seen = new Set<string>()
  // A way that uses the name may be longer than one to the same object that does not.
  const isShort = ({ at }: Trail): boolean => pathName !== undefined || !seen.has(at)
  while (trails.length > 0) {
    for (const { at } of trails) seen.add(at)
    const found = trails.filter(({ at, isNamed, hops }) => at === target && isNamed && hops.length > 0)
    if (found.length > 0) return found.map(({ hops }) => hops)
    trails = trails
      .flatMap((trail) => (steps.get(trail.at) ?? []).flatMap((hop) => after(trail, hop, { subject, target, pathName })))
      .filter(isShort)
      .slice(0, MOST_TRAILS)
  }
  return []
}

const MOST_TRAILS = 4096

interface Trail {
  readonly at: string
  readonly hops: readonly NamedHop[]
  readonly isNamed: boolean
}

/** None if it would pass an object again, but for a way back to the subject itself. */
function after(
  { hops, isNamed }: Trail,
  hop: NamedHop,
  { subject, target, pathName }: { readonly subject: string; readonly target: string; readonly pathName: string | undefined },
): readonly Trail[] {
  const isEnd = hop.to === subject && subject === target
  if (!isEnd && (hop.to === subject || hops.some(({ to }) => to === hop.to))) return []
  return [{ at: hop.to, hops: [...hops, hop], isNamed: isNamed || hop.pathName === pathName }]
}

function hopsOf(joins: readonly Join[]): ReadonlyMap<string, readonly NamedHop[]> {
  const steps = new Map<string, NamedHop[]>()
  const add = (hop: NamedHop): void => void steps.set(hop.from, [...(steps.get(hop.from) ?? []), hop])
  for (const { from, to, on, pathName } of joins) {
    add({ from, to, on, pathName })
    add({ from: to, to: from, on: turned(on), pathName })
  }
  return steps
}

/** How to choose one of several ways: by a name that only one of them has, if there is any. */
export function severalWays(ways: readonly (readonly NamedHop[])[], key: string): string {
  const through = ways.map((way) => {
    const between = way.slice(0, -1).map(({ to }) => `'${to}'`)
    return between.length === 0 ? 'directly' : `through ${between.join(' and ')}`
  })
  const names = ways.flatMap((way) => [...new Set(way.map(({ pathName }) => pathName))])
  const own = names
    .filter((name) => name !== undefined && names.indexOf(name) === names.lastIndexOf(name))
    .map((name) => `'${name}'`)
  const pin =
    own.length > 0
      ? `choose one with ${key}: ${own.join(' or ')}`
      : `give a join of the one you mean a pathName, and choose it with ${key}`
  return `${[...new Set(through)].join(', or ')}; ${pin}`
}
