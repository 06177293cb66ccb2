/** The same question over REST and over the Postgres wire: the same rows, of the same types. */
import type { HostPlugin } from '@grainline/core'
import rest from '@grainline/surface-rest'
import Fastify from 'fastify'
import t from 'tap'
import { OID } from '../../plugins/surface-pgwire/src/types/pg-type.js'
import { ask, connectReady, type Message, rowsOf } from './raw-client.js'
import { duckdb, startPgwire } from './server.js'

const server = await startPgwire({ plugins: [...(duckdb ?? []), rest as HostPlugin], settings: { PGWIRE_CATALOG: 'off' } })
const app = Fastify()
const surface = server.host.surfaces.get('rest')
if (surface.kind === 'http') await app.register((scope) => surface.routes(scope, server.host.contextFor(surface)))
t.teardown(async () => {
  await app.close()
  await server.close()
})

const questions: readonly (readonly [object, string])[] = [
  [
    { select: { dimensions: ['Airline'], measures: ['Flight Count', 'Late Flights'] }, order_by: [{ field: 'Airline' }] },
    'SELECT "Airline", "Flight Count", "Late Flights" FROM flights ORDER BY "Airline"',
  ],
  [
    {
      select: { dimensions: ['Month', 'Distance Band'], measures: ['Average Departure Delay', 'Distance Flown'] },
      order_by: [{ field: 1 }, { field: 2 }],
    },
    'SELECT "Month", "Distance Band", "Average Departure Delay", "Distance Flown" FROM flights ORDER BY 1, 2',
  ],
  [
    {
      select: { dimensions: ['Scheduled At', 'Scheduled Local', 'Destination Code'], measures: ['Flight Count'] },
      where: [{ field: 'Tail Number', op: '=', value: 'N14228' }],
      order_by: [{ field: 1 }],
      limit: 40,
    },
    'SELECT "Scheduled At", "Scheduled Local", "Destination Code", "Flight Count" FROM flights WHERE "Tail Number" = \'N14228\' ORDER BY 1 LIMIT 40',
  ],
  [
    { select: { measures: ['Median Arrival Delay', 'Planes Flown', 'Rainfall', 'Strongest Gust'] } },
    'SELECT "Median Arrival Delay", "Planes Flown", "Rainfall", "Strongest Gust" FROM flights',
  ],
  [
    { select: { dimensions: ['Year Built'], measures: ['Flight Count'] }, order_by: [{ field: 'Year Built', nulls: 'last' }] },
    'SELECT "Year Built", "Flight Count" FROM flights ORDER BY "Year Built" NULLS LAST',
  ],
]

const oids: Readonly<Record<string, number>> = {
  string: OID.text,
  int: OID.int8,
  float: OID.float8,
  decimal: OID.numeric,
  date: OID.date,
  timestamp: OID.timestamp,
  timestamp_tz: OID.timestamptz,
}

t.test('the same rows of the same types', async (t) => {
  const client = await connectReady(server.port, { database: 'flights' })
  for (const [query, sql] of questions) {
    const { json, statusCode } = await app
      .inject({ method: 'POST', url: '/v1/query/execute', payload: query })
      .then((r) => ({ json: r.json(), statusCode: r.statusCode }))
    t.equal(statusCode, 200, sql)
    const answer = await ask(client, sql)
    const types = json.columns.map(({ type }: { type: string }) => oids[type.replace(/\(.*/, '')])
    t.same(typesOfColumns(answer[0]!), types, 'types')
    t.ok(json.rows.length > 0, 'rows')
    t.same(
      rowsOf(answer).map((row) => row.map((value, i) => canonical(value, types[i]))),
      json.rows.map((row: unknown[]) => row.map((value, i) => canonical(value, types[i]))),
      sql,
    )
  }
  client.end()
})

/** A value by its meaning: REST writes ISO 8601 and numbers, PostgreSQL its own text. */
function canonical(value: unknown, type: number): unknown {
  if (value === null) return null
  if (type === OID.float8) return Number(value)
  const iso = String(value).replace(' ', 'T')
  // An instant is shown in the zone of the model there, in that of the connection here.
  if (type === OID.timestamptz) return new Date(iso.replace(/([+-]\d\d)$/, '$1:00')).getTime()
  if (type === OID.timestamp) return iso
  return String(value)
}

function typesOfColumns({ body }: Message): number[] {
  let at = 2
  return Array.from({ length: body.readInt16BE(0) }, () => {
    at = body.indexOf(0, at) + 1
    const type = body.readInt32BE(at + 6)
    at += 18
    return type
  })
}
