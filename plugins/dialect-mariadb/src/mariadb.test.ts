import { dialectConformance } from '@grainline/core'
import t from 'tap'
import { mariadb } from './index.js'

dialectConformance(t, mariadb, {
  quoted: {
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
  },
  strings: {
    '': "''",
    plain: "'plain'",
    "it's": "'it''s'",
    "''": "''''''",
    'back\\slash': "'back\\\\slash'",
    "\\'; DROP TABLE t; --": "'\\\\''; DROP TABLE t; --'",
    'say "hi"': `'say "hi"'`,
    'line\nbreak': "'line\nbreak'",
    'Zürich 🚀': "'Zürich 🚀'",
    '100%_': "'100%_'",
  },
  literals: {
    true: 'TRUE',
    false: 'FALSE',
    date: "DATE '2024-02-29'",
    time: "TIME '23:59:58'",
    timestamp: "TIMESTAMP '2024-02-29 23:59:58.5'",
    timestamp_tz: "TIMESTAMP '2024-02-29 23:59:58.5'",
  },
  // Weeks, months and years begin so many days before a day, which is written twice.
  longest: 50_000,
})
