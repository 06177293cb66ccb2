/** At whose rows something is evaluated. */
import { reaches } from './paths.js'
import { refuse } from './refusal.js'
import type { World } from './world.js'

/** The home of a measure that reads `read`, all of them data objects of the model; undefined where no object reaches them all. */
export function homeOf(world: World, read: readonly string[], anchor: string | undefined): string | undefined {
  const reachesAll = (o: string): boolean => read.every((r) => reaches(world, o, r))
  const among = declaringSide(
    world,
    read.filter((o) => reachesAll(o)),
  )
  if (read.length > 0 && among !== undefined) return among
  if (anchor !== undefined && reachesAll(anchor)) return anchor
  const candidates = realObjects(world).filter(reachesAll)
  if (read.length === 0) return refuse('ANCHOR_REQUIRED', 'it reads no column')
  if (candidates.length === 0) return undefined
  return reachedByAll(world, candidates) ?? refuse('ANCHOR_REQUIRED', `candidates ${candidates.join(', ')}`)
}

export const realObjects = (world: World): string[] => [...world.things.values()].filter((t) => !t.ends).map((t) => t.name)

/** The candidate that every other candidate reaches; of a one-to-one pair the declaring side. */
export function reachedByAll(world: World, candidates: readonly string[]): string | undefined {
  return declaringSide(
    world,
    candidates.filter((c) => candidates.every((other) => reaches(world, other, c))),
  )
}

/** Of objects that all reach each other (through one-to-one edges): the one from which declared edges lead to the rest. */
export function declaringSide(world: World, mutual: readonly string[]): string | undefined {
  return mutual.find((o) => mutual.every((other) => declaredReach(world, o, other)))
}

function declaredReach(world: World, from: string, to: string): boolean {
  if (from === to) return true
  return (world.edges.get(from) ?? []).some((e) => e.declared && declaredReach(world, e.to, to))
}

/** The objects of `candidates` that reach no other of them. Of objects joined one-to-one, one stands for all (see `standIns`). */
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

/** The one that holds everything selected; else the declaring side; else the one from whose selected fields declared edges lead to the rest; else all. */
function standIns(world: World, peers: readonly string[], selected: readonly string[]): readonly string[] {
  const holder = peers.find((o) => selected.every((s) => s === o)) ?? declaringSide(world, peers)
  if (holder !== undefined) return [holder]
  const leading = peers.filter((o) => selected.includes(o) && selected.every((s) => declaredReach(world, o, s)))
  return leading.length === 1 ? leading : peers
}
