import { fail } from '../errors.js'
import { didYouMean, nearest } from '../nearest.js'
import type { Named, Point } from './points.js'

interface Part {
  readonly key: string
  readonly form: string
  readonly fits: (value: unknown) => boolean
}

const isFunction = (value: unknown): boolean => typeof value === 'function'
const isText = (value: unknown): boolean => typeof value === 'string' && value !== ''
const isArity = (value: unknown): boolean =>
  Array.isArray(value) && value.length === 2 && value.every((n) => typeof n === 'number')
const isSpellings = (value: unknown): boolean =>
  value === undefined ||
  (typeof value === 'object' && value !== null && Object.values(value).every((one) => one === null || isFunction(one)))

const OF_CALLS: readonly Part[] = [
  { key: 'arity', form: 'a pair of numbers, [least, most]', fits: isArity },
  { key: 'result', form: 'a function that gives the type of its value', fits: isFunction },
  { key: 'meaning', form: 'a sentence', fits: isText },
  { key: 'spellings', form: 'functions by the name of their dialect', fits: isSpellings },
]

/** The members that an extension must have. Types require them, but plugins may be plain JavaScript. */
const PARTS: Readonly<Record<string, readonly Part[]>> = {
  functions: OF_CALLS,
  aggregates: [
    ...OF_CALLS,
    {
      key: 'additivity',
      form: "'additive', 'semi-additive' or 'non-additive'",
      fits: (value) => ['additive', 'semi-additive', 'non-additive'].includes(value as string),
    },
    { key: 'empty', form: "'zero' or 'null'", fits: (value) => value === 'zero' || value === 'null' },
  ],
  importers: [
    { key: 'detect', form: 'a function', fits: isFunction },
    { key: 'read', form: 'a function', fits: isFunction },
  ],
  exporters: [{ key: 'write', form: 'a function', fits: isFunction }],
  vendors: [
    { key: 'dialect', form: 'the name of a dialect', fits: isText },
    { key: 'connect', form: 'a function', fits: isFunction },
  ],
}

/** The registry of one extension point. Open while plugins are set up, closed permanently when the host is ready. */
export class Registry<T extends Named = Named> implements Iterable<T> {
  readonly #items = new Map<string, { readonly item: T; readonly owner: string }>()
  #closed = false

  constructor(readonly point: string) {}

  /** Throws `REGISTRY_CLOSED`, or `DUPLICATE_EXTENSION` naming both owners. */
  add(item: T, owner: string): void {
    if (this.#closed)
      fail('REGISTRY_CLOSED', `${owner} registers '${item.name}' at ${this.point} after the host is ready; register in setup`)
    if (!item.name) fail('PLUGIN_FAILED', `${owner} registers something without a name at ${this.point}`)
    const lacking = (PARTS[this.point] ?? []).find(({ key, fits }) => !fits((item as Named & Record<string, unknown>)[key]))
    if (lacking)
      fail('PLUGIN_FAILED', `${owner} registers '${item.name}' at ${this.point}, whose '${lacking.key}' must be ${lacking.form}`)
    const taken = this.#items.get(item.name)
    if (taken !== undefined) {
      fail('DUPLICATE_EXTENSION', `${this.point} '${item.name}' is registered twice: by ${taken.owner} and by ${owner}`, {
        hint: 'Leave one of the two plugins out of the config.',
      })
    }
    this.#items.set(item.name, { item, owner })
  }

  /** Throws `UNKNOWN_EXTENSION` with the existing names and the nearest. */
  get(name: string): T {
    const entry = this.#items.get(name)
    if (entry !== undefined) return entry.item
    const suggestions = nearest(name, this.names())
    const there = this.names().join(', ') || 'none'
    return fail('UNKNOWN_EXTENSION', `No '${name}' is registered at ${this.point} (there: ${there})${didYouMean(suggestions)}`, {
      suggestions,
    })
  }

  has(name: string): boolean {
    return this.#items.has(name)
  }

  names(): string[] {
    return [...this.#items.keys()]
  }

  owners(): { readonly name: string; readonly owner: string }[] {
    return [...this.#items].map(([name, { owner }]) => ({ name, owner }))
  }

  removeOwnedBy(owner: string): void {
    for (const [name, entry] of this.#items) if (entry.owner === owner) this.#items.delete(name)
  }

  close(): void {
    this.#closed = true
  }

  *[Symbol.iterator](): Iterator<T> {
    for (const { item } of this.#items.values()) yield item
  }
}

/** The registries of a host by point; a new point is created at its first use. */
export class Registries {
  readonly #points = new Map<string, Registry>()
  #closed = false

  of(point: string): Registry {
    const known = this.#points.get(point)
    if (known !== undefined) return known
    const made = new Registry(point)
    if (this.#closed) made.close()
    this.#points.set(point, made)
    return made
  }

  closeAll(): void {
    this.#closed = true
    for (const registry of this.#points.values()) registry.close()
  }

  removeOwnedBy(owner: string): void {
    for (const registry of this.#points.values()) registry.removeOwnedBy(owner)
  }

  owners(): Record<string, { readonly name: string; readonly owner: string }[]> {
    return Object.fromEntries([...this.#points].map(([point, registry]) => [point, registry.owners()]))
  }
}

/** A registry for one owner. `guard` runs before each registration. */
export function viewOf<T extends Named>(registry: Registry, owner: string, guard: () => void): Point<T> {
  const typed = registry as unknown as Registry<T>
  return {
    register(item) {
      guard()
      typed.add(item, owner)
    },
    get: (name) => typed.get(name),
    has: (name) => typed.has(name),
    names: () => typed.names(),
    [Symbol.iterator]: () => typed[Symbol.iterator](),
  }
}
