import { both } from '../invariant.js'

/** Letters that the simple lower case of Unicode leaves different from each other, though their upper case is one letter. */
const FINAL = new Map([['ς', 'σ']])

/** A text in lower case as `lower` gives it on every engine: letter by letter, without a regard for the letters around. */
export const lowerCase = (text: string): string => Array.from(text, (letter) => FINAL.get(letter) ?? simple(letter)).join('')

/** İ alone has two characters in lower case, of which the first is the simple one. */
const simple = (letter: string): string => Array.from(letter.toLowerCase())[0] ?? ''

/** Letters that a function in lower case keeps apart, or changes by the letters around them: each with what it becomes before. */
export type LowerLetters = Readonly<Record<string, string>>

/** A text with these letters replaced; only those that matter where `among` is searched, if that is known. */
export function translated(value: string, letters: LowerLetters, among: string | undefined): string {
  const pairs = lettersAmong(letters, among)
  if (pairs.length < 2) return replaced(value, letters, among)
  const [from, to] = both([0, 1] as const, (side) => pairs.map((pair) => pair[side]).join(''))
  return `TRANSLATE(${value}, '${from}', '${to}')`
}

/** The same for an engine that replaces one text at a time. */
export const replaced = (value: string, letters: LowerLetters, among: string | undefined, name = 'REPLACE'): string =>
  lettersAmong(letters, among).reduce((text, [from, to]) => `${name}(${text}, '${from}', '${to}')`, value)

/** Letters that have no upper case of one character. Of others, which no text has, no function changes any. */
const [WHOLE, MEANWHILE] = ['ßŉǰﬀﬁﬂﬃﬄﬅﬆ', Array.from({ length: 10 }, (_, at) => String.fromCodePoint(0xf0000 + at)).join('')]

/** The text in upper case for an engine that makes several characters of some letters. */
export const upperKeeping = (value: string, upper: (value: string) => string, name = 'TRANSLATE'): string =>
  `${name}(${upper(`${name}(${value}, '${WHOLE}', '${MEANWHILE}')`)}, '${MEANWHILE}', '${WHOLE}')`

function lettersAmong(letters: LowerLetters, among: string | undefined): readonly (readonly [from: string, to: string])[] {
  return Object.entries(letters).filter(([, to]) => among === undefined || among.includes(to))
}
