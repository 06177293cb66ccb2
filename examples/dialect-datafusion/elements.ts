import type { Dialect } from '@grainline/core/dialect'
import { big } from './times.js'

/** Lists, of values or of structs, one row for each element. There is no JSON. */
export const elements: Dialect['elements'] = ({ table, array, sqlType, key, fields }) => {
  if (/json/i.test(sqlType ?? '')) return null
  const keys = key.map(({ column, alias }) => `${column} AS ${alias}`)
  const columns = fields.map(({ code, name, text, sqlType }) => {
    if (code === '#' || code === '*') return `"${code}" AS ${name}`
    return `CAST("*"[${text}] AS ${sqlType}) AS ${name}`
  })
  const places = `RANGE(1, ${big(`ARRAY_LENGTH(${array})`)} + 1)`
  const unnested = [...keys, `UNNEST(${array}) AS "*"`, `UNNEST(${places}) AS "#"`]
  return `SELECT ${[...key.map(({ alias }) => alias), ...columns].join(', ')}\nFROM (SELECT ${unnested.join(', ')} FROM ${table}) AS "unnested"`
}
