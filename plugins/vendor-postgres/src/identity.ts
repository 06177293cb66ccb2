import type { PostgresPlan } from './options.js'

type Environment = Readonly<Record<string, string | undefined>>
type Address = Readonly<Record<string, unknown>>

/**
 * The database, who asks it and with which options, whichever way the plan says so; never the password. As the driver has it: a URL stands
 * in place of the parts, and PGHOST and its kin are where neither says anything (https://node-postgres.com/features/connecting). Nothing
 * comes back for a URL that cannot be read.
 */
export function identityOf({ dialect, client }: PostgresPlan, environment: Environment = process.env): string | undefined {
  const given = client.connectionString === undefined ? client : addressOf(String(client.connectionString))
  if (given === undefined) return undefined
  const user = given.user || environment.PGUSER || environment.USER || environment.USERNAME
  return JSON.stringify({
    dialect,
    host: given.host || environment.PGHOST || 'localhost',
    port: Number(given.port || environment.PGPORT || 5432),
    database: given.database || environment.PGDATABASE || user,
    user,
    // A search path, say.
    options: given.options || environment.PGOPTIONS,
  })
}

/** The parts that a URL says, of which its query wins. */
function addressOf(url: string): Address | undefined {
  try {
    const { hostname, port, username, pathname, searchParams } = new URL(url)
    const { host, port: queriedPort, user, options } = Object.fromEntries(searchParams)
    return {
      host: host || decodeURIComponent(hostname).replace(/^\[(.+)\]$/, '$1'),
      port: queriedPort || port,
      user: user || decodeURIComponent(username),
      database: decodeURI(pathname.slice(1)),
      options,
    }
  } catch {
    return undefined
  }
}
