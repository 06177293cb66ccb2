/**
 * The same query over REST and over the Postgres wire gives the same rows with the same types: all queries of the corpus that SQL can
 * express, in text and in binary, and some on the flights, whose model has a time zone.
 */
import type { HostPlugin, SemanticModel } from '@grainline/core'
import evaluator from '@grainline/evaluator-duckdb'
import rest from '@grainline/surface-rest'
import Fastify from 'fastify'
import t, { type Test } from 'tap'
import { mountSurfaces } from '../../core/src/host/mount-surfaces.js'
import { OID } from '../../plugins/surface-pgwire/src/types/pg-type.js'
import { dataSql, readQuestions } from '../corpus/corpus.js'
import { amount, oneIn } from '../support/amount.js'
import { canonicalFloat } from '../support/canonical-float.js'
import { QUESTIONS } from '../support/flights-questions.js'
import {
  ask,
  bind,
  bytesOf,
  connectReady,
  describe,
  errorOf,
  execute,
  parse,
  type RawClient,
  rowsOf,
  sync,
  typesOfColumns,
} from './raw-client.js'
import { readBinary } from './read-binary.js'
import { asTable, say } from './say.js'
import { duckdb, flights, type PgwireOptions, startPgwire } from './server.js'

/** The wire type of each type of a model (docs/postgres-wire.md has the table). */
const MAPPING: Readonly<Record<string, number>> = {
  string: OID.text,
  json: OID.json,
  int: OID.int8,
  float: OID.float8,
  decimal: OID.numeric,
  boolean: OID.bool,
  date: OID.date,
  time: OID.time,
  timestamp: OID.timestamp,
  timestamp_tz: OID.timestamptz,
}

interface RestAnswer {
  readonly columns: readonly { readonly name: string; readonly type: string; readonly role: string }[]
  readonly rows: readonly (readonly unknown[])[]
}

/** Both surfaces on one host. */
async function both(options: PgwireOptions) {
  const server = await startPgwire({
    ...options,
    plugins: [...(options.plugins ?? []), evaluator as HostPlugin, rest as HostPlugin],
    settings: { PGWIRE_CATALOG: 'off' },
  })
  const app = Fastify()
  mountSurfaces(app, server.host)
  const client = await connectReady(server.port)
  return {
    client,
    model: server.host.service.publishedModels(undefined)[0]!.model,
    async rest(query: unknown): Promise<RestAnswer> {
      const answer = await app.inject({ method: 'POST', url: '/v1/query/execute', payload: query as object })
      if (answer.statusCode !== 200) throw new Error(answer.body)
      return answer.json()
    },
    async close() {
      client.end()
      await app.close()
      await server.close()
    },
  }
}

interface WireAnswer {
  readonly types: readonly number[]
  readonly rows: readonly (readonly (string | null)[])[]
}

async function inText(client: RawClient, sql: string): Promise<WireAnswer> {
  const answer = await ask(client, sql)
  if (answer[0]?.type !== 'T') throw new Error(`${errorOf(answer).M}: ${sql}`)
  return { types: typesOfColumns(answer[0]), rows: rowsOf(answer) }
}

async function inBinary(client: RawClient, sql: string): Promise<WireAnswer> {
  client.send(parse(sql), bind({ formats: [1] }), describe('P'), execute(), sync())
  const answer = await client.until('Z')
  const types = typesOfColumns(answer.find(({ type }) => type === 'T')!)
  const rows = answer.filter(({ type }) => type === 'D').map(bytesOf)
  return { types, rows: rows.map((row) => row.map((bytes, i) => bytes && readBinary(bytes, types[i]!))) }
}

/** A value in a canonical form: REST writes ISO 8601, numbers and JSON, PostgreSQL its own text. */
function canonical(value: unknown, type: number): unknown {
  if (value === null) return null
  const text = String(value)
  switch (type) {
    case OID.float8:
      return canonicalFloat(value)
    case OID.bool:
      return value === true || value === 't'
    case OID.json:
      return JSON.stringify(typeof value === 'string' ? parsed(value) : value)
    case OID.numeric:
      return text.includes('.') ? text.replace(/\.?0+$/, '') : text
    // REST shows an instant in the zone of the model, the wire in the zone of the connection.
    case OID.timestamptz:
      return new Date(text.replace(' ', 'T').replace(/([+-]\d\d)$/, '$1:00')).getTime()
    case OID.timestamp:
      return text.replace(' ', 'T')
    default:
      return text
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

function compare(t: Test, { columns, rows }: RestAnswer, wire: WireAnswer, ordered: boolean, about: string): void {
  // In SQL the levels of subtotals are distinguished by GROUPING.
  const shown = columns.flatMap(({ role }, i) => (role === 'grouping' ? [] : [i]))
  const types = shown.map((i) => MAPPING[columns[i]!.type.replace(/\(.*/, '')]!)
  t.same(wire.types, types, `types of ${about}`)
  const inOrder = (found: readonly (readonly unknown[])[]) =>
    ordered ? found : found.map((row) => JSON.stringify(row)).toSorted()
  const wanted = rows.map((row) => shown.map((i, k) => canonical(row[i], types[k]!)))
  t.same(inOrder(wire.rows.map((row) => row.map((value, i) => canonical(value, types[i]!)))), inOrder(wanted), `rows of ${about}`)
}

t.test('every query of the corpus that SQL can express has the same answer', async (t) => {
  const init = ["SET TimeZone = 'UTC'", dataSql()]
  const commerce = { session: 'commerce', model: '../corpus/commerce.yaml' }
  const { client, model, rest, close } = await both({
    preload: [commerce],
    plugins: [{ use: '@grainline/vendor-duckdb', with: { init } }],
  })
  t.teardown(close)
  const unsaid = new Map<string, number>()
  let said = 0
  for (const { name, query, ordered = false } of oneIn(2, readQuestions())) {
    const statement = say(query, model)
    if ('unsaid' in statement) {
      unsaid.set(statement.unsaid, (unsaid.get(statement.unsaid) ?? 0) + 1)
      continue
    }
    said++
    await t.test(name, async (t) => {
      const answer = await rest(asTable(query, model))
      compare(t, answer, await inText(client, statement.sql), ordered, 'text')
      compare(t, answer, await inBinary(client, statement.sql), ordered, 'binary')
    })
  }
  t.comment(`${said} said; without words: ${JSON.stringify([...unsaid])}`)
  t.ok(said >= amount(40, 83), 'at least four of five queries can be expressed')
})

t.test('queries on a model with a time zone have the same answers', async (t) => {
  const { client, model, rest, close } = await both({ plugins: duckdb, preload: flights })
  t.teardown(close)
  for (const query of QUESTIONS) {
    const statement = say(query, model as SemanticModel)
    if ('unsaid' in statement) throw new Error(statement.unsaid)
    const answer = await rest(query)
    t.ok(answer.rows.length > 0, 'rows')
    compare(t, answer, await inText(client, statement.sql), true, 'text')
    compare(t, answer, await inBinary(client, statement.sql), true, 'binary')
  }
})
