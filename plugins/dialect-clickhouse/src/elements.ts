import type { ElementsRequest, SpellingOf } from '@grainline/core/dialect'

const isJsonType = (sqlType: string | undefined): boolean => sqlType?.toLowerCase() === 'json'

export const notAnArray: SpellingOf<'not_an_array'> = ([x, type]) =>
  isJsonType(type.slice(1, -1)) ? `JSONType(${x}) NOT IN ('Array', 'Null')` : '1 = 0'

/** An Array of values or of named tuples; an array of JSON if the model declares the column as `json`. */
export function elements({ table, array, sqlType, key, fields }: ElementsRequest): string {
  const isJson = isJsonType(sqlType)
  const list = isJson ? `JSONExtractArrayRaw(ifNull("row".${array}, ''))` : `"row".${array}`
  const fieldOf = ({ code, name, text, type, sqlType: as }: ElementsRequest['fields'][number]): string => {
    if (code === '#') return 'toInt64("#")'
    if (!isJson) return code === '*' ? '"each"' : `"each".${name}`
    const raw = code === '*' ? '"each"' : `JSONExtractRaw("each", ${text})`
    if (type.kind === 'json') return raw
    return code === '*'
      ? `JSONExtract("each", '${as.replaceAll("'", "\\'")}')`
      : `JSONExtract("each", ${text}, '${as.replaceAll("'", "\\'")}')`
  }
  const columns = [
    ...key.map(({ column, alias }) => `"row".${column} AS ${alias}`),
    ...fields.map((field) => `${fieldOf(field)} AS ${field.name}`),
  ]
  return `SELECT ${columns.join(', ')}\nFROM ${table} AS "row" ARRAY JOIN ${list} AS "each", arrayEnumerate(${list}) AS "#"`
}
