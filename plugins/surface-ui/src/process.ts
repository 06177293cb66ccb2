import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { definePlugin, type Environment, lookup, readEnvironment } from '@grainline/core'
import { serveUntilEnd } from '@grainline/core/cli'
import { uiSurface } from './surface.js'
import { forwardOverNetwork } from './upstream/forward-over-network.js'

/** The variables of the page and its server. Others are ignored, because this server must not serve an API. */
const COUNTS = [
  'API_BASE_URL',
  'ROOT_PATH',
  'SVC_API_KEY',
  'API_KEY_HEADER',
  'API_SERVER_HOST',
  'PORT',
  'API_TLS_CERT',
  'API_TLS_KEY',
  'API_TLS_CLIENT_CA',
  'TRUSTED_PROXY_COUNT',
  'ALLOWED_HOSTS',
  'HTTP_CLIENT_MAX_INCOMPLETE',
  'LOG_LEVEL',
  'LOG_FORMAT',
  'npm_lifecycle_event',
]
const DEFAULTS = { API_BASE_URL: 'http://localhost:8000', PORT: '8080' }
/** The TLS files for the connection to the API. */
const FILES = { ca: 'API_CA', cert: 'API_CLIENT_CERT', key: 'API_CLIENT_KEY' } as const

/** Serves the page in a separate process, for the API at `API_BASE_URL`. Resolves to the exit code. */
export async function runUi(args: string[]): Promise<number> {
  const { port } = parseArgs({ args, options: { port: { type: 'string' } }, strict: true }).values
  const all = readEnvironment({ dotenv: process.cwd() })
  const environment = environmentOf(all, port)
  const upstream = forwardOverNetwork({ address: lookup(environment, 'API_BASE_URL')!, tls: filesOf(all) })
  const plugin = definePlugin({
    name: '@grainline/surface-ui',
    host: '^0.1.0',
    setup: (host) => host.surfaces.register(uiSurface({ upstream })),
  })
  return serveUntilEnd({ plugins: [plugin] }, environment)
}

function environmentOf(all: Environment, port: string | undefined): Environment {
  const counting = Object.fromEntries(COUNTS.map((name) => [name, lookup(all, name)]))
  const given = Object.fromEntries(Object.entries(counting).filter(([, value]) => value !== undefined))
  return {
    process: { ...DEFAULTS, ...given, ...(port !== undefined && { PORT: port }) },
    dotenv: {},
    unreadable: all.unreadable ?? [],
  }
}

function filesOf(environment: Environment): { readonly ca?: Buffer; readonly cert?: Buffer; readonly key?: Buffer } {
  return Object.fromEntries(
    Object.entries(FILES).flatMap(([name, variable]) => {
      const file = lookup(environment, variable)
      return file === undefined ? [] : [[name, readFileSync(file)]]
    }),
  )
}
