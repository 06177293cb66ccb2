/** Which data object the entities and dimensions of a name belong to. They are found once, because there may be thousands. */
import { isPartitioned, type ModelObject } from './model-object.js'

/** The object whose rows an entity identifies: as its primary key, else as a unique one. One with a row for each key comes before one with partitions. */
export function homesOf(objects: readonly ModelObject[]): ReadonlyMap<string, ModelObject> {
  const all = [...keyedBy('primary', objects), ...keyedBy('unique', objects)]
  const whole = all.filter(([, object]) => !isPartitioned(object))
  // Of several entries of a map the last one counts.
  return new Map([...whole, ...all].toReversed())
}

/** The objects whose dimensions are written after an entity, as in `customer__region`. */
export function ownersOf(
  objects: readonly ModelObject[],
  homes: ReadonlyMap<string, ModelObject>,
): ReadonlyMap<string, readonly ModelObject[]> {
  const owners = new Map<string, ModelObject[]>()
  for (const object of objects)
    for (const entity of prefixesOf(object, homes)) {
      const list = owners.get(entity) ?? []
      list.push(object)
      owners.set(entity, list)
    }
  return owners
}

const keyedBy = (kind: 'primary' | 'unique', objects: readonly ModelObject[]): readonly (readonly [string, ModelObject])[] =>
  objects.flatMap((object) =>
    object.model.entities.flatMap(({ name, type }) =>
      type === kind && object.entities.has(name) ? [[name, object] as const] : [],
    ),
  )

const prefixesOf = (object: ModelObject, homes: ReadonlyMap<string, ModelObject>): ReadonlySet<string> =>
  new Set([
    ...(object.model.primaryEntity === undefined ? [] : [object.model.primaryEntity]),
    ...[...object.entities.keys()].filter((entity) => homes.get(entity) === object),
  ])
