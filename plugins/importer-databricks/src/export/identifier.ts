/** Names as identifiers of Databricks, which ignore case. */

/** The name alone if it is a plain word, and otherwise between backticks. */
export const identifier = (name: string): string =>
  /^[a-z_][a-z0-9_]*$/i.test(name) && !RESERVED.has(name.toUpperCase()) ? name : quotedName(name)

export const quotedName = (name: string): string => `\`${name.replaceAll('`', '``')}\``

/** What cannot be a name between two points, and becomes a line below. */
export const plainName = (name: string): string => name.replace(/[^\p{L}\p{N}_ -]+/gu, '_').slice(0, MOST_CHARACTERS) || '_'

const MOST_CHARACTERS = 60

/** Words that begin another part of an expression, there or in the grammar that reads it; and the name of the source. */
const RESERVED = new Set(
  `all analyse analyze and any array as asc asymmetric authorization between binary both by case cast check collate collation column concurrently
  constraint create cross current_catalog current_date current_role current_schema current_time current_timestamp current_user date default
  deferrable desc distinct do else end except exists extract false fetch filter for foreign freeze from full grant group having ilike in initially
  inner intersect interval into is isnull join lateral leading left like limit localtime localtimestamp measure minus natural not notnull null
  offset on only or order outer overlaps placing position primary references returning right row rows select session_user set similar some source
  substring symmetric table tablesample then time timestamp to trailing trim true union unique unnest user using values variadic verbose when where
  window with`
    .toUpperCase()
    .split(/\s+/),
)
