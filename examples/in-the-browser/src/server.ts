import type { PGlite } from '@electric-sql/pglite'
import memory from '@grainline/cache-memory'
import { grainline } from '@grainline/core/fastify'
import dialect from '@grainline/dialect-postgres'
import semanticQl from '@grainline/semantic-ql'
import rest from '@grainline/surface-rest'
import fastify, { type FastifyInstance } from 'fastify'
import { VENDOR, vendorOf } from './vendor.js'

/** A model that everybody in the tab sees. The file was given to `place` of `node/fs.ts`. */
export interface PublishedModel {
  readonly session: string
  readonly model: string
}

/** The server of the tab: requests come through `inject`. It has the rights of the person who opened the tab, whose data these are. */
export async function serverOf(database: PGlite, preload: readonly PublishedModel[]): Promise<FastifyInstance> {
  const app = fastify({ logger: false, bodyLimit: MOST_BYTES })
  Object.assign(app.log, toConsole)
  const plugins = [dialect, vendorOf(database), semanticQl, memory, rest].map((use) => ({ use }))
  const settings = { QUERY_EXECUTE: true, MODEL_SQL: 'allow', DB_VENDOR: VENDOR }
  await app.register(grainline, { config: { plugins, settings, preload, base: '/' }, environment: NONE })
  await app.ready()
  return app
}

/** Of one request. */
const MOST_BYTES = 32 * 1024 * 1024

/** A tab has no environment. */
const NONE = { process: {}, dotenv: {} }

/** What went wrong is in the console of the browser; the rest of a log is for operators of servers. */
const toConsole = {
  warn: (...what: unknown[]) => console.warn(...what),
  error: (...what: unknown[]) => console.error(...what),
  fatal: (...what: unknown[]) => console.error(...what),
}
