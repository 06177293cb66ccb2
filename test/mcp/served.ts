/** The demo as a separate process, and MCP clients of it. */
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import type { Test } from 'tap'
import { start } from '../host/process.js'
import { ownFolder } from '../support/own-folder.js'

export interface Answered {
  readonly text: string
  readonly failed: boolean
  readonly structured?: Record<string, unknown>
}
export interface Agent {
  readonly client: Client
  readonly call: (name: string, args?: Record<string, unknown>) => Promise<Answered>
}

/** Resolves to the address of a server with the flights and `/v1/mcp`, with all tools. */
export async function serveDemo(t: Test, env: Record<string, string> = {}): Promise<string> {
  const config = new URL('../../config/demo.yaml', import.meta.url).pathname
  const settings = { MCP_ENABLED: 'true', MCP_TOOLSETS: 'query,authoring', API_SERVER_PORT: '0', LOG_FORMAT: 'json', ...env }
  const server = start(t, ['serve', '--config', config], { cwd: ownFolder(t), env: settings })
  const [, address] = await server.shows(/(http:\/\/[\w.]+:\d+)/)
  return address!
}

export async function agentOver(t: Test, url: string, headers: Record<string, string> = {}): Promise<Agent> {
  const client = new Client({ name: 'test', version: '1' })
  await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }))
  t.teardown(() => client.close())
  return agentOf(client)
}

export function agentOf(client: Client): Agent {
  return {
    client,
    call: async (name, args = {}) => {
      const { content, isError, structuredContent } = await client.callTool({ name, arguments: args })
      const [first] = content
      if (first?.type !== 'text') throw new Error(`${name} answered without a text`)
      const structured = structuredContent as Record<string, unknown> | undefined
      return { text: first.text, failed: isError === true, ...(structured && { structured }) }
    },
  }
}
