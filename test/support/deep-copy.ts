/** A copy in which no two places share an object. The model and its parts are not copied, because they are not part of a query. */
export function deepCopy<T>(value: T): T {
  return copied(value) as T
}

const OF_THE_MODEL: ReadonlySet<string> = new Set(['model', 'graph'])

function copied(value: unknown): unknown {
  if (typeof value === 'function') throw new Error('a function is no value')
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(copied)
  if (value instanceof Date) return new Date(value)
  if (value instanceof Map) return new Map([...value].map(([key, own]) => [copied(key), copied(own)]))
  if (value instanceof Set) return new Set([...value].map(copied))
  if (Object.getPrototypeOf(value) !== Object.prototype) throw new Error(`${value.constructor.name} is no plain value`)
  return Object.fromEntries(Object.entries(value).map(([name, own]) => [name, OF_THE_MODEL.has(name) ? own : copied(own)]))
}
