/** Views and explores with what they inherit: `extends`, and refinements (`view: +name`). */
import { reached } from '@grainline/core'
import { Refused } from '@grainline/importer-dbt/foreign'
import type { Item } from './text.js'

export interface Inherited {
  readonly items: readonly Item[]
  /** Refinements and extensions of what the text does not declare. */
  readonly missing: readonly Missing[]
}

interface Missing {
  readonly item: Item
  readonly message: string
}

/** The items of a text, in which each view and explore is one item with everything that it has. */
export function inherited(items: readonly Item[]): Inherited {
  const missing: Missing[] = []
  const others = items.filter(({ key, name }) => !KINDS.has(key) || name === undefined)
  const whole = [...KINDS].flatMap((kind) => {
    const declared = items.filter(({ key, name }) => key === kind && name !== undefined)
    const own = refined(declared, missing)
    const done = new Map<string, Item | undefined>()
    return [...own.keys()].flatMap((name) => {
      const item = extended(name, own, done, missing, [])
      return item && !isTemplate(item) ? [item] : []
    })
  })
  return { items: [...others, ...whole], missing }
}

const KINDS = new Set(['view', 'explore'])

/** Declared items by name, each with its refinements in the order of the text. */
function refined(declared: readonly Item[], missing: Missing[]): Map<string, Item> {
  const own = new Map<string, Item>()
  for (const item of declared) {
    if (item.name?.startsWith('+')) continue
    const name = item.name ?? ''
    if (own.has(name))
      throw new Refused(
        `There are two items with the name '${name}' (${item.key}).`,
        item.place,
        'Rename one of them, or write + before it.',
      )
    own.set(name, item)
  }
  for (const item of declared) {
    if (!item.name?.startsWith('+')) continue
    const base = own.get(item.name.slice(1))
    if (base) own.set(base.name ?? '', { ...base, block: merged(base.block ?? [], item.block ?? []) })
    else missing.push({ item, message: `'${item.name}' is left out: there is no such ${item.key} to refine in the text` })
  }
  return own
}

/** What others extend, and nobody asks. */
const isTemplate = ({ block }: Item): boolean =>
  block?.some(({ key, text }) => key === 'extension' && text === 'required') ?? false

const MOST_EXTENDED = 100

/** An item over those that it extends; undefined if one of them is missing. */
function extended(
  name: string,
  own: ReadonlyMap<string, Item>,
  done: Map<string, Item | undefined>,
  missing: Missing[],
  open: readonly string[],
): Item | undefined {
  const item = own.get(name)
  if (!item || done.has(name)) return done.get(name)
  const place = item.block?.find(({ key }) => key === 'extends')?.place ?? item.place
  reached(place)
  if (open.includes(name)) throw new Refused(`'${name}' extends itself.`, place)
  if (open.length > MOST_EXTENDED) throw new Refused(`More than ${MOST_EXTENDED} items extend each other.`, place)
  let block: readonly Item[] = []
  let isWhole = true
  for (const parent of parentsOf(item)) {
    const found = extended(parent, own, done, missing, [...open, name])
    if (!found) {
      isWhole = false
      missing.push({ item, message: `'${name}' is left out: it extends '${parent}', which is not in the text` })
    }
    // What a template says of itself is not inherited.
    block = merged(
      block,
      (found?.block ?? []).filter(({ key }) => key !== 'extension'),
    )
  }
  const whole = isWhole ? { ...item, block: merged(block, item.block ?? []) } : undefined
  done.set(name, whole)
  return whole
}

function parentsOf({ block = [] }: Item): readonly string[] {
  return block
    .filter(({ key }) => /^extends(__all)?$/.test(key))
    .flatMap(({ text, list }) => [...(text === undefined ? [] : [text]), ...(list ?? []).map((each) => each.text)])
    .map((name) => name.replace(/\*$/, ''))
}

/** Rules about who sees what: none takes the place of another. */
const ADDED = new Set(['access_filter', 'access_filters', 'required_access_grants', 'extends'])

const identity = ({ key, name }: Item): string => (name === undefined ? key : `${key}\0${name}`)

/** Later items take the place of earlier ones with the same key; blocks with a name are merged. */
function merged(before: readonly Item[], after: readonly Item[]): readonly Item[] {
  const later = new Map<string, Item[]>()
  for (const item of after) later.set(identity(item), [...(later.get(identity(item)) ?? []), item])
  const taken = new Set<string>()
  const kept = before.flatMap((item): readonly Item[] => {
    const id = identity(item)
    const over = later.get(id)
    if (!over || ADDED.has(item.key)) return [item]
    if (taken.has(id)) return []
    taken.add(id)
    const [only] = over
    if (item.name === undefined || !item.block || !only?.block || over.length > 1) return over
    return [{ ...only, block: merged(item.block, only.block) }]
  })
  return [...kept, ...after.filter((item) => !taken.has(identity(item)))]
}
