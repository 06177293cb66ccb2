/** The standalone server: its own Fastify with the same plugin that an application registers. */

import { randomUUID } from 'node:crypto'
import { maxHeaderSize, type RequestListener } from 'node:http'
import https from 'node:https'
import Fastify, { type FastifyInstance } from 'fastify'
import { grainline } from '../fastify.js'
import { messageOf } from '../invariant.js'
import { coreVariables, type Settings } from '../settings/core-variables.js'
import type { Environment } from '../settings/environment.js'
import { readSettings } from '../settings/read-settings.js'
import type { Workers } from '../workers/workers.js'
import type { HostConfig } from './config.js'
import { drainOnClose } from './drain.js'
import { failToListen } from './listen-at.js'
import { answerExpectation, answerUnreadable, answerUnroutable, refuseWithoutHost } from './refuse-request.js'
import { requestLogger } from './request-logger.js'
import { createServerLog } from './server-logger.js'
import { readTls, type TlsOptions } from './tls.js'
import { warnWhenOpen } from './warn-when-open.js'

export interface Server {
  readonly app: FastifyInstance
  /** `undefined` when no http surface is loaded and so nothing listens. */
  readonly address: string | undefined
  /** Reads certificates and model files again. An invalid one keeps the old one; the log reports both cases. Never rejects. */
  reload(): Promise<void>
  /** Stops accepting requests, lets running ones finish, and closes the host. Connections that are open at the deadline are closed. */
  close(): Promise<void>
}

/** Starts and listens, alone or as one of several workers. Rejects with the error of a setting, plugin or model, after closing everything. */
export async function startServer(config: HostConfig, environment: Environment, workers?: Workers): Promise<Server> {
  const settings = settingsOf(config, environment)
  const app = createApp(settings, workers)
  drainOnClose(app, config.closeTimeoutMs ?? 10_000)
  try {
    await app.register(grainline, { config, environment, standalone: true, workers })
    await app.ready()
    const address = await listen(app, settings)
    return { app, address, reload: () => reload(app, settings), close: () => app.close() }
  } catch (error) {
    await app.close()
    throw error
  }
}

/** Settings that the server needs before the host exists. The host reads all of them again and refuses wrong values. */
export function settingsOf({ settings = {} }: HostConfig, environment: Environment): Settings {
  return readSettings(coreVariables, { environment, config: settings }).settings
}

function createApp(settings: Settings, workers: Workers | undefined): FastifyInstance {
  const tls = readTls(settings, 'API')
  const { logger: loggerInstance, controller: logController } = createServerLog(settings, { worker: workers?.number })
  const app = Fastify({
    loggerInstance,
    logController,
    // A function would run for every address, even if no proxy is trusted.
    trustProxy: settings.TRUSTED_PROXY_COUNT > 0 && ((_address, hop) => hop < settings.TRUSTED_PROXY_COUNT),
    // Unlike Fastify's counter, these ids are unique across restarts and instances, so that an id finds its lines in any log.
    genReqId: () => randomUUID(),
    // No parameter is longer than the limit of all headers, so the service always gets an unknown name and refuses it.
    routerOptions: { maxParamLength: maxHeaderSize },
    frameworkErrors: answerUnroutable,
    clientErrorHandler: answerUnreadable,
    // The host has its own timeouts, which name the plugin.
    pluginTimeout: 0,
    // The time that Node waits for a request; Fastify would wait forever.
    requestTimeout: REQUEST_TIMEOUT_MS,
    // Node would refuse it silently.
    ...(tls ? { https: tls, serverFactory: secureServer(tls) } : { http: { requireHostHeader: false } }),
  })
  app.setChildLoggerFactory(requestLogger)
  app.addHook('onRequest', refuseWithoutHost)
  app.server.on('checkExpectation', answerExpectation)
  return app as unknown as FastifyInstance
}

const REQUEST_TIMEOUT_MS = 300_000

/** A single server, whose certificate can be replaced. Fastify's servers for more addresses of a name are not accessible. */
function secureServer(tls: TlsOptions) {
  return (handler: RequestListener, options: { readonly keepAliveTimeout?: number }) => {
    const server = https.createServer({ ...tls, requestTimeout: REQUEST_TIMEOUT_MS, requireHostHeader: false }, handler)
    server.keepAliveTimeout = options.keepAliveTimeout ?? server.keepAliveTimeout
    return server
  }
}

async function reload(app: FastifyInstance, settings: Settings): Promise<void> {
  try {
    const tls = readTls(settings, 'API')
    if (tls !== undefined) {
      ;(app.server as https.Server).setSecureContext(tls)
      app.log.info('API_TLS_CERT is read again')
    }
  } catch (error) {
    app.log.error({ err: error }, `The certificate stays as it is: ${messageOf(error)}`)
  }
  await app.grainline.reload()
}

async function listen(app: FastifyInstance, settings: Settings): Promise<string | undefined> {
  const surfaces = [...app.grainline.surfaces].filter(({ kind }) => kind === 'http').map(({ name }) => name)
  if (surfaces.length === 0) return undefined
  const { API_SERVER_HOST: host, API_SERVER_PORT: port } = settings
  const who = surfaces.length === 1 ? `Surface ${surfaces[0]} listens` : `Surfaces ${surfaces.join(', ')} listen`
  const tls = settings.API_TLS_CERT === undefined ? 'off' : settings.API_TLS_CLIENT_CA === undefined ? 'on' : 'on (mutual)'
  try {
    const address = await app.listen({ host, port, listenTextResolver: (address) => `${who} on ${address}, TLS ${tls}` })
    warnWhenOpen(surfaces.join(', '), host, settings, app.log)
    return address
  } catch (cause) {
    const variable = settings.PORT === undefined ? 'API_SERVER_PORT' : 'PORT'
    return failToListen({ host, port, variable }, cause)
  }
}
