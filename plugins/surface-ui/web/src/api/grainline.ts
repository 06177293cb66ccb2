/** The API calls of the page, by purpose. */

import type { Language } from '@grainline/language'
import type { Query } from '../query/query.js'
import { type Answer, readArrow } from './read-arrow.js'
import { ask, type Finding, request } from './request.js'
import type { Compiled, Composables, Example, ModelRef, Schema, Settings, Warning } from './types.js'

export const pathOf = ({ session, model }: ModelRef): string => `${ofSession(session)}/models/${encodeURIComponent(model)}`
const ofSession = (session: string): string => `v1/sessions/${encodeURIComponent(session)}`

export const readSettings = (): Promise<Settings> => ask('v1/settings')

export async function readDialects(): Promise<readonly string[]> {
  const { dialects } = await ask<{ dialects: { name: string }[] }>('v1/dialects')
  return dialects.map(({ name }) => name)
}

export async function publishedModels(): Promise<readonly ModelRef[]> {
  const { models } = await ask<{ models: { name: string; session_id: string; model_id: string }[] }>('v1/models')
  return models.map(({ name, session_id, model_id }) => ({ session: session_id, model: model_id, name, own: false }))
}

export const readSchema = (model: ModelRef, signal?: AbortSignal): Promise<Schema> => ask(`${pathOf(model)}/schema`, { signal })

export async function openSession(): Promise<string> {
  const body = { metadata: { client: 'ui' } }
  return (await ask<{ session_id: string }>('v1/sessions', { body })).session_id
}

export async function loadModel(session: string, model_yaml: string): Promise<ModelRef> {
  const loaded = await ask<{ model_id: string; name?: string }>(`${ofSession(session)}/models`, { body: { model_yaml } })
  return { session, model: loaded.model_id, name: loaded.name ?? loaded.model_id, own: true }
}

/** A model of another product as one of this server, and what became of its items. */
export interface Converted {
  readonly model_yaml: string
  readonly counts: Readonly<Record<'exact' | Loss['kind'], number>>
  readonly losses: readonly Loss[]
}

export interface Loss {
  readonly kind: 'rewritten' | 'inert' | 'refused'
  readonly message: string
  readonly hint?: string
  readonly line?: number
  /** In the model. */
  readonly path?: string
}

/** The text itself shows its format. Access rules in it are an error, except with `drop_security`. */
export const convert = (model_yaml: string, drop_security: boolean): Promise<Converted> =>
  ask('v1/convert', { body: { model_yaml, drop_security } })

/** The document as it was loaded. */
export const readSource = async (model: ModelRef): Promise<string> =>
  (await request(`${pathOf(model)}/source`, { accept: 'text/plain' })).text()

/** The model language for the editor. */
export const readLanguage = (): Promise<Language> => ask('v1/reference/language')

/** Every finding about a document, without loading it. */
export async function validate(model_yaml: string, signal?: AbortSignal): Promise<readonly Finding[]> {
  const { errors, warnings } = await ask<{ errors: Finding[]; warnings: Finding[] }>('v1/validate', {
    body: { model_yaml },
    signal,
  })
  return [...errors, ...warnings]
}

export async function closeSession(session: string): Promise<void> {
  await request(ofSession(session), { method: 'DELETE' })
}

export interface ModelChange {
  readonly kind: 'added' | 'removed' | 'changed' | 'renamed'
  readonly section: string
  readonly name: string
  readonly was?: string
  readonly keys?: readonly { readonly key: string; readonly before: string | null; readonly after: string | null }[]
}

export interface ModelDiff {
  readonly changes: readonly ModelChange[]
  readonly touched: Readonly<Record<'dimensions' | 'measures' | 'metrics' | 'examples' | 'tests', readonly string[]>>
}

export const diffModels = (before: ModelRef, after: ModelRef): Promise<ModelDiff> =>
  ask(`${pathOf(before)}/diff`, { body: { with: { session_id: after.session, model_id: after.model } } })

/** The health of the joins of a loaded model. */
export interface Health {
  readonly data_objects: number
  readonly joins: number
  readonly orphan_data_objects: readonly string[]
  readonly fan_trap_risks: readonly {
    readonly tables: readonly string[]
    readonly reason: string
    readonly suggested_pattern: string
  }[]
  readonly unreachable_dimensions: readonly string[]
  readonly warnings_count: number
  /** The result of the last `verify`. */
  readonly verification?: { readonly checked_at: string; readonly status: string; readonly findings: number }
}

export const readHealth = async (model: ModelRef, signal?: AbortSignal): Promise<Health> =>
  (await ask<{ health: Health }>(pathOf(model), { signal })).health

export interface Verified {
  readonly status: 'ok' | 'findings'
  readonly findings: readonly Finding[]
}

/** Checks the model against the database. */
export const verify = (model: ModelRef): Promise<Verified> => ask(`${pathOf(model)}/verify`, { method: 'POST' })

export async function readExamples(model: ModelRef): Promise<readonly Pick<Example, 'name' | 'description'>[]> {
  return (await ask<{ examples: Example[] }>(`${pathOf(model)}/examples`)).examples
}

export const readExample = (model: ModelRef, name: string): Promise<Example> =>
  ask(`${pathOf(model)}/examples/${encodeURIComponent(name)}`)

export const composables = (model: ModelRef, query: Query, signal?: AbortSignal): Promise<Composables> =>
  ask(`${pathOf(model)}/composables`, { body: { query }, signal })

interface Asked {
  readonly model: ModelRef
  readonly query: Query
  /** The model's dialect if absent. */
  readonly dialect?: string
  readonly signal?: AbortSignal
}

export const compile = ({ model, query, dialect, signal }: Asked): Promise<Compiled> =>
  ask(`${ofSession(model.session)}/query/sql`, { body: { model_id: model.model, query, dialect }, signal })

/** For more rows than this, values are formatted here: display texts would double the size of the response. */
const FORMATTED_BY_SERVER = 100_000

export async function execute({ model, query, dialect, signal }: Asked): Promise<Answer> {
  const formatted = (query.limit ?? 0) <= FORMATTED_BY_SERVER
  const how = new URLSearchParams({ receipt: 'true', ...(formatted && { format_values: 'true', locale: navigator.language }) })
  const began = performance.now()
  const response = await request(`${ofSession(model.session)}/query/execute?${how}`, {
    body: { model_id: model.model, query, dialect },
    accept: 'application/vnd.apache.arrow.stream',
    signal,
  })
  const serverMs = Number(/dur=([\d.]+)/.exec(response.headers.get('server-timing') ?? '')?.[1] ?? Number.NaN)
  return readArrow(new Uint8Array(await response.arrayBuffer()), { serverMs, began })
}

export type DownloadFormat = 'csv' | 'arrow' | 'parquet'

/** The same answer as a file. */
export async function download({ model, query, dialect, format }: Asked & { readonly format: DownloadFormat }): Promise<Blob> {
  const path = `${ofSession(model.session)}/query/execute?format=${format}`
  const response = await request(path, { body: { model_id: model.model, query, dialect }, accept: '*/*' })
  return response.blob()
}

interface AskedRows extends Omit<Asked, 'dialect'> {
  readonly measure: string
  readonly cell: Readonly<Record<string, string | number | boolean | null>>
  /** As `Object.Column`; none for those that the server chooses. */
  readonly columns?: readonly string[] | undefined
  readonly limit?: number
}

/** The rows behind one measure of a number. */
export interface FactRows {
  readonly measure: string
  readonly object: string
  readonly value: unknown
  readonly aggregated: unknown
  readonly reconciled: boolean
  readonly row_count: number
  readonly truncated: boolean
  /** All columns that these rows can show. */
  readonly offered_columns: readonly string[]
  readonly sql: string
  readonly columns: readonly { readonly name: string; readonly type: string }[]
  readonly rows: readonly (readonly unknown[])[]
  readonly warnings: readonly Warning[]
}

export interface RowsBehind {
  readonly facts: readonly FactRows[]
}

const rowsBody = ({ model, query, measure, cell, columns, limit }: AskedRows) => ({
  ...{ model_id: model.model, query, measure, cell, limit },
  ...(columns && columns.length > 0 && { columns }),
})

export const rowsBehind = (asked: AskedRows): Promise<RowsBehind> =>
  ask(`${ofSession(asked.model.session)}/query/rows`, { body: rowsBody(asked), signal: asked.signal })

/** The same rows as a file. */
export async function downloadRows(asked: AskedRows): Promise<Blob> {
  const path = `${ofSession(asked.model.session)}/query/rows?format=csv`
  return (await request(path, { body: rowsBody(asked), accept: '*/*' })).blob()
}

/** The query of a statement; `null` if it is more than one query. */
export const readStatement = (model: ModelRef, sql: string, signal?: AbortSignal): Promise<{ readonly query: Query | null }> =>
  ask(`${ofSession(model.session)}/query/semantic-ql/compile`, { body: { model_id: model.model, sql }, signal })

export interface DimensionValue {
  readonly value: unknown
  readonly count: number | string
}

export async function dimensionValues(
  model: ModelRef,
  dimension: string,
  { search, signal }: { readonly search: string; readonly signal?: AbortSignal },
): Promise<readonly DimensionValue[]> {
  const how = new URLSearchParams({ limit: '30', ...(search !== '' && { search }) })
  const path = `${pathOf(model)}/values/${encodeURIComponent(dimension)}?${how}`
  return (await ask<{ values: DimensionValue[] }>(path, { signal })).values
}
