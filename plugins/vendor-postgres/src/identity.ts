import type { PostgresPlan } from './options.js'

type Environment = Readonly<Record<string, string | undefined>>

/**
 * The database, the user and the options, in every form of the plan; never the password. Missing values come from PGHOST and the other libpq
 * variables (https://node-postgres.com/features/connecting).
 */
export function identityOf({ dialect, address, url }: PostgresPlan, environment: Environment = process.env): string {
  const user = address.user ?? (environment.PGUSER || environment.USER || environment.USERNAME)
  return JSON.stringify({
    dialect,
    host: address.host ?? (environment.PGHOST || 'localhost'),
    port: address.port ?? Number(environment.PGPORT || 5432),
    database: address.database ?? (environment.PGDATABASE || user),
    user,
    // A search path, say.
    options: url?.searchParams.get('options') ?? environment.PGOPTIONS,
  })
}
