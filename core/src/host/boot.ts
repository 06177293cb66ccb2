/** Boots plugins in order on avvio: a scope per plugin, timeouts, rollback of optional plugins, hooks in both directions. */
import avvio from 'avvio'
import semver from 'semver'
import { fail, GrainlineError } from '../errors.js'
import { closeStep } from './closing.js'
import { createFacade, type FacadeContext } from './facade.js'
import type { PluginReport } from './inspection.js'
import type { LoadReport } from './load.js'
import { readOptions, redact } from './options.js'
import { type Hook, type Host, type HostPlugin, metaOf } from './plugin.js'
import { asPluginError, createScope, nearestOptional, refuseWhenLeftOut, rollBack, type Scope } from './scope.js'
import { VERSION } from './version.js'

export interface BootContext extends FacadeContext {
  readonly pluginTimeoutMs: number
  readonly closeTimeoutMs: number
}

export interface Booted {
  /** The host's own facade. */
  readonly root: Host
  reports(): readonly PluginReport[]
  /** Hooks of loaded plugins, in boot order. */
  readyHooks(): readonly { readonly owner: string; readonly hook: Hook }[]
  /** Runs close hooks in reverse order; never rejects. */
  close(): Promise<void>
}

/** Sets every plugin up. Rejects with the first failure of a required plugin, after closing everything. */
export async function bootPlugins({ loaded, failed, absent }: LoadReport, context: BootContext): Promise<Booted> {
  const boot = new Boot(context, [...failed.map(reportOf), ...absent.map(absentReport)])
  for (const { name, error } of failed)
    context.logger.warn({ plugin: name, code: error.code }, `Optional plugin left out: ${error.message}`)
  for (const plugin of loaded) boot.add(createScope(plugin, undefined))
  await boot.run()
  return boot
}

const reportOf = ({ name, source, error }: LoadReport['failed'][number]): PluginReport => ({
  name,
  milliseconds: 0,
  ...source,
  status: 'failed',
  error: error.message,
  options: undefined,
})

const absentReport = (name: string): PluginReport => ({
  name,
  package: name,
  from: '(not installed)',
  milliseconds: 0,
  status: 'absent',
  error: `npm install ${name}`,
  options: undefined,
})

class Boot implements Booted {
  readonly root: Host
  readonly #scopes: Scope[] = []
  // avvio makes its root thenable, which a host must not be, so the root is a separate object.
  readonly #avvio = avvio<object>({}, { autostart: false, timeout: 0 })

  constructor(
    readonly context: BootContext,
    readonly left: readonly PluginReport[],
  ) {
    this.root = this.#facade(undefined)
  }

  add(scope: Scope): void {
    const load = async (_server: unknown, _options: unknown) => this.#load(scope)
    // avvio names plugins after their functions.
    Object.defineProperty(load, 'name', { value: scope.meta.name })
    this.#avvio.use(load)
  }

  async run(): Promise<void> {
    try {
      await new Promise<void>((resolve, reject) => {
        const ready = (error: Error | undefined, done: () => void) => {
          if (error) reject(error)
          else resolve()
          done()
        }
        this.#avvio.ready(ready as never)
      })
    } catch (error) {
      await this.close()
      throw error
    }
    this.context.registries.closeAll()
  }

  reports(): readonly PluginReport[] {
    return [...this.#scopes.map(({ report }) => ({ ...report })), ...this.left]
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

  async #load(scope: Scope): Promise<void> {
    // A nested plugin of one that failed never starts.
    if (scope.parent?.report.status === 'failed') return
    const { meta, report, given } = scope
    const began = performance.now()
    try {
      this.#admit(scope)
      const options = readOptions(`Plugin ${meta.name}`, meta.options, given)
      report.options = redact(meta.options, options)
      await this.#setUp(scope, options)
      report.status = 'loaded'
    } catch (cause) {
      this.#failed(scope, asPluginError(meta.name, cause))
    } finally {
      report.milliseconds += performance.now() - began
    }
  }

  #admit(scope: Scope): void {
    const { meta, parent } = scope
    if (this.#scopes.some((other) => other.meta.name === meta.name))
      fail('DUPLICATE_PLUGIN', `Plugin ${meta.name} is used twice; list it once`)
    this.#scopes.push(scope)
    if (!semver.satisfies(VERSION, meta.host, { includePrerelease: true })) {
      const isOwn = scope.report.from === '(inline)' || /^\.|^\//.test(scope.report.package)
      const hint = isOwn
        ? `Write host: '^${VERSION}' in its definePlugin, if it works with this host`
        : `npm install ${meta.name}@latest`
      fail('HOST_VERSION', `Plugin ${meta.name} was written for host ${meta.host}, and this is ${VERSION}`, { hint })
    }
    const loaded = new Set(this.#scopes.filter(({ report }) => report.status === 'loaded').map((other) => other.meta.name))
    const missing = meta.dependencies?.find((name) => !loaded.has(name))
    if (missing !== undefined) fail('MISSING_DEPENDENCY', `Plugin ${meta.name} needs plugin ${missing}, which is not loaded`)
    if (parent !== undefined && meta.settings !== undefined) {
      fail(
        'PLUGIN_FAILED',
        `Plugin ${meta.name} declares settings and is used inside ${parent.meta.name}; list it in the config, where they are read`,
      )
    }
  }

  async #setUp(scope: Scope, options: unknown): Promise<void> {
    const { pluginTimeoutMs } = this.context
    let timer: NodeJS.Timeout | undefined
    const tooLate = new Promise<never>((_, reject) => {
      const error = new GrainlineError('PLUGIN_FAILED', `Plugin ${scope.meta.name} did not set up within ${pluginTimeoutMs} ms`)
      timer = setTimeout(reject, pluginTimeoutMs, error)
    })
    try {
      await Promise.race([scope.plugin(this.#facade(scope) as never, options as never), tooLate])
    } finally {
      clearTimeout(timer)
    }
  }

  /** Throws unless the plugin, or one around it, is optional. Then that plugin is rolled back with all its registrations. */
  #failed(scope: Scope, error: GrainlineError): void {
    scope.report.status = 'failed'
    scope.report.error = error.message
    const optional = nearestOptional(scope)
    if (optional === undefined) throw error
    rollBack(optional, error, (owner) => this.context.registries.removeOwnedBy(owner))
    this.context.logger.warn({ plugin: optional.meta.name, code: error.code }, `Optional plugin left out: ${error.message}`)
  }

  #facade(scope: Scope | undefined): Host {
    const owner = scope?.meta.name ?? 'host'
    const logger = scope === undefined ? this.context.logger : this.context.logger.child({ plugin: owner })
    return createFacade(
      owner,
      { ...this.context, logger },
      {
        guard: () => scope && refuseWhenLeftOut(scope),
        use: (plugin, options) => this.#use(plugin, options, scope),
        onReady: (hook) => void scope?.readyHooks.push(hook),
        onClose: (run) => {
          const close = (_: unknown, done: () => void) =>
            void closeStep({ what: `Plugin ${owner}`, run }, this.context.closeTimeoutMs, logger).then(done)
          this.#avvio.onClose(close as never)
        },
      },
    )
  }

  #use(plugin: HostPlugin, options: unknown, parent: Scope | undefined): void {
    const user = parent?.meta.name ?? 'host'
    if (typeof plugin !== 'function') fail('NOT_A_PLUGIN', `host.use() in ${user} was given something that is not a plugin`)
    const meta = metaOf(plugin) ?? { name: plugin.name || 'inline', host: '*' }
    const source = { package: meta.name, from: `(nested in ${user})` }
    this.add(createScope({ plugin, meta, options, optional: false, source }, parent))
  }
}
