import { clientKey } from '../session/client-key.js'
import type { Asker } from './asking.js'

/** Who shares a budget: a key counts as one client, wherever it asks from; without keys an address does. */
export function clientOf(asker: Partial<Pick<Asker, 'principal' | 'address'>> | undefined): string {
  if (asker?.principal !== undefined && asker.principal !== 'anonymous') return `key ${asker.principal}`
  return `address ${clientKey(asker?.address ?? '')}`
}
