import { type ErrorCode, fail } from '../errors.js'
import { didYouMean, nearest } from '../nearest.js'

/** The entry of `name`: exact, else the only one that differs in case alone. `undefined` when there is none. */
export function find<T>(name: string, entries: ReadonlyMap<string, T>): T | undefined {
  const exact = entries.get(name)
  if (exact !== undefined) return exact
  const lower = name.toLowerCase()
  let found: T | undefined
  let count = 0
  for (const [key, value] of entries) {
    if (key.toLowerCase() !== lower) continue
    found = value
    count++
  }
  return count === 1 ? found : undefined
}

/** Refuses a list that names one thing twice: rows could not tell the two columns apart. */
export function refuseTwice(names: readonly string[], path: string): void {
  const seen = new Set<string>()
  for (const [i, name] of names.entries()) {
    if (seen.has(name)) fail('INVALID_QUERY', `'${name}' is selected twice`, { path: `${path}[${i}]` })
    seen.add(name)
  }
}

/** Refuses an unknown name with the nearest known ones. */
export function unknownName(code: ErrorCode, name: string, what: string, known: Iterable<string>, path: string): never {
  const suggestions = nearest(name, known)
  return fail(code, `'${name}' is ${what}${didYouMean(suggestions)}`, { path, suggestions })
}
