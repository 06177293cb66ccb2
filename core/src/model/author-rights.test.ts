import t from 'tap'
import { type AuthorRights, refusedSource } from './author-rights.js'

/** No schema is listed, so everything except the system may be read. */
const rights: AuthorRights = {
  sql: false,
  schemas: [],
  system: [{ schemas: /^(information_schema|sys)$/, tables: /^(duckdb|pragma)_/, files: /^csv\./ }],
}

const table = (name: string, schema?: string, database?: string) => ({ kind: 'table' as const, name, schema, database })

t.test('each part of a name may be a schema of the system, and the last a table of it, with dots at any place', async (t) => {
  const refused = [
    table('tables', 'information_schema'),
    table('tables', 'Information_Schema', 'main'),
    table('tables', undefined, 'sys'),
    table('information_schema.tables'),
    table('main.INFORMATION_SCHEMA.tables'),
    table('tables', 'main.sys'),
    table('duckdb_settings'),
    table('main.Duckdb_Settings'),
    table('a.b.pragma_storage_info', 'main'),
  ]
  for (const source of refused) t.ok(refusedSource(source, rights), JSON.stringify(source))
  const read = [table('orders'), table('orders', 'main'), table('my.orders'), table('sys'), table('my_duckdb_settings')]
  for (const source of read) t.notOk(refusedSource(source, rights), JSON.stringify(source))
})

t.test('only listed schemas are allowed, and dots in a name do not bypass the list', async (t) => {
  const listed = { ...rights, schemas: ['Sales'] }
  t.notOk(refusedSource(table('orders', 'sales'), listed))
  t.ok(refusedSource(table('other.orders', 'sales'), listed), 'a path within the name')
  t.ok(refusedSource(table('orders', 'hr'), listed))
  t.ok(refusedSource(table('orders'), listed), 'no schema at all')
})
