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
  /** The prefix of the paths of HTTP surfaces: `/semantic` gives `/semantic/v1/dialects`. */
  readonly prefix?: string
  /** Reads `.env` from the working directory, or from the given folder. Without this option no file is read. */
  readonly dotenv?: boolean | string
  /** Replaces the variables of the process and `.env`. */
  readonly environment?: Environment
  /** The app is Grainline's own server, so `API_SERVER_*`, `PORT` and `API_TLS_*` apply, and a surface answers every path. */
  readonly standalone?: boolean
  /** The other processes, if several serve together. Only our own server has any. */
  readonly workers?: Workers | undefined
}

/**
 * Shares the app's logger, OpenAPI document (register `@fastify/swagger` before it) and shutdown. Every HTTP surface is mounted in a
 * separate scope, so that its hooks, parsers and error handler apply only there; hooks of the app's root apply to it too.
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

/** The application decides where and how it listens. */
const OF_THE_APPLICATION = ['API_SERVER_HOST', 'API_SERVER_PORT', 'PORT', 'API_TLS_CERT', 'API_TLS_KEY', 'API_TLS_CLIENT_CA']

function environmentOf(dotenv: boolean | string | undefined): Environment {
  if (dotenv === undefined || dotenv === false) return readEnvironment()
  return readEnvironment({ dotenv: dotenv === true ? process.cwd() : path.resolve(dotenv) })
}
