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
  for (const [at, name] of names.entries()) if (at > 0) mustBeJoined(names[at - 1] ?? '', name, objects)
  const isForward = names.every((name, at) => at === 0 || stepsFrom(names[at - 1] ?? '', objects, false).has(name))
  const found = pathsBetween(root, target, (name) => stepsFrom(name, objects, !isForward))
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

function mustBeJoined(from: string, to: string, objects: Objects): void {
  if (!stepsFrom(from, objects, true).has(to))
    throw new LeftOut(`there is no join of '${from}' and '${to}' that a query takes by itself`)
}

/** Objects one join away: those that a row leads to at most one row of, or all. */
function stepsFrom(name: string, objects: Objects, isBoth: boolean): ReadonlySet<string> {
  const steps = new Set<string>()
  for (const [owner, entry] of Object.entries(objects))
    for (const { joinTo, joinType, secondary } of (entry['joins'] as readonly Entry[] | undefined) ?? []) {
      if (secondary === true) continue
      if (owner === name) steps.add(String(joinTo))
      else if (joinTo === name && (isBoth || joinType === 'one-to-one')) steps.add(owner)
    }
  return steps
}

/** All paths that pass no object twice; undefined if they are too many to look for. */
function pathsBetween(
  root: string,
  target: string,
  steps: (name: string) => ReadonlySet<string>,
): readonly (readonly string[])[] | undefined {
  const found: (readonly string[])[] = []
  const open: (readonly string[])[] = [[root]]
  for (let looked = 0; open.length > 0; looked++) {
    if (looked > MOST) return undefined
    const path = open.pop() ?? []
    const last = path.at(-1) ?? ''
    if (last === target) found.push(path)
    else for (const next of steps(last)) if (!path.includes(next)) open.push([...path, next])
  }
  return found
}

const MOST = 500
