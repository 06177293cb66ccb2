/**
 * An agent without a language model: rules of English that depend on no model and no question. It searches with the words of the question,
 * describes the results, and sends one query.
 */
import type { Agent } from './agent.js'
import { callings, described, type Field, fieldsFound, isMeasured, isTime } from './fields.js'
import { dayText, spanIn } from './spans.js'
import { alike, FILLING, formsOf, NUMBERS, type Word, wordsOf } from './words.js'

export const scriptedAgent: Agent = async (question, tools) => {
  const found = fieldsFound(await tools.call('search_fields', { text: question }))
  const names = worthDescribing(found, wordsOf(question)).map(({ name }) => name)
  if (names.length === 0) return undefined
  const fields = described(found, await tools.call('describe_fields', { names, text: question }))
  const asked = queryFor(wordsOf(question), fields)
  if (asked === undefined) return undefined
  await tools.call('query', asked)
  return tools.answered()
}

const MOST_DESCRIBED = 20
/** A question rarely compares with a number or a text that it does not name as a value. */
const SELDOM_COMPARED = /\b(key|comment|phone|address|number|total)\b/i

/** The best measure, and every dimension that may contain a value of the question. */
function worthDescribing(found: readonly Field[], words: readonly Word[]): Field[] {
  const measured = found.filter(isMeasured).slice(0, 2)
  const dimensions = found.filter((field) => !isMeasured(field) && !SELDOM_COMPARED.test(field.name))
  const times = dimensions.filter(isTime).toSorted((a, b) => timeRank(a) - timeRank(b))
  const others = dimensions.filter((field) => !isTime(field)).toSorted((a, b) => spokenOf(b, words) - spokenOf(a, words))
  return [...measured, ...times.slice(0, 2), ...others].slice(0, MOST_DESCRIBED)
}

/** The number of words of its name in the question. */
const spokenOf = ({ name }: Field, words: readonly Word[]): number =>
  formsOf(name).filter((own) => words.some(({ form }) => alike(own, form))).length

const timeRank = ({ name }: Field): number => (/\b(date|day)\b/i.test(name) ? 0 : 1)

function queryFor(words: readonly Word[], fields: readonly Field[]): Record<string, unknown> | undefined {
  const measure = fields.find(isMeasured)
  if (measure === undefined) return undefined
  const used = new Set<number>()
  take(used, words, callings(measure).flat())
  const counted = limitAt(words)
  if (counted >= 0) used.add(counted)
  const groups = groupsIn(words, fields, used)
  const where = [...spanFilter(words, fields, used), ...valueFilters(words, fields, used), ...flagFilters(words, fields, used)]
  return {
    measures: [measure.name],
    ...(groups.length > 0 && { dimensions: groups }),
    ...(where.length > 0 && { where }),
    ...orderOf(words, measure, groups),
  }
}

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

const SKIPPED = new Set(['the', 'of', 'are', 'is', 'top', 'each', 'every', 'market', 'different'])
const isNumber = (word: Word | undefined): boolean => word !== undefined && (word.form in NUMBERS || /^\d{1,3}$/.test(word.raw))

function afterFilling(words: readonly Word[], start: number): number {
  let at = start
  while (SKIPPED.has(words[at]?.form ?? '') || isNumber(words[at])) at += 1
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
  const best = partly.find(({ name }) => /\bname$/i.test(name)) ?? partly[0]
  return best && { name: best.name, length: 1 }
}

/** The time whose name is in the question; otherwise a date before an instant. */
function timeFor(words: readonly Word[], fields: readonly Field[]): Field | undefined {
  const times = fields.filter(isTime).filter(({ name }) => !GRAINS.has(formsOf(name).at(-1) ?? ''))
  return times.toSorted((a, b) => spokenOf(b, words) - spokenOf(a, words) || timeRank(a) - timeRank(b))[0]
}

function spanFilter(words: readonly Word[], fields: readonly Field[], used: Set<number>): object[] {
  const span = spanIn(words)
  const time = timeFor(words, fields)
  if (span === undefined || time === undefined) return []
  const year = span.year ?? Number(/\b(?:19|20)\d\d\b/.exec(time.samples)?.[0])
  if (Number.isNaN(year)) return []
  for (const at of span.at) used.add(at)
  return [{ field: time.name, op: 'between', value: [dayText(year, span.from), dayText(year, span.to)] }]
}

/** A value of a dimension in the question, in the dimension that the question matches best. */
function valueFilters(words: readonly Word[], fields: readonly Field[], used: Set<number>): object[] {
  const filters: object[] = []
  for (const [at, { form, raw }] of words.entries()) {
    if (used.has(at) || FILLING.has(form)) continue
    const holding = fields.flatMap((field) => {
      const values = field.values.filter((one) => wordsOf(one).some((own) => own.raw.toLowerCase() === raw.toLowerCase()))
      return values.map((value) => ({ field, value, fit: fitOf(field, value, unused(words, used)) + 1 / values.length }))
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

/** `which three … the most` and `top 10` take that many, `which … the most` takes one; `fastest first` only orders. */
function orderOf(words: readonly Word[], measure: Field, groups: readonly string[]): object {
  const least = words.some(({ form }) => LEAST.has(form))
  if (groups.length === 0 || !(least || words.some(({ form }) => MOST.has(form)))) return {}
  const order_by = [{ field: measure.name, direction: least ? 'asc' : 'desc' }]
  if (!['which', 'who', 'top'].includes(words[0]?.form ?? '')) return { order_by }
  const counted = words[limitAt(words)]
  return { order_by, limit: counted === undefined ? 1 : (NUMBERS[counted.form] ?? Number(counted.raw)) }
}

/** The position of the number in `which five` or `top 10`. */
const limitAt = (words: readonly Word[]): number =>
  words.findIndex((word, at) => isNumber(word) && ['which', 'top'].includes(words[at - 1]?.form ?? ''))
