/** The stock server as `grainline serve` starts it, on a free port; it ends with the tests. */
import path from 'node:path'
import t from 'tap'
import { type Started, start } from '../host/process.js'
import type { Json } from './server.js'

const DEFAULT = path.resolve(import.meta.dirname, '../../config/default.yaml')

export interface Reply {
  readonly status: number
  readonly type: string
  readonly headers: Headers
  readonly text: string
  readonly body: Json
}

export interface ServedProcess {
  readonly ask: (method: string, url: string, body?: unknown, headers?: Record<string, string>) => Promise<Reply>
  readonly address: string
  readonly process: Started
}

export async function serve(settings: Record<string, string>, cwd: string, config = DEFAULT): Promise<ServedProcess> {
  const env = { PORT: '0', API_SERVER_HOST: '127.0.0.1', ...settings }
  const process = start(t, ['serve', '--config', config], { cwd, env })
  const [, address] = await process.shows(/listens? on (http[^,\s]+)/)
  const ask: ServedProcess['ask'] = async (method, url, body, headers = {}) => {
    const sent = body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }
    const given = body === undefined ? headers : { 'content-type': 'application/json', ...headers }
    const response = await fetch(`${address}${url}`, { method, headers: given, ...sent })
    const text = await response.text()
    const type = response.headers.get('content-type') ?? ''
    return { status: response.status, type, headers: response.headers, text, body: parsed(text) }
  }
  return { ask, address: address!, process }
}

function parsed(text: string): Json {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
