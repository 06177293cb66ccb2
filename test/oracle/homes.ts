/** The base object: at whose rows a measure is evaluated. */
import { companionsPassed, type Role, reaches } from './paths.js'
import { refuse } from './refusal.js'
import type { World } from './world.js'

/** The base object of a measure that reads `read`, all of them data objects of the model; undefined if no object reaches them all. */
export function homeOf(world: World, read: readonly string[], anchor: string | undefined): string | undefined {
  const reachesAll = (o: string): boolean => read.every((r) => reaches(world, o, r))
  if (anchor !== undefined && reachesAll(anchor)) return anchor
  const among = mainOf(
    world,
    read.filter((o) => reachesAll(o)),
    read.map((object) => ({ object })),
  )
  if (read.length > 0 && among !== undefined) return among
  const candidates = realObjects(world).filter(reachesAll)
  if (read.length === 0) return refuse('ANCHOR_REQUIRED', 'it reads no column')
  if (candidates.length === 0) return undefined
  const needed = read.map((object) => ({ object }))
  return reachedByAll(world, candidates, needed) ?? refuse('ANCHOR_REQUIRED', `candidates ${candidates.join(', ')}`)
}

export const realObjects = (world: World): string[] => [...world.things.values()].filter((t) => !t.ends).map((t) => t.name)

/** The candidate that every other candidate reaches; for one-to-one candidates see `mainOf`. */
export function reachedByAll(world: World, candidates: readonly string[], needed: readonly Role[]): string | undefined {
  const reached = candidates.filter((c) => candidates.every((other) => reaches(world, other, c)))
  return mainOf(world, reached, needed)
}

/**
 * Of objects that all reach each other: the one whose paths to the needed objects pass the fewest companions, or else the declaring side of
 * these.
 */
export function mainOf(world: World, mutual: readonly string[], needed: readonly Role[]): string | undefined {
  return declaringSide(world, leastCompanions(world, mutual, needed))
}

/**
 * The candidate that reaches every other one, as seen from all of `from`; of one-to-one candidates the one to which the paths pass the
 * fewest companions.
 */
export function nearestShared(world: World, candidates: readonly string[], from: readonly string[]): string | undefined {
  const nearest = candidates.filter((c) => candidates.every((other) => reaches(world, c, other)))
  const passed = (object: string): number => from.reduce((sum, f) => sum + companionsPassed(world, f, { object }), 0)
  const least = Math.min(...nearest.map(passed))
  return declaringSide(
    world,
    nearest.filter((o) => nearest.length < 2 || passed(o) === least),
  )
}

function leastCompanions(world: World, mutual: readonly string[], needed: readonly Role[]): readonly string[] {
  if (mutual.length < 2) return mutual
  const passed = (o: string): number => needed.reduce((sum, role) => sum + companionsPassed(world, o, role), 0)
  const least = Math.min(...mutual.map(passed))
  return mutual.filter((o) => passed(o) === least)
}

/** Of objects that all reach each other (through one-to-one joins): the one from which declared joins lead to the rest. */
export function declaringSide(world: World, mutual: readonly string[]): string | undefined {
  return mutual.find((o) => mutual.every((other) => declaredReach(world, o, other)))
}

function declaredReach(world: World, from: string, to: string): boolean {
  if (from === to) return true
  return (world.edges.get(from) ?? []).some((e) => e.declared && declaredReach(world, e.to, to))
}

/** The objects of `candidates` that reach no other of them. Of objects joined one-to-one, one represents all (see `standIns`). */
export function minimal(world: World, candidates: readonly string[], selected: readonly string[]): string[] {
  const peers = (o: string): string[] => candidates.filter((c) => reaches(world, o, c) && reaches(world, c, o))
  const lowest = candidates.filter((o) => candidates.every((c) => !reaches(world, o, c) || reaches(world, c, o)))
  return [
    ...new Set(
      lowest.flatMap((o) =>
        standIns(
          world,
          peers(o),
          selected.filter((s) => reaches(world, o, s)),
        ),
      ),
    ),
  ]
}

/**
 * Those whose paths to the selected fields pass the fewest companions; of these the declaring side, or else the one from whose selected
 * fields declared joins lead to the rest, or else all.
 */
function standIns(world: World, all: readonly string[], selected: readonly string[]): readonly string[] {
  const peers = leastCompanions(
    world,
    all,
    selected.map((object) => ({ object })),
  )
  const holder = declaringSide(world, peers)
  if (holder !== undefined) return [holder]
  const leading = peers.filter((o) => selected.includes(o) && selected.every((s) => declaredReach(world, o, s)))
  return leading.length === 1 ? leading : peers
}
