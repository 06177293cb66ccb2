/**
 * The same query over REST and over Arrow Flight SQL gives the same rows with the same types: all queries of the corpus that SQL can
 * express, and some on the flights, whose model has a time zone.
 */
import type { SemanticModel } from '@grainline/core'
import type { FlightSqlClient } from '@grainline/flight-sql'
import rest from '@grainline/surface-rest'
import type { Data } from 'apache-arrow'
import Fastify from 'fastify'
import t, { type Test } from 'tap'
import { mountSurfaces } from '../../core/src/host/mount-surfaces.js'
import { textReader } from '../../plugins/vendor-dremio/src/arrow-value.js'
import { dataSql, readQuestions } from '../corpus/corpus.js'
import { asTable, say } from '../pgwire/say.js'
import { duckdb, flights } from '../pgwire/server.js'
import { amount, oneIn } from '../support/amount.js'
import { canonicalFloat } from '../support/canonical-float.js'
import { QUESTIONS } from '../support/flights-questions.js'
import { type FlightOptions, startFlight } from './server.js'

interface RestAnswer {
  readonly columns: readonly { readonly name: string; readonly type: string; readonly role: string }[]
  readonly rows: readonly (readonly unknown[])[]
}

/** The Arrow type of each type of a model (docs/flight-sql.md has the table). */
function arrowTypeOf(type: string, timezone: string): string {
  const [kind = '', precision, scale] = type.split(/[(),]/)
  if (kind === 'decimal') return `Decimal[${precision}e${Number(scale) > 0 ? '+' : ''}${scale}]`
  return {
    string: 'Utf8',
    json: 'Utf8',
    int: 'Int64',
    float: 'Float64',
    boolean: 'Bool',
    date: 'Date32<DAY>',
    time: 'Time64<MICROSECOND>',
    timestamp: 'Timestamp<MICROSECOND>',
    timestamp_tz: `Timestamp<MICROSECOND, ${timezone}>`,
  }[kind]!
}

t.setTimeout(300_000)

/** Both surfaces on one host. */
async function both(options: FlightOptions) {
  const server = await startFlight({ ...options, plugins: [...(options.plugins ?? []), rest as never] })
  const app = Fastify()
  mountSurfaces(app, server.host)
  return {
    client: await server.connect(),
    model: server.host.service.publishedModels(undefined)[0]!.model,
    async rest(query: unknown): Promise<RestAnswer> {
      const answer = await app.inject({ method: 'POST', url: '/v1/query/execute', payload: query as object })
      if (answer.statusCode !== 200) throw new Error(answer.body)
      return answer.json()
    },
    async close() {
      await app.close()
      await server.close()
    },
  }
}

async function overFlight(client: FlightSqlClient, sql: string) {
  const answer = await client.query(sql)
  const rows: (string | null)[][] = []
  for await (const batch of answer) {
    const columns = batch.data.children as Data[]
    const readers = columns.map(textReader)
    for (let row = 0; row < batch.numRows; row++)
      rows.push(readers.map((read, i) => (columns[i]!.type.typeId !== 1 && columns[i]!.getValid(row) ? read(row) : null)))
  }
  return { types: answer.schema.fields.map(({ type }) => String(type)), rows }
}

/** A value in a canonical form: REST writes ISO 8601 in the zone of the model, numbers and JSON. */
function canonical(value: unknown, type: string): unknown {
  if (value === null) return null
  const text = String(value)
  switch (type.replace(/\(.*/, '')) {
    case 'float':
      return canonicalFloat(value)
    case 'boolean':
      return text === 'true'
    case 'json':
      return JSON.stringify(typeof value === 'string' ? parsed(value) : value)
    case 'timestamp_tz':
      return new Date(/Z$|[+-]\d\d:?\d\d$/.test(text) ? text : `${text}Z`).getTime()
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

interface Compared {
  readonly rest: RestAnswer
  readonly wire: Awaited<ReturnType<typeof overFlight>>
  readonly ordered: boolean
  readonly timezone: string
}

function compare(t: Test, { rest: { columns, rows }, wire, ordered, timezone }: Compared): void {
  // In SQL the levels of subtotals are distinguished by GROUPING.
  const shown = columns.flatMap(({ role }, i) => (role === 'grouping' ? [] : [i]))
  const types = shown.map((i) => columns[i]!.type)
  t.same(
    wire.types,
    types.map((type) => arrowTypeOf(type, timezone)),
    'types',
  )
  const inOrder = (found: readonly (readonly unknown[])[]) =>
    ordered ? found : found.map((row) => JSON.stringify(row)).toSorted()
  const wanted = rows.map((row) => shown.map((i, k) => canonical(row[i], types[k]!)))
  t.same(inOrder(wire.rows.map((row) => row.map((value, i) => canonical(value, types[i]!)))), inOrder(wanted), 'rows')
}

t.test('every query of the corpus that SQL can express has the same answer', async (t) => {
  const init = ["SET TimeZone = 'UTC'", dataSql()]
  const { client, model, rest, close } = await both({
    preload: [{ session: 'commerce', model: '../corpus/commerce.yaml' }],
    plugins: [{ use: '@grainline/vendor-duckdb', with: { init } }],
  })
  t.teardown(close)
  const timezone = model.settings.queryTimezone ?? 'UTC'
  let said = 0
  for (const { name, query, ordered = false } of oneIn(2, readQuestions())) {
    const statement = say(query, model)
    if ('unsaid' in statement) continue
    said++
    await t.test(name, async (t) => {
      compare(t, { rest: await rest(asTable(query, model)), wire: await overFlight(client, statement.sql), ordered, timezone })
    })
  }
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
    compare(t, { rest: answer, wire: await overFlight(client, statement.sql), ordered: true, timezone: 'America/New_York' })
  }
})
