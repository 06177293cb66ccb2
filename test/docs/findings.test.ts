/** docs/findings-and-tests.md names existing tests by their titles. */
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import t from 'tap'

const docs = path.resolve(import.meta.dirname, '../../docs')
const lines = readFileSync(path.join(docs, 'findings-and-tests.md'), 'utf8').split('\n')

/** “the title” ([the file](its path)) */
const NAMED = /“([^”]+)” \(\[[^\]]+\]\(([^)]+)\)\)/g

t.test('each finding names at least one test', (t) => {
  const rows = lines.filter((line) => /^\| \d+ \|/.test(line))
  t.equal(rows.length, 150)
  for (const row of rows) t.match(row, new RegExp(NAMED.source), row)
  t.end()
})

t.test('each sentence on time names a test, or says that it is open', (t) => {
  const from = lines.indexOf('## Time, sentence by sentence')
  const rows = lines
    .slice(from, lines.indexOf('## Interchange, sentence by sentence'))
    .filter((line) => /^\| (§\d|Plans|Held) \|/.test(line))
  t.ok(rows.length > 40)
  for (const row of rows) t.equal(/\| Open: /.test(row), !new RegExp(NAMED.source).test(row), row)
  t.end()
})

t.test('each sentence on interchange names a test, or says that it is open', (t) => {
  const from = lines.indexOf('## Interchange, sentence by sentence')
  const rows = lines.slice(from, lines.indexOf('## Measured')).filter((line) => /^\| (Issue|Map) \|/.test(line))
  t.ok(rows.length > 20, `${rows.length} sentences`)
  for (const row of rows) t.equal(/\| Open: /.test(row), !new RegExp(NAMED.source).test(row), row)
  t.end()
})

t.test('each finding about the house names a test, or says that it is read or left', (t) => {
  const from = lines.indexOf('## The house, finding by finding')
  const rows = lines.slice(from, lines.indexOf('## Access, sentence by sentence')).filter((line) => line.startsWith('| §'))
  t.ok(rows.length > 20, `${rows.length} findings`)
  for (const row of rows) t.equal(/\| (Left|Read): /.test(row), !new RegExp(NAMED.source).test(row), row)
  t.end()
})

t.test('each sentence on access names a test', (t) => {
  const from = lines.indexOf('## Access, sentence by sentence')
  const rows = lines.slice(from, lines.indexOf('## Time, sentence by sentence')).filter((line) => /^\| [A-Z]/.test(line))
  t.ok(rows.length > 30, `${rows.length} sentences`)
  for (const row of rows) t.match(row, new RegExp(NAMED.source), row)
  t.end()
})

t.test('each further sentence of the reports names a test, or says that it is left', (t) => {
  const from = lines.indexOf('## Second report, sentence by sentence')
  const rows = lines.slice(from, lines.indexOf('## The canonical plan and its rules')).filter((line) => /^\| [A-Z]/.test(line))
  t.ok(rows.length > 25, `${rows.length} sentences`)
  for (const row of rows) t.equal(/\| Left: /.test(row), !new RegExp(NAMED.source).test(row), row)
  t.end()
})

t.test('each test that a finding names exists', (t) => {
  for (const [, title = '', link = ''] of lines.join('\n').matchAll(NAMED)) {
    const file = path.join(docs, link)
    t.ok(existsSync(file) && hasTitle(readFileSync(file, 'utf8'), title), `${link}: ${title}`)
  }
  t.notOk(hasTitle("t.test('one', …)", 'another'))
  t.end()
})

/** What is written by hand where a library is usual: the file, and the title of its decision. */
const BY_HAND: Readonly<Record<string, string>> = {
  'core/src/model/parse/plain-yaml.ts': 'A third reader of YAML',
  'packages/flight-sql/src/protobuf.ts': 'Protocol Buffers without `protobufjs`',
  'scripts/run-tests.mjs': 'A runner for tests over tap',
  'core/src/lru.ts': 'An LRU of our own',
  'core/src/nearest.ts': 'Nearest names by code of our own',
  'core/src/cli/connect/zip.ts': 'An archive without compression',
}

t.test('what is written by hand has a decision that compares it with a library', (t) => {
  const decisions = readFileSync(path.join(docs, 'decisions/packages.md'), 'utf8').split(/^## /m)
  for (const [file, title] of Object.entries(BY_HAND)) {
    t.ok(existsSync(path.join(docs, '..', file)), file)
    const decision = decisions.find((one) => one.startsWith(`${title}\n`)) ?? ''
    for (const part of ['Context', 'Choice', 'Consequence']) t.match(decision, `**${part}.**`, title)
  }
  t.end()
})

function hasTitle(text: string, title: string): boolean {
  const written = title.replaceAll('\\|', '|')
  return text.includes(written) || text.includes(written.replaceAll("'", "\\'"))
}
