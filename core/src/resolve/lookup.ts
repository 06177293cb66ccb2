import { type ErrorCode, fail } from '../errors.js'
import type { ColumnRef } from '../model/expression/ast.js'
import type { Column, SemanticModel } from '../model/semantic-model.js'
import { didYouMean, shown } from '../nearest.js'
import { knownNames, type Suggested, suggestedFields } from './suggested-fields.js'

/** The entry of `name`: exact, or else the only one that differs only in case. `undefined` if there is none. */
export function find<T>(name: string, entries: ReadonlyMap<string, T>): T | undefined {
  const { names, longest } = namesInLowerCase(entries)
  // Clients may send texts of a megabyte, with a part to look up at each of their dots.
  if (name.length > longest) return undefined
  const exact = entries.get(name)
  if (exact !== undefined) return exact
  const [only, ...others] = names.get(name.toLowerCase()) ?? []
  return only === undefined || others.length > 0 ? undefined : entries.get(only)
}

interface LowerCase {
  readonly size: number
  /** The length of the longest one, which no letter case makes shorter. */
  readonly longest: number
  readonly names: ReadonlyMap<string, readonly string[]>
}

/** Lower-case names of a model's maps, cached because a map has thousands of names and every name of a query is looked up. */
const lowerCase = new WeakMap<ReadonlyMap<string, unknown>, LowerCase>()

function namesInLowerCase(entries: ReadonlyMap<string, unknown>): LowerCase {
  const known = lowerCase.get(entries)
  if (known?.size === entries.size) return known
  const names = new Map<string, string[]>()
  let longest = 0
  for (const name of entries.keys()) {
    const lower = name.toLowerCase()
    longest = Math.max(longest, lower.length)
    const same = names.get(lower)
    if (same) same.push(name)
    else names.set(lower, [name])
  }
  const made = { size: entries.size, longest, names }
  lowerCase.set(entries, made)
  return made
}

/** `Object.Column` of the model, with any dots in the names; `undefined` if there is none. */
export function findColumn(text: string, model: SemanticModel): { readonly ref: ColumnRef; readonly column: Column } | undefined {
  // Clients may send texts of a megabyte of dots, and no object has a name that is longer than the longest.
  const { longest } = namesInLowerCase(model.dataObjects)
  for (let dot = text.indexOf('.'); dot >= 0 && dot <= longest; dot = text.indexOf('.', dot + 1)) {
    const object = find(text.slice(0, dot), model.dataObjects)
    const column = object && find(text.slice(dot + 1), object.columns)
    if (object && column) return { ref: { kind: 'column', object: object.name, column: column.name }, column }
  }
  return undefined
}

/** Refuses a list that names one thing twice: the two columns of a row could not be distinguished. */
export function refuseTwice(names: readonly string[], path: string): void {
  const seen = new Set<string>()
  for (const [i, name] of names.entries()) {
    if (seen.has(name)) fail('INVALID_QUERY', `'${name}' is selected twice`, { path: `${path}[${i}]` })
    seen.add(name)
  }
}

/** An unknown name, its expected kind, and the existing names, or fields. */
interface UnknownName {
  readonly name: string
  readonly what: string
  readonly known: Iterable<Suggested | string>
}

/** Refuses an unknown name with the nearest known ones. */
export function unknownName(code: ErrorCode, { name, what, known }: UnknownName, path: string): never {
  const names = [...known]
  const suggestions = suggestedFields(name, names)
  return fail(code, `'${shown(name)}' is ${what}${didYouMean(suggestions)}`, {
    path,
    suggestions,
    ...(suggestions.length === 0 && knownNames(names)),
  })
}
