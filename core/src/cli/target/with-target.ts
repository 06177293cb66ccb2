import path from 'node:path'
import { ApiError, type Client, createClient, type Target } from '@grainline/client'
import { GrainlineError } from '../../errors.js'
import type { Project } from '../../service/project.js'
import type { SemanticService } from '../../service/semantic-service.js'
import { type CommandIo, UsageError } from '../command.js'
import { type ModelText, readInput } from '../read-input.js'
import { headersAs, type NamedPrincipal, principalAs } from './asking-as.js'
import { fetchWithTls } from './fetch-with-tls.js'
import type { LocalModel } from './local-server.js'
import { type ModelFlags, type ServerAccess, serverAccess, type TargetFlags } from './target-flags.js'

/** The target of a command: a model on this machine or one on a server, used in the same way. */
export interface Asked {
  readonly client: Client
  /** The part of a request that names this model. */
  readonly target: Readonly<Record<string, string | undefined>>
  /** The model's file, or the server. */
  readonly name: string
  /** The text of the model, if a file was named. */
  readonly source: string | undefined
  /** Where lines of the text are, if it is a model of another product. */
  readonly fileOf?: Project['fileOf'] | undefined
  /** The local service and the session of the model in it; absent if a server is used. */
  readonly local?:
    | { readonly service: SemanticService; readonly sessionId: string; readonly formats: readonly string[] }
    | undefined
  /** The same client with the rights of somebody else. */
  readonly clientAs: (principal: NamedPrincipal) => Client
  /** Aborts with Ctrl-C. */
  readonly signal: AbortSignal | undefined
}

export interface TargetRequest {
  readonly command: string
  readonly flags: ModelFlags
  /** The positional arguments; the first may be a model file. */
  readonly positionals: readonly string[]
  readonly io: CommandIo
}

/**
 * Opens the target, passes it to `use` with the remaining positional arguments, and closes it again. For a local model the first argument
 * is a file; with a server it may be one, which is then loaded into a session that ends with the command.
 */
export async function withTarget<T>(
  request: TargetRequest,
  use: (asked: Asked, rest: readonly string[]) => Promise<T>,
): Promise<T> {
  const { command, flags, positionals, io } = request
  const access = await serverAccess(flags, io)
  const [first, ...rest] = positionals
  const { from } = flags
  if (from !== undefined) {
    if (access !== undefined) throw new UsageError('--from reads a model on this machine: it goes without --server')
    if (first === undefined) throw new UsageError(`${command} --from ${from} takes a file or folder`)
    return withLocal([{ file: first, format: from }], request, ([asked]) => use(asked!, rest))
  }
  if (access === undefined) {
    if (first === undefined) throw new UsageError(`${command} takes one model file, or --server URL`)
    if (flags.model !== undefined) throw new UsageError('--model names a model of a server: it needs --server URL')
    return withLocal(await readAll([first], io), request, ([asked]) => use(asked!, rest))
  }
  if (first === undefined || !isModelFile(first)) {
    return use(serverAsked(access, flags, io), positionals)
  }
  return withSession(await readAll([first], io), access, request, ([asked]) => use(asked!, rest))
}

/** Several models, each a text that was read already. */
export async function withText<T>(
  models: readonly ModelText[],
  request: Omit<TargetRequest, 'positionals' | 'command'>,
  use: (asked: readonly Asked[]) => Promise<T>,
): Promise<T> {
  const access = await serverAccess(request.flags, request.io)
  return access === undefined ? withLocal(models, request, use) : withSession(models, access, request, use)
}

/** A server without a model file: that of the flags, or the config's inside this process. */
export async function withServer<T>(flags: TargetFlags, io: CommandIo, use: (asked: Asked) => Promise<T>): Promise<T> {
  const access = await serverAccess(flags, io)
  if (access === undefined) return withLocal([], { flags, io }, (_none, asked) => use(asked))
  return use(serverAsked(access, flags, io))
}

function serverAsked(access: ServerAccess, { model, as }: TargetFlags, io: CommandIo): Asked {
  const target = { model }
  const clientAs = (principal: NamedPrincipal | undefined) => clientOf(access, target, headersAs(principal))
  const client = clientAs(principalAs(as, io, 'server'))
  return { client, clientAs, target, name: access.baseUrl, source: undefined, signal: io.interrupted?.() }
}

const isModelFile = (text: string): boolean => text === '-' || /\.(ya?ml|json)$/i.test(text)

export const clientOf = (
  { baseUrl, apiKey, apiKeyHeader, tls }: ServerAccess,
  target: Target = {},
  headers: Readonly<Record<string, string>> = {},
): Client => createClient({ baseUrl, apiKey, apiKeyHeader, headers, ...target, fetch: fetchWithTls(tls) })

async function withLocal<T>(
  texts: readonly (ModelText | Omit<LocalModel, 'session'>)[],
  { flags, io }: Pick<TargetRequest, 'flags' | 'io'>,
  use: (asked: readonly Asked[], server: Asked) => Promise<T>,
): Promise<T> {
  const models = texts.map((text, i) => ({ ...text, session: sessionName(i), file: fileOf(text.file, io) }))
  // The modules of a server are loaded only if no server is given.
  const { startLocalServer } = await import('./local-server.js')
  const principal = principalAs(flags.as, io, 'here')
  const server = await startLocalServer(models, flags.config, io)
  const clientFor = (named: NamedPrincipal | undefined): Client =>
    createClient({ baseUrl: '', fetch: server.fetch, retries: 0, headers: headersAs(named) })
  const client = clientFor(principal)
  const signal = io.interrupted?.()
  try {
    const asked = texts.map(({ file }, i) => {
      const { source, fileOf } = server.models[i]!
      const target = { session_id: sessionName(i) }
      return {
        client: client.of(target),
        clientAs: (named: NamedPrincipal) => clientFor(named).of(target),
        target,
        name: file,
        source,
        fileOf,
        local: { service: server.service, sessionId: sessionName(i), formats: server.formats },
        signal,
      }
    })
    return await use(asked, { client, clientAs: clientFor, target: {}, name: 'this machine', source: undefined, signal })
  } catch (error) {
    const behind = server.lastError()
    throw error instanceof ApiError && behind instanceof GrainlineError && behind.code === error.code ? behind : error
  } finally {
    await server.close()
  }
}

const sessionName = (index: number): string => (index === 0 ? 'model' : `model ${index + 1}`)

const fileOf = (file: string, { cwd }: CommandIo): string => path.resolve(cwd, file === '-' ? 'model.yaml' : file)

async function readAll(files: readonly string[], io: CommandIo): Promise<ModelText[]> {
  const texts: ModelText[] = []
  for (const file of files) texts.push({ file, source: await readInput(file, io) })
  return texts
}

async function withSession<T>(
  texts: readonly ModelText[],
  access: ServerAccess,
  { flags, io }: Pick<TargetRequest, 'flags' | 'io'>,
  use: (asked: readonly Asked[]) => Promise<T>,
): Promise<T> {
  const clientAs = (principal: NamedPrincipal | undefined): Client => clientOf(access, {}, headersAs(principal))
  const client = clientAs(principalAs(flags.as, io, 'server'))
  const signal = io.interrupted?.()
  const opened = await client.send({ method: 'POST', path: '/v1/sessions', body: {} }, { signal })
  const { session_id } = (await opened.json()) as { readonly session_id: string }
  try {
    const asked: Asked[] = []
    for (const { file, source } of texts) {
      const path = `/v1/sessions/${session_id}/models`
      const loaded = await client.send({ method: 'POST', path, body: { model_yaml: source } }, { signal })
      const { model_id } = (await loaded.json()) as { readonly model_id: string }
      const target = { session_id, model_id }
      asked.push({
        client: client.of(target),
        clientAs: (named) => clientAs(named).of(target),
        target,
        name: file,
        source,
        signal,
      })
    }
    return await use(asked)
  } finally {
    // A session that is not deleted expires by itself.
    await client.send({ method: 'DELETE', path: `/v1/sessions/${session_id}` }).catch(() => undefined)
  }
}
