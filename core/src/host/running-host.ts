/** A running host: the service, the surfaces, and closing them in order. */

import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { fail, GrainlineError } from '../errors.js'
import { messageOf } from '../invariant.js'
import { createService } from '../service/create-service.js'
import type { SemanticService } from '../service/semantic-service.js'
import type { Workers } from '../workers/workers.js'
import { openAuditLog } from './audit-log.js'
import type { Booted } from './boot.js'
import { type ClosingStep, closeStep } from './closing.js'
import type { PreloadEntry } from './config.js'
import { type Inspection, prettyPrint } from './inspection.js'
import type { Host } from './plugin.js'
import type { Authenticator, Surface, SurfaceContext } from './points.js'
import { unreadable } from './unreadable.js'
import { warnWhenOpen } from './warn-when-open.js'

/** A host whose plugins are set up. `start` loads models and opens listeners; `close` ends everything in reverse order. */
export interface RunningHost extends Host {
  readonly service: SemanticService
  /** The authenticator that `AUTH_MODE` chose. */
  readonly authenticate: Authenticator['authenticate']
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
  readonly inspect: () => Inspection
  readonly now: () => Date
  readonly randomId: () => string
  readonly workers: Workers | undefined
  readonly absent: readonly string[]
}

/** The host once every plugin is set up. Nothing runs before `start`. */
export function runningHost(booted: Booted, parts: Parts): RunningHost {
  const { preload, closeTimeoutMs, standalone, inspect, now, randomId, workers, absent } = parts
  const { root } = booted
  const { logger, settings, base } = root
  const { dialects, vendors, caches, functions, aggregates, evaluators, languages, importers } = root
  const points = { dialects, vendors, caches, functions, aggregates, evaluators, languages, importers }
  const service = createService({ settings, logger, ...points, now, randomId, workers, absent })
  const { authenticate, scramVerifiers } = root.authenticators.get(settings.AUTH_MODE)
  const stops: ClosingStep[] = []
  const reloads: ClosingStep[] = []
  const atEnd: ClosingStep[] = []
  let starting: Promise<void> | undefined
  let closing: Promise<void> | undefined

  const homeOf = () => [...root.surfaces].flatMap((surface) => (surface.kind === 'http' ? (surface.home ?? []) : []))[0]
  // Surfaces neither load the operator's models nor end the service.
  const {
    start: _start,
    reloadModels: _reload,
    reopenDatabases: _reopen,
    checkPublished: _check,
    warmUp: _warm,
    close: _close,
    ...forSurfaces
  } = service
  const contextFor = (surface: Surface): SurfaceContext => ({
    ...(homeOf() !== undefined && { home: homeOf()! }),
    service: forSurfaces,
    settings,
    authenticate,
    scramVerifiers,
    logger: logger.child({ surface: surface.name }),
    encodings: [...root.encodings],
    standalone,
    ...(workers && { workers }),
  })

  /** A session id gives access to the session: where ids are secret, the log has a pseudonym for each session. */
  const nameOfSession = (id: string): string => {
    const named = !settings.DISABLE_SESSION_LIST || service.publishedModels(undefined).some(({ sessionId }) => sessionId === id)
    return named ? id : `session:${createHash('sha256').update(id).digest('hex').slice(0, 12)}`
  }

  async function start(): Promise<void> {
    if (settings.AUDIT_FILE !== undefined) {
      const audit = await openAuditLog({ file: settings.AUDIT_FILE, logger, now, nameOfSession })
      service.observe(audit.observe)
      reloads.push({ what: 'The audit log', run: audit.reopen })
      atEnd.push({ what: 'The audit log', run: audit.close })
    }
    await service.start(await Promise.all(preload.map((entry) => readModel(entry, base))))
    for (const { owner, hook } of booted.readyHooks()) await runReadyHook(owner, hook)
    for (const surface of root.surfaces) {
      if (surface.kind !== 'socket') continue
      const {
        address,
        tls = false,
        isOpen = settings.AUTH_MODE === 'none',
        hostSetting,
        reload,
        stop,
      } = await surface.start(contextFor(surface))
      if (reload) reloads.push({ what: `Surface ${surface.name}`, run: reload })
      stops.unshift({ what: `Surface ${surface.name}`, run: stop })
      logger.info(
        { surface: surface.name, address, tls },
        `Surface ${surface.name} listens on ${address}, TLS ${tls ? 'on' : 'off'}`,
      )
      warnWhenOpen({ surface: surface.name, address, isOpen, hostSetting }, logger)
    }
    // An HTTP server reports when it listens.
    if (![...root.surfaces].some(({ kind }) => kind === 'http')) void checkExamples()
  }

  const checkExamples = (): Promise<void> =>
    service
      .checkPublished()
      .then(() => service.warmUp())
      .catch((err: unknown) => {
        if (closing === undefined) logger.error({ err }, 'The examples of models were not checked')
      })

  async function reload(): Promise<void> {
    await service
      .reopenDatabases()
      .catch((err: unknown) => logger.error({ err }, 'Cached answers may be of a database that was replaced'))
    await service.reloadModels().catch((err: unknown) => logger.error({ err }, 'The models stay as they are'))
    for (const { what, run } of reloads) {
      await Promise.resolve()
        .then(run)
        .catch((err: unknown) => logger.error({ err }, `${what} goes on as it is`))
    }
  }

  async function close(): Promise<void> {
    // Surfaces that are still starting must finish before they can be stopped.
    await starting?.catch(() => undefined)
    for (const stop of stops) await closeStep(stop, closeTimeoutMs, logger)
    await closeStep({ what: 'The service', run: () => service.close() }, closeTimeoutMs, logger)
    await booted.close()
    for (const step of atEnd) await closeStep(step, closeTimeoutMs, logger)
  }

  return Object.freeze({
    ...root,
    service,
    authenticate,
    contextFor,
    start: () => (starting ??= start()),
    checkExamples,
    reload,
    close: () => (closing ??= close()),
    inspect,
    prettyPrint: () => prettyPrint(inspect()),
  })
}

async function runReadyHook(owner: string, hook: () => void | Promise<void>): Promise<void> {
  try {
    await hook()
  } catch (cause) {
    if (cause instanceof GrainlineError) throw cause
    fail('PLUGIN_FAILED', `Plugin ${owner} failed when the host became ready: ${messageOf(cause)}`, { cause })
  }
}

async function readModel({ session, model }: PreloadEntry, base: string) {
  const file = path.resolve(base, model)
  try {
    return { session, source: await readFile(file, 'utf8'), file }
  } catch (cause) {
    return fail('INVALID_CONFIG', `The model of session ${session} cannot be read: ${unreadable(file, cause)}`, {
      path: 'preload',
      hint: 'A path in the config begins at the folder of the config.',
      cause,
    })
  }
}
