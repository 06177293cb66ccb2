/** The engines for generated queries, by name; each is imported when it is opened. */
import type { OpenEngine } from './suites.js'

const ENGINES: Readonly<Record<string, OpenEngine>> = {
  postgres: async () => (await import('./postgres/engine.js')).openEngine(),
  mysql: async () => (await import('./mysql/engine.js')).openEngine('mysql', (await import('@grainline/dialect-mysql')).mysql),
  mariadb: async () =>
    (await import('./mysql/engine.js')).openEngine('mariadb', (await import('@grainline/dialect-mariadb')).mariadb),
  sqlite: async () => (await import('./sqlite/engine.js')).openEngine(),
  clickhouse: async () => (await import('./clickhouse/engine.js')).openEngine(),
  databricks: async () => (await import('./databricks/engine.js')).openEngine(),
  datafusion: async () => (await import('./datafusion/engine.js')).openEngine(),
  bigquery: async () => (await import('./bigquery/engine.js')).openEngine(),
  async trino() {
    const { LOADED, openEngine } = await import('./trino/engine.js')
    const opened = await openEngine()
    return typeof opened === 'string' ? opened : { ...opened.loading(LOADED.views), close: opened.close }
  },
}

/** Throws if there is no engine of this name, and if it cannot run here. */
export async function openEngineNamed(name: string) {
  const open = ENGINES[name]
  if (!open) throw new Error(`ORACLE_ENGINE knows duckdb, ${Object.keys(ENGINES).join(', ')}, not ${name}`)
  const engine = await open()
  if (typeof engine === 'string') throw new Error(engine)
  return engine
}
