/** Plain data as values: two objects with equal contents are the same. */

/** Whether two plain data are equal. A property with the value undefined counts as absent. */
export function isSame(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false
  if (Array.isArray(a)) return Array.isArray(b) && a.length === b.length && a.every((item, i) => isSame(item, b[i]))
  return !Array.isArray(b) && hasSame(a as Properties, b as Properties) && countOf(a as Properties) === countOf(b as Properties)
}

type Properties = Readonly<Record<string, unknown>>

function hasSame(a: Properties, b: Properties): boolean {
  for (const name in a) if (a[name] !== undefined && !isSame(a[name], b[name])) return false
  return true
}

function countOf(value: Properties): number {
  let count = 0
  for (const name in value) if (value[name] !== undefined) count++
  return count
}

/** Whether one of several equals a value. */
export const includesSame = <T>(all: readonly T[], value: T): boolean => all.some((each) => isSame(each, value))

/** The values without duplicates. */
export function unlike<T extends object>(all: readonly T[]): readonly T[] {
  if (all.length < 2) return all
  const values = new ValueSet<T>()
  return all.filter((value) => {
    const isNew = !values.has(value)
    values.add(value)
    return isNew
  })
}

/** A map from values: an entry is found by any object that is equal to its key. */
export class ValueMap<K extends object, V> {
  readonly #entries = new Map<number, { readonly key: K; readonly value: V }[]>()

  constructor(entries: Iterable<readonly [K, V]> = []) {
    for (const [key, value] of entries) this.set(key, value)
  }

  get(key: K): V | undefined {
    if (this.#entries.size === 0) return undefined
    return this.#entries.get(hashOf(key))?.find((entry) => isSame(entry.key, key))?.value
  }

  set(key: K, value: V): void {
    const hash = hashOf(key)
    const others = this.#entries.get(hash)?.filter((entry) => !isSame(entry.key, key)) ?? []
    this.#entries.set(hash, [...others, { key, value }])
  }
}

/** A set of values, each found by any equal object. */
export class ValueSet<T extends object> {
  readonly #values = new ValueMap<T, true>()

  constructor(values: Iterable<T> = []) {
    for (const value of values) this.add(value)
  }

  add(value: T): void {
    this.#values.set(value, true)
  }

  has(value: T): boolean {
    return this.#values.get(value) === true
  }
}

/** The hash that was computed for an object, which is never changed. */
const hashes = new WeakMap<object, number>()

function hashOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return hashOfText(String(value))
  const known = hashes.get(value)
  if (known !== undefined) return known
  const hash = Array.isArray(value) ? hashOfItems(value) : hashOfProperties(value)
  hashes.set(value, hash)
  return hash
}

function hashOfItems(items: readonly unknown[]): number {
  const step = stepOf(items.length)
  let hash = items.length
  for (let i = items.length - 1; i >= 0; i -= step) hash = (Math.imul(hash, 31) + hashOf(items[i])) | 0
  return hash
}

/** In any order of the properties. */
function hashOfProperties(value: object): number {
  let hash = 7
  for (const [name, own] of Object.entries(value))
    if (own !== undefined) hash = (hash + Math.imul(hashOfText(name), hashOf(own) | 1)) | 0
  return hash
}

function hashOfText(text: string): number {
  const step = stepOf(text.length)
  let hash = text.length
  for (let i = text.length - 1; i >= 0; i -= step) hash = (Math.imul(hash, 31) + text.charCodeAt(i)) | 0
  return hash
}

/** Clients send lists of thousands of long texts: only some items and characters count for a hash, and `isSame` compares all of them. */
const stepOf = (length: number): number => Math.ceil(length / MOST_HASHED)
const MOST_HASHED = 64
