/** Texts that attack a reader: nested deeply, repeated, long, full of aliases, of odd characters. Every format gives a model or faults with places. */
import t from 'tap'
import { bestOf, keepsTurns } from '../longest-turn.js'
import { oneIn, PART } from '../support/amount.js'
import { FORMATS } from './formats.js'

const times = (count: number, text: string) => text.repeat(count)

/** The value of the first line that may be SQL. */
const inSql = (sql: string) => (text: string) =>
  text.replace(/((?:expr|expression|sql|AS)["']?:? )(.*)$/m, (_line, key: string) => `${key}${sql}`)

const atLine = (part: number, added: string) => (text: string) => {
  const lines = text.split('\n')
  lines.splice(Math.floor(lines.length * part), 0, added)
  return lines.join('\n')
}

const bomb = ['b0: &b0 [x, x, x, x, x, x, x, x, x, x]']
  .concat(
    Array.from({ length: 12 }, (_, i) => `b${i + 1}: &b${i + 1} [${Array.from({ length: 10 }, () => `*b${i}`).join(', ')}]`),
  )
  .join('\n')

const ATTACKS: Readonly<Record<string, (text: string) => string>> = {
  'deep brackets': (text) => `${text}\nextra: ${times(20_000, '[')}`,
  'deep braces': (text) => `${text}\nextra: ${times(20_000, '{a: ')}`,
  'closed brackets': (text) => `${text}\nextra: ${times(3000, '[')}${times(3000, ']')}`,
  'deep blocks': (text) => `${text}\n${Array.from({ length: 1500 }, (_, i) => `${times(i, ' ')}a:`).join('\n')}`,
  'an alias bomb': (text) => `${bomb}\n${text}`,
  'an alias of itself': (text) => `${text}\nextra: &own [*own]`,
  'an unknown alias': (text) => `${text}\nextra: *nobody`,
  'a long line': (text) => `${text}\nextra: ${times(1_000_000, 'a')}`,
  'a long key': (text) => `${times(100_000, 'k')}: 1\n${text}`,
  'a long text': (text) => `${text}\nextra: "${times(500_000, '\\n')}"`,
  'many keys': (text) => `${text}\n${Array.from({ length: 3000 }, (_, i) => `k${i}: ${i}`).join('\n')}`,
  'many documents': (text) => `${text}\n${times(3000, '---\na: 1\n')}`,
  'the same text twice': (text) => `${text}\n${text}`,
  'two documents': (text) => `${text}\n---\n${text}`,
  'keys of every object': (text) => `__proto__: { a: 1 }\nconstructor: { prototype: { a: 1 } }\n${text}`,
  'a tag': (text) => `extra: !!js/function 'function () {}'\n${text}`,
  'a list for a key': (text) => `? [a, b]\n: 1\n${text.replace(/name: (\w+)/, 'name: { [$1]: x }')}`,
  'a merge key': (text) => `base: &base { name: x }\nextra: { <<: *base }\n${text}`,
  'a zero': atLine(0.5, 'a\0b: 1'),
  'a byte order mark': (text) => `\uFEFF${text}`,
  'lines of Windows': (text) => text.replaceAll('\n', '\r\n'),
  'lines of old Macs': (text) => text.replaceAll('\n', '\r'),
  'half a character': atLine(0.5, 'a: \uD800'),
  'a tab': atLine(0.5, '\t\t- x'),
  'no text': () => '',
  'half of the text': (text) => text.slice(0, text.length / 2),
  'numbers for names': (text) => text.replace(/name: \S+/g, 'name: 1e999'),
  'one name for all': (text) => text.replace(/name: [^,}\n]+/g, 'name: same'),
  'nothing for names': (text) => text.replace(/name: [^,}\n]+/g, "name: ''"),
  'lists for texts': (text) => text.replace(/: (\w+)$/gm, ': [$1]'),
  'mappings for texts': (text) => text.replace(/: (\w+)$/gm, ': { $1: $1 }'),
  'deep SQL': inSql(`${times(5000, '(')}a${times(5000, ')')}`),
  'open SQL': inSql(times(10_000, '(')),
  'long SQL': inSql(Array.from({ length: 3000 }, (_, i) => `a = ${i}`).join(' OR ')),
  'many signs in SQL': inSql(times(5000, '- ')),
  'cases in SQL': inSql(`${times(500, 'CASE WHEN a THEN ')}1${times(500, ' END')}`),
  'an open quote in SQL': inSql(`'${times(50_000, "''")}`),
  'comments in SQL': inSql(`a ${times(20_000, '/*')}`),
  'templates in SQL': inSql(times(10_000, '{{')),
  'braces in SQL': inSql(times(10_000, '${')),
  'another statement in SQL': inSql('a; DROP TABLE orders'),
  'a query in SQL': inSql('(SELECT 1 FROM secrets)'),
}

/** Of libraries: a client could fill the log with its text. */
const warnings: string[] = []
process.on('warning', ({ message }) => warnings.push(message))

const lines = (count: number, line: (at: number) => string) => Array.from({ length: count }, (_, at) => line(at)).join('\n')

t.test('a text that is too deep has the place where it gets deep', async (t) => {
  for (const { importer, texts } of FORMATS) {
    if (!['cube', 'databricks', 'dbt', 'obml', 'ossie', 'snowflake'].includes(importer.name)) continue
    const [text = ''] = texts
    const first = text.trimEnd().split('\n').length + 1
    for (const [what, deep, line] of [
      ['blocks', lines(105, (at) => `${' '.repeat(at)}a:`), first + 100],
      ['brackets', `extra: ${'['.repeat(1000)}${']'.repeat(1000)}`, first],
    ] as const) {
      const read = await importer.read({ text: `${text.trimEnd()}\n${deep}\n` })
      const faults = 'faults' in read ? read.faults : []
      t.ok(
        faults.some(({ message, place }) => /deep/.test(message) && Math.abs((place?.line ?? 0) - line) <= 2),
        `${importer.name}, ${what}: ${JSON.stringify(faults).slice(0, 200)}, and not line ${line}`,
      )
    }
  }
})

for (const { importer, texts } of FORMATS)
  t.test(`${importer.name}: every attack ends with a model or with faults that have places, and holds nobody up`, async (t) => {
    t.comment(`TEST_PART=${PART}`)
    let longest = 0
    let count = 0
    const attacks = Object.entries(ATTACKS).flatMap(([what, attack]) => texts.map((text) => ({ what, attack, text })))
    for (const { what, attack, text: whole } of oneIn(30, attacks)) {
      const text = attack(whole)
      const best = await bestOf(() => {
        importer.detect({ text })
        return importer.read({ text })
      })
      const read = best.result
      keepsTurns(t, best, `${what}: the event loop was held`)
      longest = Math.max(longest, best.turn)
      count++
      const places = 'faults' in read ? read.faults.map(({ place }) => place) : read.losses.map(({ place }) => place)
      const lines = text.split(/\r\n|\r|\n/).length
      const isPlaced = places.every((place) => place && place.line >= 1 && place.line <= lines)
      t.ok(isPlaced, `${what}: ${'faults' in read ? JSON.stringify(read.faults).slice(0, 300) : 'a loss without a place'}`)
    }
    t.strictSame(warnings, [], 'nothing is written to the log')
    t.comment(`${count} texts; the longest turn: ${Math.round(longest)} ms`)
  })
