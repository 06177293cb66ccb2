import { readFileSync } from 'node:fs'
import { coreVariables } from '@grainline/core/unstable'
import t from 'tap'
import { holds } from './holds.js'
import { dueRows, parts, type RowId } from './rows.js'
import { holdingsOf, readHoldings, renderTable, unheld } from './table.js'

const holdings = readHoldings()

t.test('every row of the specification is checked by a test', async (t) => {
  t.same(unheld(holdings), [])
})

t.test('every row is checked on a process that is started as users start it', async (t) => {
  t.match(renderTable(holdings), /\| \*\*All\*\* \| (\d+) \| \1 \| 0 \|/)
})

t.test('every setting is in some row, or its surface is not implemented yet', async (t) => {
  const { 'Defaults of the settings': _, ...acting } = parts
  const says = [...Object.values(acting).flatMap((rows) => Object.values<string>(rows)), ...Object.values(dueRows).flat()].join(
    '\n',
  )
  t.same(
    Object.keys(coreVariables).filter((name) => !new RegExp(`\\b${name}\\b`).test(says)),
    [],
  )
})

t.test('no test refers to a missing row', async (t) => {
  const rows = new Set([...Object.values(parts).flatMap((part) => Object.keys(part)), 'default.*'])
  t.same(
    holdings.flatMap(({ file, ids }) => ids.filter((id) => !rows.has(id)).map((id) => `${file} ${id}`)),
    [],
  )
  t.throws(() => holds({ comment() {} }, 'no.such.row' as RowId), /the specification has no row 'no\.such\.row'/)
})

t.test('a row is found under the title of its test', async (t) => {
  const text = [
    "t.test('it\\'s so', async (t) => {",
    "  holds(t, 'auth.none',",
    "    'auth.many')",
    '})',
    `t.test(\`a \${b}\`, async (t) => {`,
    "  holds(t, 'tls.line')",
  ]
  t.same(holdingsOf('x.test.ts', text.join('\n')), [
    { file: 'x.test.ts', title: "it's so", ids: ['auth.none', 'auth.many'], served: false },
    { file: 'x.test.ts', title: `a \${b}`, ids: ['tls.line'], served: false },
  ])
})

t.test('a test that starts Grainline is recognized by its text, also if a function of its file starts it', async (t) => {
  const text = [
    "import { type Started, start } from '../host/process.js'",
    "import { startRest } from './server.js'",
    'const opened = () => start(t, [])',
    "t.test('one', async (t) => {",
    "  holds(t, 'auth.none')",
    '  opened()',
    '})',
    "t.test('two', async (t) => {",
    "  holds(t, 'auth.many')",
    '  startRest()',
    '})',
  ]
  t.same(
    holdingsOf('x.test.ts', text.join('\n')).map(({ ids, served }) => [...ids, served]),
    [
      ['auth.none', true],
      ['auth.many', false],
    ],
  )
})

t.test('a row without a test is reported', async (t) => {
  const fewer = holdings.map((holding) => ({ ...holding, ids: holding.ids.filter((id) => id !== 'refuse.oidc') }))
  t.same(unheld(fewer), ['refuse.oidc'])
})

t.test('the page of the docs names the tests', async (t) => {
  const page = readFileSync(new URL('../../docs/reference/specification.md', import.meta.url), 'utf8')
  t.equal(page, renderTable(holdings), 'run scripts/specification.ts')
})
