import { fail } from '@grainline/core'
import type { FastifyInstance } from 'fastify'

/**
 * Lets clients write `modelId` for `model_id`. This applies to keys of a body or query string that the schema of the route has in snake_case.
 * Only the first level is changed, so that metadata, `model_json` and names stay as they are.
 */
export function foldRequests(app: FastifyInstance): void {
  app.addHook('preValidation', (request, _reply, done) => {
    const { body, querystring } = request.routeOptions.schema ?? {}
    if (isRecord(request.body)) refuseManyKeys(request.body)
    if (isRecord(request.body) && isShape(body)) request.body = foldKeys(request.body, knownKeys(body))
    if (isShape(querystring) && isRecord(request.query)) request.query = foldKeys(request.query, knownKeys(querystring))
    done()
  })
}

/** The record with every known key in snake_case. Throws `INVALID_REQUEST` if a key is present in both spellings. */
export function foldKeys(record: Readonly<Record<string, unknown>>, known: ReadonlySet<string>): Record<string, unknown> {
  const nameOf = (key: string) => foldedKey(key, known)
  if (Object.keys(record).every((key) => nameOf(key) === key)) return record
  const folded: Record<string, unknown> = {}
  for (const [key, value] of Object.entries(record)) {
    const name = nameOf(key)
    if (Object.hasOwn(folded, name))
      fail('INVALID_REQUEST', `'${name}' is given twice, in two spellings; send it once`, { path: name })
    folded[name] = value
  }
  return folded
}

/** No body has so many keys. More are refused without reading them one by one. */
const MAX_KEYS = 100

function refuseManyKeys(body: Record<string, unknown>): void {
  const keys = Object.keys(body).length
  if (keys > MAX_KEYS) fail('INVALID_REQUEST', `The body has ${keys} keys; a request has at most ${MAX_KEYS}`)
}

interface Shape {
  readonly properties?: Readonly<Record<string, unknown>>
  readonly anyOf?: readonly Shape[]
}

const isShape = (schema: unknown): schema is Shape => isRecord(schema)

/** The keys of the schema, or of any of its alternatives. */
function knownKeys(shape: Shape): ReadonlySet<string> {
  const cached = keysOf.get(shape)
  if (cached) return cached
  const keys = new Set([shape, ...(shape.anyOf ?? [])].flatMap(({ properties }) => Object.keys(properties ?? {})))
  keysOf.set(shape, keys)
  return keys
}

const keysOf = new WeakMap<Shape, ReadonlySet<string>>()

function foldedKey(key: string, known: ReadonlySet<string>): string {
  if (known.has(key) || key.toLowerCase() === key) return key
  const snake = snakeCase(key)
  return known.has(snake) ? snake : key
}

function snakeCase(key: string): string {
  return key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
