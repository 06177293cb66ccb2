/** Names as identifiers of Snowflake. */

/** The name as it is written: alone if case does not matter and it is a plain word, and otherwise in quotes. */
export const identifier = (name: string): string => (isPlain(name) ? name : quotedName(name))

export const quotedName = (name: string): string => `"${name.replaceAll('"', '""')}"`

/** The name of an identifier as the database knows it. */
export const keyOf = (written: string): string =>
  written.startsWith('"') ? written.slice(1, -1).replaceAll('""', '"') : written.toUpperCase()

/** A column or table, whose name is exact. */
export const exactName = (code: string): string => (isPlain(code) && code === code.toUpperCase() ? code : quotedName(code))

const isPlain = (name: string): boolean => /^[A-Za-z_][A-Za-z0-9_]*$/.test(name) && !RESERVED.has(name.toUpperCase())

/** Words that begin another part of a statement, here or in the grammar that reads expressions. */
const RESERVED = new Set(
  `account all alter analyse analyze and any array as asc asymmetric authorization between binary both by case cast check collate collation
  column comment concurrently connect connection constraint create cross current current_catalog current_date current_role current_schema
  current_time current_timestamp current_user database default deferrable delete desc dimensions distinct do drop else end except exists
  facts false fetch following for foreign freeze from full grant group gscluster having ilike in increment initially inner insert intersect
  into is isnull issue join lateral leading left like limit localtime localtimestamp metrics minus natural not notnull null of offset on only
  or order organization outer overlaps placing primary private public qualify references regexp relationships returning revoke right rlike
  row rows sample schema select session_user set similar some start symmetric system_user table tables tablesample then to trailing trigger
  true try_cast union unique update user using values variables variadic verbose view when whenever where window with`
    .toUpperCase()
    .split(/\s+/),
)
