import { createRequire } from 'node:module'
import {
  CLIENT_CAPABILITIES_META_KEY,
  type ClientCapabilities,
  fromJsonSchema,
  McpServer,
  type ServerContext,
} from '@modelcontextprotocol/server'
import { askForChoice, chosenBefore } from './answer/ask-for-choice.js'
import { refused } from './answer/refused.js'
import { type Capabilities, offeredTools } from './capabilities.js'
import { registerPrompts } from './prompts.js'
import { registerResources } from './resources.js'
import type { Call } from './tools/tool.js'
import type { AnyTool, Toolset } from './tools/toolsets.js'
import type { World } from './world.js'

export interface ServerParts {
  readonly world: World
  readonly toolsets: readonly Toolset[]
  readonly capabilities: Capabilities
}

/** Builds an MCP server for one caller, with tools, resources and prompts over the REST API. */
export function buildServer({ world, toolsets, capabilities }: ServerParts): McpServer {
  const server = new McpServer({ name: 'grainline', version: VERSION }, { instructions: INSTRUCTIONS, cacheHints: CACHE_HINTS })
  const tools = offeredTools(toolsets, capabilities)
  for (const tool of tools) registerTool(server, tool, world)
  registerResources(server, world)
  registerPrompts(server, world, new Set(tools.map(({ name }) => name)))
  return server
}

const INSTRUCTIONS =
  'Governed numbers. Give search_fields the question, then query the names and values it returns; no SQL. Quote the definitions. Say which words have no field instead of guessing.'

/** The lists change only with a release, and are the same for all callers. The content of resources is not. */
const HOUR = { ttlMs: 3_600_000, cacheScope: 'public' as const }
const CACHE_HINTS = {
  'server/discover': HOUR,
  'tools/list': { ...HOUR, ttlMs: 300_000 },
  'prompts/list': HOUR,
  'resources/templates/list': HOUR,
  'resources/list': { ttlMs: 60_000, cacheScope: 'private' as const },
  'resources/read': { ttlMs: 60_000, cacheScope: 'private' as const },
}

function registerTool(server: McpServer, tool: AnyTool, world: World): void {
  const { name, title, description, annotations } = tool
  const inputSchema = inputSchemaOf(tool)
  server.registerTool(name, { title, description, annotations, inputSchema }, (given, context) =>
    answered(tool, given, world, { context, server }),
  )
}

type InputSchema = ReturnType<typeof fromJsonSchema<unknown>>
const inputSchemas = new WeakMap<AnyTool, InputSchema>()

/** Compiles the schema once for each tool, because over HTTP every call has its own server. */
function inputSchemaOf(tool: AnyTool): InputSchema {
  const made = inputSchemas.get(tool) ?? makeInputSchema(tool)
  inputSchemas.set(tool, made)
  return made
}

const makeInputSchema = ({ input, required }: AnyTool): InputSchema =>
  fromJsonSchema<unknown>({
    type: 'object',
    properties: input,
    ...(required.length > 0 && { required: [...required] }),
    additionalProperties: false,
  } as Parameters<typeof fromJsonSchema>[0])

interface Asked {
  readonly context: ServerContext
  readonly server: McpServer
}

async function answered(tool: AnyTool, given: unknown, world: World, { context, server }: Asked) {
  const call = callOf(context)
  try {
    const whole = { ...(given as object), ...chosenBefore(context) }
    const { text, structured } = await withProgress(tool.run(whole, world, call), call)
    return { content: [{ type: 'text' as const, text }], ...(structured && { structuredContent: structured }) }
  } catch (error) {
    return askForChoice(error, context, capabilitiesOfClient(context, server)) ?? refused(error)
  }
}

/** The capabilities of the client. They are in each request of the stateless protocol revision, and in the handshake of earlier ones. */
function capabilitiesOfClient({ mcpReq }: ServerContext, { server }: McpServer): ClientCapabilities | undefined {
  const envelope: Readonly<Record<string, unknown>> = mcpReq.envelope ?? {}
  return (envelope[CLIENT_CAPABILITIES_META_KEY] as ClientCapabilities | undefined) ?? server.getClientCapabilities()
}

function callOf({ mcpReq }: ServerContext): Call {
  const token = mcpReq._meta?.progressToken
  const traceparent = mcpReq._meta?.['traceparent']
  let step = 0
  return {
    signal: mcpReq.signal,
    traceparent: typeof traceparent === 'string' ? traceparent : undefined,
    progress: (message) => {
      if (token === undefined) return
      const params = { progressToken: token, progress: ++step, message }
      mcpReq.notify({ method: 'notifications/progress', params }).catch(() => {})
    },
  }
}

const { version: VERSION }: { readonly version: string } = createRequire(import.meta.url)('@grainline/mcp/package.json')

/** Reports every few seconds that the database is still working, because some clients cancel silent calls. */
async function withProgress<T>(work: Promise<T>, call: Call, every = 5000): Promise<T> {
  const began = performance.now()
  const say = () => call.progress(`running for ${Math.round((performance.now() - began) / 1000)} s`)
  const timer = setInterval(say, every)
  try {
    return await work
  } finally {
    clearInterval(timer)
  }
}
