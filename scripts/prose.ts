/** The prose of Markdown pages, and how hard it is to read. */

export interface Reading {
  readonly sentences: number
  readonly words: number
  readonly wordsPerSentence: number
  /** Sentences of more than 30 words, as a part of all. */
  readonly long: number
  /** Years of school, by the formula of Flesch and Kincaid. */
  readonly grade: number
}

const LONG_WORDS = 30
/** A shorter piece is a heading, a cell of a table or a label. */
const LEAST_WORDS = 4

/** The sentences of paragraphs, lists and cells. Code and links are words, as readers meet them; headings and examples are left out. */
export function sentencesOf(markdown: string): readonly string[] {
  const prose = markdown
    .replaceAll(/^---\n.*?\n---\n/gs, '')
    .replaceAll(/^ *(```|~~~).*?^ *\1/gms, '\n\n')
    .replaceAll(/<!--.*?-->/gs, '')
    .replaceAll(/^#.*$/gm, '\n')
    .replaceAll(/!\[[^\]]*\]\([^)]*\)/g, '')
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll(/`[^`\n]*`/g, 'code')
    .replaceAll(/<[^>\n]*>/g, '')
    .replaceAll(/[*_]{1,3}(\S.*?\S|\S)[*_]{1,3}/g, '$1')
    .replaceAll(/^\|?[ :|-]+\|$/gm, '')
  const blocks = prose.split(/\n\s*\n|^\s*(?:[-*]|\d+\.)\s+|\||\n(?=\|)/m)
  return blocks
    .flatMap((block) => block.replaceAll(/\s+/g, ' ').split(/(?<=[.!?:;])\s+(?=[\p{Lu}“"'(\d])/u))
    .map((sentence) => sentence.trim())
    .filter((sentence) => wordsOf(sentence).length >= LEAST_WORDS)
}

export const wordsOf = (sentence: string): readonly string[] => sentence.match(/\p{L}[\p{L}'’-]*/gu) ?? []

/** Groups of vowels, without a silent e at the end. */
export function syllablesOf(word: string): number {
  const groups = word.toLowerCase().match(/[aeiouyäöü]+/g)?.length ?? 1
  const isSilent = /[^aeiouyl]e$|[^aeiouydt]ed$/i.test(word)
  return Math.max(1, groups - (isSilent ? 1 : 0))
}

/**
 * J. P. Kincaid, R. P. Fishburne, R. L. Rogers, B. S. Chissom: Derivation of new readability formulas for Navy enlisted personnel, Research Branch
 * Report 8-75, 1975.
 */
export function readingOf(sentences: readonly string[]): Reading {
  const words = sentences.map(wordsOf)
  const count = words.reduce((sum, each) => sum + each.length, 0)
  const syllables = words.flat().reduce((sum, word) => sum + syllablesOf(word), 0)
  const wordsPerSentence = count / Math.max(1, sentences.length)
  return {
    sentences: sentences.length,
    words: count,
    wordsPerSentence,
    long: words.filter((each) => each.length > LONG_WORDS).length / Math.max(1, sentences.length),
    grade: 0.39 * wordsPerSentence + 11.8 * (syllables / Math.max(1, count)) - 15.59,
  }
}
