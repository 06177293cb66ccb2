import { fail } from '../errors.js'
import type { Join, SemanticModel } from '../model/semantic-model.js'
import { nearest } from '../nearest.js'

/** A query's choice of a named join between two objects. */
export interface Pin {
  readonly source: string
  readonly target: string
  readonly pathName: string
  readonly path: string
}

/** The joins that a query uses: primary ones and pinned ones, without those that a pin replaces. Throws `UNKNOWN_PATH_NAME`. */
export function joinsInForce(model: SemanticModel, pins: readonly Pin[]): Join[] {
  const all = [...model.dataObjects.values()].flatMap((o) => o.joins)
  const pinned = new Map(pins.map((pin) => [pin, findPinned(all, pin, model)]))
  const replaced = (join: Join): boolean => {
    for (const [, chosen] of pinned) if (chosen.from === join.from && chosen.to === join.to) return chosen !== join
    return join.secondary
  }
  return all.filter((join) => !replaced(join))
}

function findPinned(all: readonly Join[], pin: Pin, model: SemanticModel): Join {
  for (const name of [pin.source, pin.target]) {
    if (model.dataObjects.has(name)) continue
    const suggestions = nearest(name, model.dataObjects.keys())
    fail('UNKNOWN_DATA_OBJECT', `'${name}' is not a data object of this model`, { path: pin.path, suggestions })
  }
  const between = all.filter((j) => connects(j, pin.source, pin.target))
  const found = between.find((j) => j.pathName === pin.pathName)
  if (found && pin.source === pin.target) refuseSelfJoin(pin)
  if (found) return found
  const names = between.flatMap((j) => j.pathName ?? [])
  const list = names.length > 0 ? `; there is ${names.map((n) => `'${n}'`).join(', ')}` : '; their joins have no path names'
  return fail('UNKNOWN_PATH_NAME', `no join from '${pin.source}' to '${pin.target}' is named '${pin.pathName}'${list}`, {
    path: pin.path,
    suggestions: nearest(pin.pathName, names),
  })
}

function refuseSelfJoin({ source, pathName, path }: Pin): never {
  return fail(
    'SELF_JOIN',
    `'${pathName}' joins '${source}' to itself, so it is unclear which of the two rows a field is read from; declare a second data object on the same table and join '${source}' to it`,
    { path, context: { dataObject: source } },
  )
}

const connects = (join: Join, a: string, b: string): boolean =>
  (join.from === a && join.to === b) || (join.cardinality !== 'many-to-one' && join.from === b && join.to === a)
