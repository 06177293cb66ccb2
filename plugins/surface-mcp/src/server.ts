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

/** An MCP server for one caller: tools, resources and prompts over the REST API that their world leads to. */
export function buildServer({ world, toolsets, capabilities }: ServerParts): McpServer {
  const server = new McpServer({ name: 'grainline', version: VERSION }, { instructions: INSTRUCTIONS, cacheHints: CACHE_HINTS })
  for (const tool of offeredTools(toolsets, capabilities)) registerTool(server, tool, world)
  registerResources(server, world)
  registerPrompts(server, world)
  return server
}

const INSTRUCTIONS =
  'Governed numbers of a semantic layer. Flow: search_fields, then field_values for the literals of filters, then query. Use the names as search_fields gives them, never write SQL, and quote the definitions below an answer.'

/** The lists are the same for everybody and change with a release only; what the resources hold is the caller's. */
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

/** Compiled once for each tool: over HTTP every call has a server of its own. */
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

/** The client's description of itself: in this request for the stateless revision, in the handshake for earlier ones. */
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

/** Says every few seconds that the database is still at work, for clients that give up on what is silent. */
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
