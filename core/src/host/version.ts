import { createRequire } from 'node:module'

/** The version of the host, which plugins' `host` ranges are held against. */
export const VERSION = (createRequire(import.meta.url)('@grainline/core/package.json') as { version: string }).version
