/** The hostile hour in short: everything hostile at once on every surface, while others are answered right. `npm run load -- hostile-hour` is the long one. */
import { createHost, type HostConfig, type HostPlugin, silentLogger } from '@grainline/core'
import evaluator from '@grainline/evaluator-duckdb'
import flight from '@grainline/surface-flight'
import pgwire from '@grainline/surface-pgwire'
import rest from '@grainline/surface-rest'
import Fastify from 'fastify'
import t from 'tap'
import { mountSurfaces } from '../core/src/host/mount-surfaces.js'
import { hostileMix } from './load/hostile-mix.js'
import { duckdb, flights, preloaded } from './pgwire/server.js'

t.setTimeout(300_000)

const SEED = 20261122
/** Looks at whether it is over: one for each request, statement and answer that is checked. */
const LOOKS = 100

async function startAll(): Promise<{
  readonly url: string
  readonly wire: number
  readonly flight: number
  close(): Promise<void>
}> {
  const config: HostConfig = {
    plugins: ['@grainline/dialect-duckdb', '@grainline/dialect-postgres', ...(duckdb ?? []), evaluator, rest, pgwire, flight].map(
      (plugin) => plugin as HostPlugin,
    ),
    settings: {
      QUERY_EXECUTE: true,
      MODEL_SQL: 'allow',
      REST_QUERY_TIMEOUT_SECONDS: 5,
      PGWIRE_ENABLED: true,
      PGWIRE_HOST: '127.0.0.1',
      PGWIRE_PORT: 0,
      PGWIRE_CATALOG: 'off',
      PGWIRE_AUTH_TIMEOUT_SECONDS: 10,
      PGWIRE_QUERY_TIMEOUT_SECONDS: 5,
      FLIGHT_ENABLED: true,
      FLIGHT_PORT: 0,
      FLIGHT_QUERY_TIMEOUT_SECONDS: 5,
    },
    preload: flights ?? [],
    base: `${import.meta.dirname}/pgwire`,
  }
  const host = await createHost(config, { environment: { process: {}, dotenv: {} }, logger: silentLogger })
  const app = Fastify()
  mountSurfaces(app, host, { prefix: '' })
  await app.ready()
  await host.service.start(await preloaded(config))
  const url = await app.listen({ port: 0, host: '127.0.0.1' })
  const sockets = await Promise.all(
    ['pgwire', 'flight'].map(async (name) => {
      const surface = host.surfaces.get(name)
      if (surface.kind !== 'socket') throw new Error(`${name} has no listener`)
      return surface.start(host.contextFor(surface))
    }),
  )
  const [wirePort, flightPort] = sockets.map(({ address }) => Number(/:(\d+)$/.exec(address)?.[1]))
  return {
    url,
    wire: wirePort!,
    flight: flightPort!,
    async close() {
      app.server.closeAllConnections()
      for (const socket of sockets) await socket.stop()
      await app.close()
      await host.close()
    },
  }
}

t.test(`what others ask is answered right under everything hostile (seed ${SEED})`, async (t) => {
  const server = await startAll()
  t.teardown(() => server.close())
  let looks = 0
  const plan = { seed: SEED, clients: 1, slice: 100, attackFrom: ['127.0.0.2', '127.0.0.3'], over: () => ++looks > LOOKS }
  // Rejects with a 500 and with a wrong answer.
  const { statuses, messages, checked } = await hostileMix(server, plan)
  t.ok(checked > 0, `${checked} answers of others were right`)
  t.ok(messages > 100, `${messages} spoiled messages`)
  t.ok(
    [...statuses.keys()].some((status) => status >= 400 && status < 500),
    'and what was hostile was refused',
  )
})
