import type { ServerResponse } from 'node:http'
import path from 'node:path'
import Fastify from 'fastify'
import { fail } from '../../errors.js'
import { readConfig } from '../../host/config.js'
import { createHost } from '../../host/host.js'
import { mountSurfaces } from '../../host/mount-surfaces.js'
import { lookup, readEnvironment } from '../../settings.js'
import { type CommandIo, UsageError } from '../command.js'
import { headersFrom, responseOf } from './fetch-with-tls.js'

export interface LocalModel {
  /** The name of the session that holds it. */
  readonly session: string
  readonly source: string
  /** Where it was read; what it inherits is relative to it. */
  readonly file: string
}

export interface LocalServer {
  /** Answers what a server of the config would, without a network. */
  readonly fetch: typeof globalThis.fetch
  /** The error behind the last refusal: who runs the command may know more of it than a client. */
  lastError(): unknown
  close(): Promise<void>
}

/** What concerns a server that listens, or that serves others. */
const OF_A_SERVER = [
  'MODEL_FILES',
  'AUTH_MODE',
  'AUTH_ENABLED',
  'API_KEYS',
  'API_TLS_CERT',
  'API_TLS_KEY',
  'API_TLS_CLIENT_CA',
  'PORT',
]

/** The HTTP surfaces of the config over the models, inside this process. Nothing listens. Rejects with `MODEL_INVALID`. */
export async function startLocalServer(
  models: readonly LocalModel[],
  config: string | undefined,
  io: CommandIo,
): Promise<LocalServer> {
  const file = config === undefined ? io.defaultConfig : path.resolve(io.cwd, config)
  if (file === undefined) throw new UsageError('A config is needed: --config FILE')
  const environment = readEnvironment({ env: { ...io.env, QUERY_EXECUTE: 'true' }, dotenv: io.cwd })
  const read = await readConfig(file, (name) => lookup(environment, name))
  const host = await createHost({ ...read, preload: [] }, { environment, ignored: OF_A_SERVER })
  try {
    if (![...host.surfaces].some(({ kind }) => kind === 'http'))
      fail('INVALID_CONFIG', `${file} loads no HTTP surface, through which commands ask`, { path: file })
    await host.service.start(models)
    const app = Fastify()
    let last: unknown
    app.addHook('onError', async (_request, _reply, error) => {
      last = error
    })
    const running = new Set<ServerResponse>()
    app.addHook('onRequest', async (_request, { raw }) => {
      running.add(raw)
      raw.once('close', () => running.delete(raw))
    })
    mountSurfaces(app, host)
    await app.ready()
    // To a server it looks as if the client had gone: it cancels its statement.
    const leave = () => {
      for (const response of running) response.destroy()
    }
    const fetch: LocalServer['fetch'] = async (input, { method = 'GET', headers, body, signal } = {}) => {
      signal?.throwIfAborted()
      signal?.addEventListener('abort', leave, { once: true })
      const answer = await app.inject({
        method: method as 'GET',
        url: String(input),
        headers: headers as Record<string, string>,
        payloadAsStream: true,
        ...(body != null && { payload: body as string }),
        ...(signal && { signal }),
      })
      return responseOf(answer.statusCode, headersFrom(answer.headers), answer.stream())
    }
    const close = async () => {
      await app.close()
      await host.close()
    }
    return { fetch, lastError: () => last, close }
  } catch (error) {
    await host.close()
    throw error
  }
}
