import type { ClickhousePlan } from './options.js'

/** The database and who asks it, whichever way the plan says so; never the password. */
export const identityOf = ({ url, database, user }: ClickhousePlan): string =>
  JSON.stringify({ dialect: 'clickhouse', url, database, user })
