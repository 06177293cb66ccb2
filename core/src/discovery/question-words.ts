import { likeness, singular, wordsOf } from '../words.js'

/** A text that is a sentence rather than the name of a field, with its words. */
export interface QuestionWords {
  /** Every word, with the words for quantities expanded: `how many` means a count. */
  readonly all: readonly string[]
  /** Words that name something. */
  readonly telling: readonly string[]
}

/** Undefined if the text has too few words for a sentence: then each of them counts. */
export function questionWords(text: string): QuestionWords | undefined {
  const words = [...new Set(wordsOf(text))]
  if (words.length < SHORTEST_QUESTION) return undefined
  const all = words.slice(0, MOST_WORDS)
  const telling = all.filter((word) => !FILLING.has(word))
  return telling.length === 0 ? undefined : { all, telling }
}

/** Like `likeness`, but also by stem and by words with the same meaning for a number. */
export function likeInQuestion(wanted: string, word: string): number {
  const like = likeness(wanted, word)
  if (like >= SAME_STEM) return like
  if (stem(wanted) === stem(word)) return SAME_STEM
  return SENSES.some((sense) => sense.includes(singular(wanted)) && sense.includes(singular(word))) ? SAME_SENSE : like
}

const SHORTEST_QUESTION = 4
const MOST_WORDS = 32
const SAME_STEM = 0.9
const SAME_SENSE = 0.85

const SENSES: readonly (readonly string[])[] = [
  ['count', 'number', 'many', 'most', 'fewest'],
  ['average', 'mean', 'avg', 'usual', 'typical'],
  ['rate', 'share', 'percentage', 'percent', 'ratio', 'proportion', 'fraction'],
  ['highest', 'largest', 'greatest', 'biggest', 'maximum', 'max', 'longest', 'most'],
  ['lowest', 'smallest', 'least', 'minimum', 'min', 'shortest', 'fewest'],
  ['total', 'sum', 'overall'],
  ['growth', 'grow', 'grew', 'change'],
  ['speed', 'fast', 'fastest'],
]

/** Function words of English. */
const FILLING = new Set(
  'a an the of in on at to from by per for each every with and or is are was were be been do does did done have has had having there their its it we you what which who whose when where how show list give me tell come comes bring brought out top this that these those than as much get got'.split(
    ' ',
  ),
)

const ENDINGS = /(?:ations?|ings?|ers?|ed|es|e|s|ly)$/
const stem = (word: string): string =>
  BASES.get(word) ?? (word.length < 5 ? word : word.replace(ENDINGS, '').replace(/(.)\1$/, '$1'))

/** Irregular past forms: flown, sold, paid. Questions use one form, and fields are named in another. */
const VERBS =
  'begin began begun, break broke broken, build built, buy bought, choose chose chosen, drive drove driven, fall fell fallen, fly flew flown flies, give gave given, grow grew grown, hold held, keep kept, lend lent, lose lost, meet met, pay paid, rise rose risen, sell sold, send sent, spend spent, take took taken, win won, write wrote written'
const BASES = new Map(
  VERBS.split(', ').flatMap((verb) => {
    const [base = '', ...forms] = verb.split(' ')
    return [base, ...forms].map((form) => [form, base] as const)
  }),
)
