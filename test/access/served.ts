/** A server of the shop, over a database of its own. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import type { Test } from 'tap'
import { executing, startRest, type TestServer } from '../rest/server.js'
import { KEYS, KEYS_FILE, MODEL, TABLES, type Who } from './shop.js'

export interface Served extends Pick<TestServer, 'app' | 'routes'> {
  /** The folder of `shop.yaml`, `keys.yaml`, and `config.yaml`, with which the command line asks the same database. */
  readonly folder: string
  /** The server listens there since the first call. */
  readonly listen: () => Promise<string>
  readonly get: (who: Who, url: string, headers?: Record<string, string>) => ReturnType<TestServer['get']>
  readonly post: (who: Who, url: string, body?: unknown) => ReturnType<TestServer['post']>
  /** The rows of a query. */
  readonly rows: (who: Who, query: object) => Promise<unknown>
}

const CONFIG = `plugins:
  - '@grainline/dialect-duckdb'
  - { use: '@grainline/vendor-duckdb', with: { database: shop.duckdb, readOnly: true } }
  - '@grainline/surface-rest'
  - '@grainline/semantic-ql'
settings: { CACHE_BACKEND: noop }
`

/** Every surface of HTTP. */
export const SHOP_PLUGINS = [
  '@grainline/importer-dbt',
  '@grainline/cache-memory',
  '@grainline/evaluator-duckdb',
  '@grainline/surface-odata',
  '@grainline/mcp',
  '@grainline/surface-ui',
]
export const SHOP_SETTINGS = {
  EXPOSE_OPENAPI_SCHEMA: true,
  METRICS_ENABLED: true,
  HEARTBEAT_AUTH_TOKEN: 'beat-beat-beat-beat',
  SVC_API_KEY: 'svc_pat_north_0123456789abcdef0123456789abcdef',
}

/** Also the tools that are not offered by default. */
export const ALL_TOOLS = { MCP_TOOLSETS: ['query', 'authoring'] }

interface Given {
  readonly tables?: readonly string[]
  readonly model?: string
  /** Further published models, by the names of their files. */
  readonly others?: Readonly<Record<string, string>>
  readonly keys?: string
  readonly settings?: Readonly<Record<string, unknown>>
  readonly plugins?: NonNullable<Parameters<typeof startRest>[0]>['plugins']
}

export async function servedShop(
  t: Test,
  { tables = TABLES, model = MODEL, others = {}, keys = KEYS_FILE, settings = {}, plugins = [] }: Given = {},
): Promise<Served> {
  const dir = await mkdtemp(join(tmpdir(), 'grainline-access-'))
  t.teardown(() => rm(dir, { recursive: true }))
  const file = join(dir, 'shop.duckdb')
  const instance = await DuckDBInstance.create(file)
  const connection = await instance.connect()
  for (const statement of tables) await connection.run(statement)
  connection.closeSync()
  instance.closeSync()
  await writeFile(join(dir, 'keys.yaml'), keys)
  await writeFile(join(dir, 'shop.yaml'), model)
  await writeFile(join(dir, 'config.yaml'), CONFIG)
  for (const [name, text] of Object.entries(others)) await writeFile(join(dir, name), text)
  const server = await startRest({
    plugins: [...(executing.plugins ?? []), ...plugins],
    settings: {
      ...executing.settings,
      AUTH_MODE: 'api_key',
      API_KEYS_FILE: join(dir, 'keys.yaml'),
      MODEL_DIR: dir,
      MODEL_FILES: ['shop.yaml', ...Object.keys(others)].join(','),
      DUCKDB_DATABASE: file,
      CACHE_BACKEND: 'noop',
      ...(plugins.includes('@grainline/mcp') && ALL_TOOLS),
      ...settings,
    },
  })
  t.teardown(() => server.close())
  const get: Served['get'] = (who, url, headers = {}) => server.get(url, { 'x-api-key': KEYS[who], ...headers })
  const post: Served['post'] = (who, url, body) => server.post(url, body, { 'x-api-key': KEYS[who] })
  const rows: Served['rows'] = async (who, query) => {
    const { body } = await post(who, '/v1/query/execute', { query })
    return body.rows ?? body.code
  }
  let listens: Promise<string> | undefined
  const listen = () => {
    listens ??= server.app.listen({ port: 0, host: '127.0.0.1' })
    return listens
  }
  return { app: server.app, routes: server.routes, folder: dir, listen, get, post, rows }
}
