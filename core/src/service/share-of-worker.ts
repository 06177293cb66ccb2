import type { Settings } from '../settings/core-variables.js'

/**
 * The share of one of several workers in the limits of the server: connections, statements of a client, cached compilations. Rounding down
 * leaves a rest; every worker gets at least one of each.
 */
export function shareOfWorker(settings: Settings, count: number): Settings {
  if (count === 1) return settings
  const share = (all: number) => Math.max(1, Math.floor(all / count))
  const { CLIENT_MAX_STATEMENTS: statements, COMPILE_CACHE_MAX_ENTRIES: entries } = settings
  return {
    ...settings,
    DB_POOL_SIZE: share(settings.DB_POOL_SIZE),
    CLIENT_MAX_STATEMENTS: statements === undefined ? undefined : share(statements),
    // 0 turns the cache off.
    COMPILE_CACHE_MAX_ENTRIES: entries === 0 ? 0 : share(entries),
    COMPILE_CACHE_MAX_BYTES: Math.floor(settings.COMPILE_CACHE_MAX_BYTES / count),
  }
}
