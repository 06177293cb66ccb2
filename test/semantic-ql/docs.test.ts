/** The statements of the page are run, and return the tables that it shows. */
import { readFileSync } from 'node:fs'
import t from 'tap'
import { flightsHost } from './ask.js'

const page = readFileSync(new URL('../../docs/semantic-ql.md', import.meta.url), 'utf8')
const EXAMPLE = /<!-- flights sql: ([^\n]*?) -->\n```sql\n(.*?)```\n\n((?:\|[^\n]*\n)+)/gs
const examples = [...page.matchAll(EXAMPLE)]
const { ask, close } = await flightsHost()
t.teardown(close)

const cellsOf = (line: string): string[] =>
  line
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.trim())
const written = (cell: unknown): string =>
  typeof cell === 'number' || /^-?\d+\.\d+$/.test(String(cell)) ? String(Number(Number(cell).toFixed(4))) : String(cell ?? 'NULL')

for (const [, name = '', sql = '', table = ''] of examples) {
  t.test(`docs/semantic-ql.md shows correct results: ${name}`, async (t) => {
    const [columns = [], , ...rows] = table.trimEnd().split('\n').map(cellsOf)
    const answer = await ask(sql)
    t.same(answer.columns, columns)
    t.same(
      answer.rows.map((row) => row.map(written)),
      rows,
    )
  })
}

t.test('every marked statement is found', async (t) => {
  t.equal(examples.length, page.split('<!-- flights sql: ').length - 1)
  t.ok(examples.length >= 4)
})
