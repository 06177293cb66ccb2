/** The values that share words with a text. Those with the rarest words come first. */
export function valuesNamedIn(text: string, values: readonly string[]): string[] {
  const said = new Set(wordsOf(text).filter((word) => !FILLING.has(word)))
  const own = values.map((value) => [value, [...new Set(wordsOf(value))]] as const)
  const counts = new Map<string, number>()
  for (const [, words] of own) for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1)
  const weigh = (words: readonly string[]) =>
    words.reduce((sum, word) => (said.has(word) ? sum + Math.log(1 + values.length / counts.get(word)!) : sum), 0)
  return own
    .map(([value, words]) => [value, weigh(words)] as const)
    .filter(([, weight]) => weight > 0)
    .toSorted(([, a], [, b]) => b - a)
    .map(([value]) => value)
}

const wordsOf = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []

/** Common words, which do not refer to a value. */
const FILLING = new Set(
  'a an the of in on at to from by per for each and or is are was were did do how many what which who have has'.split(' '),
)
