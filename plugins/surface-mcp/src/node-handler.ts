import type { IncomingMessage, ServerResponse } from 'node:http'
import { toNodeHandler } from '@modelcontextprotocol/node'
import type { McpHttpHandler } from '@modelcontextprotocol/server'

export type NodeHandler = (request: IncomingMessage, response: ServerResponse, body?: unknown) => Promise<void>

/** The SDK's adapter to Node. Its own types leave out that Node's `method` and `url` may be undefined, which it handles. */
export const nodeHandler = (handler: McpHttpHandler): NodeHandler => toNodeHandler(handler) as NodeHandler
