/** A server of the shop on the Postgres wire and over Flight SQL. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { HostConfig } from '@grainline/core'
import evaluator from '@grainline/evaluator-duckdb'
import flight from '@grainline/surface-flight'
import type { Test } from 'tap'
import { startPgwire } from '../pgwire/server.js'
import { KEYS_FILE, MODEL, TABLES } from './shop.js'

interface Further {
  readonly keys?: string
  /** Further published models, by name. */
  readonly others?: Readonly<Record<string, string>>
  readonly settings?: Readonly<Record<string, unknown>>
  /** Surfaces of HTTP, which the test mounts. */
  readonly plugins?: NonNullable<HostConfig['plugins']>
}

export async function served(
  t: Test,
  tables: readonly string[] = TABLES,
  model = MODEL,
  { keys = KEYS_FILE, others = {}, settings = {}, plugins = [] }: Further = {},
) {
  const dir = await mkdtemp(join(tmpdir(), 'grainline-wires-'))
  t.teardown(() => rm(dir, { recursive: true }))
  await writeFile(join(dir, 'keys.yaml'), keys)
  await writeFile(join(dir, 'shop.yaml'), model)
  for (const [name, text] of Object.entries(others)) await writeFile(join(dir, `${name}.yaml`), text)
  const preload = ['shop', ...Object.keys(others)].map((session) => ({ session, model: join(dir, `${session}.yaml`) }))
  const wire = await startPgwire({
    preload,
    plugins: [
      { use: '@grainline/vendor-duckdb', with: { init: [...tables] } },
      '@grainline/cache-memory',
      evaluator,
      flight,
      ...plugins,
    ],
    settings: {
      AUTH_MODE: 'api_key',
      API_KEYS_FILE: join(dir, 'keys.yaml'),
      PGWIRE_AUTH_MODE: 'scram-sha-256',
      FLIGHT_ENABLED: true,
      FLIGHT_PORT: 0,
      ...settings,
    },
  })
  const surface = wire.host.surfaces.get('flight')
  if (surface.kind !== 'socket') throw new Error('the surface has no listener')
  const running = await surface.start(wire.host.contextFor(surface))
  t.teardown(async () => {
    await running.stop()
    await wire.close()
  })
  return { host: wire.host, port: wire.port, flightPort: Number(new URL(running.address.replace(/^grpc/, 'http')).port) }
}
