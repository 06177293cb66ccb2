/** Names of tables and columns, split into words. */

/** Words that are often appended without a separator: `orderdate`, `custkey`. */
const GLUED = 'date time name number price status mode code type cost flag size priority amount qty bal key'.split(' ')
/** Words that only look like such compounds. */
const WHOLE = new Set(
  'surname candidate mandate monkey turkey hockey donkey whiskey jockey prototype overtime lifetime runtime uptime downtime'.split(
    ' ',
  ),
)

/** Words at the end of a name that mark its value as an identifier. */
export const ID_WORDS: ReadonlySet<string> = new Set(
  'id ids key code no nr num number sk pk fk uuid guid uid ref handle slug'.split(' '),
)

/** Words that are written in capitals, though most databases write names in small letters. */
const CAPITALS = new Set(
  'api bic cd dvd eu fx gdp html iata iban icao imdb ip isbn kpi mpaa pdf sku tv uk url us usa uuid vat'.split(' '),
)

/**
 * `ps_supplyCost` → `ps`, `supply`, `cost`; in lower case, except capitals that stand out of a name with small letters, as in `US_Gross`.
 */
export function wordsOf(name: string): readonly string[] {
  const isMixed = /\p{Ll}/u.test(name)
  return name
    .replace(/([\p{Ll}\p{N}])(\p{Lu})/gu, '$1 $2')
    .replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, '$1 $2')
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '')
    .flatMap((word) => (isMixed && isCapitals(word) ? [word] : unglued(word.toLowerCase())))
}

const isCapitals = (word: string): boolean => /^\p{Lu}{2,}$/u.test(word) && !ID_WORDS.has(word.toLowerCase())

function unglued(word: string): string[] {
  const end = WHOLE.has(word) ? undefined : GLUED.find((glued) => word.endsWith(glued) && word.length >= glued.length + 3)
  return end === undefined ? [word] : [word.slice(0, -end.length), end]
}

/** `order items` → `Order Items`. */
export const titled = (words: readonly string[]): string => words.map(capitalized).join(' ') || 'Unnamed'

const capitalized = (word: string): string =>
  CAPITALS.has(word) ? word.toUpperCase() : word.charAt(0).toUpperCase() + word.slice(1)

const IRREGULAR: ReadonlyMap<string, string> = new Map([
  ['people', 'person'],
  ['children', 'child'],
  ['series', 'series'],
  ['news', 'news'],
  ['statuses', 'status'],
])

/** The words of a table as the words of one of its rows: `order categories` → `order category`. */
export const singular = (words: readonly string[]): readonly string[] => [
  ...words.slice(0, -1),
  ...words.slice(-1).map(singularWord),
]

function singularWord(word: string): string {
  const irregular = IRREGULAR.get(word)
  if (irregular !== undefined) return irregular
  if (word.length > 4 && word.endsWith('ies')) return `${word.slice(0, -3)}y`
  if (/(?:ss|sh|ch|x|z)es$/.test(word)) return word.slice(0, -2)
  return /[^sui]s$/.test(word) && word.length > 3 ? word.slice(0, -1) : word
}
