/** The state in the address of the page: enough to open the same view elsewhere, without rows. */
import type { Query } from './query.js'

export const TABS = ['results', 'chart', 'pivot', 'sql', 'query', 'plan', 'graph', 'model'] as const
export type Tab = (typeof TABS)[number]

export interface Shared {
  /** Name of a published model, else `session/model`. */
  readonly model?: string
  readonly query?: Query
  readonly tab?: Tab
  /** The two dialects of the SQL tab. */
  readonly dialects?: readonly string[]
}

export function toHash(shared: Shared): string {
  const bytes = new TextEncoder().encode(JSON.stringify(shared))
  const binary = Array.from(bytes, (byte) => String.fromCharCode(byte)).join('')
  return `#s=${btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '')}`
}

/** Empty if the address cannot be read. */
export function fromHash(hash: string): Shared {
  const written = /[#&]s=([\w-]+)/.exec(hash)?.[1]
  if (written === undefined) return {}
  try {
    const binary = atob(written.replaceAll('-', '+').replaceAll('_', '/'))
    return checked(JSON.parse(new TextDecoder().decode(Uint8Array.from(binary, (char) => char.charCodeAt(0)))))
  } catch {
    return {}
  }
}

/** Links are untrusted: each part is used only if its shape is valid. */
function checked(value: unknown): Shared {
  if (!isObject(value)) return {}
  const { model, query, tab, dialects } = value
  return {
    ...(typeof model === 'string' && { model }),
    ...(isQuery(query) && { query }),
    ...(isTab(tab) && { tab }),
    ...(isTexts(dialects) && { dialects }),
  }
}

/** Checks only what the page relies on; the API validates the rest. */
export function isQuery(value: unknown): value is Query {
  if (!isObject(value) || !isObject(value['select'])) return false
  const { where = [], order_by = [], limit } = value
  const { dimensions = [], measures, fields } = value['select']
  return (
    [measures, fields].every((list) => list === undefined || isTexts(list)) &&
    isListOf(dimensions, (pick) => typeof pick === 'string' || (isObject(pick) && typeof pick['as'] === 'string')) &&
    isListOf(order_by, (order) => isObject(order) && order['field'] !== undefined) &&
    isListOf(where, (each) => typeof each === 'string' || isObject(each)) &&
    (limit === undefined || typeof limit === 'number')
  )
}

const isTab = (value: unknown): value is Tab => TABS.some((tab) => tab === value)
const isListOf = (value: unknown, isOne: (item: unknown) => boolean): boolean => Array.isArray(value) && value.every(isOne)
const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const isTexts = (value: unknown): value is string[] => Array.isArray(value) && value.every((each) => typeof each === 'string')
