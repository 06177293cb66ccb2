/** Items → a part, whose keys are read one by one: what nobody has read is in the list. */
import { type Part, type Place, partOf, Refused } from '@grainline/importer-dbt/foreign'
import type { Item } from './text.js'

/** The value of a key of the manifest by its name, such as `@{schema}`. */
type Constants = ReadonlyMap<string, string>

type Path = readonly (string | number)[]

/** A block is a mapping in a list under its key, with its name; a list of pairs is a list of `field` and `value`. */
export function partOfItems(items: readonly Item[]): Part {
  const places = new Map<string, Place>()
  const data = mappingOf(items, undefined, [], places, constantsIn(items))
  return partOf(data, (path) => {
    for (let length = path.length; length > 0; length--) {
      const place = places.get(JSON.stringify(path.slice(0, length)))
      if (place) return place
    }
    return { line: 1, column: 1 }
  })
}

function constantsIn(items: readonly Item[]): Constants {
  const found = items.filter(({ key, name, block }) => key === 'constant' && name !== undefined && block !== undefined)
  return new Map(found.map(({ name = '', block = [] }) => [name, block.find(({ key }) => key === 'value')?.text ?? '']))
}

function mappingOf(
  items: readonly Item[],
  name: string | undefined,
  path: Path,
  places: Map<string, Place>,
  constants: Constants,
) {
  const data: Record<string, unknown> = Object.create(null)
  if (name !== undefined) data['name'] = name
  const lists = new Map<string, unknown[]>()
  const filled = (text: string) => text.replaceAll(/@\{(\w+)\}/g, (whole, constant: string) => constants.get(constant) ?? whole)
  const add = (key: string, place: Place, value: (path: Path) => unknown) => {
    const list = lists.get(key) ?? []
    lists.set(key, list)
    data[key] = list
    const at = [...path, key, list.length]
    places.set(JSON.stringify(at), place)
    list.push(value(at))
  }
  for (const { key, name: own, text, list, block, place, valuePlace } of items) {
    const here = JSON.stringify([...path, key])
    if (!places.has(here) || text !== undefined) places.set(here, text === undefined ? place : valuePlace)
    if (block) add(key, place, (at) => mappingOf(block, own, at, places, constants))
    else if (list) {
      if (list.length === 0 && !lists.has(key)) data[key] = []
      for (const entry of list)
        add(key, entry.place, () =>
          entry.key === undefined ? filled(entry.text) : { field: entry.key, value: filled(entry.text) },
        )
    } else if (path.length === 0) add(key, valuePlace, () => filled(text ?? ''))
    else if (Object.hasOwn(data, key)) throw new Refused(`'${key}' is written twice.`, place, 'Remove one of them.')
    else data[key] = filled(text ?? '')
  }
  return data
}
