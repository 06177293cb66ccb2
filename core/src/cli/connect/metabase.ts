/** Metabase: the database, its tables and the kinds of their fields, by its API. */

import { setTimeout as wait } from 'node:timers/promises'
import { fail } from '../../errors.js'
import { PROTOCOL } from './protocol.js'
import type { Connection, Relation, RelationField } from './relation.js'

interface Access {
  /** The address of Metabase. */
  readonly url: string
  readonly key: string
  /** The password of the database: a key of the server. */
  readonly password: string
  readonly signal: AbortSignal | undefined
}

interface Database {
  readonly id: number
  readonly name: string
}

interface Table {
  readonly name: string
  readonly fields: readonly { readonly id: number; readonly name: string }[]
}

type Send = <T>(method: 'GET' | 'POST' | 'PUT', path: string, body?: object) => Promise<T>

/** Adds the database if Metabase does not have it, and says of each field whether one groups by it. */
export async function metabase(connection: Connection, access: Access): Promise<string> {
  const send = sender(access)
  const { relations } = connection
  const { model } = relations[0]
  const { data } = await send<{ readonly data: readonly Database[] }>('GET', 'database')
  const { id } =
    data.find(({ name }) => name === model) ?? (await send<Database>('POST', 'database', databaseOf(connection, access)))
  await send('POST', `database/${id}/sync_schema`)
  const tables = await tablesOf(id, relations, send, access)
  let changed = 0
  for (const { table, fields } of relations) {
    const known = new Map(tables.find(({ name }) => name === table)?.fields.map((field) => [field.name, field.id]))
    for (const field of fields) {
      const place = known.get(field.name)
      if (place === undefined) continue
      await send('PUT', `field/${place}`, kindOf(field))
      changed++
    }
  }
  return `${model}: database ${id} of Metabase, ${relations.length} tables, ${changed} fields\n`
}

const databaseOf = ({ host, port, user, tls, relations }: Connection, { password }: Access) => ({
  engine: PROTOCOL.kind,
  name: relations[0].model,
  details: { host, port, dbname: relations[0].model, user, password, ssl: tls },
  // Its analysis would send a query for each field.
  is_full_sync: false,
})

const kindOf = ({ role, type, description }: RelationField) => ({
  description,
  semantic_type: role === 'dimension' ? (type === 'text' || type === 'boolean' ? 'type/Category' : null) : 'type/Quantity',
  visibility_type: 'normal',
  has_field_values: role === 'dimension' ? 'search' : 'none',
})

const TRIES = 60

/** Metabase reads a schema in the background. */
async function tablesOf(id: number, relations: readonly Relation[], send: Send, { signal }: Access): Promise<readonly Table[]> {
  for (let tried = 0; tried < TRIES; tried++) {
    const { tables } = await send<{ readonly tables: readonly Table[] }>('GET', `database/${id}/metadata`)
    const isThere = ({ table, fields }: Relation) =>
      tables.some((known) => known.name === table && known.fields.length >= fields.length)
    if (relations.every(isThere)) return tables
    await wait(1000, undefined, { ...(signal && { signal }) })
  }
  return fail('INVALID_REQUEST', 'Metabase has not read the tables of the model within a minute', {
    hint: 'Check host, port and key in Admin settings, Databases, and run the command again.',
  })
}

function sender({ url, key, signal }: Access): Send {
  const base = url.endsWith('/') ? url.slice(0, -1) : url
  return async (method, path, body) => {
    const response = await fetch(`${base}/api/${path}`, {
      method,
      headers: { 'x-api-key': key, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
      ...(signal && { signal }),
    })
    if (!response.ok) {
      const text = (await response.text()).slice(0, 300)
      fail('INVALID_REQUEST', `Metabase answered ${method} ${path} with ${response.status}: ${text}`)
    }
    const text = await response.text()
    return text === '' ? {} : JSON.parse(text)
  }
}
