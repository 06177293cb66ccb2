/** Boots plugins in order on avvio: a scope per plugin, time-outs, roll-back of what is optional, hooks in both directions. */
import avvio from 'avvio'
import semver from 'semver'
import { fail, GrainlineError } from '../errors.js'
import type { Logger } from '../logger.js'
import type { Settings } from '../settings.js'
import { closeStep } from './closing.js'
import type { PluginReport } from './inspection.js'
import type { FailedPlugin, LoadedPlugin, PluginSource } from './load.js'
import { readOptions, redact } from './options.js'
import { type Hook, type Host, type HostPlugin, metaOf, type PluginMeta, type Points } from './plugin.js'
import type { PointName } from './points.js'
import { type Registries, viewOf } from './registry.js'
import { VERSION } from './version.js'

export interface BootContext {
  readonly registries: Registries
  readonly settings: Settings
  readonly base: string
  readonly logger: Logger
  readonly pluginTimeoutMs: number
  readonly closeTimeoutMs: number
}

export interface Booted {
  /** The host's own scope. */
  readonly root: Host
  readonly reports: () => readonly PluginReport[]
  /** Hooks of what is loaded, in boot order. */
  readonly readyHooks: () => readonly { readonly owner: string; readonly hook: Hook }[]
  /** Runs close hooks in reverse order; never rejects. */
  readonly close: () => Promise<void>
}

type Writable<T> = { -readonly [K in keyof T]: T[K] }

/** One plugin on its way through the boot. */
interface Scope {
  readonly meta: PluginMeta
  readonly optional: boolean
  readonly parent: Scope | undefined
  readonly children: Scope[]
  readonly report: Writable<PluginReport>
  readonly readyHooks: Hook[]
}

/** Sets every plugin up. Rejects with the first failure of one that is not optional, after closing what was open. */
export async function bootPlugins(
  plugins: readonly LoadedPlugin[],
  left: readonly FailedPlugin[],
  context: BootContext,
): Promise<Booted> {
  const boot = new Boot(context)
  for (const { name, source, error } of left) boot.leaveOut(name, source, error)
  for (const plugin of plugins) boot.add(plugin)
  await boot.run()
  return boot
}

const POINTS = [
  'dialects',
  'vendors',
  'caches',
  'surfaces',
  'functions',
  'aggregates',
  'authenticators',
  'evaluators',
  'formats',
] as const satisfies readonly PointName[]

class Boot implements Booted {
  readonly root: Host
  readonly #scopes: Scope[] = []
  readonly #left: PluginReport[] = []
  // avvio makes its root thenable, which a host must not be: it gets an object of its own.
  readonly #avvio = avvio<object>({}, { autostart: false, timeout: 0 })

  constructor(readonly context: BootContext) {
    this.root = this.#face('host', context.logger, () => undefined, undefined)
  }

  add({ plugin, meta, options, optional, source }: LoadedPlugin): void {
    this.#mount(plugin, meta, options, optional, source, undefined)
  }

  leaveOut(name: string, source: PluginSource, error: GrainlineError): void {
    this.#left.push({ name, ...source, status: 'failed', error: error.message, options: undefined, milliseconds: 0 })
    this.context.logger.warn({ plugin: name, code: error.code }, `Optional plugin left out: ${error.message}`)
  }

  async run(): Promise<void> {
    try {
      await new Promise<void>((resolve, reject) => {
        this.#avvio.ready(((error: unknown, done: () => void) => {
          if (error) reject(error as Error)
          else resolve()
          done()
        }) as never)
      })
    } catch (error) {
      await this.close()
      throw error
    }
    this.context.registries.closeAll()
  }

  reports(): readonly PluginReport[] {
    return [...this.#scopes.map(({ report }) => ({ ...report })), ...this.#left]
  }

  readyHooks(): readonly { readonly owner: string; readonly hook: Hook }[] {
    return this.#scopes
      .filter(({ report }) => report.status === 'loaded')
      .flatMap(({ meta, readyHooks }) => readyHooks.map((hook) => ({ owner: meta.name, hook })))
  }

  close(): Promise<void> {
    return new Promise((resolve) => {
      this.#avvio.close((() => resolve()) as never)
    })
  }

  #mount(
    plugin: HostPlugin,
    meta: PluginMeta,
    options: unknown,
    optional: boolean,
    source: PluginSource,
    parent: Scope | undefined,
  ): void {
    const report: Writable<PluginReport> = {
      name: meta.name,
      ...source,
      status: 'starting',
      options: undefined,
      milliseconds: 0,
      ...(parent !== undefined && { parent: parent.meta.name }),
    }
    const scope: Scope = { meta, optional, parent, children: [], report, readyHooks: [] }
    const load = async (_server: unknown, _options: unknown) => this.#load(plugin, scope, options)
    // avvio names plugins in its messages after their functions.
    Object.defineProperty(load, 'name', { value: meta.name })
    this.#avvio.use(load)
    parent?.children.push(scope)
  }

  async #load(plugin: HostPlugin, scope: Scope, given: unknown): Promise<void> {
    // A nested plugin of one that failed never starts.
    if (scope.parent?.report.status === 'failed') return
    const began = performance.now()
    try {
      if (this.#scopes.some(({ meta }) => meta.name === scope.meta.name)) {
        fail('DUPLICATE_PLUGIN', `Plugin ${scope.meta.name} is used twice; list it once`)
      }
      this.#scopes.push(scope)
      this.#check(scope)
      const options = readOptions(`Plugin ${scope.meta.name}`, scope.meta.options, given)
      scope.report.options = redact(scope.meta.options, options)
      await this.#setup(plugin, scope, options)
      scope.report.status = 'loaded'
    } catch (cause) {
      this.#failed(scope, asPluginError(scope.meta.name, cause))
    } finally {
      scope.report.milliseconds = Math.round((performance.now() - began) * 10) / 10
    }
  }

  #check({ meta, parent }: Scope): void {
    if (!semver.satisfies(VERSION, meta.host, { includePrerelease: true })) {
      fail('HOST_VERSION', `Plugin ${meta.name} was written for host ${meta.host}, and this is ${VERSION}`, {
        hint: `npm install ${meta.name}@latest`,
      })
    }
    for (const name of meta.dependencies ?? []) {
      const loaded = this.#scopes.some((scope) => scope.meta.name === name && scope.report.status === 'loaded')
      if (!loaded) fail('MISSING_DEPENDENCY', `Plugin ${meta.name} needs plugin ${name}, which is not loaded`)
    }
    if (parent !== undefined && meta.settings !== undefined) {
      fail(
        'PLUGIN_FAILED',
        `Plugin ${meta.name} declares settings and is used inside ${parent.meta.name}; list it in the config, where they are read`,
      )
    }
  }

  async #setup(plugin: HostPlugin, scope: Scope, options: unknown): Promise<void> {
    const { pluginTimeoutMs, logger } = this.context
    const guard = () => {
      if (scope.report.status === 'failed')
        fail('PLUGIN_FAILED', `Plugin ${scope.meta.name} was left out and cannot register any more`)
    }
    const face = this.#face(scope.meta.name, logger.child({ plugin: scope.meta.name }), guard, scope)
    let timer: NodeJS.Timeout | undefined
    const tooLate = new Promise<never>((_, reject) => {
      const error = new GrainlineError('PLUGIN_FAILED', `Plugin ${scope.meta.name} did not set up within ${pluginTimeoutMs} ms`)
      timer = setTimeout(reject, pluginTimeoutMs, error)
    })
    try {
      await Promise.race([plugin(face as never, options as never), tooLate])
    } finally {
      clearTimeout(timer)
    }
  }

  /** Throws unless the plugin, or one that it is nested in, is optional; then that one is rolled back with all it brought. */
  #failed(scope: Scope, error: GrainlineError): void {
    scope.report.status = 'failed'
    scope.report.error = error.message
    const optional = nearestOptional(scope)
    if (optional === undefined) throw error
    this.#rollBack(optional, error)
    this.context.logger.warn({ plugin: optional.meta.name, code: error.code }, `Optional plugin left out: ${error.message}`)
  }

  #rollBack(scope: Scope, error: GrainlineError): void {
    scope.report.status = 'failed'
    scope.report.error ??= error.message
    this.context.registries.removeOwnedBy(scope.meta.name)
    for (const child of scope.children) this.#rollBack(child, error)
  }

  #face(owner: string, logger: Logger, guard: () => void, scope: Scope | undefined): Host {
    const { registries, settings, base, closeTimeoutMs } = this.context
    const view = (point: string) => viewOf(registries.of(point), owner, guard)
    const points = Object.fromEntries(POINTS.map((point) => [point, view(point)])) as unknown as Points
    return Object.freeze({
      ...points,
      version: VERSION,
      logger,
      settings,
      base,
      point: (name) => view(name) as never,
      use: (plugin, options) => this.#use(plugin, options, scope),
      onReady: (hook) => void scope?.readyHooks.push(hook),
      onClose: (run) => {
        this.#avvio.onClose(((_: unknown, done: () => void) => {
          void closeStep({ what: `Plugin ${owner}`, run }, closeTimeoutMs, logger).then(done)
        }) as never)
      },
    } satisfies Host)
  }

  #use(plugin: HostPlugin, options: unknown, parent: Scope | undefined): void {
    if (typeof plugin !== 'function')
      fail('NOT_A_PLUGIN', `host.use() in ${parent?.meta.name ?? 'host'} was given something that is no plugin`)
    const meta = metaOf(plugin) ?? { name: plugin.name || 'inline', host: '*' }
    this.#mount(plugin, meta, options, false, { package: meta.name, from: `(nested in ${parent?.meta.name ?? 'host'})` }, parent)
  }
}

function nearestOptional(scope: Scope): Scope | undefined {
  return scope.optional ? scope : scope.parent && nearestOptional(scope.parent)
}

function asPluginError(name: string, cause: unknown): GrainlineError {
  if (cause instanceof GrainlineError) return cause
  const reason = cause instanceof Error ? cause.message : String(cause)
  return new GrainlineError('PLUGIN_FAILED', `Plugin ${name} failed to start: ${reason}`, { cause })
}
