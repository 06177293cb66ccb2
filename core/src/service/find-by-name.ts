import { type ErrorCode, fail } from '../errors.js'
import { didYouMean, nearest, shown } from '../nearest.js'

/** The entry of this name: exact, or else the only one that differs only in case. Throws `code` with suggestions. */
export function findByName<T>(name: string, entries: ReadonlyMap<string, T>, code: ErrorCode, what: string): T {
  const key = matchName(name, entries.keys())
  if (key !== undefined) return entries.get(key) as T
  const suggestions = nearest(name, entries.keys())
  return fail(code, `'${shown(name)}' is not ${what}${didYouMean(suggestions)}`, suggestions.length > 0 ? { suggestions } : {})
}

/** The intended name among `names`, or `undefined` if there is none or several. */
export function matchName(name: string, names: Iterable<string>): string | undefined {
  const all = [...names]
  if (all.includes(name)) return name
  const folded = name.toLowerCase()
  const similar = all.filter((candidate) => candidate.toLowerCase() === folded)
  return similar.length === 1 ? similar[0] : undefined
}
