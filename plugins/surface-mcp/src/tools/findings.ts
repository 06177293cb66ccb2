import { ApiError } from '../api/api-error.js'
import { factsOf } from './facts.js'
import { type AnyField, type Kind, typeOf } from './fields.js'
import type { Call } from './tool.js'
import type { Looked } from './values-in-text.js'

interface Findings {
  readonly given: { readonly text?: string; readonly kind?: Kind; readonly limit?: number }
  /** The fields that the text matches, best first. */
  readonly ranked: readonly AnyField[]
  readonly values: readonly string[]
  readonly times: readonly string[]
  /** Words that no field has. */
  readonly unmatched: readonly string[]
  readonly count: number
}

/** The measures and metrics whose definitions are told, and the number of further names. */
const DEFINED = 2
const NAMED = 6

/**
 * All that a query of the text needs, in as few words as possible: the best measures with their definitions and the names of others,
 * dimensions, times, values, and the words that are neither.
 */
export function findingsFor({ given, ranked, values, times, unmatched, count }: Findings): string[] {
  const { limit = NAMED } = given
  const measured = ranked.filter(({ kind }) => kind !== 'dimension')
  const dimensions = ranked.filter((field) => field.kind === 'dimension' && !isTime(field))
  const found = values.join('\n').toLowerCase()
  const unknown = unmatched.filter((word) => isTelling(word) && !found.includes(word.toLowerCase()))
  const nothing = ranked.length + values.length === 0
  return [
    ...(nothing ? [`No ${given.kind ?? 'field'} is like "${given.text}". search_fields without text lists all ${count}.`] : []),
    ...measured.slice(0, DEFINED).map((field) => factsOf(field).join('; ')),
    ...named('others', measured.slice(DEFINED), limit, given.text),
    ...named('dimensions', dimensions, limit, given.text),
    ...(times.length > 0 ? [`times: ${times.join(', ')}`] : []),
    ...values,
    ...(unknown.length > 0 ? [`no field for: ${unknown.join(', ')}`] : []),
  ]
}

function named(title: string, fields: readonly AnyField[], limit: number, text = ''): string[] {
  if (fields.length === 0) return []
  const left = fields.length - limit
  const names = fields
    .slice(0, limit)
    .map((field) => nameOf(field, text))
    .join(', ')
  return [`${title}: ${names}${left > 0 ? `, … ${left} more with limit=${fields.length}` : ''}`]
}

/** The name, with what is unusual: another type than text, the synonym by which it was found, and a status. */
function nameOf(field: AnyField, text: string): string {
  const type = field.kind === 'dimension' ? typeOf(field) : 'string'
  const isSaid = sayingIn(text)
  const also = isSaid(field.name) ? undefined : field.synonyms.find(isSaid)
  const notes = [...(type === 'string' ? [] : [type]), ...(also === undefined ? [] : [`also ${also}`]), ...statusOf(field)]
  return notes.length > 0 ? `${field.name} (${notes.join(', ')})` : field.name
}

const statusOf = ({ status, use }: AnyField): string[] =>
  status === undefined || status === 'certified' ? [] : [`${status}${use === undefined ? '' : `, use ${use}`}`]

const isTime = (field: AnyField): boolean => field.kind === 'dimension' && /^(date|timestamp)/.test(typeOf(field))
const MOST_TIMES = 4

/** The times, those of days first, and a value of the first, which shows the years of the data. */
export async function timesOf(fields: readonly AnyField[], { target, world, modelName }: Looked, call: Call): Promise<string[]> {
  const times = fields.filter(isTime).toSorted((a, b) => rankOf(a) - rankOf(b))
  const [first, ...others] = times.slice(0, MOST_TIMES).map(({ name }) => name)
  if (first === undefined) return []
  try {
    const path = `/v1/values/${encodeURIComponent(modelName(first))}`
    const { values } = await world.api.get<{ values: readonly { value: unknown }[] }>(path, { ...target, limit: 1 }, call)
    return [values[0] ? `${first} (e.g. ${values[0].value})` : first, ...others]
  } catch (error) {
    if (error instanceof ApiError) return [first, ...others]
    throw error
  }
}

/** Whole days are asked more often than instants. The order is otherwise that of the fields, which is by likeness. */
const rankOf = (field: AnyField): number => (typeOf(field).startsWith('date') ? 0 : 1)

/** Whether a text has all words of a name. */
function sayingIn(text: string): (calling: string) => boolean {
  const said = new Set(wordsOf(text).map(({ stem }) => stem))
  return (calling) => wordsOf(calling).every(({ stem }) => said.has(stem))
}

/** The words of a text that its best fields do not explain: only these may be values. */
export function wordsToLookUp(text: string, ranked: readonly AnyField[]): string {
  const isSaid = sayingIn(text)
  const best = ranked.find(({ kind }) => kind !== 'dimension')
  const explaining = ranked.filter((field) => field === best || field.kind === 'dimension')
  const explained = explaining.flatMap(({ name, synonyms }) => [name, ...synonyms].filter(isSaid))
  const known = new Set(explained.flatMap((calling) => wordsOf(calling).map(({ stem }) => stem)))
  return wordsOf(text)
    .filter(({ word, stem }) => isTelling(word) && !known.has(stem))
    .map(({ word }) => word)
    .join(' ')
}

/** Months, years, numbers and quantities are no fields and no values. */
const isTelling = (word: string): boolean => !/^\d+$/.test(word) && !QUIET.has(word.toLowerCase())
const QUIET = new Set(
  'how what which who when does did was were has have had the and are for from with each every our you many much most least total january february march april may june july august september october november december two three four five six seven eight nine ten day days week month quarter year'.split(
    ' ',
  ),
)

/** Dimensions that have a word which no found field explains: `customers` may be a Customer Name. */
export function dimensionsNear(text: string, ranked: readonly AnyField[], all: readonly AnyField[]): AnyField[] {
  const open = new Set(wordsOf(wordsToLookUp(text, ranked)).map(({ stem }) => stem))
  const isNear = (field: AnyField) => field.kind === 'dimension' && wordsOf(field.name).some(({ stem }) => open.has(stem))
  return all.filter((field) => isNear(field) && !ranked.includes(field))
}

const wordsOf = (text: string) =>
  (text.match(/[\p{L}\p{N}]+/gu) ?? []).map((word) => ({ word, stem: word.toLowerCase().replace(/(?<=..)s$/, '') }))
