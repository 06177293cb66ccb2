import { createHash } from 'node:crypto'
import type { DremioPlan } from './options.js'

/** The engine, its default schema and who asks, whichever way the plan says so; of a token, which names nobody, a hash. */
export function identityOf({ host, port, credentials, headers }: DremioPlan): string {
  const user =
    credentials === undefined || 'user' in credentials
      ? credentials?.user
      : createHash('sha256').update(credentials.token).digest('hex')
  return JSON.stringify({ dialect: 'dremio', host, port, user, schema: headers['schema'] })
}
