/**
 * A regular expression, as a text literal, in which one group captures, or none for 0: REGEXP_EXTRACT accepts at most one group and
 * returns that group. https://cloud.google.com/bigquery/docs/reference/standard-sql/string_functions#regexp_extract
 */
export function keepGroup(literal: string, group: number): string {
  let seen = 0
  // In a literal a backslash is two; an escaped sign and a class of signs are no group.
  return literal.replace(/\\\\\\\\|\\\\.|\[\^?\]?(?:\\\\.|[^\]])*(?:\]|$)|\((?!\?)|\(\?P?<[^=!>]+>/g, (found) => {
    if (!found.startsWith('(')) return found
    seen++
    return seen === group ? '(' : '(?:'
  })
}
