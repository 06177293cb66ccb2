import { createHost, definePlugin } from '@grainline/core'
import { defineDialect } from '@grainline/core/dialect'
import { standard } from '@grainline/core/testing'
import { valueAt } from '@grainline/core/vendor'
import duckdbDialect from '@grainline/dialect-duckdb'
import postgresDialect from '@grainline/dialect-postgres'
import duckdbVendor from '@grainline/vendor-duckdb'
import t, { type Test } from 'tap'
import customFunction from './index.js'

const model = `
version: 1
name: trips
dataObjects:
  Trips:
    code: trips
    columns:
      Name: { code: name, abstractType: string }
      From Latitude: { code: lat1, abstractType: float }
      From Longitude: { code: lon1, abstractType: float }
      To Latitude: { code: lat2, abstractType: float }
      To Longitude: { code: lon2, abstractType: float }
      Growth: { code: growth, abstractType: float }
      Kilometres:
        expression: 'haversine_km({From Latitude}, {From Longitude}, {To Latitude}, {To Longitude})'
        abstractType: float
dimensions:
  Name: { dataObject: Trips, column: Name }
measures:
  Distance: { columns: [{ dataObject: Trips, column: Kilometres }], aggregation: sum }
  Typical Growth: { columns: [{ dataObject: Trips, column: Growth }], aggregation: geometric_mean }
`

const trips = [
  { name: 'Berlin to Paris', from: [52.52, 13.405], to: [48.8566, 2.3522], growth: 2 },
  { name: 'Sydney to Auckland', from: [-33.8688, 151.2093], to: [-36.8509, 174.7645], growth: 8 },
  { name: 'nowhere', from: [10, 20], to: [10, 20], growth: -1 },
] as const

const rows = trips.map(({ name, from, to, growth }) => `('${name}', ${[...from, ...to, growth].join(', ')})`).join(', ')

/** A dialect that neither function knows: it refuses both by name. */
const stranger = definePlugin({
  name: 'stranger',
  host: '^0.1.0',
  setup: (host) => host.dialects.register(defineDialect(standard, { name: 'stranger' })),
})

async function tripsOf(t: Test) {
  const init = [`CREATE TABLE trips AS SELECT * FROM (VALUES ${rows}) v(name, lat1, lon1, lat2, lon2, growth)`]
  const plugins = [duckdbDialect, postgresDialect, stranger, customFunction, { use: duckdbVendor, with: { init } }]
  const host = await createHost({ plugins, settings: { QUERY_EXECUTE: true } })
  t.teardown(() => host.close())
  await host.start()
  const { service } = host
  const { session_id: sessionId } = await service.createSession({ metadata: {}, client: 'test', by: undefined })
  const { modelId } = await service.loadModel(sessionId, { asker: undefined, model_yaml: model })
  const target = { sessionId, modelId }
  const query = (measure: string) => ({ select: { dimensions: ['Name'], measures: [measure] }, order_by: [{ field: 'Name' }] })
  const sqlOf = async (dialect: string, measure: string) =>
    (await service.compile({ asker: undefined, target, query: query(measure), dialect })).sql
  const answer = async (given: unknown) => {
    const { batches } = await service.execute({ asker: undefined, target, query: given, dialect: 'duckdb' })
    const found: unknown[][] = []
    for await (const batch of batches) {
      for (let row = 0; row < batch.rowCount; row++)
        found.push(batch.schema.map((c, i) => valueAt(batch.columns[i]!, row, c.type)))
    }
    return found
  }
  return { host, query, sqlOf, answer }
}

const radians = (degrees: number): number => (degrees * Math.PI) / 180

/** By the angle between two unit vectors: a different formula from that of the plugin. */
function kilometres({ from, to }: (typeof trips)[number]): number {
  const [lat1, lon1, lat2, lon2] = [...from, ...to].map(radians) as [number, number, number, number]
  const cosine = Math.sin(lat1) * Math.sin(lat2) + Math.cos(lat1) * Math.cos(lat2) * Math.cos(lon2 - lon1)
  return 6371 * Math.acos(Math.min(1, cosine))
}

t.test('the function of a plugin gives the geometric distance', async (t) => {
  const { answer, query } = await tripsOf(t)
  const found = new Map((await answer(query('Distance'))) as [string, number][])
  for (const trip of trips)
    t.ok(Math.abs(found.get(trip.name)! - kilometres(trip)) < 0.001, `${trip.name}: ${found.get(trip.name)}`)
})

t.test('the aggregate of a plugin is computed over rows, at any grain', async (t) => {
  const { answer, query } = await tripsOf(t)
  const [[all]] = (await answer({ select: { measures: ['Typical Growth'] } })) as [[number]]
  t.ok(Math.abs(all - 4) < 1e-9, 'the square root of 2 · 8; −1 is left out')
  const found = new Map((await answer(query('Typical Growth'))) as [string, number | null][])
  t.equal(found.get('nowhere'), null, 'no positive value, no mean')
})

t.test('both dialects that the plugin supports have their own SQL', async (t) => {
  const { sqlOf } = await tripsOf(t)
  for (const dialect of ['duckdb', 'postgres']) {
    t.match(await sqlOf(dialect, 'Distance'), /6371 \* ASIN/)
    t.match(await sqlOf(dialect, 'Typical Growth'), /EXP\(AVG\(/)
  }
})

t.test('another dialect refuses the function by name, at the measure that needs it', async (t) => {
  const { sqlOf } = await tripsOf(t)
  const at = { path: 'select.measures[0]' }
  await t.rejects(sqlOf('stranger', 'Distance'), { ...at, code: 'UNSUPPORTED_FUNCTION', message: /'haversine_km'.*stranger/ })
  await t.rejects(sqlOf('stranger', 'Typical Growth'), {
    ...at,
    code: 'UNSUPPORTED_AGGREGATION',
    message: /'geometric_mean'.*stranger/,
  })
})

t.test('the host lists the plugin that registered them', async (t) => {
  const { host } = await tripsOf(t)
  const { functions, aggregates } = host.inspect().points
  const ownerOf = (items: readonly { readonly name: string; readonly owner: string }[] | undefined, name: string) =>
    items?.find((item) => item.name === name)?.owner
  t.equal(ownerOf(functions, 'haversine_km'), '@grainline/example-custom-function')
  t.equal(ownerOf(aggregates, 'geometric_mean'), '@grainline/example-custom-function')
})
