import { dialectConformance } from '@grainline/core'
import t from 'tap'
import { bigquery } from './index.js'
import { keepGroup } from './keep-group.js'

dialectConformance(t, bigquery, {
  quoted: {
    plain: '`plain`',
    'Mixed Case': '`Mixed Case`',
    'a.b': '`a.b`',
    'say "hi"': '`say "hi"`',
    "it's": "`it's`",
    'back`tick': '`back\\`tick`',
    'br[ack]et': '`br[ack]et`',
    select: '`select`',
    'Größe 東京': '`Größe 東京`',
    'per%cent': '`per%cent`',
  },
  strings: {
    '': "''",
    plain: "'plain'",
    "it's": "'it\\'s'",
    "''": "'\\'\\''",
    'back\\slash': "'back\\\\slash'",
    "\\'; DROP TABLE t; --": "'\\\\\\'; DROP TABLE t; --'",
    'say "hi"': `'say "hi"'`,
    'line\nbreak': "'line\\nbreak'",
    'Zürich 🚀': "'Zürich 🚀'",
    '100%_': "'100%_'",
  },
  literals: {
    true: 'TRUE',
    false: 'FALSE',
    date: "DATE '2024-02-29'",
    time: "TIME '23:59:58'",
    timestamp: "DATETIME '2024-02-29 23:59:58.5'",
    timestamp_tz: "TIMESTAMP '2024-02-29 23:59:58.5+00:00'",
  },
})

t.test('of a regular expression one group captures', async (t) => {
  t.equal(keepGroup("'([a-z]+)-([0-9]+)'", 2), "'(?:[a-z]+)-([0-9]+)'")
  t.equal(keepGroup("'([a-z]+)-([0-9]+)'", 0), "'(?:[a-z]+)-(?:[0-9]+)'")
  t.equal(keepGroup("'(?P<a>x)(?:y)(?<b>z)'", 2), "'(?:x)(?:y)(z)'")
  t.equal(keepGroup("'\\\\([(](a)'", 1), "'\\\\([(](a)'", 'an escaped sign and a class of signs are no group')
  t.equal(keepGroup("'\\\\\\\\(a)[]()](b)'", 0), "'\\\\\\\\(?:a)[]()](?:b)'")
})
