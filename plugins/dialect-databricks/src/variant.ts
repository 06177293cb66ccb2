import type { ElementsRequest, SpellingOf } from '@grainline/core/dialect'

/** JSON in a VARIANT or in a STRING: https://docs.databricks.com/aws/en/sql/language-manual/functions/variant_get */
const asVariant = (value: string): string => `TRY_PARSE_JSON(CAST(${value} AS STRING))`

/** The scalar at a path as text; NULL for an object, an array or the null of JSON. */
export const jsonValue: SpellingOf<'json_value'> = ([x, path]) => {
  const found = `VARIANT_GET(${asVariant(x)}, ${path})`
  return `CASE WHEN NOT SCHEMA_OF_VARIANT(${found}) RLIKE '^(OBJECT|ARRAY|VOID)' THEN CAST(${found} AS STRING) END`
}

const IS_JSON = /^(json|variant|string)$/i

export const notAnArray: SpellingOf<'not_an_array'> = ([x, type]) =>
  IS_JSON.test(type.slice(1, -1)) ? `NOT SCHEMA_OF_VARIANT(${asVariant(x)}) RLIKE '^(ARRAY|VOID)'` : '1 = 0'

/** An ARRAY of values or STRUCTs; an array of JSON if the model declares the column as `json`, `variant` or `string`. */
export function elements({ table, array, sqlType, key, fields }: ElementsRequest): string {
  const isJson = IS_JSON.test(sqlType ?? '')
  const column = `\`row\`.${array}`
  const fieldOf = ({ code, name, text, type, sqlType: as }: ElementsRequest['fields'][number]): string => {
    if (code === '#') return 'CAST(`each`.`#` + 1 AS BIGINT)'
    if (!isJson) return code === '*' ? '`each`.`*`' : `\`each\`.\`*\`.${name}`
    const path = code === '*' ? "'$'" : `'$["${text.slice(1, -1)}"]'`
    return `TRY_VARIANT_GET(\`each\`.\`*\`, ${path}${type.kind === 'json' ? '' : `, '${as}'`})`
  }
  const columns = [
    ...key.map(({ column: code, alias }) => `\`row\`.${code} AS ${alias}`),
    ...fields.map((field) => `${fieldOf(field)} AS ${field.name}`),
  ]
  const variant = asVariant(column)
  const each = isJson
    ? `VARIANT_EXPLODE(CASE WHEN SCHEMA_OF_VARIANT(${variant}) RLIKE '^ARRAY' THEN ${variant} END) AS \`each\`(\`#\`, \`key\`, \`*\`)`
    : `POSEXPLODE(${column}) AS \`each\`(\`#\`, \`*\`)`
  return `SELECT ${columns.join(', ')}\nFROM ${table} AS \`row\`, LATERAL ${each}`
}
