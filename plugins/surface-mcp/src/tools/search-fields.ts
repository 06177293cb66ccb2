import { tsv } from '../answer/fitting-rows.js'
import type { Composables, Found, ModelView } from '../api/shapes.js'
import { chosenModel, type Target, type World } from '../world.js'
import { always } from './facts.js'
import { type AnyField, fieldsOf, type Kind, schemaOf, sourceOf, typeOf } from './fields.js'
import { dimensionsNear, findingsFor, timesOf, wordsToLookUp } from './findings.js'
import { type Call, MODEL, READS, strings, type Tool } from './tool.js'
import { fieldsIn, modelNameOf, noTopic, topicNamed, topicsIn } from './topics.js'
import { valuesInText } from './values-in-text.js'

interface Arguments {
  readonly text?: string
  readonly kind?: Kind
  readonly with?: readonly string[]
  readonly topic?: string
  readonly limit?: number
  readonly cursor?: string
  readonly model?: string
}
const PAGE = 40

export const searchFields: Tool<Arguments> = {
  name: 'search_fields',
  title: 'Find fields',
  description:
    'What a question speaks of: fields with definitions, values for filters, unknown words. Without text: all fields. with: those that combine with these.',
  annotations: READS,
  input: {
    text: { type: 'string' },
    kind: { enum: ['dimension', 'measure', 'metric'] },
    with: strings,
    topic: { type: 'string' },
    limit: { type: 'integer', maximum: 200 },
    cursor: { type: 'string' },
    ...MODEL,
  },
  run: async (given, world, call) => {
    const target = await chosenModel(given.model, world, call)
    const schema = await schemaOf(target, world, call)
    const topic = given.topic === undefined ? undefined : topicNamed(given.topic, schema)
    if (topic === undefined && given.topic !== undefined) return { text: noTopic(given.topic, schema) }
    const all = topic ? fieldsIn(topic, fieldsOf(schema)) : fieldsOf(schema)
    const combining = given.with?.length ? await combiningWith(given.with, target, world, call) : undefined
    const fits = ({ name, kind }: AnyField): boolean =>
      (!given.kind || kind === given.kind) && (combining?.has(modelNameOf(name, topic)) ?? true)
    const fitting = all.filter(fits)
    const topics = topicsIn(schema, topic)
    if (!given.text) return { text: [fitting.length > 0 ? page(fitting, given) : noneCombines(given.kind), ...topics].join('\n') }
    const search = { text: given.text, all: fitting, target, topic }
    const { ranked: best, unmatched } = await rankedBy(search, world, call)
    const ranked = [...best, ...dimensionsNear(given.text, best, fitting)]
    const modelName = (name: string) => modelNameOf(name, topic)
    const texts = [...new Set([...ranked, ...fitting])]
    const words = wordsToLookUp(given.text, best)
    const values = words === '' ? [] : await valuesInText(words, texts, { target, world, modelName }, call)
    const times = await timesOf(texts, { target, world, modelName }, call)
    const findings = findingsFor({ given, ranked, values, times, unmatched, count: all.length })
    return { text: [...findings, ...always(schema), ...topics].join('\n') }
  },
}

async function combiningWith(
  anchors: readonly string[],
  target: Target,
  { api }: World,
  call: Call,
): Promise<ReadonlySet<string>> {
  const { dimensions, measures, metrics } = await api.post<Composables>('/v1/composables', { ...target, anchors }, call)
  return new Set([...dimensions, ...measures, ...metrics])
}

/** A search for a text in the fields of a model. */
interface Search {
  readonly text: string
  readonly topic: ModelView | undefined
  readonly all: readonly AnyField[]
  readonly target: Target
}

/** The best matches first, and the words that no field has. Deprecated and proposed fields come after others of the same rank. */
async function rankedBy(
  { text, all, target, topic }: Search,
  { api }: World,
  call: Call,
): Promise<{ readonly ranked: readonly AnyField[]; readonly unmatched: readonly string[] }> {
  const body = { ...target, query: text, types: ['dimension', 'measure', 'metric'] }
  const { results, unmatched = [] } = await api.post<Found>('/v1/find', body, call)
  const byName = new Map(all.map((field) => [field.name, field]))
  const shown = new Map(topic?.fields.map(({ name, field }) => [field, name]))
  const found = results.flatMap(({ name }) => byName.get(topic ? (shown.get(name) ?? '') : name) ?? [])
  return { ranked: [...found.filter(isSettled), ...found.filter((field) => !isSettled(field))], unmatched }
}

const isSettled = ({ status }: AnyField) => status === undefined || status === 'certified'

function page(fields: readonly AnyField[], { limit = PAGE, cursor = '0' }: Arguments): string {
  const from = Number.parseInt(cursor, 10) || 0
  const rows = fields
    .slice(from, from + limit)
    .map((field) => [field.name, field.kind, typeOf(field), sourceOf(field), noteOf(field)])
  const noted = rows.some(([, , , , note]) => note !== '')
  const head = ['name', 'kind', 'type', 'from', ...(noted ? ['status'] : [])]
  const left = fields.length - from - rows.length
  const more = left > 0 ? `\n… ${left} more, cursor="${from + rows.length}"` : ''
  return tsv(head, noted ? rows : rows.map((row) => row.slice(0, 4))) + more
}

const noteOf = ({ status, use }: AnyField): string =>
  [status ?? '', use === undefined ? '' : `use ${use}`].filter(Boolean).join(', ')

const noneCombines = (kind: Kind | undefined): string => `No ${kind ?? 'field'} combines with these.`
