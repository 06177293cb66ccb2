import type { Answer } from './answer.js'

/** The server that is asked: its address, and headers that say who asks. */
export interface Server {
  readonly address: string
  readonly headers: Readonly<Record<string, string>>
}

/** The answers of queries, for the truth. Rejects with the server's own words. */
export async function openTruth(server: Server): Promise<(model: string, query: object) => Promise<Answer>> {
  const { models } = await ask<{ readonly models: readonly Published[] }>(server, 'v1/models')
  return async (name, query) => {
    const found = models.find((model) => model.name === name)
    const names = models.map((model) => `'${model.name}'`).join(', ')
    if (found === undefined) throw new Error(`The server publishes no model '${name}'; it has ${names || 'none'}`)
    const { session_id: session, model_id } = found
    const body = { model_id, query }
    const { columns, rows } = await ask<Executed>(server, `v1/sessions/${encodeURIComponent(session)}/query/execute`, body)
    return { columns: columns.map((column) => column.name), rows }
  }
}

interface Published {
  readonly name: string
  readonly session_id: string
  readonly model_id: string
}

interface Executed {
  readonly columns: readonly { readonly name: string }[]
  readonly rows: Answer['rows']
}

/** `T` is what the API says of this answer. */
async function ask<T>({ address, headers }: Server, path: string, body?: object): Promise<T> {
  const sent =
    body === undefined
      ? { headers }
      : { method: 'POST', headers: { ...headers, 'content-type': 'application/json' }, body: JSON.stringify(body) }
  const response = await fetch(new URL(path, withSlash(address)), sent).catch((cause: unknown) => {
    throw new Error(`${address} does not answer; start the server, or name another with --server`, { cause })
  })
  const text = await response.text()
  if (response.ok) return JSON.parse(text)
  throw new Error(`${address} refuses ${path}: ${wordsOf(text) || response.status}`)
}

function wordsOf(text: string): string {
  try {
    const { detail, hint }: { readonly detail?: string; readonly hint?: string } = JSON.parse(text)
    return [detail, hint].filter(Boolean).join('. ')
  } catch {
    return text.slice(0, 200)
  }
}

export const withSlash = (address: string): string => (address.endsWith('/') ? address : `${address}/`)
