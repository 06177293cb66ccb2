import type { PGlite } from '@electric-sql/pglite'
import type { ArrivedColumn, RowSession, TextRow } from '@grainline/core/vendor'
import { preparation } from '@grainline/vendor-postgres'

/** Rows of one batch. */
const CHUNK = 2000

/** The one session of the database of the tab, which reads only. A statement cannot be stopped: it holds the worker until it ends. */
export async function openSession(database: PGlite): Promise<RowSession> {
  await database.exec(preparation({ dialect: 'postgres', statementTimeoutMs: undefined }))
  return {
    async *rows(sql: string, announce: (columns: readonly ArrivedColumn[]) => void) {
      const { fields, rows } = await database.query<TextRow>(sql, [], { rowMode: 'array', parsers: textsOf(database) })
      announce(fields.map(({ name, dataTypeID }) => ({ name, type: dataTypeID })))
      for (let at = 0; at < rows.length; at += CHUNK) yield rows.slice(at, at + CHUNK)
    },
    cancel: async () => {},
    restore: async () => {},
    usable: true,
    destroy() {},
    close: async () => {},
  }
}

/** Every value stays the text that PostgreSQL writes: no number, date or document is read in between. */
const textsOf = ({ parsers }: PGlite) => Object.fromEntries(Object.keys(parsers).map((type) => [type, (text: string) => text]))
