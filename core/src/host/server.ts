/** The standalone server: its own Fastify with the same plugin that an application registers. */

import { randomUUID } from 'node:crypto'
import { maxHeaderSize } from 'node:http'
import Fastify, { type FastifyInstance } from 'fastify'
import { grainline } from '../fastify.js'
import { messageOf } from '../invariant.js'
import { coreVariables, type Settings } from '../settings/core-variables.js'
import type { Environment } from '../settings/environment.js'
import { readSettings } from '../settings/read-settings.js'
import type { Workers } from '../workers/workers.js'
import type { HostConfig } from './config.js'
import { HttpServers } from './http-servers.js'
import { failToListen } from './listen-at.js'
import { answerUnreadable, answerUnroutable, refuseWithoutHost } from './refuse-request.js'
import { requestLogger } from './request-logger.js'
import { createServerLog } from './server-logger.js'
import { readTls } from './tls.js'
import { warnOfUnlistedHosts, warnWhenOpen } from './warn-when-open.js'

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
  const servers = new HttpServers(readTls(settings, 'API'), settings)
  const app = createApp(settings, servers, workers)
  app.addHook('preClose', () => servers.end(config.closeTimeoutMs ?? 10_000, app.log))
  try {
    await app.register(grainline, { config, environment, standalone: true, workers })
    await app.ready()
    const address = await listen(app, settings, servers)
    return { app, address, reload: () => reload(app, settings, servers), close: () => app.close() }
  } catch (error) {
    await app.close()
    throw error
  }
}

/** Settings that the server needs before the host exists. The host reads all of them again and refuses wrong values. */
export function settingsOf({ settings = {} }: HostConfig, environment: Environment): Settings {
  return readSettings(coreVariables, { environment, config: settings }).settings
}

function createApp(settings: Settings, { first, tls }: HttpServers, workers: Workers | undefined): FastifyInstance {
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
    ...(settings.ROOT_PATH !== '' && { rewriteUrl: withoutRoot(settings.ROOT_PATH) }),
    frameworkErrors: answerUnroutable,
    clientErrorHandler: answerUnreadable,
    // The host has its own timeouts, which name the plugin.
    pluginTimeout: 0,
    // Says that addresses begin with https.
    ...(tls && { https: tls }),
    serverFactory: first,
  })
  app.setChildLoggerFactory(requestLogger)
  app.addHook('onRequest', refuseWithoutHost)
  return app as unknown as FastifyInstance
}

/** A balancer may keep the prefix that it serves, or remove it. */
function withoutRoot(rootPath: string): (request: { readonly url?: string | undefined }) => string {
  const root = rootPath.replace(/(?<!\/)\/+$/, '')
  return ({ url = '/' }) => {
    const rest = url.startsWith(root) ? url.slice(root.length) : url
    if (rest === '' || rest.startsWith('?')) return `/${rest}`
    return rest.startsWith('/') ? rest : url
  }
}

async function reload(app: FastifyInstance, settings: Settings, servers: HttpServers): Promise<void> {
  try {
    const tls = readTls(settings, 'API')
    if (tls !== undefined) {
      servers.replaceCertificate(tls)
      app.log.info('API_TLS_CERT is read again')
    }
  } catch (error) {
    app.log.error({ err: error }, `The certificate stays as it is: ${messageOf(error)}`)
  }
  await app.grainline.reload()
}

async function listen(app: FastifyInstance, settings: Settings, servers: HttpServers): Promise<string | undefined> {
  const surfaces = [...app.grainline.surfaces].filter(({ kind }) => kind === 'http').map(({ name }) => name)
  if (surfaces.length === 0) return undefined
  const { API_SERVER_HOST: host, API_SERVER_PORT: port } = settings
  const who = surfaces.length === 1 ? `Surface ${surfaces[0]} listens` : `Surfaces ${surfaces.join(', ')} listen`
  const tls = settings.API_TLS_CERT === undefined ? 'off' : settings.API_TLS_CLIENT_CA === undefined ? 'on' : 'on (mutual)'
  try {
    const text = (address: string) => `${who} on ${address}, TLS ${tls}`
    const address = await app.listen({ host, port, listenTextResolver: text })
    const scheme = address.slice(0, address.indexOf('//') + 2)
    for (const other of await servers.listenOnOthers(host)) app.log.info(text(scheme + other))
    warnWhenOpen(
      { surface: surfaces.join(', '), address: host, isOpen: settings.AUTH_MODE === 'none', hostSetting: 'API_SERVER_HOST' },
      app.log,
    )
    warnOfUnlistedHosts(settings, app.log)
    return address
  } catch (cause) {
    const variable = settings.PORT === undefined ? 'API_SERVER_PORT' : 'PORT'
    return failToListen({ host, port, variable }, cause)
  }
}
