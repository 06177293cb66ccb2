import { callings, type Field } from './fields.js'
import { alike, FILLING, type Word, wordsOf } from './words.js'

/**
 * The measure whose name or synonym the question says wholly: one that has the first telling word of the question, then the one with the
 * rarest words. The share that was cancelled is a `share cancelled` before it is a `Share of Flights`.
 * If none is said wholly it is the count of the things that the question counts, or the first, which the search has found best.
 */
export function measureFor(words: readonly Word[], measured: readonly Field[]): Field | undefined {
  const all = measured.flatMap(callings)
  const said = words.map(({ form }) => form).filter((form) => !FILLING.has(form))
  const [head = ''] = said.filter((form) => form !== 'different')
  const chief = new Set(SHARES.has(head) ? [head, predicateOf(words)] : [head])
  const weight = (form: string): number =>
    Math.log(1 + all.length / all.filter((forms) => forms.some((own) => alike(own, form))).length)
  const saidBy = (field: Field): number =>
    Math.max(
      0,
      ...callings(field).map((forms) => {
        const telling = forms.filter((form) => !FILLING.has(form))
        if (!telling.every((own) => said.includes(own))) return 0
        return telling.reduce((sum, form) => sum + weight(form), HEAD * telling.filter((form) => chief.has(form)).length)
      }),
    )
  const best = measured.toSorted((a, b) => saidBy(b) - saidBy(a))[0]
  if (best !== undefined && saidBy(best) > 0) return best
  const counts = measured.find((field) =>
    callings(field).some(([thing, count, more]) => thing === head && count === 'count' && !more),
  )
  return (words[0]?.form === 'how' ? counts : undefined) ?? best
}

const SHARES = new Set(['share', 'percentage', 'proportion', 'part'])
const IS = new Set(['is', 'are', 'was', 'were'].flatMap((word) => wordsOf(word).map(({ form }) => form)))

/** What share of flights was *cancelled*: the share is of that. */
const predicateOf = (words: readonly Word[]): string | undefined =>
  words.slice(words.findLastIndex(({ form }) => IS.has(form)) + 1).find(({ form }) => !FILLING.has(form))?.form

/** More than the weights of all words. */
const HEAD = 1000
