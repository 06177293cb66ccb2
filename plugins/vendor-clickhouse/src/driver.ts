import type * as Clickhouse from '@clickhouse/client'
import { GrainlineError } from '@grainline/core'

export type Driver = Pick<typeof Clickhouse, 'createClient' | 'ClickHouseLogLevel'>

/** Loads the driver on first use. Throws `VENDOR_UNAVAILABLE` with the install command. */
export async function loadDriver(): Promise<Driver> {
  try {
    const loaded = await import('@clickhouse/client')
    return loaded.default ?? loaded
  } catch (cause) {
    throw new GrainlineError('VENDOR_UNAVAILABLE', 'The ClickHouse driver cannot be loaded', {
      hint: 'npm install @clickhouse/client',
      cause,
    })
  }
}
