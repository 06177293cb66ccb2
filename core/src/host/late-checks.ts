import type { Finding } from '../errors.js'
import { installCommand } from '../install-command.js'
import { didYouMean, nearest } from '../nearest.js'
import type { Host } from './plugin.js'

/** Faults of settings that name registrations of plugins, which are known only after setup. */
export function lateFaults(host: Host, { isSet, absent }: LateContext): Finding[] {
  const unknown = (...given: UnknownName) => unknownName(absent, given)
  const { AUTH_MODE, CACHE_BACKEND, CACHE_KEY, DB_VENDOR, MODEL_SQL, QUERY_EXECUTE } = host.settings
  const faults: Finding[] = []
  if (!host.authenticators.has(AUTH_MODE)) faults.push(unknown('AUTH_MODE', AUTH_MODE, host.authenticators.names()))
  const caches = ['noop', ...host.caches.names()]
  if (!caches.includes(CACHE_BACKEND)) faults.push(unknown('CACHE_BACKEND', CACHE_BACKEND, caches))
  if (CACHE_KEY === undefined && host.caches.has(CACHE_BACKEND) && host.caches.get(CACHE_BACKEND).shared) {
    const message = `CACHE_BACKEND=${CACHE_BACKEND} can be written by others, so that CACHE_KEY must be set; use one value in every process`
    faults.push({ code: 'INVALID_VARIABLE', message, path: 'CACHE_KEY', severity: 'error' })
  }
  if (QUERY_EXECUTE && !host.vendors.has(DB_VENDOR)) faults.push(unknown('DB_VENDOR', DB_VENDOR, host.vendors.names()))
  // Without execution the vendor only chooses the dialect, and its default may not be loaded.
  const dialects = [...host.vendors.names(), ...host.dialects.names()]
  if (!QUERY_EXECUTE && isSet('DB_VENDOR') && !dialects.includes(DB_VENDOR))
    faults.push(unknown('DB_VENDOR', DB_VENDOR, dialects))
  if (MODEL_SQL === 'allow' && ![...host.languages].some(({ sqlOfAuthors }) => sqlOfAuthors)) {
    const message = 'MODEL_SQL is allow, and no loaded plugin reads SQL; add a language that does, as default.yaml does'
    faults.push({ code: 'INVALID_VARIABLE', message, path: 'MODEL_SQL', severity: 'error' })
  }
  return faults
}

interface LateContext {
  readonly isSet: (name: string) => boolean
  /** Packages of plugins that are not installed. */
  readonly absent: readonly string[]
}

/** The word of the kind in names of packages. */
const KINDS = { AUTH_MODE: 'auth', CACHE_BACKEND: 'cache', DB_VENDOR: 'vendor' } as const

/** No config lists this plugin before it is configured. */
const TOKENS = '. Tokens are read by @grainline/auth-jwt: list it with its options in the plugins of the config'

type UnknownName = readonly [path: keyof typeof KINDS, value: string, known: readonly string[]]

function unknownName(absent: readonly string[], [path, value, known]: UnknownName): Finding {
  const names = [...new Set(known)]
  const suggestions = nearest(value, names)
  const install = installCommand(absent, KINDS[path], value)
  const there = names.length > 0 ? `the loaded plugins offer ${names.join(', ')}` : 'no loaded plugin offers any'
  return {
    code: 'INVALID_VARIABLE',
    message: install
      ? `${path} is '${value}', whose plugin is not installed. Run ${install}, or choose another: ${there}`
      : `${path} is '${value}', and ${there}${path === 'AUTH_MODE' && value === 'jwt' ? TOKENS : didYouMean(suggestions)}`,
    path,
    severity: 'error',
    suggestions,
    ...(install && { hint: install }),
  }
}
