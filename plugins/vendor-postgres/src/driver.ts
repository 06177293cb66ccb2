import { GrainlineError } from '@grainline/core'
import type Pg from 'pg'
import type PgCursor from 'pg-cursor'

export interface Driver {
  readonly Client: typeof Pg.Client
  readonly Cursor: typeof PgCursor
}

/** Loads the driver on first use. Throws `VENDOR_UNAVAILABLE` with the install command. */
export async function loadDriver(): Promise<Driver> {
  try {
    const [pg, cursor] = await Promise.all([import('pg'), import('pg-cursor')])
    return { Client: pg.default.Client, Cursor: cursor.default }
  } catch (cause) {
    throw new GrainlineError('VENDOR_UNAVAILABLE', 'The PostgreSQL driver cannot be loaded', {
      hint: 'npm install pg pg-cursor',
      cause,
    })
  }
}
