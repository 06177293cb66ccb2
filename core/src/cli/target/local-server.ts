import path from 'node:path'
import Fastify from 'fastify'
import { fail } from '../../errors.js'
import { askWithin } from '../../host/ask-within.js'
import { type HostConfig, readConfig } from '../../host/config.js'
import { createHost } from '../../host/host.js'
import { mountSurfaces } from '../../host/mount-surfaces.js'
import type { RunningHost } from '../../host/running-host.js'
import type { PreloadedModel } from '../../service/held-models.js'
import { importerNamed } from '../../service/import-document.js'
import { readProject } from '../../service/project.js'
import type { SemanticService } from '../../service/semantic-service.js'
import { lookup, readEnvironment } from '../../settings/environment.js'
import { type CommandIo, UsageError } from '../command.js'
import { withImporter } from '../with-importer.js'
import { headersFrom, responseOf } from './fetch-with-tls.js'

export interface LocalModel {
  /** The name of the session that contains it. */
  readonly session: string
  /** Its text; without it, the file or folder is read in the format. */
  readonly source?: string
  /** Where it was read; files that it inherits are relative to it. */
  readonly file: string
  /** The format of another product. */
  readonly format?: string | undefined
}

export interface LocalServer {
  /** What the surfaces ask. */
  readonly service: SemanticService
  /** The names of the formats of its plugins. */
  readonly formats: readonly string[]
  /** The models, in their order. */
  readonly models: readonly PreloadedModel[]
  /** Answers as a server of the config would, without a network. */
  readonly fetch: typeof globalThis.fetch
  /** The error that caused the last refusal. The command shows more of it than a client may see. */
  lastError(): unknown
  close(): Promise<void>
}

/** Settings that concern only a server that listens, or that serves other clients. */
const OF_A_SERVER = [
  'MODEL_FILES',
  'AUTH_MODE',
  'AUTH_ENABLED',
  'API_KEYS',
  'API_KEYS_FILE',
  'ADMIN_API_KEYS',
  'API_TLS_CERT',
  'API_TLS_KEY',
  'API_TLS_CLIENT_CA',
  'PORT',
]

/** The HTTP surfaces of the config over the models, inside this process. Nothing listens. Rejects with `MODEL_INVALID`. */
export async function startLocalServer(
  given: readonly LocalModel[],
  config: string | undefined,
  io: CommandIo,
): Promise<LocalServer> {
  const file = config === undefined ? io.defaultConfig : path.resolve(io.cwd, config)
  if (file === undefined) throw new UsageError('A config is needed: --config FILE')
  const environment = readEnvironment({ env: { ...io.env, QUERY_EXECUTE: 'true' }, dotenv: io.cwd })
  const read = await readConfig(file, (name) => lookup(environment, name))
  let plain: HostConfig = { ...read, preload: [] }
  for (const { format } of given) if (format !== undefined) plain = await withImporter(plain, format, io)
  const host = await createHost(plain, { environment, ignored: OF_A_SERVER, local: true })
  try {
    if (![...host.surfaces].some(({ kind }) => kind === 'http'))
      fail('INVALID_CONFIG', `${file} loads no HTTP surface, through which commands ask`, { path: file })
    const models = await Promise.all(given.map((model) => readLocal(model, host, io)))
    await host.service.start(models)
    // Models and databases may take longer than the timeout of Fastify; the host has its own timeouts.
    const app = Fastify({ pluginTimeout: 0 })
    let last: unknown
    app.addHook('onError', async (_request, _reply, error) => {
      last = error
    })
    mountSurfaces(app, host)
    await app.ready()
    const fetch: LocalServer['fetch'] = async (input, { method = 'GET', headers, body, signal } = {}) => {
      signal?.throwIfAborted()
      const answer = await askWithin(app, {
        method: method as 'GET',
        url: String(input),
        headers: headers as Record<string, string>,
        body: (body ?? undefined) as string | undefined,
        remoteAddress: '127.0.0.1',
        signal: signal ?? undefined,
      })
      return responseOf(answer.status, headersFrom(answer.headers), answer.body)
    }
    const close = async () => {
      await app.close()
      await host.close()
    }
    return { service: host.service, formats: host.encodings.names(), models, fetch, lastError: () => last, close }
  } catch (error) {
    await host.close()
    throw error
  }
}

/** A model with its text. */
async function readLocal(
  { session, file, source, format }: LocalModel,
  { importers, absent }: RunningHost,
  { cwd }: CommandIo,
): Promise<PreloadedModel> {
  if (format === undefined) return { session, file, source: source ?? '' }
  const project = await readProject(file, importerNamed(format, importers, absent), importers)
  if ('refused' in project) throw new UsageError(`${file} ${project.refused.replace(/\.$/, '')}`)
  const fileOf: typeof project.fileOf = (line) => {
    const at = project.fileOf(line)
    return { ...at, file: path.relative(cwd, at.file) }
  }
  return { session, file, format, source: project.text, fileOf }
}
