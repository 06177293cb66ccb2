/** A server with workers as a separate process, and a client that opens a new connection for every request. */
import http from 'node:http'
import type { Test } from 'tap'
import { type Started, start } from '../process.js'

export interface Reply {
  readonly status: number
  readonly headers: http.IncomingHttpHeaders
  readonly text: string
  // biome-ignore lint/suspicious/noExplicitAny: what a test reads of an answer, it says.
  readonly body: any
}

export interface Crowd extends Started {
  readonly address: string
  /** The folder in which it runs. */
  readonly cwd: string
  ask(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Reply>
  /** Process ids by worker number, from the log. */
  workers(): ReadonlyMap<number, number>
  /** The lines of the log. */
  lines(): readonly Line[]
}

export interface Line {
  readonly msg: string
  readonly pid: number
  readonly worker?: number
  readonly url?: string
  readonly status?: number
}

const SETTINGS = {
  PORT: '0',
  LOG_FORMAT: 'json',
  UI_ENABLED: 'false',
  QUERY_EXECUTE: 'true',
  MODEL_SQL: 'allow',
  SESSION_RATE_LIMIT: '1000',
  DUCKDB_THREADS: '1',
}

/** Connections are assigned to the workers in turn. */
export async function serveWorkers(
  t: Test,
  env: Record<string, string> = {},
  { count = 2, files = {} }: { readonly count?: number; readonly files?: Record<string, string> } = {},
): Promise<Crowd> {
  const cwd = t.testdir(files)
  const server = start(t, ['serve', '--workers', String(count)], { cwd, env: { ...SETTINGS, ...env } })
  const [, address] = await server.shows(/listens? on (http[^,]+), TLS/)
  await server.shows(new RegExp(`${count} workers serve`))
  const lines = () => server.stdout().split('\n').flatMap(lineOf)
  return {
    ...server,
    cwd,
    address: address!,
    lines,
    workers: () => new Map(lines().flatMap(({ worker, pid }) => (worker === undefined ? [] : [[worker, pid]]))),
    ask: (method, path, body, headers) => request(address! + path, { method, body, headers }),
  }
}

/** The last line may not have arrived yet. */
function lineOf(text: string): Line[] {
  try {
    return [JSON.parse(text) as Line]
  } catch {
    return []
  }
}

interface Asked {
  readonly method: string
  readonly body: unknown
  readonly headers: Record<string, string> | undefined
}

function request(url: string, { method, body, headers }: Asked): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const sent = http.request(
      url,
      { method, agent: false, headers: { 'content-type': 'application/json', ...headers } },
      (answer) => {
        let text = ''
        answer.setEncoding('utf8').on('data', (chunk: string) => {
          text += chunk
        })
        answer.on('error', reject)
        answer.on('end', () => resolve({ status: answer.statusCode ?? 0, headers: answer.headers, text, body: parsed(text) }))
      },
    )
    sent.on('error', reject)
    sent.end(body === undefined ? undefined : JSON.stringify(body))
  })
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
