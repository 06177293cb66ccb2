import { once } from 'node:events'
import { serveStdio } from '@modelcontextprotocol/server/stdio'
import { apiOver } from './api/api.js'
import { sendOverNetwork } from './api/send-over-network.js'
import { capabilitiesOf } from './capabilities.js'
import { serveHttp } from './serve-http.js'
import { buildServer } from './server.js'
import { type Environment, type McpSettings, readSettings } from './settings.js'

/**
 * The MCP server as a process, as its environment describes it. Resolves to the exit code when the client or a signal ends it: 2 where a
 * setting is wrong. Standard output belongs to the protocol; everything else goes to standard error.
 */
export async function runMcp(env: Environment = process.env): Promise<number> {
  try {
    const settings = readSettings(env)
    await (settings.transport === 'http' ? serveHttp(settings) : overStdio(settings))
    return 0
  } catch (error) {
    process.stderr.write(`grainline-mcp: ${(error as Error).message}\n`)
    return 2
  }
}

/** One client, one process: the model that was loaded last is remembered. */
async function overStdio(settings: McpSettings): Promise<void> {
  const { apiKey, apiKeyHeader, toolsets, limits } = settings
  const api = apiOver(sendOverNetwork(settings), apiKey === undefined ? {} : { [apiKeyHeader]: apiKey })
  const world = { api, limits, memory: {} }
  serveStdio(async () => buildServer({ world, toolsets, capabilities: await capabilitiesOf(api) }), {
    onerror: (error) => process.stderr.write(`grainline-mcp: ${error.message}\n`),
  })
  await once(process.stdin, 'close')
}
