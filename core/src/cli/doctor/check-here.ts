import { createPrivateKey, X509Certificate } from 'node:crypto'
import net from 'node:net'
import path from 'node:path'
import { errorCatalog } from '../../error-catalog.js'
import { GrainlineError } from '../../errors.js'
import { readConfig } from '../../host/config.js'
import { createHost } from '../../host/host.js'
import type { RunningHost } from '../../host/running-host.js'
import { messageOf } from '../../invariant.js'
import { type Environment, lookup, readEnvironment } from '../../settings/environment.js'
import { strayNames } from '../../settings/stray-names.js'
import { type CommandIo, UsageError } from '../command.js'
import { readBytes } from '../read-input.js'
import { type Check, fault, ok, remark } from './check.js'

const OLDEST_NODE = [20, 19] as const
const SOON_MS = 30 * 24 * 3600 * 1000

/** Checks what a server or a command on this machine needs. It opens no port. */
export async function* checkHere(config: string | undefined, io: CommandIo): AsyncGenerator<Check> {
  yield nodeCheck(process.versions.node)
  const file = config === undefined ? io.defaultConfig : path.resolve(io.cwd, config)
  if (file === undefined) throw new UsageError('A config is needed: --config FILE')
  const environment = readEnvironment({ env: io.env, dotenv: io.cwd })
  yield* certificateChecks(environment, io)
  const opened = await openHost(file, environment)
  if (!('host' in opened)) {
    yield* opened.faults
    return
  }
  const { host } = opened
  try {
    yield ok('configuration', file)
    yield* pluginChecks(host)
    yield* settingChecks(host)
    yield* strayChecks(host, environment)
    yield await databaseCheck(host)
    yield await portCheck(host)
  } finally {
    await host.close()
  }
}

function nodeCheck(version: string): Check {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  const fits = major > OLDEST_NODE[0] || (major === OLDEST_NODE[0] && minor >= OLDEST_NODE[1])
  return fits ? ok('Node', version) : fault('Node', version, `Install Node ${OLDEST_NODE.join('.')} or newer.`)
}

type Opened = { readonly host: RunningHost } | { readonly faults: readonly Check[] }

async function openHost(file: string, environment: Environment): Promise<Opened> {
  try {
    const config = await readConfig(file, (name) => lookup(environment, name))
    return { host: await createHost(config, { environment, standalone: true }) }
  } catch (error) {
    if (!(error instanceof GrainlineError)) throw error
    const { findings = [], hint } = error.details
    const all =
      findings.length > 0 ? findings : [{ code: error.code, message: error.message, path: error.details.path ?? '', hint }]
    return {
      faults: all.map(({ code, message, path: place, hint: own }) =>
        fault(place || 'configuration', message, own ?? errorCatalog[code]?.fix),
      ),
    }
  }
}

function* pluginChecks(host: RunningHost): Generator<Check> {
  const { plugins } = host.inspect()
  const failed = plugins.filter(({ status }) => status === 'failed')
  for (const { name, error = 'it failed' } of failed) yield remark(`plugin ${name}`, error, 'It is optional and was left out.')
  yield ok('plugins', `${plugins.length - failed.length} loaded`)
  yield ok('surfaces', [...host.surfaces].map(({ name }) => name).join(', ') || 'none')
}

function* settingChecks({ settings }: RunningHost): Generator<Check> {
  if (settings.AUTH_MODE === 'none') {
    const open = !['localhost', '127.0.0.1', '::1'].includes(settings.API_SERVER_HOST)
    const says = `AUTH_MODE=none: everybody who reaches ${settings.API_SERVER_HOST} may ask`
    yield open ? fault('access', says, 'Set AUTH_MODE=api_key and API_KEYS.') : ok('access', says)
  } else yield ok('access', `AUTH_MODE=${settings.AUTH_MODE}`)
  if (!settings.QUERY_EXECUTE)
    yield remark('execution', 'queries are compiled but not run', 'Set QUERY_EXECUTE=true to run them.')
}

function* strayChecks(host: RunningHost, environment: Environment): Generator<Check> {
  const names = host.inspect().settings.map(({ name }) => name)
  for (const { message } of strayNames(names, environment)) yield remark('setting', message, 'Correct it, or remove it.')
}

async function databaseCheck(host: RunningHost): Promise<Check> {
  const name = String(host.settings['DB_VENDOR'])
  const what = `database ${name}`
  const started = performance.now()
  try {
    const connection = await host.vendors.get(name).connect({ logger: host.logger, poolSize: 1 })
    try {
      const zone = await connection.timezone()
      const tables = await connection.introspect?.()
      const count = tables === undefined ? '' : `, ${tables.length} ${tables.length === 1 ? 'table' : 'tables'}`
      return ok(what, `answers after ${Math.round(performance.now() - started)} ms, time zone ${zone}${count}`)
    } finally {
      await connection.close()
    }
  } catch (error) {
    const { message } = error as Error
    const hint = error instanceof GrainlineError ? (error.details.hint ?? errorCatalog[error.code].fix) : undefined
    return fault(what, `${message}${causeOf(error)}`, hint)
  }
}

/** The address of a connection that failed. */
function causeOf(error: unknown): string {
  const { cause } = error as { readonly cause?: { readonly message?: string } }
  return cause?.message === undefined || messageOf(error).includes(cause.message) ? '' : ` (${cause.message})`
}

function portCheck({ settings }: RunningHost): Promise<Check> {
  const { API_SERVER_HOST: host, API_SERVER_PORT: port } = settings
  const what = `port ${port} on ${host}`
  return new Promise((resolve) => {
    const probe = net.createServer()
    probe.once('error', (error: NodeJS.ErrnoException) =>
      resolve(
        remark(
          what,
          error.code === 'EADDRINUSE' ? 'is taken: a server may run already' : error.message,
          'Set PORT to another one.',
        ),
      ),
    )
    probe.listen(port, host, () => probe.close(() => resolve(ok(what, 'is free'))))
  })
}

/** For each surface that has one: `API_TLS_CERT` and similar variables that are set. */
async function* certificateChecks(environment: Environment, io: CommandIo): AsyncGenerator<Check> {
  const names = Object.keys({ ...environment.dotenv, ...environment.process }).filter((name) => name.endsWith('_TLS_CERT'))
  for (const name of names.sort()) {
    const [cert, key] = [name, name.replace(/CERT$/, 'KEY')].map((variable) => lookup(environment, variable))
    if (cert !== undefined) yield await certificateCheck(name, cert, key, io)
  }
}

async function certificateCheck(what: string, cert: string, key: string | undefined, io: CommandIo): Promise<Check> {
  try {
    const certificate = new X509Certificate(await readBytes(cert, io))
    if (key !== undefined && !certificate.checkPrivateKey(createPrivateKey(await readBytes(key, io))))
      return fault(what, `${cert} and ${key} do not belong together`, 'Name the key that the certificate was made with.')
    const left = Date.parse(certificate.validTo) - Date.now()
    const says = `${certificate.subject.replace(/\n/g, ', ')}, valid until ${certificate.validTo}`
    if (left < 0) return fault(what, says, 'The certificate has expired: renew it, then send SIGHUP to the server.')
    return left < SOON_MS ? remark(what, says, 'Renew it soon, then send SIGHUP to the server.') : ok(what, says)
  } catch (error) {
    return fault(what, messageOf(error), 'Name a PEM file that the server may read.')
  }
}
