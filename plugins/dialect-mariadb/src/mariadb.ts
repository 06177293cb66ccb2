import { defineDialect, replaced } from '@grainline/core/dialect'
import { collated, comparing, mysql } from '@grainline/dialect-mysql'

/** Code points without padding, by another name: https://mariadb.com/kb/en/supported-character-sets-and-collations/ */
const CODE_POINTS = 'utf8mb4_nopad_bin'
const exact = collated(CODE_POINTS)

/** MariaDB 10.6 and newer: MySQL with another collation, JSON as text, other regular expressions, and LAG without a default. */
export const mariadb = defineDialect(mysql, {
  name: 'mariadb',
  // The name of a sequence makes rows: https://mariadb.com/kb/en/sequence-storage-engine/
  system: { tables: /^seq_\d+_to_\d+(_step_\d+)?$/ },
  // Each has a bit in a word of 64: the server refuses more with ER_TOO_MANY_DEFINITIONS_IN_WITH_CLAUSE.
  maxCtes: 64,
  semantics: {
    lagDefault: false,
    signedRanks: true,
    sharedKeys: true,
  },
  planner: {
    keepsTables: false,
    rangeFrames: false,
  },
  type: (type) => (type.kind === 'json' ? 'CHAR' : mysql.type(type)),
  functions: {
    ...comparing(CODE_POINTS),
    // '' without a match; groups are written with a backslash: https://mariadb.com/kb/en/regexp_replace/
    regexp_extract: ([x, pattern, group = '0']) => {
      const found = `REGEXP_SUBSTR(${exact(x)}, ${pattern})`
      const part = group === '0' ? found : `REGEXP_REPLACE(${found}, ${pattern}, '\\\\${group}')`
      return `CASE WHEN ${exact(x)} REGEXP ${pattern} THEN ${part} END`
    },
  },
  // It does not know the capital ß.
  lowered: (value, among) => `LOWER(${replaced(value, { ς: 'σ', İ: 'i', ẞ: 'ß' }, among)})`,
  collate: exact,
})
