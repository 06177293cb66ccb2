import { createRequire } from 'node:module'

export const VERSION = (createRequire(import.meta.url)('@grainline/mcp/package.json') as { version: string }).version
