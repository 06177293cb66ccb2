/** A question as words: the original text, and the form in which two words are compared. */
export interface Word {
  readonly raw: string
  readonly form: string
}

export const wordsOf = (text: string): Word[] =>
  (text.match(/[\p{L}\p{N}]+/gu) ?? []).map((raw) => ({ raw, form: formOf(raw.toLowerCase()) }))

export const formsOf = (text: string): string[] => wordsOf(text).map(({ form }) => form)

/** Whether two words have the same stem, or one is the beginning of the other. */
export const alike = (a: string, b: string): boolean =>
  a === b || (Math.min(a.length, b.length) >= 4 && (a.startsWith(b.slice(0, -1)) || b.startsWith(a.slice(0, -1))))

/** Function words, which name no thing, in lower case. */
export const FILLING = new Set(
  formsOf(
    'a an the of in on at to from by per for each every with and or is are was were be been do does did have has had having there what which who how many much number show list give me come comes bring brought go went goes leave left make made place placed top most highest greatest largest lowest fewest least smallest first different it its as',
  ),
)

export const NUMBERS: Readonly<Record<string, number>> = Object.fromEntries(
  'one two three four five six seven eight nine ten'.split(' ').map((word, at) => [word, at + 1]),
)

function formOf(word: string): string {
  if (word.endsWith('ies') && word.length > 4) return `${word.slice(0, -3)}y`
  return word.endsWith('s') && !word.endsWith('ss') && word.length > 3 ? word.slice(0, -1) : word
}
