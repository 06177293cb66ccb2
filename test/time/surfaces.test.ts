/**
 * The questions on time, asked of a server: as a query over REST and MCP, and as a statement over the Postgres wire, alone and as the source of another one.
 * Each answer has the rows of the SQL that is written by hand. What SQL has no words for is named.
 */
import { readFileSync } from 'node:fs'
import { createHost, type HostConfig, type HostPlugin, silentLogger } from '@grainline/core'
import evaluator from '@grainline/evaluator-duckdb'
import mcp from '@grainline/mcp'
import semanticQl from '@grainline/semantic-ql'
import pgwire from '@grainline/surface-pgwire'
import rest from '@grainline/surface-rest'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import Fastify from 'fastify'
import pg from 'pg'
import t from 'tap'
import { parse } from 'yaml'
import { mountSurfaces } from '../../core/src/host/mount-surfaces.js'
import { database } from '../compile/database.js'
import { openFlights } from '../docs/flights.js'
import { preloaded } from '../pgwire/server.js'
import { oneIn } from '../support/amount.js'
import { type Answer, ask, type Cell, difference, exact } from '../support/answers.js'
import { aroundStatement, type Question, statementOf } from './asked.js'

const file = (name: string): string => new URL(name, import.meta.url).pathname
const example = (name: string): string => new URL(`../../examples/flights/${name}`, import.meta.url).pathname
const questions = oneIn(2, parse(readFileSync(file('questions.yaml'), 'utf8')) as readonly Question[])
const store = readFileSync(file('store.sql'), 'utf8')
const TABLES = ['flights', 'airlines', 'airports', 'planes', 'weather', 'hours']

const config: HostConfig = {
  plugins: [
    '@grainline/dialect-duckdb',
    {
      use: '@grainline/vendor-duckdb',
      with: {
        init: store.split(/;\n/).filter((statement) => statement.trim() !== ''),
        tables: Object.fromEntries(TABLES.map((table) => [table, example(`data/${table}.parquet`)])),
      },
    },
    ...[evaluator, semanticQl, rest, mcp, pgwire].map((plugin) => plugin as HostPlugin),
  ],
  settings: {
    QUERY_EXECUTE: true,
    MCP_ENABLED: true,
    PGWIRE_ENABLED: true,
    PGWIRE_HOST: '127.0.0.1',
    PGWIRE_PORT: 0,
    PGWIRE_CATALOG: 'off',
  },
  preload: [
    { session: 'store', model: file('store.yaml') },
    { session: 'flights', model: example('model.yaml') },
  ],
}

const TODAY = new Date('2026-03-15T12:00:00Z')
const host = await createHost(config, { environment: { process: {}, dotenv: {} }, logger: silentLogger, now: () => TODAY })
const app = Fastify()
mountSurfaces(app, host, { prefix: '' })
await app.ready()
await host.service.start(await preloaded(config))
const url = await app.listen({ port: 0, host: '127.0.0.1' })
const wire = host.surfaces.get('pgwire')
if (wire.kind !== 'socket') throw new Error('the wire has no listener')
const listening = await wire.start(host.contextFor(wire))
const agent = new Client({ name: 'test', version: '1' })
await agent.connect(new StreamableHTTPClientTransport(new URL(`${url}/v1/mcp`)))
const clients = await Promise.all(
  ['store', 'flights'].map(async (model) => {
    const client = new pg.Client({
      host: '127.0.0.1',
      port: Number(new URL(listening.address).port),
      database: model,
      user: 'anybody',
    })
    await client.connect()
    return [model, client] as const
  }),
)
const wires = new Map(clients)
const { connection } = await database(store)
const flights = await openFlights()
t.teardown(async () => {
  flights.closeSync()
  await Promise.all([...wires.values()].map((client) => client.end()))
  await agent.close()
  app.server.closeAllConnections()
  await listening.stop()
  await app.close()
  await host.close()
})

type Rows = readonly (readonly Cell[])[]
interface Found {
  readonly columns: readonly { readonly name: string }[]
  readonly rows: Rows
  readonly detail?: string
}

const cells = (names: readonly string[], rows: Rows): Answer => ({
  columns: names,
  rows: rows.map((row) => row.map(exact)),
})

async function overRest(model: string, query: Question['query']): Promise<Answer> {
  const headers = { 'content-type': 'application/json' }
  const response = await fetch(`${url}/v1/query/execute`, { method: 'POST', headers, body: JSON.stringify({ model, query }) })
  const { columns, rows, detail } = (await response.json()) as Found
  if (!response.ok) throw new Error(detail)
  return cells(
    columns.map(({ name }) => name),
    rows,
  )
}

async function overMcp(model: string, { select, where, having, order_by, limit, ...more }: Question['query']): Promise<Answer> {
  const given = { ...select, where, having, order_by, limit, model, ...(Object.keys(more).length > 0 && { more }) }
  const { content, isError, structuredContent } = await agent.callTool({
    name: 'query',
    arguments: JSON.parse(JSON.stringify(given)),
  })
  if (isError) throw new Error(JSON.stringify(content))
  const { columns, rows } = structuredContent as { readonly columns: readonly string[]; readonly rows: Rows }
  return cells(columns, rows)
}

async function overWire(model: string, text: string): Promise<Answer> {
  const types = { getTypeParser: () => (value: string) => value }
  const { fields, rows } = await wires.get(model)!.query({ text, rowMode: 'array', types: types as never })
  return { columns: fields.map(({ name }) => name), rows: (rows as Cell[][]).map((row) => row.map(exact)) }
}

/** The rows with a number where the wanted ones have a float, as JSON and wires write it with digits of their own. */
const likeFloats = ({ columns, rows }: Answer, wanted: Answer['rows']): Answer => {
  const floats = columns.map((_, i) => wanted.some((row) => typeof row[i] === 'number'))
  return { columns, rows: rows.map((row) => row.map((cell, i) => (floats[i] && cell !== null ? Number(cell) : cell))) }
}

/** DuckDB truncates a date to a timestamp. */
const asDay = (cell: Cell): Cell => (typeof cell === 'string' ? cell.replace(/^(\d{4}-\d\d-\d\d) 00:00:00$/, '$1') : cell)

const said = { statements: 0, unsaid: [] as string[] }
for (const { question, of, query, sql, with: view } of questions) {
  t.test(question, async (t) => {
    const model = of ?? 'store'
    const on = of ? flights : connection
    if (view) await on.run(view)
    const byHand = (await ask(on, sql)).rows.map((row) => row.map(asDay))
    const { dimensions = [], measures } = query.select
    const named = [...dimensions, ...measures]
    const isOrdered = query.order_by !== undefined
    const same = (found: Answer, surface: string): void => {
      const wanted = byHand.map((row) => row.slice(0, found.columns.length))
      const { rows } = likeFloats(found, wanted)
      t.not(rows.length, 0, surface)
      t.equal(
        difference({ columns: found.columns, rows }, { columns: found.columns, rows: wanted }, isOrdered),
        undefined,
        surface,
      )
      t.strictSame(found.columns.slice(0, named.length), named, surface)
    }
    same(await overRest(model, query), 'REST')
    same(await overMcp(model, query), 'MCP')
    const statement = statementOf(model, query)
    if (statement === undefined) {
      said.unsaid.push(question)
      return
    }
    said.statements++
    same(await overWire(model, statement), 'the wire')
    const outer = await overWire(model, aroundStatement(statement))
    t.ok(
      outer.rows.every((row) => row.at(-1) === String(outer.rows.length)),
      'an outer statement counts its rows',
    )
    same({ columns: outer.columns.slice(0, -1), rows: outer.rows.map((row) => row.slice(0, -1)) }, 'an outer statement')
  })
}

t.test('only gaps have no words in SQL', async (t) => {
  t.strictSame(
    said.unsaid,
    questions.flatMap(({ question, query }) => (query.fill_gaps === undefined ? [] : [question])),
  )
  t.equal(said.statements + said.unsaid.length, questions.length)
})
