/** The state in the address of the page: enough to open the same view elsewhere, without rows. */
import { type ChartLook, readLook } from '../chart/chart-look.js'
import { type Dashboard, readDashboard } from '../dashboard/dashboard.js'
import { type Form, isForm } from './forms.js'
import { isObject, isTexts } from './is-query.js'
import { queryOf } from './own-measures.js'
import type { Query } from './query.js'

export interface Shared {
  /** Name of a published model, else `session/model`. */
  readonly model?: string
  readonly query?: Query
  /** The form in which the query is shown. Links have had this name since each form was a tab. */
  readonly tab?: Form
  /** The two dialects of the SQL. */
  readonly dialects?: readonly string[]
  /** How the answer is drawn. */
  readonly chart?: ChartLook
  readonly dashboard?: Dashboard
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
  const { model, query, tab, dialects, chart, dashboard } = value
  const board = readDashboard(dashboard)
  const asked = queryOf(query)
  return {
    ...(typeof model === 'string' && { model }),
    ...(asked && { query: asked }),
    ...(isForm(tab) && { tab }),
    ...(isTexts(dialects) && { dialects }),
    ...(chart !== undefined && { chart: readLook(chart) }),
    ...(board && { dashboard: board }),
  }
}
