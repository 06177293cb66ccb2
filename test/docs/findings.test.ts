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
  t.equal(rows.length, 149)
  for (const row of rows) t.match(row, new RegExp(NAMED.source), row)
  t.end()
})

t.test('each sentence on time names a test, or says that it is open', (t) => {
  const from = lines.indexOf('## Time, sentence by sentence')
  const rows = lines.slice(from, lines.indexOf('## Measured')).filter((line) => /^\| (§\d|Plans|Held) \|/.test(line))
  t.ok(rows.length > 40)
  for (const row of rows) t.equal(/\| Open: /.test(row), !new RegExp(NAMED.source).test(row), row)
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

function hasTitle(text: string, title: string): boolean {
  const written = title.replaceAll('\\|', '|')
  return text.includes(written) || text.includes(written.replaceAll("'", "\\'"))
}
