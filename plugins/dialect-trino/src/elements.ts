import { ansi, type ElementsRequest, type SpellingOf } from '@grainline/core/dialect'

const isJsonType = (sqlType: string | undefined): boolean => sqlType?.toLowerCase() === 'json'

export const notAnArray: SpellingOf<'not_an_array'> = ([x, type]) => {
  const json = `JSON_EXTRACT(${x}, '$')`
  return isJsonType(type.slice(1, -1)) ? `(JSON_ARRAY_LENGTH(${json}) IS NULL AND JSON_FORMAT(${json}) <> 'null')` : '1 = 0'
}

/**
 * An ARRAY of values or ROWs; an array of JSON if the model declares the column as `json`. UNNEST makes a column of each field of a
 * ROW, so each element is wrapped in a ROW. https://trino.io/docs/current/sql/select.html#unnest
 */
export function elements({ table, array, sqlType, key, fields }: ElementsRequest): string {
  const isJson = isJsonType(sqlType)
  const list = isJson
    ? `TRY_CAST(JSON_EXTRACT("row".${array}, '$') AS ARRAY(JSON))`
    : `TRANSFORM("row".${array}, "*" -> ROW("*"))`
  const fieldOf = ({ code, name, type, sqlType: as }: ElementsRequest['fields'][number]): string => {
    if (code === '#') return '"each"."#"'
    if (!isJson) return code === '*' ? '"each"."*"' : `"each"."*".${name}`
    const path = ansi.literals.string(code === '*' ? '$' : `$["${code.replace(/["\\]/g, '\\$&')}"]`)
    return type.kind === 'json'
      ? `JSON_EXTRACT("each"."*", ${path})`
      : `TRY_CAST(JSON_EXTRACT_SCALAR("each"."*", ${path}) AS ${as})`
  }
  const columns = [
    ...key.map(({ column, alias }) => `"row".${column} AS ${alias}`),
    ...fields.map((field) => `${fieldOf(field)} AS ${field.name}`),
  ]
  return `SELECT ${columns.join(', ')}\nFROM ${table} AS "row" CROSS JOIN UNNEST(${list}) WITH ORDINALITY AS "each"("*", "#")`
}
