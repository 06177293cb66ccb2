import { lookup } from 'node:dns/promises'
import http, { type RequestListener, type Server } from 'node:http'
import https from 'node:https'
import type { Logger } from '../logger.js'
import type { Settings } from '../settings/core-variables.js'
import { Connections } from './connections.js'
import { HANDSHAKE_MS, limitHandshakes } from './handshakes.js'
import { answerExpectation, answerTooMany, answerUnreadable } from './refuse-request.js'
import type { TlsOptions } from './tls.js'

/**
 * The servers of an app, one for each address of the name that it listens on. They are made here and not by Fastify, whose servers for more
 * addresses of a name cannot be reached: they would answer unreadable requests in another form, keep their certificate, and close later.
 */
export class HttpServers {
  readonly #servers: Server[] = []
  readonly #connections: Connections
  #create: () => Server = () => http.createServer()

  constructor(
    readonly tls: TlsOptions | undefined,
    { HTTP_CLIENT_MAX_INCOMPLETE: incomplete }: Pick<Settings, 'HTTP_CLIENT_MAX_INCOMPLETE'>,
  ) {
    this.#connections = new Connections({ incomplete, refuse: answerTooMany(incomplete) })
  }

  /** The first server, for `serverFactory`. */
  readonly first = (handle: RequestListener, { keepAliveTimeout }: { readonly keepAliveTimeout?: number }): Server => {
    const handler = this.#connections.handler(handle)
    const options = { ...OPTIONS, ...(keepAliveTimeout !== undefined && { keepAliveTimeout }) }
    this.#create = () =>
      this.tls === undefined
        ? http.createServer(options, handler)
        : https.createServer({ ...options, ...this.tls, handshakeTimeout: HANDSHAKE_MS }, handler)
    return this.#add()
  }

  /** Listens on the other addresses of `host`, once the first server listens. An address that cannot be had is left out. */
  async listenOnOthers(host: string): Promise<readonly string[]> {
    const address = this.#servers[0]?.address()
    if (host !== 'localhost' || typeof address !== 'object' || address === null) return []
    const found = await lookup(host, { all: true }).catch(() => [])
    const others = new Set(found.map((entry) => entry.address).filter((other) => other !== address.address))
    const listening = await Promise.all([...others].map((other) => this.#listen(other, address.port)))
    return listening.filter((other) => other !== undefined)
  }

  replaceCertificate(tls: TlsOptions): void {
    for (const server of this.#servers) if (server instanceof https.Server) server.setSecureContext(tls)
  }

  /** Lets the requests under way finish, at most `milliseconds`, and closes every connection. Fastify closes the first server. */
  async end(milliseconds: number, logger: Logger): Promise<void> {
    const [, ...others] = this.#servers
    for (const server of others) server.close()
    await this.#connections.end(milliseconds, logger)
  }

  #add(): Server {
    const server = this.#create()
    if (server instanceof https.Server) limitHandshakes(server)
    server.on('checkExpectation', answerExpectation)
    this.#connections.watch(server)
    this.#servers.push(server)
    return server
  }

  async #listen(host: string, port: number): Promise<string | undefined> {
    const server = this.#add()
    server.on('clientError', answerUnreadable)
    return new Promise((resolve) => {
      server.once('error', () => resolve(undefined))
      server.listen({ host, port }, () => resolve(host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`))
    })
  }
}

const OPTIONS = {
  /** The time that Node waits for a request; Fastify would wait forever. */
  requestTimeout: 300_000,
  /** Node would refuse a request without `Host` silently. */
  requireHostHeader: false,
}
