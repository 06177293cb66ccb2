import { entryOf } from '../invariant.js'
import { type Described, type Graded, isOffered, type SemanticModel } from '../model/semantic-model.js'
import { likeness, singular, wordsOf } from '../words.js'
import { likeInQuestion, type QuestionWords, questionWords } from './question-words.js'

export const FIND_KINDS = ['dimension', 'measure', 'metric', 'segment', 'data_object', 'column'] as const
export type FindKind = (typeof FIND_KINDS)[number]

export interface Found {
  /** Columns are `Object.Column`. */
  readonly name: string
  readonly kind: FindKind
  /** Greater than 0; 1 if the query is the name itself. */
  readonly score: number
  readonly reason: string
  /** Where the text was found. */
  readonly matched: keyof typeof WEIGHT
  /** For a dimension, measure or metric. */
  readonly status?: Graded['status']
  /** The replacement of a deprecated field. */
  readonly use?: string | undefined
}

export interface FindResult {
  /** All of the following, best first. */
  readonly results: readonly Found[]
  readonly exact_matches: readonly Found[]
  readonly synonym_matches: readonly Found[]
  readonly fuzzy_matches: readonly Found[]
  /** Words of the query that no name, synonym or description of the model has, as they were written. */
  readonly unmatched: readonly string[]
}

/** The maximum number of results per list. */
const MOST = 50
const MOST_WORDS = 16
/** The weight of a word by the place where it was found. */
const WEIGHT = { name: 0.9, synonym: 0.8, description: 0.45 } as const
const LEAST_SCORE = 0.3
/** The order of fields with equal scores: certified ones come first. */
const RANK = { certified: 0, unsaid: 1, proposed: 2, deprecated: 3 } as const
/** Factors of the score: a proposed or deprecated field must match better than others. */
const STATUS_WEIGHT = { certified: 1, unsaid: 1, proposed: 0.85, deprecated: 0.7 } as const

/**
 * Fields whose name, synonyms or description match `query`, by their words. In a whole sentence, function words do not count, and a field
 * whose name is in it is found however long it is. Everything is bounded for any input.
 */
export function findFields(query: string, model: SemanticModel, kinds: readonly FindKind[] = FIND_KINDS): FindResult {
  const question = questionWords(query)
  const words = (question?.telling ?? [...new Set(wordsOf(query))]).slice(0, MOST_WORDS)
  const scale = question && { weight: once(weightsIn(model)), like: likenessTo(question.all, likeInQuestion) }
  const entries = entriesOf(model).filter(({ kind }) => kinds.includes(kind))
  const exact: Found[] = []
  const synonyms: Found[] = []
  const fuzzy: Found[] = []
  const like = likenessTo(words)
  for (const entry of entries) {
    const same = sameName(query, words, entry)
    if (same?.kind === 'name') exact.push(found(entry, 1, { reason: 'the name itself', matched: 'name' }))
    else if (same) synonyms.push(found(entry, 0.95, { reason: `its synonym '${same.text}'`, matched: 'synonym' }))
    else fuzzy.push(...better(fuzzyMatch(words, entry, like), question && scale ? inQuestion(question, entry, scale) : []))
  }
  const best = (list: readonly Found[]): Found[] => list.toSorted(byScore).slice(0, MOST)
  const matches = { exact_matches: best(exact), synonym_matches: best(synonyms), fuzzy_matches: best(fuzzy) }
  const unmatched = words.filter((word) => !isKnown(word, entries, like))
  return { results: Object.values(matches).flat().slice(0, MOST), ...matches, unmatched }
}

const isKnown = (word: string, entries: readonly Entry[], like: Like): boolean =>
  entries.some(({ texts }) => texts.some(({ words }) => words.some((own) => like(word, own) >= LEAST_LIKE)))

interface Text {
  readonly kind: keyof typeof WEIGHT
  readonly text: string
  readonly words: readonly string[]
}

interface Entry {
  readonly status?: Graded['status']
  readonly use?: Graded['use']
  readonly name: string
  readonly kind: FindKind
  readonly texts: readonly Text[]
}

const known = new WeakMap<SemanticModel, readonly Entry[]>()

function entriesOf(model: SemanticModel): readonly Entry[] {
  const made = known.get(model) ?? [...makeEntries(model)]
  known.set(model, made)
  return made
}

function* makeEntries(model: SemanticModel): Iterable<Entry> {
  for (const dimension of model.dimensions.values()) if (!dimension.hidden) yield entry('dimension', dimension.name, dimension)
  for (const measure of model.measures.values()) if (isOffered(measure)) yield entry('measure', measure.name, measure)
  for (const metric of model.metrics.values()) if (isOffered(metric)) yield entry('metric', metric.name, metric)
  for (const segment of model.segments.values()) yield entry('segment', segment.name, segment)
  for (const object of model.dataObjects.values()) {
    yield entry('data_object', object.name, object)
    for (const column of object.columns.values()) yield entry('column', `${object.name}.${column.name}`, column, column.name)
  }
}

function entry(kind: FindKind, name: string, field: Described & Partial<Graded>, ownName = name): Entry {
  const { synonyms, description, status, use } = field
  const texts: [Text['kind'], string][] = [
    ['name', ownName],
    ...synonyms.map((text): [Text['kind'], string] => ['synonym', text]),
    ...(description === undefined ? [] : [['description', description] satisfies [Text['kind'], string]]),
  ]
  return { name, kind, status, use, texts: texts.map(([kind, text]) => ({ kind, text, words: wordsOf(text) })) }
}

/** The name or synonym that equals the query, in any case and punctuation. */
function sameName(query: string, words: readonly string[], { name, texts }: Entry): Text | undefined {
  const asked = query.trim().toLowerCase()
  const says = ({ kind, text, words: own }: Text): boolean =>
    kind !== 'description' && (text.trim().toLowerCase() === asked || (words.length > 0 && own.join(' ') === words.join(' ')))
  return name.toLowerCase() === asked ? texts[0] : texts.find(says)
}

/** The mean, over the words of the query, of the best score of each; with a small bonus for a name without further words. */
function fuzzyMatch(words: readonly string[], entry: Entry, like: Like): Found[] {
  let sum = 0
  let best: { readonly text: Text; readonly word: string; readonly score: number } | undefined
  for (const word of words) {
    let most = 0
    for (const text of entry.texts) {
      const score = WEIGHT[text.kind] * Math.max(0, ...text.words.map((own) => like(word, own)))
      if (score <= most) continue
      most = score
      if (!best || score > best.score) best = { text, word, score }
    }
    sum += most
  }
  if (!best) return []
  const spoken = Math.min(1, words.length / Math.max(1, entry.texts[0]!.words.length))
  const score = (sum / words.length) * (0.9 + 0.1 * spoken) * STATUS_WEIGHT[entry.status ?? 'unsaid']
  return score < LEAST_SCORE ? [] : [found(entry, score, { reason: reasonFor(best.text, best.word), matched: best.text.kind })]
}

/** How much of a name or synonym is in the query, and how much of the query is in it; rare words count more. */
function inQuestion({ all, telling }: QuestionWords, entry: Entry, scale: Scale): Found[] {
  let best: { readonly text: Text; readonly score: number } | undefined
  for (const text of entry.texts) {
    if (text.kind === 'description') continue
    const covered = share(text.words, scale, (own) => all.map((word) => scale.like(word, own)))
    const answered = share(telling, scale, (word) => text.words.map((own) => scale.like(word, own)))
    const together = TOGETHER * closeness(text.words, all, scale)
    const score = SAID[text.kind] * (COVERED * covered ** 2 + (1 - COVERED - TOGETHER) * answered + together)
    if (score > (best?.score ?? 0)) best = { text, score }
  }
  if (!best) return []
  const score = best.score * STATUS_WEIGHT[entry.status ?? 'unsaid']
  const { kind, text } = best.text
  const reason = `the question speaks of ${kind === 'synonym' ? `its synonym '${text}'` : 'its name'}`
  return score < LEAST_IN_QUESTION ? [] : [found(entry, score, { reason, matched: kind })]
}

/** In a sentence a synonym counts almost as much as a name. */
const SAID = { ...WEIGHT, synonym: 0.88 }
const COVERED = 0.6
const TOGETHER = 0.15
const LEAST_IN_QUESTION = 0.2

/** 1 if the words of a name follow each other in the query, less if others are between them: `how many flights … each airline`. */
function closeness(own: readonly string[], all: readonly string[], { like }: Scale): number {
  const places = own.flatMap((word) => {
    const likes = all.map((asked) => like(asked, word))
    const most = Math.max(0, ...likes)
    return most < LEAST_LIKE ? [] : [likes.indexOf(most)]
  })
  if (places.length < own.length) return 0
  return own.length / Math.max(own.length, Math.max(...places) - Math.min(...places) + 1)
}

const better = ([one]: Found[], [other]: Found[]): Found[] => {
  const best = one && other ? (other.score > one.score ? other : one) : (one ?? other)
  return best ? [best] : []
}

/** The share of `words` that is among others, by weight. */
function share(words: readonly string[], { weight }: Scale, likes: (word: string) => readonly number[]): number {
  let [had, of] = [0, 0]
  for (const word of words) {
    const most = Math.max(0, ...likes(word))
    of += weight(word)
    had += most < LEAST_LIKE ? 0 : weight(word) * most
  }
  return of === 0 ? 0 : had / of
}

const LEAST_LIKE = 0.6

interface Scale {
  readonly weight: Weight
  readonly like: Like
}
type Weight = (word: string) => number

function once(weight: Weight): Weight {
  const seen = new Map<string, number>()
  return (word) => {
    const known = seen.get(word) ?? weight(word)
    seen.set(word, known)
    return known
  }
}

const weights = new WeakMap<SemanticModel, Weight>()

/** The weight of a word: a word of many fields means little, one that no field has means nothing. */
function weightsIn(model: SemanticModel): Weight {
  const made = weights.get(model) ?? makeWeights(entriesOf(model))
  weights.set(model, made)
  return made
}

function makeWeights(entries: readonly Entry[]): Weight {
  const fields = entries.filter(({ kind }) => kind !== 'column' && kind !== 'data_object')
  const counts = new Map<string, number>()
  for (const { texts } of fields)
    for (const word of new Set(texts.filter(({ kind }) => kind !== 'description').flatMap(({ words }) => words.map(singular))))
      counts.set(word, (counts.get(word) ?? 0) + 1)
  return (word) => {
    const count = counts.get(singular(word)) ?? Math.max(0, ...likeCounts(word, counts))
    return count === 0 ? 0 : Math.log(1 + fields.length / count)
  }
}

function* likeCounts(word: string, counts: ReadonlyMap<string, number>): Iterable<number> {
  for (const [known, count] of counts) if (likeInQuestion(word, known) >= LEAST_LIKE) yield count
}

function reasonFor({ kind, text, words }: Text, word: string): string {
  const where = kind === 'synonym' ? `its synonym '${text}'` : `its ${kind}`
  const own = words.toSorted((a, b) => likeness(word, b) - likeness(word, a))[0]
  return own === word ? `'${word}' is in ${where}` : `'${own}' in ${where} is like '${word}'`
}

type Like = (word: string, own: string) => number

/** Memoized, because most words of a model occur in it many times. */
function likenessTo(words: readonly string[], alike: Like = likeness): Like {
  const seen = new Map(words.map((word) => [word, new Map<string, number>()]))
  return (word, own) => {
    const scores = entryOf(seen, word)
    const score = scores.get(own) ?? alike(word, own)
    scores.set(own, score)
    return score
  }
}

const found = ({ name, kind, status, use }: Entry, score: number, why: Pick<Found, 'reason' | 'matched'>): Found => ({
  name,
  kind,
  score: Math.round(score * 1000) / 1000,
  ...why,
  ...(status !== undefined && { status }),
  ...(use !== undefined && { use }),
})

const rankOf = ({ status }: Found): number => RANK[status ?? 'unsaid']

const byScore = (a: Found, b: Found): number =>
  b.score - a.score || rankOf(a) - rankOf(b) || (a.name < b.name ? -1 : a.name > b.name ? 1 : 0)
