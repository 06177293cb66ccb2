import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import t from 'tap'
import { amount } from '../../../../test/support/amount.js'
import { edited, editsWith, STRANGE_SIGNS } from '../../../../test/support/edited-text.js'
import { plainJson } from './plain-json.js'
import { parseYaml } from './yaml.js'

const read = (text: string) => {
  try {
    return { value: parseYaml(text) }
  } catch (error) {
    return { error }
  }
}

const SOUND = [
  '{}',
  ' \n{"a": 1.50, "b": [true, null, -0, 1e3, []], "c": {"d": "x: y, \\"z\\" \\\\", "__proto__": {}}}\r\n',
  '{"<<": {"a": 1}, "~": "1", "\\ud83d\\ude00": "😀 \\u00e9 \\/ \\b"}',
]
const OTHERS = [
  '{"a": 1, "a": 2}',
  '{"a": {"b": 1, "\\u0062": 2}}',
  '{"a": 12345678901234567890}',
  '{"a": 1e999}',
  '{\t"a": 1}',
  '{"a": "\x7f"}',
  '{"a": "\ud800"}',
  '{"\\u0000merge": {"b": 1}}',
  '{a: 1}',
  '[]',
  `{"a": ${'['.repeat(60)}${']'.repeat(60)}}`,
  `{"a": [${Array.from({ length: 10_001 }, () => 1)}]}`,
  '{"a": 1}}',
  'a: 1',
  '',
]

t.test('JSON is parsed to the same value as by the YAML parser', async (t) => {
  for (const text of SOUND) t.strictSame({ value: plainJson(text) }, read(text), text)
})

t.test('texts that YAML refuses, or parses differently, are left to the YAML parser', async (t) => {
  for (const text of OTHERS) t.equal(plainJson(text), undefined, text.slice(0, 40))
})

const scraps = [
  '"',
  '\\',
  ':',
  ',',
  '{',
  '}',
  '[',
  ']',
  '"a":',
  '1e400',
  '-',
  '0',
  '.',
  '\\u0000',
  '\\ud83d',
  '#',
  '---',
  '\n',
  ...STRANGE_SIGNS,
]
const damaged = fc
  .record({
    value: fc.dictionary(fc.string(), fc.jsonValue()),
    indent: fc.nat(2),
    edits: editsWith(scraps),
  })
  .map(({ value, indent, edits }) => edited(`${JSON.stringify(value, null, indent)} `, edits))

const SEED = Number(process.env.SEED ?? 20261125)
t.test(`both parsers agree on any text (seed ${SEED})`, async (t) => {
  let plain = 0
  fc.assert(
    fc.property(damaged, (text) => {
      const value = plainJson(text)
      if (value !== undefined) plain++
      return value === undefined || isDeepStrictEqual(read(text), { value })
    }),
    { numRuns: amount(700, 2000), seed: SEED },
  )
  t.ok(plain > 50, `${plain} texts`)
})
