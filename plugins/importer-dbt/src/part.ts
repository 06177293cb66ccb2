/** Values of a YAML or JSON text with their places. */
import type { Loss } from '@grainline/core'
import { type Document, isCollection, isNode, isPair, LineCounter, type Node, parseAllDocuments } from 'yaml'

export type Place = NonNullable<Loss['place']>
type Path = readonly (string | number)[]

/** Why an item, or a text, cannot be read. */
export class Refused extends Error {
  constructor(
    message: string,
    readonly place: Place,
    readonly hint?: string,
  ) {
    super(message)
  }
}

/** A mapping of the text. Null is the same as a missing key, as in a manifest. */
export class Part {
  constructor(
    readonly data: Readonly<Record<string, unknown>>,
    private readonly source: Source,
    private readonly path: Path,
  ) {}

  get place(): Place {
    return this.at()
  }

  /** The place of a key, or of the mapping. */
  at(key?: string | number): Place {
    return this.source.place(key === undefined ? this.path : [...this.path, key])
  }

  has(key: string): boolean {
    return this.#valueOf(key) !== undefined
  }

  text(key: string): string | undefined {
    const value = this.#get(key)
    if (value === undefined) return undefined
    if (typeof value === 'object') throw new Refused(`'${key}' is not a text.`, this.at(key))
    return String(value)
  }

  needed(key: string): string {
    const value = this.text(key)
    if (value === undefined || value === '') throw new Refused(`'${key}' is missing.`, this.place, `Add ${key}.`)
    return value
  }

  value(key: string): unknown {
    return this.#get(key)
  }

  part(key: string): Part | undefined {
    const value = this.#get(key)
    if (value === undefined) return undefined
    if (!isMapping(value)) throw new Refused(`'${key}' is not a mapping.`, this.at(key))
    return new Part(value, this.source, [...this.path, key])
  }

  parts(key: string): readonly Part[] {
    return this.entries(key).map((entry, index) => {
      if (typeof entry !== 'string') return entry
      throw new Refused(`An entry of '${key}' is not a mapping.`, this.source.place([...this.path, key, index]))
    })
  }

  /** Texts and mappings of a list. */
  entries(key: string): readonly (Part | string)[] {
    const value = this.#get(key)
    if (value === undefined) return []
    if (!Array.isArray(value)) throw new Refused(`'${key}' is not a list.`, this.at(key))
    return value.map((item: unknown, index) => {
      const path = [...this.path, key, index]
      if (typeof item === 'string') return item
      if (!isMapping(item)) throw new Refused(`An entry of '${key}' is not a mapping.`, this.source.place(path))
      return new Part(item, this.source, path)
    })
  }

  texts(key: string): readonly string[] {
    const value = this.#get(key)
    if (value === undefined) return []
    return (Array.isArray(value) ? value : [value]).map((item: unknown) => {
      if (typeof item === 'object') throw new Refused(`An entry of '${key}' is not a text.`, this.at(key))
      return String(item)
    })
  }

  /** A text, or a mapping of a count and a granularity. */
  window(key: string): unknown {
    const value = this.#get(key)
    if (isMapping(value)) for (const each of ['count', 'granularity']) this.part(key)?.value(each)
    return value
  }

  /** Keys with a value that nothing has read, here and below. `isLeft` tells the mappings that are left out as a whole. */
  unread(isLeft: (place: Place) => boolean, owner?: string): readonly Unread[] {
    const { name } = this.data
    const here = typeof name === 'string' ? name : owner
    return Object.entries(this.data).flatMap(([key, value]): readonly Unread[] => {
      if (isEmpty(value)) return []
      if (!this.source.read.has(keyOf([...this.path, key])))
        return value === false && OFF.has(key) ? [] : [{ key, owner: here, place: this.at(key) }]
      const path = [...this.path, key]
      const below: readonly [unknown, Path][] = Array.isArray(value)
        ? value.map((item: unknown, index) => [item, [...path, index]])
        : [[value, path]]
      return below.flatMap(([item, at]) => {
        if (!isMapping(item) || isLeft(this.source.place(at))) return []
        return new Part(item, this.source, at).unread(isLeft, here)
      })
    })
  }

  /** The places of the values around a place that was asked for in this text, the nearest first. */
  around(place: Place): readonly Place[] {
    return this.source.around(place)
  }

  /** All keys with their places, here and below. */
  everyKey(): readonly { readonly key: string; readonly place: Place }[] {
    const below = (value: unknown, path: Path): readonly { readonly key: string; readonly place: Place }[] => {
      if (Array.isArray(value)) return value.flatMap((item: unknown, index) => below(item, [...path, index]))
      if (!isMapping(value)) return []
      return Object.entries(value).flatMap(([key, each]) => [
        { key, place: this.source.place([...path, key]) },
        ...below(each, [...path, key]),
      ])
    }
    return below(this.data, this.path)
  }

  #get(key: string): unknown {
    this.source.read.add(keyOf([...this.path, key]))
    return this.#valueOf(key)
  }

  #valueOf(key: string): unknown {
    return (Object.hasOwn(this.data, key) ? this.data[key] : undefined) ?? undefined
  }
}

/** A key that nothing has read, and the name of the item that has it. */
export interface Unread {
  readonly key: string
  readonly owner: string | undefined
  readonly place: Place
}

/** Keys for which false is the same as no key. */
const OFF = new Set(['join_to_timespine', 'is_partition', 'is_private', 'create_metric', 'hidden'])

const keyOf = (path: Path): string => JSON.stringify(path)

/** The mappings of all documents of a text. Throws `Refused`. */
export function partsOf(text: string): readonly Part[] {
  const lines = new LineCounter()
  const found = parseAllDocuments(text, { lineCounter: lines, logLevel: 'error' })
  const documents = Array.isArray(found) ? found : []
  const paths: AskedPaths = new Map()
  return documents.flatMap((document): readonly Part[] => {
    const source = sourceOf((path) => placeIn(document, lines, path), paths)
    const [error] = document.errors
    if (error) {
      // The parser reports a full stack as a fault of the text.
      const isDeep = /call stack/.test(error.message)
      const message = isDeep ? 'The text is nested too deeply.' : `The text is no YAML: ${error.message.split('\n')[0]}`
      throw new Refused(message, placeAt(lines, error.pos[0]))
    }
    const deep = deeperThan(MOST_LEVELS, document.contents)
    if (deep) throw new Refused(`The text is nested deeper than ${MOST_LEVELS} levels.`, placeAt(lines, deep.range?.[0] ?? 0))
    const data: unknown = dataOf(document, source)
    if (data === null || data === undefined) return []
    if (!isMapping(data)) throw new Refused('The text is not a mapping of keys.', source.place([]))
    if (containsItself(data))
      throw new Refused('The text has a value that contains itself (*).', source.place([]), 'Write it out.')
    return [new Part(data, source, [])]
  })
}

/** A mapping of a text that is no YAML. `place` tells where the value of a path is. */
export const partOf = (data: Readonly<Record<string, unknown>>, place: (path: Path) => Place): Part =>
  new Part(data, sourceOf(place, new Map()), [])

const MOST_LEVELS = 100

/** The first value below so many others, without a stack of calls. */
function deeperThan(most: number, root: unknown): Node | undefined {
  const left: { readonly node: unknown; readonly level: number }[] = [{ node: root, level: 0 }]
  for (let next = left.pop(); next; next = left.pop()) {
    const { node, level } = next
    if (!isCollection(node)) continue
    if (level >= most) return node
    for (const item of node.items) left.push({ node: isPair(item) ? item.value : item, level: level + 1 })
  }
  return undefined
}

interface Source {
  readonly place: (path: Path) => Place
  /** The paths of the keys that were read. */
  readonly read: Set<string>
  readonly around: (place: Place) => readonly Place[]
}

/** The path of each place that was asked for, and where its document is. Several documents are one text. */
type AskedPaths = Map<string, { readonly path: Path; readonly place: Source['place'] }>

function sourceOf(place: Source['place'], asked: AskedPaths): Source {
  return {
    place: (path) => {
      const found = place(path)
      const key = placeKey(found)
      // A value may begin where its first part does: what is around the part is around both.
      if ((asked.get(key)?.path.length ?? -1) < path.length) asked.set(key, { path, place })
      return found
    },
    read: new Set(),
    around: (at) => {
      const { path, place: placeOf } = asked.get(placeKey(at)) ?? { path: [], place }
      // A list is where its first entry is, and no entry is around another.
      return path.flatMap((key, length) => (typeof key === 'number' ? [] : [placeOf(path.slice(0, length))])).toReversed()
    },
  }
}

/** Equal for the same place. */
export const placeKey = ({ line, column }: Place): string => `${line}:${column}`

function dataOf(document: Document.Parsed, source: Source): unknown {
  try {
    return document.toJS()
  } catch (error) {
    throw new Refused(`The text is no YAML: ${error instanceof Error ? error.message : 'unreadable'}`, source.place([]))
  }
}

/** Whether an alias leads back to a value around it. */
function containsItself(value: unknown, around = new Set<unknown>(), seen = new Set<unknown>()): boolean {
  if (typeof value !== 'object' || value === null) return false
  if (around.has(value)) return true
  if (seen.has(value)) return false
  seen.add(value)
  around.add(value)
  const found = Object.values(value).some((each) => containsItself(each, around, seen))
  around.delete(value)
  return found
}

function placeIn(document: Document.Parsed, lines: LineCounter, path: Path): Place {
  for (let length = path.length; length >= 0; length--) {
    const node = length === 0 ? document.contents : document.getIn(path.slice(0, length), true)
    if (isNode(node) && node.range) return placeAt(lines, node.range[0])
  }
  return { line: 1, column: 1 }
}

function placeAt(lines: LineCounter, offset: number): Place {
  const { line, col } = lines.linePos(offset)
  return { line: Math.max(1, line), column: Math.max(1, col) }
}

const isMapping = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const isEmpty = (value: unknown): boolean =>
  value === null || value === undefined || (typeof value === 'object' && Object.keys(value).length === 0)
