import { dialectConformance } from '@grainline/core'
import t from 'tap'
import { clickhouse } from './index.js'

dialectConformance(t, clickhouse, {
  quoted: {
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
    date: "toDate32('2024-02-29')",
    time: "CAST('23:59:58' AS Time64(6))",
    timestamp: "toDateTime64('2024-02-29 23:59:58.5', 6, 'UTC')",
    timestamp_tz: "toDateTime64('2024-02-29 23:59:58.5', 6, 'UTC')",
  },
})

t.test('a backslash in a name is a backslash', async (t) => t.equal(clickhouse.quote('a\\b'), '"a\\\\b"'))
