import { GrainlineError } from '@grainline/core'
import type * as Mysql from 'mysql2'

export type Driver = Pick<typeof Mysql, 'createConnection'>

/** Loads the driver on first use. Throws `VENDOR_UNAVAILABLE` with the install command. */
export async function loadDriver(): Promise<Driver> {
  try {
    const loaded = await import('mysql2')
    return loaded.default ?? loaded
  } catch (cause) {
    throw new GrainlineError('VENDOR_UNAVAILABLE', 'The MySQL driver cannot be loaded', { hint: 'npm install mysql2', cause })
  }
}
