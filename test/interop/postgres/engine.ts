import { postgres } from '@grainline/dialect-postgres'
import { KINDS_OF_DATA } from '../../oracle/generate/later.js'
import { STORES } from '../../oracle/storage.js'
import type { Engine } from '../suites.js'
import { askPostgres } from './answer.js'
import { openPostgres, type Postgres } from './open.js'

/** A new server with a client to it. */
export async function openEngine(): Promise<(Engine & Pick<Postgres, 'client' | 'socket'>) | string> {
  const opened = await openPostgres()
  if (typeof opened === 'string') return opened
  const { client, socket, close } = opened
  await client.query(STORAGES)
  return {
    dialect: postgres,
    client,
    socket,
    holds: KINDS_OF_DATA,
    load: async (statements) => void (await client.query(forPostgres(statements))),
    ask: (sql, columns) => askPostgres(client, sql, columns),
    close,
  }
}

/** A table that is loaded again may have other columns. */
export const forPostgres = (statements: string): string =>
  `SET client_min_messages = warning; ${statements
    .replace(/^CREATE OR REPLACE TABLE ("(?:[^"]|"")*")/gm, 'DROP TABLE IF EXISTS $1; CREATE TABLE $1')
    .replace(/" DOUBLE\b/g, '" DOUBLE PRECISION')
    .replace(/" ENUM\([^)]*\)/g, '" oracle_label')
    .replace(/" VARCHAR COLLATE NOCASE/g, '" TEXT COLLATE oracle_nocase')}`

/** Parts of a column type in DuckDB that are separate objects in PostgreSQL. */
const STORAGES = `CREATE TYPE oracle_label AS ${STORES.enum.made};
  CREATE COLLATION oracle_nocase (provider = icu, locale = 'und-u-ks-level2', deterministic = false)`
