/** The suite of surfaces, for every surface that returns numbers (the page at /ui is a client of REST), and for a broken one. */
import { definePlugin, type HostConfig } from '@grainline/core'
import type { HttpSurface } from '@grainline/core/surface'
import { type SurfaceQuestion, surfaceConformance } from '@grainline/core/testing'
import duckdbDialect from '@grainline/dialect-duckdb'
import evaluator from '@grainline/evaluator-duckdb'
import { connectFlightSql } from '@grainline/flight-sql'
import mcp from '@grainline/mcp'
import semanticQl from '@grainline/semantic-ql'
import flight from '@grainline/surface-flight'
import odata from '@grainline/surface-odata'
import pgwire from '@grainline/surface-pgwire'
import rest from '@grainline/surface-rest'
import duckdb from '@grainline/vendor-duckdb'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import pg from 'pg'
import t from 'tap'
import { rowsOf } from '../flight/rows-of.js'
import { failuresOf } from './failures-of.js'

const init = ['CREATE TABLE orders AS SELECT * FROM (VALUES (1), (41)) v(amount)']
const plugins = (...more: readonly unknown[]) =>
  [duckdbDialect, { use: duckdb, with: { init } }, semanticQl, evaluator, ...more] as HostConfig['plugins']

const sql = (measure: string) => `SELECT "${measure}" FROM shop`
const refused = (error: unknown) => ({ refusal: (error as Error).message })

surfaceConformance(t, {
  name: 'rest',
  plugins: plugins(rest),
  async ask({ address, measure, key }) {
    const headers = { 'content-type': 'application/json', ...(key !== undefined && { 'x-api-key': key }) }
    const body = JSON.stringify({ select: { measures: [measure] } })
    const response = await fetch(`${address}/v1/query/execute`, { method: 'POST', headers, body })
    const answer = (await response.json()) as { rows?: Record<string, number>[]; detail?: string }
    return response.ok ? { value: Number(Object.values(answer.rows![0]!)[0]) } : { refusal: answer.detail! }
  },
})

surfaceConformance(t, {
  name: 'pgwire',
  plugins: plugins(pgwire),
  settings: { PGWIRE_ENABLED: true, PGWIRE_HOST: '127.0.0.1', PGWIRE_PORT: 0 },
  async ask({ address, measure, key }) {
    const { port } = new URL(address)
    const client = new pg.Client({
      host: '127.0.0.1',
      port: Number(port),
      database: 'shop',
      user: 'anybody',
      password: key ?? '',
    })
    client.on('error', () => {})
    try {
      await client.connect()
      const { rows } = await client.query({ text: sql(measure), rowMode: 'array' })
      return { value: Number(rows[0]![0]) }
    } catch (error) {
      return refused(error)
    } finally {
      await client.end().catch(() => {})
    }
  },
})

surfaceConformance(t, {
  name: 'flight',
  plugins: plugins(flight),
  settings: { FLIGHT_ENABLED: true, FLIGHT_PORT: 0 },
  async ask({ address, measure, key }) {
    const { port } = new URL(address.replace(/^grpc(\+tls)?/, 'http'))
    try {
      const credentials = key === undefined ? undefined : { token: key }
      const client = await connectFlightSql({ host: '127.0.0.1', port: Number(port), credentials })
      try {
        return { value: Number((await rowsOf(await client.query(sql(measure))))[0]![0]) }
      } finally {
        client.close()
      }
    } catch (error) {
      return refused(error)
    }
  },
})

surfaceConformance(t, {
  name: 'odata',
  plugins: plugins(odata),
  async ask({ address, measure, key }) {
    const headers: Record<string, string> = key === undefined ? {} : { 'x-api-key': key }
    const response = await fetch(`${address}/odata/shop/shop?$select=${measure}`, { headers })
    const answer = (await response.json()) as {
      readonly value: readonly Readonly<Record<string, number>>[]
      readonly error?: { readonly message: string }
      readonly detail?: string
    }
    return response.ok ? { value: answer.value[0]![measure]! } : { refusal: answer.error?.message ?? answer.detail! }
  },
})

surfaceConformance(t, {
  name: 'mcp',
  // Its tools call the routes of REST.
  plugins: plugins(rest, mcp),
  settings: { MCP_ENABLED: true },
  async ask({ address, measure, key }) {
    const client = new Client({ name: 'suite', version: '1' })
    const headers: Record<string, string> = key === undefined ? {} : { 'x-api-key': key }
    try {
      await client.connect(new StreamableHTTPClientTransport(new URL(`${address}/v1/mcp`), { requestInit: { headers } }))
      const { content, isError } = await client.callTool({ name: 'query', arguments: { measures: [measure] } })
      const text = (content as { text: string }[])[0]!.text
      return isError ? { refusal: text } : { value: Number(/^Revenue\n(\d+)/.exec(text)?.[1]) }
    } catch (error) {
      return refused(error)
    } finally {
      await client.close()
    }
  },
})

t.test('a surface that accepts every client and hides errors fails the suite', async (t) => {
  const careless: HttpSurface = {
    kind: 'http',
    name: 'careless',
    open: ['GET /careless/:measure'],
    async routes(app, { service }) {
      app.get<{ Params: { readonly measure: string } }>('/careless/:measure', async ({ params }) => {
        await service.compile({ asker: undefined, target: {}, query: { select: { measures: [params.measure] } } }).catch(() => {})
        return { value: 42 }
      })
    },
  }
  const plugin = definePlugin({ name: 'careless', host: '*', setup: (host) => host.surfaces.register(careless) })
  const ask = async ({ address, measure }: SurfaceQuestion) =>
    (await (await fetch(`${address}/careless/${measure}`)).json()) as { readonly value: number }
  const failures = await failuresOf((runner) => surfaceConformance(runner, { name: 'careless', plugins: plugins(plugin), ask }))
  t.match(failures, [/without a key/, /an error has the message/])
  t.equal(failures.length, 2)
})
