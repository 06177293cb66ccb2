import type { Settings } from '../settings/core-variables.js'

/**
 * What one of so many workers may use of what the settings allow all of them: connections, statements of a client, kept compilations. What
 * is rounded down leaves a rest; one of each is left to every worker.
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
