/** The real host with the Postgres wire surface on its own port. */
import { createHost, type HostConfig, type HostPlugin, type Logger, type RunningHost, silentLogger } from '@grainline/core'
import semanticQl from '@grainline/semantic-ql'
import pgwire from '@grainline/surface-pgwire'

export interface PgwireServer {
  readonly port: number
  /** `postgres://host:port`, as in the start-up line. */
  readonly address: string
  readonly host: RunningHost
  /** Reloads the certificate. */
  reload(): void
  close(): Promise<void>
}

export interface PgwireOptions {
  readonly settings?: Readonly<Record<string, unknown>>
  readonly preload?: HostConfig['preload']
  readonly plugins?: HostConfig['plugins']
  readonly logger?: Logger
}

export const flights: HostConfig['preload'] = [{ session: 'flights', model: '../../examples/flights/model.yaml' }]

export const duckdb: HostConfig['plugins'] = [
  {
    use: '@grainline/vendor-duckdb',
    with: {
      tables: Object.fromEntries(
        ['flights', 'airlines', 'airports', 'planes', 'weather', 'hours'].map((table) => [
          table,
          `../../examples/flights/data/${table}.parquet`,
        ]),
      ),
    },
  },
]

/** A service that publishes the flights, executes, and listens for Postgres clients; `settings` override. */
export async function startPgwire({
  settings = {},
  preload = flights,
  plugins = duckdb,
  logger,
}: PgwireOptions = {}): Promise<PgwireServer> {
  const config: HostConfig = {
    plugins: ['@grainline/dialect-duckdb', '@grainline/dialect-postgres', ...(plugins ?? []), semanticQl, pgwire as HostPlugin],
    settings: {
      PGWIRE_ENABLED: true,
      PGWIRE_HOST: '127.0.0.1',
      PGWIRE_PORT: 0,
      QUERY_EXECUTE: true,
      MODEL_SQL: 'allow',
      ...settings,
    },
    preload: preload ?? [],
    base: import.meta.dirname,
  }
  const host = await createHost(config, { environment: { process: {}, dotenv: {} }, logger: logger ?? silentLogger })
  const surface = host.surfaces.get('pgwire')
  if (surface.kind !== 'socket') throw new Error('the surface has no listener')
  await host.service.start(await preloaded(config))
  const running = await surface.start(host.contextFor(surface))
  return {
    port: Number(new URL(running.address).port),
    address: running.address,
    host,
    reload: () => void running.reload?.(),
    async close() {
      await running.stop()
      await host.close()
    },
  }
}

export async function preloaded({ preload = [], base = '' }: HostConfig) {
  const { readFile } = await import('node:fs/promises')
  const path = await import('node:path')
  return Promise.all(
    preload.map(async ({ session, model }) => {
      const file = path.resolve(base, model)
      return { session, source: await readFile(file, 'utf8'), file }
    }),
  )
}
