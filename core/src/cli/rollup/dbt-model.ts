import type { RollupStatement } from '../../service/asking.js'

/** A model of dbt: a table whose name ends in the identity of what it holds, so that two definitions never share one. */
export function dbtModel({ rollup, table, definition, sql }: RollupStatement): string {
  const config = [
    "materialized='table'",
    `alias=${JSON.stringify(`${table.name}_${definition.slice(0, DIGITS)}`)}`,
    ...(table.schema === undefined ? [] : [`schema=${JSON.stringify(table.schema)}`]),
    ...(table.database === undefined ? [] : [`database=${JSON.stringify(table.database)}`]),
  ]
  const title = `-- rollup ${JSON.stringify(rollup)}, definition ${definition}`
  return `{{ config(${config.map(plain).join(', ')}) }}\n${asText(title)}\n${asText(sql)}\n`
}

const DIGITS = 12

/** No part of a text begins an expression, a statement or a comment of Jinja. */
const asText = (text: string): string => text.replaceAll(/\{(?=[{%#])/g, "{{ '{' }}")

/** A string of Jinja ends at no brace, but its lexer looks for the end of the expression outside of strings only; braces are written as escapes all the same. */
const plain = (text: string): string => text.replaceAll('{', '\\u007b').replaceAll('}', '\\u007d')
