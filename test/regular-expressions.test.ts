/**
 * No regular expression in the sources takes quadratic time. Each is tried with repeated pieces of text that it matches, before an end that
 * it does not match: an expression that reads a client's text could otherwise block the event loop for minutes.
 */
import { readdirSync } from 'node:fs'
import path from 'node:path'
import t from 'tap'
import { type Literal, literalsIn } from './regular-expressions.js'

t.setTimeout(600_000)

const root = path.resolve(import.meta.dirname, '..')
const FOLDERS = [
  'core/src',
  ...['plugins', 'packages'].flatMap((group) => readdirSync(path.join(root, group)).map((name) => `${group}/${name}/src`)),
]

/** Expressions that read no text of a client, or only short ones, with the reason. */
const OTHERS: readonly (readonly [file: string, begins: string, why: string])[] = [
  ['core/src/cli/question/condition.ts', '', 'a word of the command line'],
  ['core/src/compile/dialect-conformance.ts', '', 'a statement that a test has made'],
  ['core/src/discovery/er-diagram.ts', '^_+|_+$', 'a name in which no two underscores follow each other'],
  ['core/src/resolve/aliases.ts', '^_+|_+$', 'a name in which no two underscores follow each other'],
  ['core/src/model/parse/read-text.ts', ':\\s+((?:', 'at most 1,000 characters of a line'],
  ['core/src/model/parse/read-text.ts', '[\\s}]+$', 'at most 60 characters'],
  ['core/src/model/physical-type.ts', '^([a-z][\\w ]*?)', 'at most 100 characters'],
  ['core/src/result/temporal.ts', '0+$', 'six digits'],
  ['plugins/surface-pgwire/src/types/float-text.ts', '0+$', 'the digits of one number'],
  ['plugins/surface-pgwire/src/types/styled-dates.ts', '0+$', 'six digits'],
  ['core/src/host/stray-errors.ts', '(file:', 'lines of at most 500 characters'],
  ['plugins/semantic-ql/src/grammar/parse-sql.ts', '("(?:[^"]|"")+"|[\\w.]+)\\s+$', 'at most 300 characters'],
  ['plugins/vendor-duckdb/src/column-types.ts', '(?:"', 'a table as the database itself writes it'],
  ['packages/language/src/completion.ts', '[\\p{L}_]', 'at most 100 characters'],
  ['packages/language/src/hover.ts', '[\\p{L}', 'at most 100 characters'],
  ['packages/language/src/server/serve-editor.ts', '^\\s*#', 'at most 1,000 characters'],
]

const SHORT = 1500
const LONG = 4 * SHORT
/** For a text four times as long, a linear expression takes four times as long, and a quadratic one sixteen times. */
const MOST_GROWTH = 8
/** In milliseconds of processor time; shorter times cannot be measured. */
const NOTICED = 0.4

const ALWAYS = [' ', 'a', '1', '_', '"']

/** Characters in an expression, or examples of its character classes. */
function alphabetOf({ source }: RegExp): readonly string[] {
  const plain = source.replaceAll(/\\[dDwWsSbB]|\\u\{?[0-9a-fA-F]+\}?|\\[pP]\{[^}]*\}|\(\?<?[:=!]/g, '')
  const written = [...plain].filter((character) => !'\\^$*+?|'.includes(character))
  const blanks = source.includes('\\s') ? ['\n', '\t'] : []
  return [...new Set([...ALWAYS, ...blanks, ...written])].slice(0, 28)
}

/** Creates a text of a given length: something repeated, after a prefix or none, before an end that does not match. */
type Pumped = (length: number) => string

function* pumped(expression: RegExp): Generator<Pumped> {
  const letters = alphabetOf(expression)
  const pumping = (before: string, piece: string) => (length: number) => `${before}${piece.repeat(length / piece.length)}\u0001`
  for (const letter of letters) for (const before of ['', ...letters]) yield pumping(before, letter)
  const few = letters.slice(0, 14)
  for (const first of few) for (const second of few) if (first !== second) yield pumping('', first + second)
}

/** Milliseconds of processor time. */
function taken(expression: RegExp, text: string): number {
  const began = process.cpuUsage()
  expression.lastIndex = 0
  // Searches to the end of the text, like `replaceAll`, `split` and `matchAll`.
  if (expression.global) while (expression.exec(text)) if (expression.lastIndex === 0) break
  if (!expression.global) expression.test(text)
  const { user, system } = process.cpuUsage(began)
  return (user + system) / 1000
}

const least = (tries: number, time: () => number) => Math.min(...Array.from({ length: tries }, time))

/** A text that takes too long, abbreviated. */
function stumbles(expression: RegExp): string | undefined {
  for (const textOf of pumped(expression)) {
    const short = textOf(SHORT)
    if (taken(expression, short) < NOTICED) continue
    const before = least(3, () => taken(expression, short))
    if (before < NOTICED) continue
    const long = textOf(LONG)
    const after = least(2, () => taken(expression, long))
    if (after / before > MOST_GROWTH) return `${JSON.stringify(short.slice(0, 6))}…: ${before} ms, then ${after} ms`
  }
  return undefined
}

const expressions = literalsIn(root, FOLDERS)

t.test('the scan finds every regular expression, and detects one with quadratic time', async (t) => {
  t.ok(expressions.length > 400, `${expressions.length} expressions`)
  t.ok(stumbles(/\s+$/))
  t.ok(stumbles(/"(?:[^"]|"")*"x/g))
  t.notOk(stumbles(/^\s+$/))
  for (const [file, begins] of OTHERS)
    t.ok(expressions.some(isOther([file, begins])), `${file} still holds the expression ${begins} that is left out`)
})

t.test('no regular expression takes quadratic time', async (t) => {
  for (const { place, expression } of expressions.filter((literal) => !OTHERS.some((other) => isOther(other)(literal))))
    t.equal(stumbles(expression), undefined, `${place} ${expression}`)
})

function isOther([file, begins]: readonly [file: string, begins: string, ...why: readonly string[]]) {
  return ({ place, expression }: Literal) => place.startsWith(`${file}:`) && expression.source.startsWith(begins)
}
