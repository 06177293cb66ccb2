import { createRequire } from 'node:module'

/** The version of the host, which is compared with the `host` ranges of plugins. */
export const VERSION = (createRequire(import.meta.url)('@grainline/core/package.json') as { version: string }).version
