/** Grainline inside a Fastify application: `app.register(grainline, { config, prefix: '/semantic' })`. */
import path from 'node:path'
import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import { type HostConfig, readConfig } from './host/config.js'
import { createHost } from './host/host.js'
import { mountSurfaces } from './host/mount-surfaces.js'
import type { RunningHost } from './host/running-host.js'
import { type Environment, lookup, readEnvironment } from './settings/environment.js'
import type { Workers } from './workers/workers.js'

declare module 'fastify' {
  interface FastifyInstance {
    grainline: RunningHost
  }
}

export interface GrainlineOptions {
  /** A config, or the path of a config file. */
  readonly config: HostConfig | string
  /** What the paths of the http surfaces begin with: `/semantic` gives `/semantic/v1/dialects`. */
  readonly prefix?: string
  /** Reads `.env` from the working directory, or from the folder named. Left alone when absent. */
  readonly dotenv?: boolean | string
  /** In place of the process's variables and `.env`. */
  readonly environment?: Environment
  /** The app is Grainline's own server, so `API_SERVER_*`, `PORT` and `API_TLS_*` count, and a surface answers every path. */
  readonly standalone?: boolean
  /** Where several processes serve together, the others. Only a server of our own has any. */
  readonly workers?: Workers | undefined
}

/**
 * Shares the app's logger, OpenAPI document (register `@fastify/swagger` before it) and shutdown. Every http surface is mounted in a
 * scope of its own, so that its hooks, parsers and error handler stay there; what the app puts on its root holds for it too.
 */
export const grainline = fp(
  async (app: FastifyInstance, options: GrainlineOptions) => {
    const { prefix = '', standalone = false, workers } = options
    const environment = options.environment ?? environmentOf(options.dotenv)
    const config =
      typeof options.config === 'string' ? await readConfig(options.config, (name) => lookup(environment, name)) : options.config
    const ignored = standalone ? [] : OF_THE_APPLICATION
    const host = await createHost(config, { logger: app.log, environment, ignored, standalone, workers })
    app.decorate('grainline', host)
    app.addHook('onClose', () => host.close())
    mountSurfaces(app, host, { prefix, standalone })
    app.addHook('onReady', () => host.start())
    app.addHook('onListen', async () => void host.checkExamples())
  },
  { name: '@grainline/core', fastify: '5.x' },
)

/** Where the application listens, and how, is its own business. */
const OF_THE_APPLICATION = ['API_SERVER_HOST', 'API_SERVER_PORT', 'PORT', 'API_TLS_CERT', 'API_TLS_KEY', 'API_TLS_CLIENT_CA']

function environmentOf(dotenv: boolean | string | undefined): Environment {
  if (dotenv === undefined || dotenv === false) return readEnvironment()
  return readEnvironment({ dotenv: dotenv === true ? process.cwd() : path.resolve(dotenv) })
}
