/** Every dialect with the conformance suite of the core, one line each: how it writes names, texts and literals, and what it refuses. */
import { type DialectExpectations, dialectConformance } from '@grainline/core/testing'
import t from 'tap'
import { DIALECTS, FURTHER_DIALECTS } from '../corpus/corpus.js'

const DOUBLE_QUOTES: DialectExpectations['quoted'] = {
  plain: '"plain"',
  'Mixed Case': '"Mixed Case"',
  'a.b': '"a.b"',
  'say "hi"': '"say ""hi"""',
  "it's": `"it's"`,
  'back`tick': '"back`tick"',
  'br[ack]et': '"br[ack]et"',
  select: '"select"',
  'Größe 東京': '"Größe 東京"',
  'per%cent': '"per%cent"',
}
const BACKTICKS: DialectExpectations['quoted'] = {
  plain: '`plain`',
  'Mixed Case': '`Mixed Case`',
  'a.b': '`a.b`',
  'say "hi"': '`say "hi"`',
  "it's": "`it's`",
  'back`tick': '`back``tick`',
  'br[ack]et': '`br[ack]et`',
  select: '`select`',
  'Größe 東京': '`Größe 東京`',
  'per%cent': '`per%cent`',
}
/** A quote is doubled, and a backslash is an ordinary character. */
const AS_THEY_ARE: DialectExpectations['strings'] = {
  '': "''",
  plain: "'plain'",
  "it's": "'it''s'",
  "''": "''''''",
  'back\\slash': "'back\\slash'",
  "\\'; DROP TABLE t; --": "'\\''; DROP TABLE t; --'",
  'say "hi"': `'say "hi"'`,
  'line\nbreak': "'line\nbreak'",
  'Zürich 🚀': "'Zürich 🚀'",
  '100%_': "'100%_'",
}
/** Both are doubled. */
const BACKSLASHES: DialectExpectations['strings'] = {
  ...AS_THEY_ARE,
  'back\\slash': "'back\\\\slash'",
  "\\'; DROP TABLE t; --": "'\\\\''; DROP TABLE t; --'",
}
/** A backslash is written before each. */
const ESCAPED: DialectExpectations['strings'] = {
  ...BACKSLASHES,
  "it's": "'it\\'s'",
  "''": "'\\'\\''",
  "\\'; DROP TABLE t; --": "'\\\\\\'; DROP TABLE t; --'",
  'line\nbreak': "'line\\nbreak'",
}
const LITERALS: DialectExpectations['literals'] = {
  true: 'TRUE',
  false: 'FALSE',
  date: "DATE '2024-02-29'",
  time: "TIME '23:59:58'",
  timestamp: "TIMESTAMP '2024-02-29 23:59:58.5'",
  timestamp_tz: "TIMESTAMP '2024-02-29 23:59:58.5'",
}
const WITH_ZONE = { ...LITERALS, timestamp_tz: "TIMESTAMP WITH TIME ZONE '2024-02-29 23:59:58.5+00:00'" }

const EXPECTED: Readonly<Record<string, DialectExpectations>> = {
  bigquery: {
    quoted: { ...BACKTICKS, 'back`tick': '`back\\`tick`' },
    strings: ESCAPED,
    literals: {
      ...LITERALS,
      timestamp: "DATETIME '2024-02-29 23:59:58.5'",
      timestamp_tz: "TIMESTAMP '2024-02-29 23:59:58.5+00:00'",
    },
  },
  clickhouse: {
    quoted: DOUBLE_QUOTES,
    strings: BACKSLASHES,
    literals: {
      ...LITERALS,
      date: "toDate32('2024-02-29')",
      time: "CAST('23:59:58' AS Time64(6))",
      timestamp: "toDateTime64('2024-02-29 23:59:58.5', 6, 'UTC')",
      timestamp_tz: "toDateTime64('2024-02-29 23:59:58.5', 6, 'UTC')",
    },
  },
  databricks: {
    quoted: BACKTICKS,
    strings: ESCAPED,
    literals: {
      ...LITERALS,
      timestamp: "TIMESTAMP_NTZ '2024-02-29 23:59:58.5'",
      timestamp_tz: "TIMESTAMP '2024-02-29 23:59:58.5+00:00'",
    },
  },
  dremio: {
    quoted: DOUBLE_QUOTES,
    strings: AS_THEY_ARE,
    literals: LITERALS,
    refusedFunctions: ['json_value'],
    refusedAggregates: ['listagg'],
  },
  duckdb: { quoted: DOUBLE_QUOTES, strings: AS_THEY_ARE, literals: WITH_ZONE },
  mariadb: { quoted: BACKTICKS, strings: BACKSLASHES, literals: LITERALS, longest: 170_000 },
  // Weeks, months and years begin a number of days before a date, which is written twice, and twice more if the result may exceed
  // 9999-12-31.
  mysql: { quoted: BACKTICKS, strings: BACKSLASHES, literals: LITERALS, longest: 170_000 },
  postgres: {
    quoted: DOUBLE_QUOTES,
    strings: { ...AS_THEY_ARE, 'back\\slash': "E'back\\\\slash'", "\\'; DROP TABLE t; --": "E'\\\\''; DROP TABLE t; --'" },
    literals: WITH_ZONE,
  },
  redshift: { quoted: DOUBLE_QUOTES, strings: BACKSLASHES, literals: WITH_ZONE, refusedFunctions: ['json_value'] },
  // WEEK_START of the session must not matter, so a date is written twice to get its week.
  snowflake: {
    quoted: DOUBLE_QUOTES,
    strings: BACKSLASHES,
    literals: {
      ...LITERALS,
      timestamp: "CAST('2024-02-29 23:59:58.5' AS TIMESTAMP_NTZ)",
      timestamp_tz: "CAST('2024-02-29 23:59:58.5 +00:00' AS TIMESTAMP_TZ)",
    },
    longest: 100_000,
  },
  sqlite: {
    quoted: DOUBLE_QUOTES,
    strings: AS_THEY_ARE,
    literals: {
      ...LITERALS,
      date: "'2024-02-29'",
      time: "'23:59:58'",
      timestamp: "'2024-02-29 23:59:58.5'",
      timestamp_tz: "'2024-02-29 23:59:58.5'",
    },
    refusedFunctions: ['regexp_matches', 'regexp_extract'],
    // The limit for 9999-12-31 needs the date twice.
    longest: 26_000,
  },
  trino: {
    quoted: DOUBLE_QUOTES,
    strings: AS_THEY_ARE,
    literals: { ...LITERALS, timestamp_tz: "TIMESTAMP '2024-02-29 23:59:58.5 UTC'" },
  },
}

const all = [...DIALECTS, ...FURTHER_DIALECTS]
t.same(all.map(({ name }) => name).toSorted(), Object.keys(EXPECTED).toSorted(), 'no dialect is left out')
for (const dialect of all)
  t.test(dialect.name, (t) => {
    dialectConformance(t, dialect, EXPECTED[dialect.name]!)
    t.end()
  })
