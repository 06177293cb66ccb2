import { postgres } from '@grainline/dialect-postgres'
import type { Engine } from '../suites.js'
import { askPostgres } from './answer.js'
import { openPostgres } from './open.js'

/** A fresh server with a client to it. */
export async function openEngine(): Promise<Engine | string> {
  const opened = await openPostgres()
  if (typeof opened === 'string') return opened
  const { client, close } = opened
  return {
    dialect: postgres,
    load: async (statements) => void (await client.query(forPostgres(statements))),
    ask: (sql, columns) => askPostgres(client, sql, columns),
    close,
  }
}

/** A table that is loaded anew may have other columns. */
const forPostgres = (statements: string): string =>
  `SET client_min_messages = warning; ${statements
    .replace(/^CREATE OR REPLACE TABLE ("(?:[^"]|"")*")/gm, 'DROP TABLE IF EXISTS $1; CREATE TABLE $1')
    .replace(/" DOUBLE\b/g, '" DOUBLE PRECISION')}`
