/** The real host with the REST surface, with a clock that the test moves. */
import { createHost, type HostConfig, type HostPlugin } from '@grainline/core'
import parquet from '@grainline/format-parquet'
import semanticQl from '@grainline/semantic-ql'
import rest from '@grainline/surface-rest'
import Fastify, { type FastifyInstance, type InjectOptions } from 'fastify'
import { mountSurfaces } from '../../core/src/host/mount-surfaces.js'

export interface TestServer {
  readonly app: FastifyInstance
  /** Every route that a surface registered. */
  readonly routes: readonly { readonly method: string; readonly url: string }[]
  /** Moves the service's clock. */
  pass(seconds: number): void
  get(url: string, headers?: Record<string, string>): Promise<Answer>
  post(url: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>
  delete(url: string): Promise<Answer>
  /** A session with the model of `shop.ts` in it. */
  shop(changes?: Record<string, unknown>): Promise<{ readonly session: string; readonly model: string }>
  /** Stops the host; the HTTP server goes on. */
  stop(): Promise<void>
  close(): Promise<void>
}

export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, unknown>>
  readonly text: string
  /** The body read as JSON. */
  readonly body: Json
}

// biome-ignore lint/suspicious/noExplicitAny: what a server answers is looked into freely by tests.
export type Json = any

export interface TestOptions {
  readonly settings?: Readonly<Record<string, unknown>>
  readonly plugins?: HostConfig['plugins']
  readonly preload?: HostConfig['preload']
  readonly prefix?: string
  /** Start time of the clock, in milliseconds since 1970. */
  readonly start?: number
  /** What an application around the host does with its server. */
  readonly prepare?: (app: FastifyInstance) => void
}

export const dialects = ['@grainline/dialect-duckdb', '@grainline/dialect-postgres']
/** A server that compiles, and one that also runs queries. */
export const compiling: TestOptions = { plugins: dialects }
export const executing: TestOptions = { plugins: [...dialects, '@grainline/vendor-duckdb'], settings: { QUERY_EXECUTE: true } }

export async function startRest({
  settings = {},
  plugins = [],
  preload = [],
  prefix = '',
  start = Date.UTC(2026, 0, 1),
  prepare,
}: TestOptions = {}): Promise<TestServer> {
  let now = start
  // Most models of these tests contain their rows as SQL; `model-sql.test.ts` checks that this is refused by default.
  const allowing = { MODEL_SQL: 'allow', ...settings }
  const config: HostConfig = {
    plugins: [...plugins, semanticQl, parquet, rest as HostPlugin],
    settings: allowing,
    preload,
    base: import.meta.dirname,
  }
  const host = await createHost(config, { environment: { process: {}, dotenv: {} }, now: () => new Date(now) })
  const app = Fastify()
  prepare?.(app)
  const routes: { method: string; url: string }[] = []
  app.addHook('onRoute', ({ method, url }) => {
    for (const one of [method].flat()) routes.push({ method: one, url })
  })
  mountSurfaces(app, host, { prefix })
  await app.ready()
  await host.start()

  const send = async (options: InjectOptions): Promise<Answer> => {
    const { statusCode, headers, payload } = await app.inject(options)
    return { status: statusCode, headers, text: payload, body: parsed(payload) }
  }
  const server: TestServer = {
    app,
    routes,
    pass: (seconds) => {
      now += seconds * 1000
    },
    get: (url, headers = {}) => send({ method: 'GET', url, headers }),
    post: (url, body, headers = {}) =>
      send({ method: 'POST', url, headers, ...(body !== undefined && { payload: body as object }) }),
    delete: (url) => send({ method: 'DELETE', url }),
    async shop(changes = {}) {
      const { shopModel } = await import('./shop.js')
      const session = (await server.post('/v1/sessions')).body.session_id
      const loaded = await server.post(`/v1/sessions/${session}/models`, { model_json: { ...shopModel, ...changes } })
      if (loaded.status !== 201) throw new Error(loaded.text)
      return { session, model: loaded.body.model_id }
    },
    stop: () => host.close(),
    close: async () => {
      app.server.closeAllConnections()
      await app.close()
      await host.close()
    },
  }
  return server
}

function parsed(payload: string): Json {
  try {
    return JSON.parse(payload)
  } catch {
    return undefined
  }
}
