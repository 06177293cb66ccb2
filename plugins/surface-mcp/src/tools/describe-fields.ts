import { refusalText } from '../answer/refused.js'
import { valuesNamedIn } from '../answer/values-named-in.js'
import { ApiError } from '../api/api-error.js'
import type { Schema } from '../api/shapes.js'
import { chosenModel, type Target, type World } from '../world.js'
import { always, factsOf } from './facts.js'
import { type AnyField, fieldsOf, schemaOf, typeOf } from './fields.js'
import { type Call, MODEL, READS, strings, type Tool } from './tool.js'
import { fieldOfTopic } from './topics.js'

interface Arguments {
  readonly names: readonly string[]
  readonly samples?: number
  readonly text?: string
  readonly model?: string
}
const SAMPLES = 5
/** The number of values of a dimension that are searched for words of the text. */
const LOOKED_AT = 1000

export const describeFields: Tool<Arguments> = {
  name: 'describe_fields',
  title: 'Describe fields',
  description: 'The meaning of fields: definition, own filters, grain, time, status, values (those in text first).',
  annotations: READS,
  input: {
    names: { ...strings, minItems: 1, maxItems: 20 },
    samples: { type: 'integer', maximum: 20 },
    text: { type: 'string' },
    ...MODEL,
  },
  required: ['names'],
  run: async ({ names, samples = SAMPLES, text, model }, world, call) => {
    const target = await chosenModel(model, world, call)
    const schema = await schemaOf(target, world, call)
    const described = await inTurns(names, (name) => describe(name, { schema, target, world, samples, text }, call))
    return { text: [...described, ...always(schema)].join('\n') }
  },
}

/** Runs a few at a time, because each may query the database. */
async function inTurns<A, B>(all: readonly A[], make: (one: A) => Promise<B>): Promise<B[]> {
  const made: B[] = []
  for (let at = 0; at < all.length; at += AT_ONCE) made.push(...(await Promise.all(all.slice(at, at + AT_ONCE).map(make))))
  return made
}
const AT_ONCE = 4

interface Asked {
  readonly schema: Schema
  readonly target: Target
  readonly world: World
  readonly samples: number
  readonly text: string | undefined
}

async function describe(name: string, asked: Asked, call: Call): Promise<string> {
  const fields = fieldsOf(asked.schema)
  const field =
    fields.find((one) => one.name === name) ??
    fields.find((one) => one.name.toLowerCase() === name.toLowerCase()) ??
    fieldOfTopic(name, asked.schema)
  if (field === undefined) return unknownField(name, asked, call)
  const facts = factsOf(field)
  const values = field.kind === 'dimension' && asked.samples > 0 ? await sampleValues(field, asked, call) : undefined
  return [...facts, ...(values ? [values] : [])].join('; ')
}

async function unknownField(name: string, { target, world }: Asked, call: Call): Promise<string> {
  const body = { ...target, query: name, types: ['dimension', 'measure', 'metric'] }
  const { results } = await world.api.post<{ readonly results: readonly { readonly name: string }[] }>('/v1/find', body, call)
  const near = results.slice(0, 3).map((one) => one.name)
  return `${name}: no such field${near.length > 0 ? `; closest: ${near.join(', ')}` : '; call search_fields'}`
}

/** `undefined` if the server does not run queries. */
async function sampleValues(field: AnyField, { target, world, samples, text }: Asked, call: Call): Promise<string | undefined> {
  try {
    const isText = typeOf(field) === 'string'
    const query = { ...target, limit: text !== undefined && isText ? LOOKED_AT : samples }
    const path = `/v1/values/${encodeURIComponent(field.name)}`
    const { values } = await world.api.get<{ readonly values: readonly { readonly value: unknown }[] }>(path, query, call)
    const all = values.map(({ value }) => (value === null ? 'NULL' : String(value)))
    const named = text === undefined || !isText ? [] : valuesNamedIn(text, all)
    return named.length > 0
      ? `values like the text: ${named
          .slice(0, samples)
          .map((value) => JSON.stringify(value))
          .join(', ')}`
      : `e.g. ${all.slice(0, samples).join(', ')}`
  } catch (error) {
    if (error instanceof ApiError && error.refusal.code === 'EXECUTION_DISABLED') return undefined
    if (error instanceof ApiError) return refusalText(error)
    throw error
  }
}
