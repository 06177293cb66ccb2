import { loadDriver } from '@grainline/core/vendor'
import type { parse, stringify } from 'lossless-json'
import type { Agent, request } from 'undici'

export interface Driver {
  readonly Agent: typeof Agent
  readonly request: typeof request
  /** Numbers of JSON as they are written. */
  readonly parse: typeof parse
  readonly stringify: typeof stringify
}

export const loadTrino = (): Promise<Driver> =>
  loadDriver('Trino', 'undici lossless-json', async () => {
    const [{ Agent, request }, { parse, stringify }] = await Promise.all([import('undici'), import('lossless-json')])
    return { Agent, request, parse, stringify }
  })
