import { loadDriver } from '@grainline/core'
import type * as Grpc from '@grpc/grpc-js'
import type * as Arrow from 'apache-arrow'

export interface Driver {
  readonly grpc: typeof Grpc
  readonly arrow: typeof Arrow
}

export const loadFlight = (): Promise<Driver> =>
  loadDriver('Arrow Flight', '@grpc/grpc-js apache-arrow', async () => {
    const [grpc, arrow] = await Promise.all([import('@grpc/grpc-js'), import('apache-arrow')])
    return { grpc, arrow }
  })
