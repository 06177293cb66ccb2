import type { TrinoPlan } from './options.js'

/** The cluster, where it looks for tables and who asks, whichever way the plan says so; never a secret. */
export const identityOf = ({ url, catalog, schema, user }: TrinoPlan): string =>
  JSON.stringify({ dialect: 'trino', url, catalog, schema, user })
