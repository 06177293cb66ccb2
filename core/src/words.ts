/** The words of a text, in lower case and without accents: `orderDate`, `order_date` and `Order Date` have the same. */
export function wordsOf(text: string): string[] {
  return text
    .slice(0, LONGEST_TEXT)
    .replace(/(\p{Ll}|\p{N})(\p{Lu})/gu, '$1 $2')
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '')
    .map((word) => word.slice(0, LONGEST_WORD))
}

/** How well `word` matches `wanted`, from 0 to 1: equal, equal except for a plural, a prefix, or a typo. */
export function likeness(wanted: string, word: string): number {
  if (wanted === word) return 1
  if (singular(wanted) === singular(word)) return 0.95
  if (wanted.length >= 3 && word.startsWith(wanted)) return 0.85
  if (wanted.length >= 4 && word.length >= 4 && wanted.startsWith(word)) return 0.7
  const slips = wanted.length < 4 ? 0 : wanted.length < 6 ? 1 : 2
  if (slips === 0 || Math.abs(wanted.length - word.length) > slips) return 0
  const away = edits(wanted, word)
  return away > slips ? 0 : 0.8 - 0.1 * away
}

/** Without the ending of an English plural. */
export function singular(word: string): string {
  if (word.length > 4 && word.endsWith('ies')) return `${word.slice(0, -3)}y`
  return word.length > 3 && word.endsWith('s') && !word.endsWith('ss') ? word.slice(0, -1) : word
}

const LONGEST_TEXT = 2000
const LONGEST_WORD = 40

/** Letters added, removed, replaced or swapped with their neighbour. */
function edits(a: string, b: string): number {
  let before: number[] = []
  let row = Array.from({ length: b.length + 1 }, (_, i) => i)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++) {
      const changed = row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1)
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1] ? before[j - 2]! + 1 : changed
      next[j] = Math.min(next[j - 1]! + 1, row[j]! + 1, changed, swapped)
    }
    before = row
    row = next
  }
  return row[b.length]!
}
