import { serveStdio } from '@modelcontextprotocol/server/stdio'
import { apiOver } from './api/api.js'
import { sendOverNetwork } from './api/send-over-network.js'
import { capabilitiesOf } from './capabilities.js'
import { serveHttp } from './serve-http.js'
import { buildServer } from './server.js'
import { type Environment, type McpSettings, readSettings } from './settings.js'

/** The MCP server as a process: what it is told, it is told by its environment. Standard output is the protocol's; all else goes to standard error. */
export async function runMcp(env: Environment = process.env): Promise<void> {
  const settings = settingsOrExit(env)
  if (settings.transport === 'http') await serveHttp(settings)
  else overStdio(settings)
}

function settingsOrExit(env: Environment): McpSettings {
  try {
    return readSettings(env)
  } catch (error) {
    process.stderr.write(`grainline-mcp: ${(error as Error).message}\n`)
    process.exit(2)
  }
}

/** One client, one process: the model that was loaded last is remembered. */
function overStdio(settings: McpSettings): void {
  const { apiKey, apiKeyHeader, toolsets, limits } = settings
  const api = apiOver(sendOverNetwork(settings), apiKey === undefined ? {} : { [apiKeyHeader]: apiKey })
  const world = { api, limits, memory: {} }
  serveStdio(async () => buildServer({ world, toolsets, capabilities: await capabilitiesOf(api) }), {
    onerror: (error) => process.stderr.write(`grainline-mcp: ${error.message}\n`),
  })
}
