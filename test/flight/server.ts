/** The real host with the Arrow Flight SQL surface on its own port. */
import { createHost, type HostConfig, type HostPlugin, type Logger, type RunningHost, silentLogger } from '@grainline/core'
import evaluator from '@grainline/evaluator-duckdb'
import { type ConnectOptions, connectFlightSql, type FlightSqlClient } from '@grainline/flight-sql'
import semanticQl from '@grainline/semantic-ql'
import flight from '@grainline/surface-flight'
import { duckdb, flights, preloaded } from '../pgwire/server.js'

export interface FlightServer {
  readonly port: number
  /** `grpc://host:port`, as in the start-up line. */
  readonly address: string
  readonly host: RunningHost
  /** Reloads the certificate. */
  reload(): void
  /** A client of this server, closed together with it. */
  connect(options?: Partial<ConnectOptions>): Promise<FlightSqlClient>
  close(): Promise<void>
}

export interface FlightOptions {
  readonly settings?: Readonly<Record<string, unknown>>
  readonly preload?: HostConfig['preload']
  readonly plugins?: HostConfig['plugins']
  readonly logger?: Logger
}

/** A service that publishes the flights and listens for clients of Flight SQL; `settings` override. */
export async function startFlight({
  settings = {},
  preload = flights,
  plugins = duckdb,
  logger,
}: FlightOptions = {}): Promise<FlightServer> {
  const config: HostConfig = {
    plugins: [
      '@grainline/dialect-duckdb',
      '@grainline/dialect-postgres',
      ...(plugins ?? []),
      evaluator as HostPlugin,
      semanticQl,
      flight as HostPlugin,
    ],
    settings: { FLIGHT_ENABLED: true, FLIGHT_PORT: 0, ...settings },
    preload: preload ?? [],
    base: import.meta.dirname,
  }
  const host = await createHost(config, { environment: { process: {}, dotenv: {} }, logger: logger ?? silentLogger })
  const surface = host.surfaces.get('flight')
  if (surface.kind !== 'socket') throw new Error('the surface has no listener')
  await host.service.start(await preloaded(config))
  const running = await surface.start(host.contextFor(surface))
  const port = Number(new URL(running.address.replace(/^grpc(\+tls)?/, 'http')).port)
  const clients: FlightSqlClient[] = []
  return {
    port,
    address: running.address,
    host,
    reload: () => void running.reload?.(),
    async connect(options = {}) {
      const client = await connectFlightSql({ host: '127.0.0.1', port, ...options })
      clients.push(client)
      return client
    },
    async close() {
      for (const client of clients) client.close()
      await running.stop()
      await host.close()
    },
  }
}
