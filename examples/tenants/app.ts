/** The portal, and Grainline under `/semantic`, which knows one key and fifty tenants. */
import { grainline } from '@grainline/core/fastify'
import duckdbDialect from '@grainline/dialect-duckdb'
import rest from '@grainline/surface-rest'
import duckdb from '@grainline/vendor-duckdb'
import Fastify, { type FastifyInstance, type FastifyServerOptions } from 'fastify'
import { portal, type User } from './portal.js'
import { tables } from './tables.js'

export async function build(users: readonly User[], options: FastifyServerOptions = {}): Promise<FastifyInstance> {
  const app = Fastify(options)
  await app.register(portal, { users })
  await app.register(grainline, {
    prefix: '/semantic',
    config: {
      base: import.meta.dirname,
      plugins: [duckdbDialect, rest, { use: duckdb, with: { init: tables } }],
      settings: {
        AUTH_MODE: 'api_key',
        API_KEYS_FILE: 'keys.yaml',
        MODEL_DIR: import.meta.dirname,
        MODEL_FILES: ['model.yaml'],
        QUERY_EXECUTE: true,
        DB_VENDOR: 'duckdb',
      },
    },
  })
  return app
}
