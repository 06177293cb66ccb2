import { namesHidden } from '../hidden-name.js'
import type { Described } from '../model/semantic-model.js'
import { nearest } from '../nearest.js'
import { singular, wordsOf } from '../words.js'

export type Suggested = Pick<Described, 'synonyms'> & { readonly name: string }

const MOST = 3
/** More fields than this are compared by their spelling alone. */
const MOST_FIELDS = 5000

/** The fields that an unknown name may mean, best first: by a synonym, by spelling, and by their words. */
export function suggestedFields(wanted: string, known: Iterable<Suggested | string>): string[] {
  const fields = [...known]
    .map((one): Suggested => (typeof one === 'string' ? { name: one, synonyms: [] } : one))
    .filter(({ name }) => !namesHidden(name))
  const names = fields.map(({ name }) => name)
  if (fields.length > MOST_FIELDS) return nearest(wanted, names)
  const words = singularWords(wanted)
  const bySynonym = fields.filter(({ synonyms }) => synonyms.some((synonym) => sameWords(singularWords(synonym), words)))
  const byWords = fields.filter(({ name, synonyms }) =>
    [name, ...synonyms].some((text) => {
      const own = singularWords(text)
      return words.length > 0 && own.length > 0 && (contains(own, words) || contains(words, own))
    }),
  )
  const found = [...bySynonym.map(({ name }) => name), ...nearest(wanted, names), ...byWords.map(({ name }) => name)]
  return [...new Set(found)].slice(0, MOST)
}

/** What to do about an unknown name that resembles none: the names that there are. */
export function knownNames(known: Iterable<Suggested | string>): { readonly hint?: string } {
  const names = [...known].map((one) => (typeof one === 'string' ? one : one.name)).filter((name) => !namesHidden(name))
  if (names.length === 0) return {}
  const more = names.length > SHOWN ? ` and ${names.length - SHOWN} more` : ''
  return { hint: `Use one of ${names.slice(0, SHOWN).join(', ')}${more}.` }
}

const SHOWN = 10

const singularWords = (text: string): readonly string[] => wordsOf(text.slice(0, 200)).map(singular)

const sameWords = (a: readonly string[], b: readonly string[]): boolean => a.length > 0 && a.join(' ') === b.join(' ')

const contains = (all: readonly string[], some: readonly string[]): boolean => some.every((word) => all.includes(word))
