import type { SpellingOf } from '@grainline/core/dialect'

/** JSON in a VARIANT or in a STRING: https://docs.databricks.com/aws/en/sql/language-manual/functions/variant_get */
export const asVariant = (value: string): string => `TRY_PARSE_JSON(CAST(${value} AS STRING))`

/** The scalar at a path as text; NULL where there is an object, an array or the null of JSON. */
export const jsonValue: SpellingOf<'json_value'> = ([x, path]) => {
  const found = `VARIANT_GET(${asVariant(x)}, ${path})`
  return `CASE WHEN NOT SCHEMA_OF_VARIANT(${found}) RLIKE '^(OBJECT|ARRAY|VOID)' THEN CAST(${found} AS STRING) END`
}
