/** The real host with REST, the web page, MCP over HTTP, the Postgres wire and Arrow Flight SQL, over the flights. */
import { createHost, type HostConfig, type HostPlugin, silentLogger } from '@grainline/core'
import evaluator from '@grainline/evaluator-duckdb'
import mcp from '@grainline/mcp'
import semanticQl from '@grainline/semantic-ql'
import flight from '@grainline/surface-flight'
import pgwire from '@grainline/surface-pgwire'
import rest from '@grainline/surface-rest'
import ui from '@grainline/surface-ui'
import Fastify from 'fastify'
import { mountSurfaces } from '../core/src/host/mount-surfaces.js'
import { duckdb, flights, preloaded } from './pgwire/server.js'

export interface EverySurface {
  readonly url: string
  /** The ports of the Postgres wire and of Flight SQL. */
  readonly wire: number
  readonly flight: number
  close(): Promise<void>
}

export async function startEverySurface(settings: Readonly<Record<string, unknown>>): Promise<EverySurface> {
  const plugins = [...(duckdb ?? []), evaluator, semanticQl, rest, mcp, pgwire, flight, ui]
  const config: HostConfig = {
    plugins: ['@grainline/dialect-duckdb', '@grainline/dialect-postgres', ...plugins].map((plugin) => plugin as HostPlugin),
    settings: {
      QUERY_EXECUTE: true,
      MODEL_SQL: 'allow',
      MCP_ENABLED: true,
      PGWIRE_ENABLED: true,
      PGWIRE_HOST: '127.0.0.1',
      PGWIRE_PORT: 0,
      PGWIRE_CATALOG: 'off',
      FLIGHT_ENABLED: true,
      FLIGHT_PORT: 0,
      ...settings,
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
