/** MCP as a plugin: `/v1/mcp` on the server itself, where each caller uses their own credential. */
import { definePlugin, integer, list, Type } from '@grainline/core'
import { toolsetsOf } from './settings.js'
import { mcpSurface } from './surface.js'

export default definePlugin({
  name: '@grainline/mcp',
  host: '>=0.1.0 <1.0.0',
  options: Type.Object({}, { additionalProperties: false }),
  settings: {
    MCP_TOOLSETS: list({ means: 'Tools that agents see: ask, query, authoring. If the list is empty: ask.' }),
    MCP_MAX_ROWS: integer({ least: 1, most: 10_000, default: 100, means: 'Rows of an answer if the agent sets no limit.' }),
    MCP_MAX_CHARS: integer({
      least: 200,
      most: 1_000_000,
      default: 20_000,
      means: 'Maximum number of characters of an answer to an agent.',
    }),
  },
  setup(host) {
    const { MCP_TOOLSETS, MCP_MAX_ROWS, MCP_MAX_CHARS } = host.settings
    const toolsets = toolsetsOf(MCP_TOOLSETS.length > 0 ? MCP_TOOLSETS.join() : undefined)
    host.surfaces.register(mcpSurface({ toolsets, limits: { rows: MCP_MAX_ROWS, characters: MCP_MAX_CHARS } }))
  },
})
