/**
 * A large JSON body, split where it was parsed: the document in it as text, and the rest, which must be small. So the caller need not parse
 * or deserialize a large value of a client.
 */
import { messageOf } from '../../invariant.js'
import { charactersOf, hasMoreCharacters, MAX_CHARACTERS } from './characters.js'
import { crowdOf } from './crowd-of-json.js'
import type { ReadText } from './read-text.js'

export interface SplitBody {
  /** JSON of the body without its documents. */
  readonly rest: string
  /** The documents, each a text. */
  readonly texts: Readonly<Record<string, unknown>>
}

const MAX_FRAGMENTS = 100

export function splitBody(text: string): ReadText {
  const crowd = crowdOf(text)
  if (crowd) return refuse(crowd.message, crowd.path)
  let body: unknown
  try {
    body = JSON.parse(text)
  } catch (error) {
    return {
      fault: {
        code: 'BAD_REQUEST',
        message: `The body is not well-formed JSON: ${messageOf(error).slice(0, 200)}`,
        offset: 0,
      },
    }
  }
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return refuse('The body must be an object')
  const {
    model_yaml,
    model_json,
    modelYaml,
    modelJson,
    extends: fragments,
    ...others
  } = body as Readonly<Record<string, unknown>>
  const rest = JSON.stringify(others)
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

const isFragments = (given: unknown): boolean =>
  given === null || (Array.isArray(given) && given.length <= MAX_FRAGMENTS && given.every((text) => typeof text === 'string'))

const asText = (document: unknown): unknown =>
  typeof document === 'object' && document !== null ? JSON.stringify(document) : document

function refuse(message: string, path = ''): ReadText {
  return { fault: { code: 'INVALID_REQUEST', message, offset: 0, path } }
}
