/** The path of joins that a foreign view states → how a dimension of the model says it. */
import { type Entry, LeftOut } from './draft.js'

/** The data objects of the model that is being written. */
type Objects = Readonly<Record<string, Entry>>

export interface Way {
  /** The object that the path must pass; undefined if no other path leads there. */
  readonly via: string | undefined
}

/** Throws for a path that the model does not have, or cannot tell from others. */
export function wayOf(names: readonly string[], objects: Objects): Way {
  const [root = '', target = ''] = [names[0], names.at(-1)]
  if (names.length === 1) return { via: undefined }
  if (new Set(names).size < names.length) throw new LeftOut('its path passes an object twice')
  const [forward, both] = [stepsIn(objects, false), stepsIn(objects, true)]
  for (const [at, name] of names.entries()) if (at > 0) mustBeJoined(names[at - 1] ?? '', name, both)
  const isForward = names.every((name, at) => at === 0 || forward.get(names[at - 1] ?? '')?.has(name) === true)
  const found = pathsBetween(root, target, isForward ? forward : both)
  if (!found) throw new LeftOut('too many paths of joins lead there')
  if (found.length === 1) return { via: undefined }
  const own = names.join()
  const via = isForward
    ? names.slice(1, -1).findLast((each) => found.filter((other) => other.includes(each)).every((other) => other.join() === own))
    : undefined
  if (via === undefined)
    throw new LeftOut(
      'other paths of joins lead there, and no object tells this one from them',
      undefined,
      'Declare a second one for the role.',
    )
  return { via }
}

/** The objects one join away from each. */
type Steps = ReadonlyMap<string, ReadonlySet<string>>

function mustBeJoined(from: string, to: string, steps: Steps): void {
  if (!steps.get(from)?.has(to)) throw new LeftOut(`there is no join of '${from}' and '${to}' that a query takes by itself`)
}

/** Those that a row leads to at most one row of, or all. */
function stepsIn(objects: Objects, isBoth: boolean): Steps {
  const steps = new Map<string, Set<string>>()
  const add = (from: string, to: string) => {
    const there = steps.get(from) ?? new Set()
    steps.set(from, there.add(to))
  }
  for (const [owner, entry] of Object.entries(objects))
    for (const { joinTo, joinType, secondary } of (entry['joins'] as readonly Entry[] | undefined) ?? []) {
      if (secondary === true) continue
      add(owner, String(joinTo))
      if (isBoth || joinType === 'one-to-one') add(String(joinTo), owner)
    }
  return steps
}

/** The objects from which a path leads to the target. */
function leadingTo(target: string, steps: Steps): ReadonlySet<string> {
  const turned = new Map<string, string[]>()
  for (const [from, there] of steps)
    for (const to of there) {
      const list = turned.get(to) ?? []
      list.push(from)
      turned.set(to, list)
    }
  const found = new Set([target])
  for (const each of found) for (const from of turned.get(each) ?? []) found.add(from)
  return found
}

/** All paths that pass no object twice; undefined if they are too many to look for. */
function pathsBetween(root: string, target: string, steps: Steps): readonly (readonly string[])[] | undefined {
  const useful = leadingTo(target, steps)
  const found: (readonly string[])[] = []
  const open: (readonly string[])[] = [[root]]
  for (let looked = 0; open.length > 0; looked++) {
    if (looked > MOST) return undefined
    const path = open.pop() ?? []
    const last = path.at(-1) ?? ''
    if (last === target) found.push(path)
    else for (const next of steps.get(last) ?? []) if (useful.has(next) && !path.includes(next)) open.push([...path, next])
  }
  return found
}

const MOST = 500
