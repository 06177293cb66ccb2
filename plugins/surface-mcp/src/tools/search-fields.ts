import { tsv } from '../answer/fitting-rows.js'
import type { Composables, Found, ModelView } from '../api/shapes.js'
import { chosenModel, type Target, type World } from '../world.js'
import { type AnyField, fieldsOf, type Kind, schemaOf, sourceOf, typeOf } from './fields.js'
import { type Call, ITS_MODEL, integer, READS, strings, type Tool } from './tool.js'
import { fieldsIn, modelNameOf, noTopic, topicNamed, topicsIn } from './topics.js'

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
/** The number of best matches in an answer. */
const FOUND = 20
/** The number of further dimensions that are named. It suffices to show a model of usual size completely. */
const FURTHER = 60

export const searchFields: Tool<Arguments> = {
  name: 'search_fields',
  title: 'Find fields',
  description:
    'Dimensions, measures and metrics by words of the question. Without text: all. with: only those that combine with these fields.',
  annotations: READS,
  input: {
    text: { type: 'string' },
    kind: { enum: ['dimension', 'measure', 'metric'] },
    with: strings,
    topic: { type: 'string' },
    limit: integer(200),
    cursor: { type: 'string' },
    ...ITS_MODEL,
  },
  run: async (given, world, call) => {
    const target = await chosenModel(given.model, world, call)
    const schema = await schemaOf(target, world, call)
    const topic = given.topic === undefined ? undefined : topicNamed(given.topic, schema)
    if (topic === undefined && given.topic !== undefined) return { text: noTopic(given.topic, schema) }
    const all = topic ? fieldsIn(topic, fieldsOf(schema)) : fieldsOf(schema)
    const combining = given.with?.length ? await combiningWith(given.with, target, world, call) : undefined
    const found = given.text
      ? await rankedBy({ text: given.text, all, target, topic }, world, call)
      : { ranked: all, unmatched: [] }
    const missing = found.unmatched.length > 0 ? [`no field for: ${found.unmatched.join(', ')}`] : []
    const fields = found.ranked.filter(
      ({ name, kind }) => (!given.kind || kind === given.kind) && (combining?.has(modelNameOf(name, topic)) ?? true),
    )
    if (fields.length === 0) return { text: [nothingFound(given, all.length), ...missing].join('\n') }
    const rest =
      given.text && !given.kind
        ? all.filter((field) => !fields.includes(field) && (combining?.has(modelNameOf(field.name, topic)) ?? true))
        : []
    return { text: [page(fields, given), ...missing, ...further(rest), ...topicsIn(schema, topic)].join('\n') }
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

/** Names other dimensions, because filters and groups often need one that the text does not mention, such as a date. */
function further(rest: readonly AnyField[]): string[] {
  const dimensions = rest.filter((field) => field.kind === 'dimension')
  if (dimensions.length === 0 || dimensions.length > FURTHER) return []
  const [times, others] = [dimensions.filter(isTime), dimensions.filter((field) => !isTime(field))]
  const line = (title: string, fields: readonly AnyField[]) =>
    fields.length === 0 ? [] : [`${title}: ${fields.map(({ name }) => name).join(', ')}`]
  return [...line('further times', times), ...line('further dimensions', others)]
}

const isTime = (field: AnyField): boolean => /^(date|timestamp)/.test(typeOf(field))

function page(fields: readonly AnyField[], { text, limit = text ? FOUND : PAGE, cursor = '0' }: Arguments): string {
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

const nothingFound = ({ text, kind }: Arguments, count: number): string =>
  `No ${kind ?? 'field'} ${text ? `is like "${text}"` : 'combines with these'}. search_fields without text lists all ${count}.`
