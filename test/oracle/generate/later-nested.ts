/** Arrays of structs and of values in the columns of objects, and objects whose rows are their elements. */
import type { ColumnJson } from '../model.js'
import { ATTRIBUTES, addComputed, type Draft, join } from './model.js'
import type { Random } from './random.js'

type Drafts = Map<string, Draft>

/** Elements of one or two objects that have a key, and elements of elements. */
export function addElements(random: Random, drafts: Drafts): void {
  const plain = [...drafts.keys()]
  const keyed = plain.filter((name) => Object.values(drafts.get(name)!.columns).some((c) => c.primaryKey))
  for (const holder of random.some(keyed, random.between(1, 2))) {
    const asJson = random.chance(0.35)
    if (random.chance(0.7)) {
      const lines = addArray(random, drafts, holder, 'lines', structure(random), asJson)
      const others = plain.filter((name) => name !== holder)
      if (others.length > 0 && random.chance(0.35)) {
        const target = random.pick(others)
        join(random, drafts.get(lines)!, target, drafts.get(target)!, false)
      }
      // Stored like the array around it, without a declaration.
      if (random.chance(0.5))
        addArray(random, drafts, lines, 'parts', random.chance(0.5) ? structure(random) : value(random), false)
    }
    if (!drafts.has(`${holder} lines`) || random.chance(0.4)) addArray(random, drafts, holder, 'words', value(random), asJson)
  }
}

function addArray(
  random: Random,
  drafts: Drafts,
  dataObject: string,
  column: string,
  columns: Record<string, ColumnJson>,
  asJson: boolean,
): string {
  drafts.get(dataObject)!.columns[column] = { code: column, abstractType: 'json', ...(asJson && { sqlType: 'json' }) }
  const draft: Draft = { code: '-', columns, joins: [], nestedIn: { dataObject, column } }
  if (random.chance(0.4)) draft.columns['place'] = { code: '#', abstractType: 'int' }
  addComputed(random, draft)
  // Facts that reach the holder are then grouped by its elements.
  if (random.chance(0.4)) draft.bridge = true
  const name = `${dataObject} ${column}`
  drafts.set(name, draft)
  return name
}

const structure = (random: Random): Record<string, ColumnJson> =>
  Object.fromEntries(random.some(Object.entries(ATTRIBUTES), random.between(1, 3)))

function value(random: Random): Record<string, ColumnJson> {
  const [name, column] = random.pick(Object.entries(ATTRIBUTES))
  return { [name]: { ...column, code: '*' } }
}
