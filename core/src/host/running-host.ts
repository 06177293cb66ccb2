/** A running host: the service, the surfaces, and closing them in order. */

import { createHash } from 'node:crypto'
import path from 'node:path'
import { ownerOfMachine } from '../auth/on-behalf-of.js'
import { ADMIN } from '../auth/principal.js'
import { fail, GrainlineError } from '../errors.js'
import { messageOf } from '../invariant.js'
import { createService } from '../service/create-service.js'
import { importerNamed } from '../service/import-document.js'
import { readSource } from '../service/project.js'
import type { SemanticService, SurfaceService } from '../service/semantic-service.js'
import type { Workers } from '../workers/workers.js'
import { openAuditLog } from './audit-log.js'
import type { Booted } from './boot.js'
import { type ClosingStep, closeStep } from './closing.js'
import type { PreloadEntry } from './config.js'
import { isLoopback } from './door/host-guard.js'
import { type Inspection, prettyPrint } from './inspection.js'
import type { Host } from './plugin.js'
import type { Authenticator, SocketSurface, Surface, SurfaceContext } from './points.js'
import { warnWhenOpen } from './warn-when-open.js'

/** A host whose plugins are set up. `start` loads models and opens listeners; `close` ends everything in reverse order. */
export interface RunningHost extends Host {
  readonly service: SemanticService
  /** The authenticator that `AUTH_MODE` chose. */
  readonly authenticate: Authenticator['authenticate']
  /** Packages of plugins that the config lists and that are not installed. */
  readonly absent: readonly string[]
  /** The context of a surface. */
  contextFor(surface: Surface): SurfaceContext
  /** Preloads models, runs ready hooks, starts the surfaces with their own listener. Only once. */
  start(): Promise<void>
  /** Compiles the examples of published models, logs those that do not compile, and warms up. For a listening server. Never rejects. */
  checkExamples(): Promise<void>
  /** Opens replaced database files, and reads model files and the certificates of surfaces again. An invalid one keeps the old one; the log reports both cases. Never rejects. */
  reload(): Promise<void>
  /** Stops surfaces, the service and plugins, in reverse order. Never rejects; may be called again. */
  close(): Promise<void>
  inspect(): Inspection
  prettyPrint(): string
}

interface Parts {
  readonly preload: readonly PreloadEntry[]
  readonly closeTimeoutMs: number
  readonly standalone: boolean
  /** A command of this machine asks; nothing listens. */
  readonly local: boolean
  readonly inspect: () => Inspection
  readonly now: () => Date
  readonly randomId: () => string
  readonly workers: Workers | undefined
  readonly absent: readonly string[]
}

/** The host once every plugin is set up. Nothing runs before `start`. */
export function runningHost(booted: Booted, parts: Parts): RunningHost {
  const { standalone, inspect, now, randomId, workers, absent } = parts
  const { root } = booted
  const { logger, settings } = root
  const { dialects, vendors, caches, functions, aggregates, evaluators, languages, importers, exporters } = root
  const points = { dialects, vendors, caches, functions, aggregates, evaluators, languages, importers, exporters }
  const callersAreLocal = parts.local || (standalone && listensOnLoopback(booted.root))
  const service = createService({ settings, logger, ...points, now, randomId, workers, absent, callersAreLocal })
  const { authenticate: proven, scramVerifiers, issuedBy } = root.authenticators.get(settings.AUTH_MODE)
  const isOwner = settings.AUTH_MODE === 'none' && callersAreLocal && !parts.local
  // Without keys, and on loopback addresses alone, every caller has the machine and so the files of the models.
  const authenticate: typeof proven = async (credential) => {
    const principal = await proven(credential)
    if (parts.local) return ownerOfMachine(principal)
    return isOwner ? { ...principal, roles: [ADMIN] } : principal
  }
  const homeOf = () => [...root.surfaces].flatMap((surface) => (surface.kind === 'http' ? (surface.home ?? []) : []))[0]
  const forSurfaces = serviceOfSurfaces(service)
  const contextFor = (surface: Surface): SurfaceContext => ({
    ...(homeOf() !== undefined && { home: homeOf()! }),
    service: forSurfaces,
    settings,
    authenticate,
    scramVerifiers,
    issuedBy,
    logger: logger.child({ surface: surface.name }),
    encodings: [...root.encodings],
    standalone,
    ...(workers && { workers }),
  })
  const lifecycle = new Lifecycle({ booted, parts, service, contextFor })
  return Object.freeze({
    ...root,
    service,
    authenticate,
    absent,
    contextFor,
    start: () => lifecycle.start(),
    checkExamples: () => lifecycle.checkExamples(),
    reload: () => lifecycle.reload(),
    close: () => lifecycle.close(),
    inspect,
    prettyPrint: () => prettyPrint(inspect()),
  })
}

/** Whether every address at which surfaces listen is one of loopback. A proxy on this machine brings callers of others. */
function listensOnLoopback({ surfaces, settings }: Host): boolean {
  const hosts = [...surfaces].flatMap(({ kind, name }) => (kind === 'socket' ? [`${name.toUpperCase()}_HOST`] : []))
  const addresses: Readonly<Record<string, unknown>> = { ...settings }
  const isLocal = (name: string): boolean => typeof addresses[name] === 'string' && isLoopback(addresses[name])
  return settings.TRUSTED_PROXY_COUNT === 0 && ['API_SERVER_HOST', ...hosts].every(isLocal)
}

/** Surfaces neither load the operator's models nor end the service. */
function serviceOfSurfaces({
  start: _start,
  reloadModels: _reload,
  reopenDatabases: _reopen,
  checkPublished: _check,
  warmUp: _warm,
  close: _close,
  ...forSurfaces
}: SemanticService): SurfaceService {
  return forSurfaces
}

interface LifecycleParts {
  readonly booted: Booted
  readonly parts: Pick<Parts, 'preload' | 'closeTimeoutMs' | 'now' | 'absent'>
  readonly service: SemanticService
  readonly contextFor: RunningHost['contextFor']
}

/** Starts, reloads and closes a host. What a surface or the audit log needs for it is collected when these start. */
class Lifecycle {
  readonly #of: LifecycleParts
  readonly #stops: ClosingStep[] = []
  readonly #reloads: ClosingStep[] = []
  readonly #atEnd: ClosingStep[] = []
  #starting: Promise<void> | undefined
  #closing: Promise<void> | undefined

  constructor(of: LifecycleParts) {
    this.#of = of
  }

  start(): Promise<void> {
    this.#starting ??= this.#start()
    return this.#starting
  }

  async checkExamples(): Promise<void> {
    const { booted, service } = this.#of
    try {
      await service.checkPublished()
      await service.warmUp()
    } catch (err) {
      if (this.#closing === undefined) booted.root.logger.error({ err }, 'The examples of models were not checked')
    }
  }

  async reload(): Promise<void> {
    const { service, booted } = this.#of
    const { logger } = booted.root
    await service
      .reopenDatabases()
      .catch((err: unknown) => logger.error({ err }, 'Cached answers may be of a database that was replaced'))
    await service.reloadModels().catch((err: unknown) => logger.error({ err }, 'The models stay as they are'))
    const { reload } = booted.root.authenticators.get(booted.root.settings.AUTH_MODE)
    const keys = reload ? [{ what: 'Authentication', run: reload }] : []
    for (const { what, run } of [...keys, ...this.#reloads]) {
      await Promise.resolve()
        .then(run)
        .catch((err: unknown) => logger.error({ err }, `${what} goes on as it is`))
    }
  }

  close(): Promise<void> {
    this.#closing ??= this.#close()
    return this.#closing
  }

  async #start(): Promise<void> {
    const { booted, parts, service } = this.#of
    const { surfaces } = booted.root
    await this.#openAuditLog()
    await service.start(await Promise.all(parts.preload.map((entry) => readModel(entry, booted, parts.absent))))
    for (const { owner, hook } of booted.readyHooks()) await runReadyHook(owner, hook)
    for (const surface of surfaces) if (surface.kind === 'socket') await this.#startSurface(surface)
    // An HTTP server reports when it listens.
    if (![...surfaces].some(({ kind }) => kind === 'http')) void this.checkExamples()
  }

  async #openAuditLog(): Promise<void> {
    const { booted, parts, service } = this.#of
    const { settings, logger } = booted.root
    if (settings.AUDIT_FILE === undefined) return
    const nameOfSession = (id: string) => this.#nameOfSession(id)
    const audit = await openAuditLog({ file: settings.AUDIT_FILE, logger, now: parts.now, nameOfSession })
    service.observe(audit.observe)
    this.#reloads.push({ what: 'The audit log', run: audit.reopen })
    this.#atEnd.push({ what: 'The audit log', run: audit.close })
  }

  /** A session id gives access to the session: where ids are secret, the log has a pseudonym for each session. */
  #nameOfSession(id: string): string {
    const { booted, service } = this.#of
    const published = () => service.publishedModels(undefined)
    const isNamed = !booted.root.settings.DISABLE_SESSION_LIST || published().some(({ sessionId }) => sessionId === id)
    return isNamed ? id : `session:${createHash('sha256').update(id).digest('hex').slice(0, 12)}`
  }

  async #startSurface(surface: SocketSurface): Promise<void> {
    const { booted, contextFor } = this.#of
    const { settings, logger } = booted.root
    const running = await surface.start(contextFor(surface))
    const { address, tls = false, isOpen = settings.AUTH_MODE === 'none', hostSetting, reload, stop } = running
    if (reload) this.#reloads.push({ what: `Surface ${surface.name}`, run: reload })
    this.#stops.unshift({ what: `Surface ${surface.name}`, run: stop })
    logger.info(
      { surface: surface.name, address, tls },
      `Surface ${surface.name} listens on ${address}, TLS ${tls ? 'on' : 'off'}`,
    )
    warnWhenOpen({ surface: surface.name, address, isOpen, hostSetting }, logger)
  }

  async #close(): Promise<void> {
    const { booted, parts, service } = this.#of
    const { logger } = booted.root
    const end = (step: ClosingStep) => closeStep(step, parts.closeTimeoutMs, logger)
    // Surfaces that are still starting must finish before they can be stopped.
    await this.#starting?.catch(() => undefined)
    for (const stop of this.#stops) await end(stop)
    await end({ what: 'The service', run: () => service.close() })
    await booted.close()
    for (const step of this.#atEnd) await end(step)
  }
}

async function runReadyHook(owner: string, hook: () => void | Promise<void>): Promise<void> {
  try {
    await hook()
  } catch (cause) {
    if (cause instanceof GrainlineError) throw cause
    fail('PLUGIN_FAILED', `Plugin ${owner} failed when the host became ready: ${messageOf(cause)}`, { cause })
  }
}

async function readModel({ session, model, format }: PreloadEntry, { root }: Booted, absent: readonly string[]) {
  const { base, importers } = root
  const file = path.resolve(base, model)
  if (format !== undefined) importerNamed(format, importers, absent)
  const project = await readSource({ file, format }, importers)
  if ('text' in project) return { session, file, format, source: project.text, fileOf: project.fileOf }
  return fail('INVALID_CONFIG', `The model of session ${session} cannot be read: ${file} ${project.refused}`, {
    path: 'preload',
    hint: path.isAbsolute(model)
      ? 'Name a file or folder of this format.'
      : 'A path in the config begins at the folder of the config.',
  })
}
