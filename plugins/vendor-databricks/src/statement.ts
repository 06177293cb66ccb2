import type { ArrivedColumn } from '@grainline/core/vendor'

/** A statement with columns that can be described and read. Other statements, such as EXPLAIN, return texts. */
export const isQuery = (sql: string): boolean => /^\s*(SELECT|WITH)\b/i.test(sql)

/** https://docs.databricks.com/aws/en/sql/language-manual/sql-ref-syntax-aux-describe-query */
export const describing = (sql: string): string => `DESCRIBE QUERY ${sql}`

/** Types whose text is not JSON, although a text of theirs is planned as JSON. */
const NESTED = /^(variant|array|map|struct)\b/

/**
 * The statement with a text for every value. The driver makes doubles of decimals and whole numbers, and milliseconds of times, depending on
 * how the server packs an answer; a text is a text. The rows keep their order, because the projection is above the sort.
 */
export function asTexts(sql: string, columns: readonly ArrivedColumn[]): string {
  const names = columns.map((_, i) => `c${i}`)
  const texts = columns.map(({ type }, i) => (NESTED.test(String(type)) ? `TO_JSON(c${i})` : `CAST(c${i} AS STRING)`))
  const list = texts.map((text, i) => `${text} AS c${i}`)
  return `SELECT ${list.join(', ')} FROM (\n${sql}\n) AS answer(${names.join(', ')})`
}
