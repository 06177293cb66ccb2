import { createHash } from 'node:crypto'
import type { DatabricksPlan } from './options.js'

/** The warehouse, the schema and who asks, whichever way the plan says so. What a token may see, nothing else may be kept for: its hash stands for it. */
export const identityOf = ({ host, port, path, catalog, schema, access }: DatabricksPlan): string => {
  const user = 'clientId' in access ? access.clientId : createHash('sha256').update(access.token).digest('hex')
  return JSON.stringify({ dialect: 'databricks', host, port, path, catalog, schema, user })
}
