import { dialectConformance } from '@grainline/core'
import t from 'tap'
import { databricks } from './index.js'

dialectConformance(t, databricks, {
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
    timestamp: "TIMESTAMP_NTZ '2024-02-29 23:59:58.5'",
    timestamp_tz: "TIMESTAMP '2024-02-29 23:59:58.5+00:00'",
  },
})

t.test('no text and no name begins a variable of the session', async (t) => {
  const variable = `\${env:HOME}`
  t.equal(databricks.literals.string(`pay ${variable} $5`), "'pay \\u0024{env:HOME} $5'")
  t.throws(() => databricks.quote(variable), { code: 'UNSUPPORTED_SQL_FEATURE' })
  t.equal(`a${variable}$`.replaceAll(databricks.unnameable!, '_'), 'a_{env:HOME}$')
})

t.test('a backslash in a pattern stands before a sign that it escapes, or is left out', async (t) => {
  const like = (literal: string, folded = false) =>
    databricks.like({ value: 'x', pattern: databricks.literals.string(literal), literal, folded, negated: false })
  t.equal(like('100\\%'), "x LIKE '100\\\\%'")
  t.equal(like('a\\b\\_\\\\'), "x LIKE 'ab\\\\_\\\\\\\\'")
  t.equal(like('a\\b', true), "x LIKE LOWER('ab')")
})

t.test('digits that are not written out are refused by name', async (t) => {
  t.throws(() => databricks.functions['round']!(['x', 'y'], [{ kind: 'float' }, { kind: 'int' }]), {
    code: 'UNSUPPORTED_FUNCTION',
  })
})
