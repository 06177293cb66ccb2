import type { McpSettings } from './settings.js'

/** The header that names for whom a request is. */
export const ON_BEHALF_OF = 'x-on-behalf-of'

/** The headers with which the process asks, if its callers send none of their own: its key, and for whom. */
export const credentialOf = ({
  apiKey,
  apiKeyHeader,
  onBehalfOf,
}: Pick<McpSettings, 'apiKey' | 'apiKeyHeader' | 'onBehalfOf'>): Readonly<Record<string, string>> => ({
  ...(apiKey !== undefined && { [apiKeyHeader]: apiKey }),
  ...(onBehalfOf !== undefined && { [ON_BEHALF_OF]: onBehalfOf }),
})
