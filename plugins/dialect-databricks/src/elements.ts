import type { ElementsRequest } from '@grainline/core/dialect'
import { asVariant } from './json-value.js'

const IS_JSON = /^(json|variant|string)$/i

/** An ARRAY of values or STRUCTs; an array of JSON where the model says that the column is `json`, `variant` or `string`. */
export function elements({ table, array, sqlType, key, fields }: ElementsRequest): string {
  const isJson = IS_JSON.test(sqlType ?? '')
  const column = `\`row\`.${array}`
  const fieldOf = ({ code, name, text, type, sqlType: as }: ElementsRequest['fields'][number]): string => {
    if (code === '#') return 'CAST(`each`.`#` + 1 AS BIGINT)'
    if (!isJson) return code === '*' ? '`each`.`*`' : `\`each\`.\`*\`.${name}`
    const path = code === '*' ? "'$'" : `'$["${text.slice(1, -1)}"]'`
    return `VARIANT_GET(\`each\`.\`*\`, ${path}${type.kind === 'json' ? '' : `, '${as}'`})`
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
