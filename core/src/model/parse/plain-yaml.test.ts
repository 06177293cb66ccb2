import { readFileSync } from 'node:fs'
import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import { dump } from 'js-yaml'
import t from 'tap'
import { amount } from '../../../../test/support/amount.js'
import { edited, editsWith, STRANGE_SIGNS } from '../../../../test/support/edited-text.js'
import { plainYaml } from './plain-yaml.js'
import { parseYaml } from './yaml.js'

const read = (text: string) => {
  try {
    return { value: parseYaml(text) }
  } catch (error) {
    return { error }
  }
}

/** Whether both readers give the same value, with its keys in the same order. */
const isSame = (text: string, value: unknown): boolean => {
  const other = read(text)
  return isDeepStrictEqual(other, { value }) && JSON.stringify(other.value) === JSON.stringify(value)
}

const SOUND = [
  'version: 1',
  '# a model\n\nversion: 1.0 # of it\nname:   shop\n',
  'a:\n  b:\n    c: x\n  d: y\ne:\nf: ~',
  'a:\n- 1\n- b: 2\n  c: {}\n- []\nd: -1',
  'a:\n  -   b:\n      - x y\n      c: 1\n  -\n    e: 2\n  -\n',
  'a: { b: c, d: [1, 2.5, -3, 0x1f], "e": \'f: g\', h i: { } }  # ok',
  'a: [x,\n  y,\n\n   z, ]\nb: [ ]',
  '"a: b": "c # d"\n\'e\' : \'f\'',
  "a: 'it''s'\nb: ['''', '']",
  'a: http://b:80/c#d\ne: f:g\nh: -i\nj: a, b] }',
  'yes: yes\ntrue: True\n1.0: 12345678901234567890\nnull: x',
  'a: é 💧\nb: "\u00a0"',
  `a: ${'b'.repeat(3000)}`,
  ...['model.yaml', 'commerce.yaml'].map((name) =>
    readFileSync(new URL(`../../../../test/${name === 'model.yaml' ? 'tpch' : 'corpus'}/${name}`, import.meta.url), 'utf8'),
  ),
]
const OTHERS = [
  '',
  '- a',
  'a',
  '{a: 1}',
  ' a: 1',
  '---\na: 1',
  'a: 1\n...',
  'a: &b 1\nc: *b',
  'a: !!str 1',
  'a: |\n  b',
  'a: >-\n  b',
  '<<: { a: 1 }',
  '__proto__: { a: 1 }',
  'constructor: 1',
  'a: 1\na: 2',
  'a: { b: 1, b: 2 }',
  'a: b\n  c',
  'a: "b\n  c"',
  'a: "\\n"',
  'a: b: c',
  'a: - b',
  'a: {b}',
  'a: {b: }',
  'a: [b: c]',
  'a: {"b":1} c',
  'a: [b\n]',
  'a: [b # c\n ]',
  '? a\n: b',
  'a:\tb',
  'a: 1\r\n',
  'a: "\u2028"',
  'a: "\ud800"',
  'a:\n   b: 1\n  c: 2',
  'a: 1\n  b: 2',
  'a:b',
  'a',
  `a: ${'['.repeat(60)}${']'.repeat(60)}`,
  `a: [${Array.from({ length: 10_001 }, () => 1)}]`,
]

t.test('plain YAML is read to the same value as by the YAML parser', async (t) => {
  for (const text of SOUND) {
    const value = plainYaml(text)
    t.ok(value !== undefined && isSame(text, value), JSON.stringify(text.slice(0, 60)))
  }
})

t.test('all other texts are left to the YAML parser', async (t) => {
  const understood = OTHERS.filter((text) => plainYaml(text) !== undefined)
  t.strictSame(understood, [])
})

t.test('only sections may have more entries than a list', async (t) => {
  const entries = (indent: string): string => Array.from({ length: 10_001 }, (_, i) => `${indent}k${i}: 1\n`).join('')
  const section = `a:\n${entries('  ')}`
  t.ok(isSame(section, plainYaml(section)))
  t.equal(plainYaml(`a:\n  b:\n${entries('    ')}`), undefined)
})

const SCRAPS = [
  ...['a', 'b', 'a: ', 'b:', ': ', ':', ' ', '  ', '\n', '\n  ', '\n    ', '- ', '-', '\n- ', '\n  - ', '\n\n', ','],
  ...['{', '}', '[', ']', '"', "'", "''", '\\', '#', ' # c', '? ', '!', '&a ', '*a', '|', '>', '%', '@', '`', '---', '...', '<<'],
  ...['~', 'null', 'yes', 'true', '1', '-1', '.5', '1e400', '0x1', ...STRANGE_SIGNS],
]
const word = fc.oneof(
  fc.constantFrom('a', 'b c', 'x: y', '1', 'd-e', '#f', 'g #h', '- i', '[j]', '{k}', "l'm", '"n"', 'null'),
  fc.string(),
)
const value = fc.letrec((tie) => ({
  any: fc.oneof({ depthSize: 'small' }, word, fc.integer(), fc.boolean(), fc.constant(null), tie('list'), tie('mapping')),
  list: fc.array(tie('any'), { maxLength: 3 }),
  mapping: fc.dictionary(word, tie('any'), { maxKeys: 3 }),
})).mapping
const written = fc
  .record({
    value,
    flowLevel: fc.integer({ min: -1, max: 3 }),
    indent: fc.integer({ min: 1, max: 4 }),
    noArrayIndent: fc.boolean(),
  })
  .map(({ value, ...style }) => `${dump(value, style)} `)
const assembled = fc.array(fc.constantFrom(...SCRAPS), { maxLength: 14 }).map((scraps) => `a: ${scraps.join('')}`)
const damaged = fc
  .record({ text: fc.oneof(written, assembled), edits: editsWith(SCRAPS) })
  .map(({ text, edits }) => edited(text, edits))

const SEED = Number(process.env.SEED ?? 20261126)
const numRuns = Number(process.env.RUNS ?? amount(1000, 3000))
t.test(`both readers agree on any text (seed ${SEED})`, async (t) => {
  let plain = 0
  fc.assert(
    fc.property(damaged, (text) => {
      const value = plainYaml(text)
      if (value !== undefined) plain++
      return value === undefined || isSame(text, value)
    }),
    { numRuns, seed: SEED },
  )
  t.ok(plain > numRuns / 10, `${plain} of ${numRuns} texts`)
})
