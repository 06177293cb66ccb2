/** The path of a table, as a statement has it → the keys of a data object. */
import type { Entry } from './draft.js'

const NAME = String.raw`(?:[\w$-]+|"[^"]+"|\x60[^\x60]+\x60)`
const TABLE = new RegExp(String.raw`^${NAME}(?:\s*\.\s*${NAME}){0,2}$`)

/** Undefined for a text that is no path of one table. */
export function tableOf(path: string): Entry | undefined {
  if (!TABLE.test(path)) return undefined
  // Quotes of BigQuery may contain the whole path.
  const words = (path.match(new RegExp(NAME, 'g')) ?? []).flatMap((word) =>
    word.startsWith('`') ? word.slice(1, -1).split('.') : [word.replace(/^"(.*)"$/s, '$1')],
  )
  if (words.length > 3) return undefined
  const [code = '', schema, database] = words.toReversed()
  return { code, ...(schema !== undefined && { schema }), ...(database !== undefined && { database }) }
}
