/**
 * Table functions of DuckDB that act on the engine, or report on it and on other clients. The lock does not cover them: it only prevents changes of settings
 * and access to files. No statement needs them, so no text can use them as a table.
 */
import type { Connection } from '@duckdb/node-bindings'
import { fail } from '@grainline/core'
import type { Driver } from './driver.js'

const NAMES =
  'checkpoint force_checkpoint enable_logging disable_logging enable_profiling disable_profiling enable_peg_parser disable_peg_parser ' +
  'truncate_duckdb_logs duckdb_logs duckdb_log_contexts duckdb_settings duckdb_secrets duckdb_secret_types duckdb_variables ' +
  'duckdb_prepared_statements duckdb_temporary_files duckdb_external_file_cache duckdb_extensions duckdb_memory which_secret ' +
  'read_blob read_text read_duckdb glob sniff_csv query query_table json_execute_serialized_sql sql_auto_complete'

const acting = new Set(NAMES.split(' '))
const mentioned = new RegExp(`\\b(${[...acting].join('|')})\\b`, 'i')

/** Throws `DATABASE_ERROR`. It is free if the text contains no such word; otherwise the parser of the engine decides. */
export async function refuseActing(sql: string, connection: Connection, { api }: Driver): Promise<void> {
  if (!mentioned.test(sql)) return
  const literal = `'${sql.replaceAll("'", "''")}'`
  const answer = await new api.DuckDBConnection(connection).runAndReadAll(`SELECT json_serialize_sql(${literal})`)
  const tree: { readonly error: boolean; readonly error_message?: string } = JSON.parse(String(answer.getRows()[0]?.[0]))
  if (tree.error) fail('DATABASE_ERROR', tree.error_message ?? 'The statement cannot be read')
  const found = actingIn(tree)
  if (found !== undefined) fail('DATABASE_ERROR', `'${found}' acts on the database system, or tells of it, and is not run here`)
}

interface SerializedNode {
  readonly type?: unknown
  readonly table_name?: unknown
  readonly function?: { readonly function_name?: unknown }
}

/** The first one that is read as a table, anywhere in the tree. */
function actingIn(node: unknown): string | undefined {
  if (typeof node !== 'object' || node === null) return undefined
  const { type, table_name: table, function: call }: SerializedNode = node
  const called = type === 'TABLE_FUNCTION' ? String(call?.function_name) : undefined
  if (called !== undefined && acting.has(called.toLowerCase())) return called
  // Some of them are views, too; a table of the data may well be called 'query'.
  if (typeof table === 'string' && /^duckdb_/i.test(table) && acting.has(table.toLowerCase())) return table
  for (const part of Object.values(node)) {
    const found = actingIn(part)
    if (found !== undefined) return found
  }
  return undefined
}
