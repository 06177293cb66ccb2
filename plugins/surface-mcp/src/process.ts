import { finished } from 'node:stream/promises'
import { parseArgs } from 'node:util'
import { serveStdio } from '@modelcontextprotocol/server/stdio'
import { apiOver } from './api/api.js'
import { sendOverNetwork } from './api/send-over-network.js'
import { capabilitiesOf } from './capabilities.js'
import { serveHttp } from './serve-http.js'
import { buildServer } from './server.js'
import { type Environment, type McpSettings, readSettings } from './settings.js'

/** The flags by which every command of the command line reaches a server, and the variable that each is. */
const FLAGS = {
  server: 'API_BASE_URL',
  'api-key': 'API_KEY',
  'api-key-header': 'API_KEY_HEADER',
  'client-cert': 'API_CLIENT_CERT',
  'client-key': 'API_CLIENT_KEY',
  ca: 'API_CA',
} as const

/**
 * The MCP server as a process, as its environment and flags describe it. Resolves to the exit code when the client or a signal ends it: 2
 * where a setting is wrong. Standard output belongs to the protocol; everything else goes to standard error.
 */
export async function runMcp(args: string[] = [], env: Environment = process.env): Promise<number> {
  try {
    const settings = readSettings({ ...env, ...variablesOf(args) })
    await (settings.transport === 'http' ? serveHttp(settings) : overStdio(settings))
    return 0
  } catch (error) {
    process.stderr.write(`grainline-mcp: ${error instanceof Error ? error.message : String(error)}\n`)
    return 2
  }
}

function variablesOf(args: string[]): Environment {
  const options = Object.fromEntries(Object.keys(FLAGS).map((flag) => [flag, { type: 'string' as const }]))
  const { values } = parseArgs({ args, options, strict: true })
  return Object.fromEntries(Object.entries(FLAGS).flatMap(([flag, name]) => (values[flag] ? [[name, values[flag]]] : [])))
}

/** One client, one process: the model that was loaded last is remembered. */
async function overStdio(settings: McpSettings): Promise<void> {
  const { apiKey, apiKeyHeader, toolsets, limits } = settings
  const api = apiOver(sendOverNetwork(settings), apiKey === undefined ? {} : { [apiKeyHeader]: apiKey })
  const world = { api, limits, memory: {} }
  serveStdio(async () => buildServer({ world, toolsets, capabilities: await capabilitiesOf(api) }), {
    onerror: (error) => process.stderr.write(`grainline-mcp: ${error.message}\n`),
  })
  await finished(process.stdin)
}
