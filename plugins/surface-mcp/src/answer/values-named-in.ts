/** The values that share words with a text. Those with the rarest words come first. */
export function valuesNamedIn(text: string, values: readonly string[]): string[] {
  return weighed(text, values).map(({ value }) => value)
}

/** Only the values that the text means: for each of its words the best, and others about as good. A long text that shares a word with it is none. */
export function valuesMeantIn(text: string, values: readonly string[]): string[] {
  const found = weighed(text, values).filter(({ share }) => share >= LEAST_SHARE)
  const best = new Map<string, number>()
  for (const { has, weight } of found) for (const word of has) best.set(word, Math.max(best.get(word) ?? 0, weight))
  return found.filter(({ has, weight }) => has.some((word) => weight >= ALMOST * (best.get(word) ?? 0))).map(({ value }) => value)
}

/** `Delta` means `Delta Air Lines Inc.`, but no sentence of a comment. */
const LEAST_SHARE = 0.25
const ALMOST = 0.8

interface Weighed {
  readonly value: string
  readonly weight: number
  /** Its words that the text has. */
  readonly has: readonly string[]
  /** The part of the words of the value that the text has. */
  readonly share: number
}

function weighed(text: string, values: readonly string[]): Weighed[] {
  const asked = wordsOf(text).filter((word) => !FILLING.has(word))
  const said = new Set([...asked, ...asked.slice(1).map((word, at) => `${asked[at]}${word}`)])
  const own = values.map((value) => [value, [...new Set(wordsOf(value))]] as const)
  const counts = new Map<string, number>()
  for (const [, words] of own) for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1)
  const weight = (word: string) => Math.log(1 + values.length / counts.get(word)!)
  return own
    .map(([value, words]) => {
      const has = said.has(words.join('')) ? words : words.filter((word) => said.has(word))
      const sum = has.reduce((total, word) => total + weight(word), 0)
      return { value, weight: sum, has, share: has.length / Math.max(1, words.length) }
    })
    .filter((one) => one.weight > 0)
    .toSorted((a, b) => b.weight - a.weight || b.share - a.share)
}

const wordsOf = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []

/** Common words, which do not refer to a value. */
const FILLING = new Set(
  'a an the of in on at to from by per for each and or is are was were did do how many what which who have has'.split(' '),
)
