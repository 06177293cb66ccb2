/** The flights as a feed, on a host without a listener, and requests to it. */
import { createHost, type HostConfig, silentLogger } from '@grainline/core'
import duckdbDialect from '@grainline/dialect-duckdb'
import evaluator from '@grainline/evaluator-duckdb'
import semanticQl from '@grainline/semantic-ql'
import odata from '@grainline/surface-odata'
import duckdb from '@grainline/vendor-duckdb'
import Fastify from 'fastify'
import { mountSurfaces } from '../../core/src/host/mount-surfaces.js'

const folder = new URL('../../examples/flights/', import.meta.url).pathname
const tables = Object.fromEntries(
  ['flights', 'weather', 'hours', 'airports', 'planes', 'airlines'].map((name) => [name, `${folder}data/${name}.parquet`]),
)

export interface FeedAnswer {
  readonly status: number
  readonly text: string
  readonly headers: Readonly<Record<string, unknown>>
  /** The body as JSON. */
  readonly body: Page
}

export interface Page {
  readonly value?: readonly Readonly<Record<string, unknown>>[]
  readonly error?: { readonly code: string; readonly message: string; readonly target?: string; readonly innererror: object }
  readonly '@odata.count'?: number
  readonly '@odata.nextLink'?: string
  readonly '@odata.context'?: string
  readonly '@Org.OData.Core.V1.Messages'?: readonly object[]
}

export async function flightsFeed(settings: HostConfig['settings'] = {}) {
  const plugins = [duckdbDialect, { use: duckdb, with: { tables } }, evaluator, semanticQl, odata]
  const config = {
    plugins,
    settings: { QUERY_EXECUTE: true, ...settings },
    preload: [{ session: 'flights', model: `${folder}model.yaml` }],
  } as HostConfig
  const host = await createHost(config, { environment: { process: {}, dotenv: {} }, logger: silentLogger })
  const app = Fastify()
  mountSurfaces(app, host, { prefix: '' })
  await app.ready()
  await host.start()

  /** `path` is written as in a document: blanks and quotes are encoded here. */
  async function get(path: string, headers: Readonly<Record<string, string>> = {}): Promise<FeedAnswer> {
    const { pathname, search } = new URL(path, 'http://localhost/odata/flights/')
    return answerOf(await app.inject({ url: pathname + search, headers }))
  }
  /** The rows of all pages. */
  async function all(path: string) {
    const pages: Page[] = []
    for (let next: string | undefined = path; next !== undefined; next = pages.at(-1)!['@odata.nextLink']) {
      const { status, text, body } = await get(next)
      if (status !== 200) throw new Error(text)
      pages.push(body)
    }
    return { pages: pages.length, rows: pages.flatMap(({ value }) => value ?? []) }
  }
  return {
    get,
    all,
    app,
    async close() {
      await app.close()
      await host.close()
    },
  }
}

type Injected = { readonly statusCode: number; readonly body: string; readonly headers: Readonly<Record<string, unknown>> }

function answerOf({ statusCode: status, body: text, headers }: Injected): FeedAnswer {
  const isJson = String(headers['content-type']).startsWith('application/json')
  return { status, text, headers, body: isJson ? (JSON.parse(text) as Page) : {} }
}
