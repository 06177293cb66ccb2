/** Data between two stages as indented JSON: maps as objects, sets as lists, big integers as text. What is no plain data is named and not shown. */
export const stageJson = (value: unknown): string => JSON.stringify(value, (_, own) => shown(own), 2)

function shown(value: unknown): unknown {
  if (typeof value === 'bigint') return String(value)
  if (typeof value === 'function') return '[function]'
  if (value instanceof Map) return Object.fromEntries(value)
  if (value instanceof Set) return [...value]
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  const made: unknown = value.constructor
  return typeof made === 'function' && made !== Object ? `[${made.name}]` : value
}
