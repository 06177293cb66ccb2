/**
 * An agent without a language model: rules of English that depend on no model and no question. It searches with the words of the question
 * and sends one query.
 */
import type { Agent } from './agent.js'
import { callings, type Field, foundIn, isMeasured, isTime } from './fields.js'
import { measureFor } from './measure-for.js'
import { dayText, type Span, spansIn } from './spans.js'
import { alike, FILLING, formsOf, NUMBERS, type Word, wordsOf } from './words.js'

export const scriptedAgent: Agent = async (question, tools) => {
  const { fields, unknown } = foundIn(await tools.call('search_fields', { text: question }))
  const words = wordsOf(question)
  const asked = queryFor(words, fields)
  if (asked === undefined || isAboutUnknown(words, unknown, asked.measures)) return undefined
  await tools.call('query', asked)
  return tools.answered()
}

/**
 * Whether the thing that is counted is no field, or a word before one of the measure, as in `average wind speed`: then no number of
 * another field answers the question.
 */
function isAboutUnknown(words: readonly Word[], unknown: readonly string[], measures: readonly string[]): boolean {
  const foreign = new Set(unknown.flatMap(formsOf).filter((form) => !FILLING.has(form) && !isSkipped(form) && !(form in NUMBERS)))
  const isForeign = (word: Word | undefined): boolean => word !== undefined && foreign.has(word.form)
  const own = measures.flatMap(formsOf)
  const at = words.findIndex(({ form }, place) => ['many', 'much'].includes(form) && words[place - 1]?.form === 'how')
  if (at >= 0 && isForeign(words[afterFilling(words, at + 1)])) return true
  return words.some(
    (word, place) => isForeign(word) && own.includes(words[place - 1]?.form ?? '') && own.includes(words[place + 1]?.form ?? ''),
  )
}

/** The number of words of its name in the question. */
const spokenOf = ({ name }: Field, words: readonly Word[]): number =>
  formsOf(name).filter((own) => words.some(({ form }) => alike(own, form))).length

const timeRank = ({ name }: Field): number => (/\b(date|day)\b/i.test(name) ? 0 : 1)

interface Asked extends Record<string, unknown> {
  readonly measures: readonly string[]
}

function queryFor(words: readonly Word[], fields: readonly Field[]): Asked | undefined {
  const grouped = new Set<number>()
  groupsIn(words, fields, grouped)
  const measure = measureFor(unused(words, grouped), fields.filter(isMeasured))
  if (measure === undefined) return undefined
  const used = new Set<number>()
  take(used, words, callings(measure).flat())
  const counted = limitAt(words)
  if (counted >= 0) used.add(counted)
  const groups = groupsIn(words, fields, used)
  const spanned = spanFilter(words, fields, used)
  if (spanned.group !== undefined && groups.length === 0) groups.push(spanned.group)
  const where = [...spanned.filters, ...valueFilters(words, fields, used), ...flagFilters(words, fields, used)]
  return {
    measures: [measure.name],
    ...(groups.length > 0 && { dimensions: groups }),
    ...(where.length > 0 && { where }),
    ...(groups.length > 0 && { limit: MOST_ROWS }),
    ...orderOf(words, measure, groups),
  }
}

/** Without a limit a long answer would be cut. */
const MOST_ROWS = 200

/** Marks the words that name a field. */
function take(used: Set<number>, words: readonly Word[], forms: readonly string[]): void {
  for (const [at, { form }] of words.entries()) if (!FILLING.has(form) && forms.some((own) => alike(own, form))) used.add(at)
}

const CUES = new Set(['by', 'per', 'each', 'every', 'which', 'who'])
const GRAINS = new Set(['day', 'week', 'month', 'quarter', 'year'])

/** The words after `by`, `per`, `each` or `which`, further ones after `and`, and `month to month`. */
function groupsIn(words: readonly Word[], fields: readonly Field[], used: Set<number>): string[] {
  const groups: string[] = []
  const add = (start: number): void => {
    const place = afterFilling(words, start)
    const matched = dimensionAt(words, place, fields)
    if (matched === undefined) return
    for (let at = place; at < place + matched.length; at++) used.add(at)
    if (!groups.includes(matched.name)) groups.push(matched.name)
    if (words[place + matched.length]?.form === 'and') add(place + matched.length + 1)
  }
  for (const [at, { form }] of words.entries()) {
    if (CUES.has(form)) add(at + 1)
    if (form === 'to' && GRAINS.has(words[at - 1]?.form ?? '') && words[at + 1]?.form === words[at - 1]?.form) {
      used.add(at - 1)
      add(at + 1)
    }
  }
  return groups
}

const SKIPPED = new Set(['the', 'of', 'are', 'is', 'our', 'top', 'each', 'every', 'market', 'different'])
const isNumber = (word: Word | undefined): boolean => word !== undefined && (word.form in NUMBERS || /^\d{1,3}$/.test(word.raw))

const isSkipped = (form: string): boolean => SKIPPED.has(form) || LEAST.has(form) || MOST.has(form)

function afterFilling(words: readonly Word[], start: number): number {
  let at = start
  while (isSkipped(words[at]?.form ?? '') || isNumber(words[at])) at += 1
  return at
}

interface Matched {
  readonly name: string
  readonly length: number
}

/** The dimension with the longest name or synonym at this place; a grain of a time; or one whose name begins with the word, `… Name` first. */
function dimensionAt(words: readonly Word[], at: number, fields: readonly Field[]): Matched | undefined {
  const dimensions = fields.filter(({ kind }) => kind === 'dimension')
  const whole = dimensions
    .flatMap((field) => callings(field).map((forms) => ({ name: field.name, length: forms.length, forms })))
    .filter(({ forms }) => forms.every((form, i) => words[at + i]?.form === form))
    .toSorted((a, b) => b.length - a.length)[0]
  if (whole !== undefined) return whole
  const word = words[at]?.form ?? ''
  const time = GRAINS.has(word) ? timeFor(words, fields) : undefined
  if (time !== undefined) return { name: `${time.name}:${word}`, length: 1 }
  const partly = dimensions.filter(({ name }) => formsOf(name)[0] === word || formsOf(name).at(-1) === word)
  const named = (field: Field): number => (/\bname$/i.test(field.name) ? 1 : 0)
  const [best] = partly.toSorted((a, b) => spokenOf(b, words) - spokenOf(a, words) || named(b) - named(a))
  return best && { name: best.name, length: 1 }
}

/** The time whose name is in the question; otherwise a date before an instant. */
function timeFor(words: readonly Word[], fields: readonly Field[]): Field | undefined {
  const times = fields.filter(isTime).filter(({ name }) => !GRAINS.has(formsOf(name).at(-1) ?? ''))
  return times.toSorted((a, b) => spokenOf(b, words) - spokenOf(a, words) || timeRank(a) - timeRank(b))[0]
}

/** The days of the question. Two spans, such as `July compared with February`, are rows of their own. */
function spanFilter(
  words: readonly Word[],
  fields: readonly Field[],
  used: Set<number>,
): { readonly filters: readonly object[]; readonly group?: string } {
  const time = timeFor(words, fields)
  const spans = spansIn(words)
  if (spans.length === 0 || time === undefined) return { filters: [] }
  const sample = /\b(?:19|20)\d\d\b/.exec(fields.filter(isTime).find(({ samples }) => samples !== '')?.samples ?? '')?.[0]
  const years = spans.map(({ year }) => year ?? Number(sample))
  if (years.some(Number.isNaN)) return { filters: [] }
  for (const { at } of spans) for (const place of at) used.add(place)
  const between = ({ from, to }: Span, at: number) => ({
    field: time.name,
    op: 'between',
    value: [dayText(years[at]!, from), dayText(years[at]!, to)],
  })
  const filters = spans.map(between)
  if (filters.length === 1) return { filters }
  return { filters: [{ logic: 'or', filters }], group: `${time.name}:${spans[0]!.grain}` }
}

const SECOND = 10

/** A value of a dimension in the question, in the dimension that the question matches best. */
function valueFilters(words: readonly Word[], fields: readonly Field[], used: Set<number>): object[] {
  const filters: object[] = []
  // Words that name no other field decide; the others only where those leave it open.
  const fitIn = (field: Field, value: string): number =>
    fitOf(field, value, unused(words, used)) + fitOf(field, value, words) / SECOND
  for (const [at, { form, raw }] of words.entries()) {
    if (used.has(at) || FILLING.has(form)) continue
    const holding = fields.flatMap((field) => {
      const values = field.values.filter((one) => wordsOf(one).some((own) => own.raw.toLowerCase() === raw.toLowerCase()))
      return values.map((value) => ({ field, value, fit: fitIn(field, value) + 1 / values.length }))
    })
    const [best] = holding.toSorted((a, b) => b.fit - a.fit)
    if (best === undefined) continue
    const own = formsOf(best.value)
    for (const [other, word] of words.entries()) if (own.includes(word.form)) used.add(other)
    filters.push({ field: best.field.name, op: '=', value: best.value })
  }
  return filters
}

/** Words that name no other field. */
const unused = (words: readonly Word[], used: ReadonlySet<number>): Word[] => words.filter((_, at) => !used.has(at))

/** How many words of its name or synonyms the question has, and how much of the value. */
function fitOf(field: Field, value: string, words: readonly Word[]): number {
  const has = (own: string) => words.some(({ form }) => form === own)
  const spoken = Math.max(...callings(field).map((forms) => forms.filter(has).length / forms.length))
  const own = formsOf(value)
  return spoken + own.filter(has).length / own.length
}

/** A boolean dimension whose whole name is in the question. */
function flagFilters(words: readonly Word[], fields: readonly Field[], used: ReadonlySet<number>): object[] {
  const said = (own: string) => words.some(({ form }, at) => !used.has(at) && form === own)
  return fields
    .filter(({ kind, type, name }) => kind === 'dimension' && type === 'boolean' && formsOf(name).every(said))
    .map(({ name }) => ({ field: name, op: '=', value: true }))
}

const LEAST = new Set(['lowest', 'fewest', 'least', 'smallest', 'shortest', 'slowest'].flatMap(formsOf))
const MOST = new Set(['highest', 'most', 'greatest', 'largest', 'top', 'biggest', 'longest', 'fastest', 'best'].flatMap(formsOf))

/** `which three … the most` and `top 10` take that many, `which airline … the most` takes one; `which airlines` and `fastest first` only order. */
function orderOf(words: readonly Word[], measure: Field, groups: readonly string[]): object {
  const least = words.some(({ form }) => LEAST.has(form))
  if (groups.length === 0 || !(least || words.some(({ form }) => MOST.has(form)))) return {}
  const order_by = [{ field: measure.name, direction: least ? 'asc' : 'desc' }]
  if (!['which', 'who', 'top'].includes(words[0]?.form ?? '')) return { order_by }
  const counted = words[limitAt(words)]
  const [, asked] = words
  if (counted === undefined && asked !== undefined && asked.raw.toLowerCase() !== asked.form) return { order_by }
  return { order_by, limit: counted === undefined ? 1 : (NUMBERS[counted.form] ?? Number(counted.raw)) }
}

/** The position of the number in `which five`, `top 10` or `ten biggest`. */
const limitAt = (words: readonly Word[]): number =>
  words.findIndex(
    (word, at) =>
      isNumber(word) &&
      (['which', 'top'].includes(words[at - 1]?.form ?? '') || [LEAST, MOST].some((set) => set.has(words[at + 1]?.form ?? ''))),
  )
