import { firstOf } from '../../invariant.js'
import type { DraftColumn } from './draft.js'
import { nameOf } from './guess-keys.js'
import type { ModelObject } from './model-object.js'
import { BARE, CLOCK_WORDS } from './vocabulary.js'
import { singular, titled } from './words.js'

/** Names of columns that several objects have. */
export function sharedLabels(objects: readonly ModelObject[]): ReadonlySet<string> {
  const labels = objects.flatMap(({ table }) => table.columns.map(nameOf))
  return new Set(labels.filter((label, i) => labels.indexOf(label) !== i))
}

/** `Order Date`, `Customer`, `Quantity`: the name includes the object if the column alone would not be clear. */
export function nameFor({ row, role, table }: ModelObject, column: DraftColumn, shared: ReadonlySet<string>): string {
  const { words } = column
  if (words.length === 1 && words[0] === 'name') return titled(row)
  const own = singular(table.words)
  const begins = (name: readonly string[]) => name.every((word, i) => words[i] === word)
  if (begins(row) || (role.length === 0 && (begins(own) || begins(table.words)))) return titled(words)
  if (begins(own)) return titled([...row, ...words.slice(own.length)])
  if (own.every((word) => words.includes(word))) return titled(role.length > 0 ? [...role, ...words] : words)
  const bare = words.length === 1 && BARE.has(firstOf(words))
  const said = row.at(-1) === words[0] ? words.slice(1) : words
  return bare || role.length > 0 || shared.has(nameOf(column)) ? titled([...row, ...said]) : titled(words)
}

/** `Order Month` for `Order Date`. */
export function monthOf({ row }: ModelObject, column: DraftColumn, name: string): string {
  const words = name.split(' ')
  const isClock = (word: string) => CLOCK_WORDS.has(word.toLowerCase())
  const kept = words.filter((word, i) => i === 0 || i < words.length - 2 || !isClock(word))
  return titled([
    ...(kept.length === 1 && isClock(firstOf(kept)) ? row : kept),
    ...(column.words.at(-1) === 'month' ? [] : ['month']),
  ])
}
