import type { IncomingMessage, ServerResponse } from 'node:http'
import { toNodeHandler } from '@modelcontextprotocol/node'
import type { McpHttpHandler } from '@modelcontextprotocol/server'

export type NodeHandler = (request: IncomingMessage, response: ServerResponse, body?: unknown) => Promise<void>

/** The SDK's adapter for Node. It accepts that Node's `method` and `url` may be undefined, but its types do not. */
export const nodeHandler = (handler: McpHttpHandler): NodeHandler => toNodeHandler(handler) as NodeHandler
