import { loadDriver } from '@grainline/core/vendor'
import type Pg from 'pg'
import type { parse } from 'pg-connection-string'
import type PgCursor from 'pg-cursor'
import type { PostgresPlan } from './options.js'
import { readingCursor } from './reading-cursor.js'

export interface Driver {
  readonly Client: typeof Pg.Client
  readonly Cursor: typeof PgCursor
  readonly parse: typeof parse
}

export const loadPostgres = (): Promise<Driver> =>
  loadDriver('PostgreSQL', 'pg pg-cursor pg-connection-string', async () => {
    const [pg, cursor, urls] = await Promise.all([import('pg'), import('pg-cursor'), import('pg-connection-string')])
    return { Client: pg.default.Client, Cursor: readingCursor(cursor.default), parse: urls.parse }
  })

/** The options of the driver. With the URL itself, it would ignore the other parts. */
export const clientOptions = ({ url, address, client }: PostgresPlan, { parse }: Pick<Driver, 'parse'>): object => ({
  ...client,
  ...(url !== undefined && parse(url.href)),
  ...address,
})
