/** Requests to every route, valid and hostile ones: the same seed gives the same requests. */
import { mutate, mutateText, type Random } from '../rest/mutate.js'
import { shopModel, shopQuery } from '../rest/shop.js'

export interface HostileRequest {
  readonly method: string
  readonly path: string
  readonly body: string | undefined
  readonly headers: Record<string, string>
}

interface Operation {
  readonly method: string
  readonly path: string
}

const TEXTS = [
  '',
  'x',
  'Region',
  'Revenue',
  '%00',
  '..%2F..%2Fetc',
  '%F0%9F%98%80',
  "';--",
  '__proto__',
  'a'.repeat(3000),
  '-1',
  'null',
]
const BODIES: Readonly<Record<string, unknown>> = {
  sessions: { metadata: { a: 'b' } },
  models: { model_json: shopModel },
  validate: { model_json: shopModel },
  sql: { query: shopQuery },
  plan: { query: shopQuery, include_database_explain: true },
  execute: { query: { ...shopQuery, limit: 5 } },
  find: { query: 'region', types: ['dimension'] },
  composables: { anchors: ['Region'] },
}

/** The operations of an OpenAPI document. */
export function operationsOf(document: { readonly paths: Readonly<Record<string, object>> }): Operation[] {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => ({ method: method.toUpperCase(), path })),
  )
}

export function hostileRequest(
  operations: readonly Operation[],
  ids: Readonly<Record<string, string>>,
  random: Random,
): HostileRequest {
  const pick = <T>(items: readonly T[]): T => items[Math.floor(random() * items.length)]!
  const { method, path } = pick(operations)
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => (random() < 0.8 ? (ids[name] ?? pick(TEXTS)) : pick(TEXTS)))
  const query = random() < 0.2 ? `?${pick(['model', 'dialect', 'limit', 'search', 'anchors', 'theme', '%'])}=${pick(TEXTS)}` : ''
  const wrong = random() < 0.05
  return {
    method: wrong ? pick(['GET', 'POST', 'PUT', 'DELETE', 'OPTIONS', 'QUERY']) : method,
    path: filled + query,
    body: method === 'POST' ? bodyOf(path, ids, random) : undefined,
    headers:
      random() < 0.1 ? { [pick(['accept', 'if-none-match', 'x-api-key', 'traceparent', 'x-forwarded-for'])]: pick(TEXTS) } : {},
  }
}

function bodyOf(path: string, ids: Readonly<Record<string, string>>, random: Random): string {
  const right = BODIES[path.split('/').at(-1) ?? ''] ?? {}
  const inSession = path.includes('{session_id}/query') ? { ...(right as object), model_id: ids.model_id } : right
  const sent = JSON.stringify(random() < 0.3 ? inSession : mutate(inSession, random)) ?? ''
  return random() < 0.1 ? mutateText(sent, random) : sent
}
