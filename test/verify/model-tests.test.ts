import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import t from 'tap'
import { main } from '../../core/src/cli/main.js'

const root = resolve(import.meta.dirname, '../..')
const flights = join(root, 'examples/flights/model.yaml')
const folder = await mkdtemp(join(tmpdir(), 'grainline-tests-'))
t.teardown(() => rm(folder, { recursive: true }))

const faulty = `name: 'A & "B"'
dataObjects:
  A:
    code: (SELECT * FROM (VALUES (1, 'x', 0.5), (2, NULL, 1.5)) t (id, word, share))
    columns:
      Id: { code: id, abstractType: int, primaryKey: true }
      Word: { code: word, abstractType: string }
      Share: { code: share, abstractType: float }
dimensions:
  Word: { dataObject: A, column: Word }
measures:
  Total: { aggregation: sum, columns: [{ dataObject: A, column: Share }] }
tests:
  - name: good
    query: { select: { dimensions: [Word], measures: [Total] } }
    expect: { rows: [[null, 1.5], [x, 0.5]] }
  - name: '<wrong> & "bad"'
    query: { select: { dimensions: [Word], measures: [Total] }, order_by: [{ field: Total }] }
    expect: { rows: [[x, 0.25], [null, 1.5]] }
  - name: unasked
    query: { select: { measures: [Totl] } }
`
await writeFile(join(folder, 'faulty.yaml'), faulty)

async function command(...args: string[]) {
  const written = { out: '', err: '' }
  const stdout = { write: (text: string) => (written.out += text) }
  const stderr = { write: (text: string) => (written.err += text) }
  const defaultConfig = join(root, 'config/demo.yaml')
  const code = await main(['test', ...args], { stdout, stderr, cwd: folder, env: {}, defaultConfig })
  return { code, ...written }
}

t.test('the tests of the flights pass', async (t) => {
  const { code, out, err } = await command(flights)
  t.equal(code, 0, `${out}${err}`)
  t.match(out, /6 tests, 0 failed/)
})

t.test('a test that fails shows the difference, and the exit code is 1', async (t) => {
  const { code, out } = await command('faulty.yaml')
  t.equal(code, 1)
  t.match(out, /^ok {3}good$/m)
  t.match(out, /^ {7}row 1, Total: expected 0\.25, found 0\.5$/m)
  t.match(out, /^ {7}UNKNOWN_MEASURE: .*'Totl'/m)
  t.match(out, /3 tests, 2 failed/)
})

t.test('results are available as JSON, JUnit XML and SARIF', async (t) => {
  const { code, out } = await command('faulty.yaml', '--json', '--junit', 'out/junit.xml', '--sarif', 'out/log.sarif')
  t.equal(code, 1)
  t.match(JSON.parse(out), { passed: 1, failed: 2, tests: [{ status: 'passed' }, { status: 'failed' }, { status: 'error' }] })

  const xml = await readFile(join(folder, 'out/junit.xml'), 'utf8')
  t.match(xml, /^<\?xml version="1\.0" encoding="UTF-8"\?>\n<testsuites tests="3" failures="1" errors="1" time="\d+\.\d{3}">/)
  t.match(xml, /<testsuite name="A &amp; &quot;B&quot;"/)
  t.match(xml, /name="&lt;wrong&gt; &amp; &quot;bad&quot;"/)
  t.notMatch(xml.replace(/&(amp|lt|gt|quot|apos);/g, ''), /&/, 'every ampersand is an entity')

  const log = JSON.parse(await readFile(join(folder, 'out/log.sarif'), 'utf8'))
  t.match(log, {
    version: '2.1.0',
    $schema: /sarif-2\.1\.0/,
    runs: [{ tool: { driver: { name: 'grainline', version: /^\d/ } } }],
  })
  const [{ tool, results }] = log.runs
  const rules = tool.driver.rules.map((rule: { id: string }) => rule.id)
  t.equal(results.length, 2)
  for (const result of results) {
    t.ok(rules.includes(result.ruleId))
    t.equal(result.level, 'error')
    const { artifactLocation, region } = result.locations[0].physicalLocation
    t.equal(artifactLocation.uri, 'faulty.yaml')
    t.match(faulty.split('\n')[region.startLine - 1], /name: ('<wrong>|unasked)/, 'the line is that of the test')
  }
})

t.test('an invalid test is an error of the model', async (t) => {
  await writeFile(join(folder, 'shape.yaml'), faulty.replace('expect: { rows: [[null, 1.5], [x, 0.5]] }', 'expect: { rows: 5 }'))
  t.match(await command('shape.yaml'), { code: 1, err: /^MODEL_INVALID: / })
})
