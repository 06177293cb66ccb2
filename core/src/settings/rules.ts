/** Rules between variables that are checked before the service starts. */
import type { Finding } from '../errors.js'
import type { Settings } from './core-variables.js'

export interface RuleReport {
  readonly settings: Settings
  readonly faults: readonly Finding[]
  readonly warnings: readonly Finding[]
}

/** Checks the rules of the specification and returns the settings that take effect. `isSet` says whether a variable was set. */
export function checkRules(given: Settings, isSet: (name: string) => boolean): RuleReport {
  const settings = effective(given, isSet)
  return {
    settings,
    faults: [...authenticationFaults(settings), ...tlsFaults(settings), ...rangeFaults(settings), ...headerFaults(settings)],
    warnings: [...authenticationWarnings(given, settings), ...flightWarnings(settings, isSet), ...pgwireWarnings(settings)],
  }
}

/** Keys shorter than this are refused, keys shorter than the second only cause a warning. */
const KEY_LEAST = 16
const KEY_ADVISED = 32

function effective(given: Settings, isSet: (name: string) => boolean): Settings {
  return {
    ...given,
    AUTH_MODE: given.AUTH_MODE === 'none' && given.AUTH_ENABLED ? 'api_key' : given.AUTH_MODE,
    API_SERVER_PORT: given.PORT ?? given.API_SERVER_PORT,
    QUERY_EXECUTE: given.QUERY_EXECUTE || given.FLIGHT_ENABLED,
    SQL_DEFAULT_LIMIT: given.SQL_DEFAULT_LIMIT ?? (isSet('QUERY_DEFAULT_LIMIT') ? given.QUERY_DEFAULT_LIMIT : undefined),
  }
}

function authenticationFaults(settings: Settings): Finding[] {
  const faults: Finding[] = []
  if (settings.AUTH_MODE === 'oidc')
    faults.push(fault('AUTH_MODE', 'AUTH_MODE=oidc is planned and not available yet; use api_key'))
  if (settings.AUTH_MODE === 'api_key' && settings.API_KEYS.length === 0 && settings.API_KEYS_FILE === undefined) {
    faults.push(fault('API_KEYS', 'AUTH_MODE is api_key and API_KEYS is empty: list at least one key, or set AUTH_MODE=none'))
  }
  if (settings.AUTH_MODE === 'none' && settings.API_KEYS_FILE !== undefined) {
    const message =
      'API_KEYS_FILE is set and AUTH_MODE is none, so no client would need a key: set AUTH_MODE=api_key, or remove API_KEYS_FILE'
    faults.push(fault('API_KEYS_FILE', message))
  }
  for (const name of KEY_LISTS) {
    if (settings.AUTH_MODE === 'none' && settings[name].length > 0)
      faults.push(
        fault(
          name,
          `${name} is set and AUTH_MODE is none, so no client would need a key: set AUTH_MODE=api_key, or remove ${name}`,
        ),
      )
    const short = positionsOfKeys(settings[name], (length) => length < KEY_LEAST)
    if (short !== '')
      faults.push(fault(name, `${name} holds keys of fewer than ${KEY_LEAST} characters (${short}); make them longer`))
  }
  return faults
}

function authenticationWarnings(given: Settings, settings: Settings): Finding[] {
  const warnings: Finding[] = []
  if (given.AUTH_ENABLED) {
    const effect =
      given.AUTH_MODE === 'none' ? 'set AUTH_MODE=api_key instead' : `it has no effect beside AUTH_MODE=${given.AUTH_MODE}`
    warnings.push(remark('AUTH_ENABLED', `AUTH_ENABLED is deprecated: ${effect}`))
  }
  for (const name of KEY_LISTS) {
    const weak = positionsOfKeys(settings[name], (length) => length >= KEY_LEAST && length < KEY_ADVISED)
    if (weak !== '')
      warnings.push(remark(name, `${name} holds keys of fewer than ${KEY_ADVISED} characters (${weak}); longer ones are safer`))
  }
  return warnings
}

const KEY_LISTS = ['API_KEYS', 'ADMIN_API_KEYS'] as const

function positionsOfKeys(keys: readonly string[], matches: (length: number) => boolean): string {
  return keys.flatMap((key, i) => (matches(key.length) ? [`number ${i + 1}`] : [])).join(', ')
}

function tlsFaults(settings: Settings): Finding[] {
  return (['API', 'PGWIRE', 'FLIGHT'] as const).flatMap((prefix) => {
    const [cert, key, ca] = [`${prefix}_TLS_CERT`, `${prefix}_TLS_KEY`, `${prefix}_TLS_CLIENT_CA`] as const
    if (settings[cert] && !settings[key])
      return [fault(key, `${cert} is set without ${key}: set both, or neither for plain text`)]
    if (settings[key] && !settings[cert])
      return [fault(cert, `${key} is set without ${cert}: set both, or neither for plain text`)]
    return settings[ca] && !settings[cert]
      ? [fault(ca, `${ca} asks for client certificates, which needs ${cert} and ${key} too`)]
      : []
  })
}

function rangeFaults(settings: Settings): Finding[] {
  return settings.CACHE_MIN_TTL_SECONDS > settings.CACHE_MAX_TTL_SECONDS
    ? [
        fault(
          'CACHE_MIN_TTL_SECONDS',
          `CACHE_MIN_TTL_SECONDS (${settings.CACHE_MIN_TTL_SECONDS}) is above CACHE_MAX_TTL_SECONDS (${settings.CACHE_MAX_TTL_SECONDS})`,
        ),
      ]
    : []
}

/** RFC 9110: a field name is a token. */
function headerFaults({ API_KEY_HEADER }: Settings): Finding[] {
  return /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(API_KEY_HEADER)
    ? []
    : [fault('API_KEY_HEADER', `API_KEY_HEADER must be the name of a header, not '${API_KEY_HEADER}'`)]
}

function flightWarnings(settings: Settings, isSet: (name: string) => boolean): Finding[] {
  const warnings: Finding[] = []
  if (isSet('FLIGHT_AUTH_MODE') || isSet('FLIGHT_API_TOKEN')) {
    warnings.push(
      remark('FLIGHT_AUTH_MODE', 'FLIGHT_AUTH_MODE and FLIGHT_API_TOKEN are deprecated: set AUTH_MODE=api_key and API_KEYS'),
    )
  }
  if (settings.FLIGHT_API_TOKEN && settings.FLIGHT_AUTH_MODE !== 'token') {
    warnings.push(remark('FLIGHT_API_TOKEN', 'FLIGHT_API_TOKEN alone protects nothing: FLIGHT_AUTH_MODE is not token'))
  }
  return warnings
}

function pgwireWarnings(settings: Settings): Finding[] {
  return settings.PGWIRE_ENABLED && !settings.QUERY_EXECUTE
    ? [remark('PGWIRE_ENABLED', 'PGWIRE_ENABLED does not turn execution on: data queries are refused until QUERY_EXECUTE=true')]
    : []
}

const fault = (path: string, message: string): Finding => ({ code: 'INVALID_VARIABLE', message, path, severity: 'error' })
const remark = (path: string, message: string): Finding => ({ code: 'INVALID_VARIABLE', message, path, severity: 'warning' })
