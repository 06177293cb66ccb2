import { finished } from 'node:stream/promises'
import { parseArgs } from 'node:util'
import { serveStdio } from '@modelcontextprotocol/server/stdio'
import { apiOver } from './api/api.js'
import { sendOverNetwork } from './api/send-over-network.js'
import { capabilitiesOf } from './capabilities.js'
import { credentialOf } from './credential-of.js'
import { serveHttp } from './serve-http.js'
import { buildServer } from './server.js'
import { type Environment, type McpSettings, readSettings } from './settings.js'

/** The connection flags of all commands, with the variable that each sets. */
const FLAGS = {
  server: 'API_BASE_URL',
  'api-key': 'API_KEY',
  'api-key-header': 'API_KEY_HEADER',
  'client-cert': 'API_CLIENT_CERT',
  'client-key': 'API_CLIENT_KEY',
  ca: 'API_CA',
  as: 'MCP_AS',
} as const

/**
 * Runs the MCP server as a process. Resolves to the exit code when the client or a signal ends it: 2 for an invalid setting. Standard output belongs to the
 * protocol, so messages go to standard error.
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

/** The process has one client, so it can remember the last loaded model. */
async function overStdio(settings: McpSettings): Promise<void> {
  const { toolsets, limits } = settings
  const api = apiOver(sendOverNetwork(settings), credentialOf(settings))
  const world = { api, limits, memory: {} }
  serveStdio(async () => buildServer({ world, toolsets, capabilities: await capabilitiesOf(api) }), {
    onerror: (error) => process.stderr.write(`grainline-mcp: ${error.message}\n`),
  })
  await finished(process.stdin)
}
