import type * as Clickhouse from '@clickhouse/client'
import { loadDriver } from '@grainline/core/vendor'

export type Driver = Pick<typeof Clickhouse, 'createClient' | 'ClickHouseLogLevel'>

export const loadClickhouse = (): Promise<Driver> =>
  loadDriver('ClickHouse', '@clickhouse/client', async () => {
    const loaded = await import('@clickhouse/client')
    return loaded.default ?? loaded
  })
