/** Redshift has no frame up to the last row of the same order, and demands one from an aggregate with an order. */
import { readFileSync } from 'node:fs'
import t from 'tap'
import { parse } from 'yaml'

const statements = parse(readFileSync(new URL('../corpus/sql/redshift.yaml', import.meta.url), 'utf8')) as Record<string, string>

/** What stands between the parenthesis that ends at `at`, and its partner. */
function within(sql: string, at: number, step: 1 | -1): string {
  let depth = 0
  for (let i = at; i >= 0 && i < sql.length; i += step) {
    if (sql[i] === '(') depth += step
    else if (sql[i] === ')') depth -= step
    if (depth === 0) return step === 1 ? sql.slice(at + 1, i) : sql.slice(i + 1, at)
  }
  return ''
}

t.test('each aggregate over ordered rows names its frame', async (t) => {
  let found = 0
  for (const [question, sql] of Object.entries(statements))
    for (const { index } of sql.matchAll(/\) OVER \(/g)) {
      const args = within(sql, index, -1)
      const name = /\w+$/.exec(sql.slice(0, index - args.length - 1))?.[0] ?? ''
      const over = within(sql, index + ') OVER '.length, 1)
      if (!/^(SUM|COUNT|MIN|MAX|AVG)$/.test(name) || !over.includes('ORDER BY')) continue
      found++
      if (!/ROWS BETWEEN/.test(over)) t.fail(`${question}: ${name}(${args}) OVER (${over})`)
      t.notMatch(over, /RANGE/, question)
    }
  t.ok(found > 0, `${found} aggregates`)
})
