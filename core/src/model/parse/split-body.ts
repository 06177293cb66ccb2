/**
 * A large body of JSON taken apart where it was parsed: the document in it as text, and the rest, which must be small. A caller that takes it
 * over need not parse or unpack what a client made large.
 */
import { charactersOf, hasMoreCharacters, MAX_CHARACTERS } from './characters.js'
import type { ReadText } from './read-text.js'

export interface SplitBody {
  /** JSON of the body without its documents. */
  readonly rest: string
  /** The documents, each a text. */
  readonly texts: Readonly<Record<string, unknown>>
}

/** As much as other bodies may have. */
const MAX_REST = 1024 * 1024
const MAX_FRAGMENTS = 100
/** More keys than any body knows. */
const MAX_KEYS = 100

export function splitBody(text: string): ReadText {
  let body: unknown
  try {
    body = JSON.parse(text)
  } catch (error) {
    return {
      fault: {
        code: 'BAD_REQUEST',
        message: `The body is not well-formed JSON: ${(error as Error).message.slice(0, 200)}`,
        offset: 0,
      },
    }
  }
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return refuse('The body must be an object')
  const crowded = crowdOf(body)
  if (crowded !== undefined) return refuse(crowded)
  const keys = Object.keys(body).length
  if (keys > MAX_KEYS) return refuse(`The body has ${keys} keys, and no request of the interface has so many`)
  const {
    model_yaml,
    model_json,
    modelYaml,
    modelJson,
    extends: fragments,
    ...others
  } = body as Readonly<Record<string, unknown>>
  const rest = JSON.stringify(others)
  if (rest.length > MAX_REST) return refuse(`Beside its model the body holds ${rest.length} characters; ${MAX_REST} are allowed`)
  const documents = { model_yaml, modelYaml, model_json: asText(model_json), modelJson: asText(modelJson) }
  if (fragments !== undefined && !isFragments(fragments))
    return refuse(`extends must be a list of at most ${MAX_FRAGMENTS} texts`)
  const texts = Object.fromEntries(
    Object.entries({ ...documents, extends: fragments }).filter(([, document]) => document !== undefined),
  )
  const odd = Object.entries(documents).find(([, document]) => typeof document === 'object' && document !== null)
  const long = Object.entries(documents).find(([, document]) => typeof document === 'string' && hasMoreCharacters(document))
  if (long) return refuse(`${long[0]} has ${charactersOf(long[1] as string)} characters; ${MAX_CHARACTERS} are allowed`, long[0])
  return odd ? refuse(`${odd[0]} must be a text`) : { value: { rest, texts } satisfies SplitBody }
}

/** Deeper than any document is, and more keys than any object of a request has: found without recursion, before anything is written again. */
const MAX_DEPTH = 200
const MAX_KEYS_WITHIN = 10_000

function crowdOf(body: object): string | undefined {
  const ahead: { readonly value: object; readonly depth: number; readonly inModel: boolean }[] = [
    { value: body, depth: 0, inModel: false },
  ]
  for (let next = ahead.pop(); next !== undefined; next = ahead.pop()) {
    const { value, depth, inModel } = next
    if (depth > MAX_DEPTH) return `The body is nested deeper than ${MAX_DEPTH} levels`
    const entries = Object.entries(value)
    // The sections of a model may have more; the loader bounds them.
    if (depth > 0 && !inModel && !Array.isArray(value) && entries.length > MAX_KEYS_WITHIN)
      return `An object of the body has ${entries.length} keys; ${MAX_KEYS_WITHIN} are allowed`
    for (const [key, item] of entries)
      if (typeof item === 'object' && item !== null)
        ahead.push({ value: item, depth: depth + 1, inModel: inModel || (depth === 0 && /^model_?json$/i.test(key)) })
  }
  return undefined
}

const isFragments = (given: unknown): boolean =>
  given === null || (Array.isArray(given) && given.length <= MAX_FRAGMENTS && given.every((text) => typeof text === 'string'))

const asText = (document: unknown): unknown =>
  typeof document === 'object' && document !== null ? JSON.stringify(document) : document

function refuse(message: string, path = ''): ReadText {
  return { fault: { code: 'INVALID_REQUEST', message, offset: 0, path } }
}
