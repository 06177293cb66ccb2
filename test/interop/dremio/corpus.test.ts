/** The statements of the corpus for Dremio, which no test can start, in Calcite, whose parser Dremio uses. */
import { existsSync } from 'node:fs'
import { homedir } from 'node:os'
import path from 'node:path'
import { dremio } from '@grainline/dialect-dremio'
import t from 'tap'
import { compileFor, readStatements } from '../../corpus/corpus.js'
import { functionCases } from '../../corpus/function-table.js'
import { startLineServer } from '../line-server.js'

const root = path.join(process.env['GRAINLINE_ENGINES'] ?? path.join(homedir(), '.cache/grainline/engines'), 'dremio')

t.setTimeout(300_000)
if (!existsSync(path.join(root, 'ParseLines.class')))
  t.plan(0, 'Calcite is not unpacked here: run test/interop/dremio/install.sh')
else {
  const parser = startLineServer<object>('java', ['-cp', `${root}:${root}/lib/*`, 'ParseLines'])
  t.teardown(parser.stop)
  t.test('Calcite parses the statements of the corpus', async (t) => {
    const statements = Object.entries(readStatements(dremio)).filter(([, sql]) => !sql.startsWith('UNSUPPORTED_'))
    t.ok(statements.length > 95, `${statements.length} statements`)
    // The author of the model uses a reserved word of Calcite as a name, in hand-written SQL.
    const written = (sql: string): string => sql.replaceAll('order_id, method,', 'order_id, "method",')
    for (const [name, sql] of statements) await t.resolves(parser.ask({ sql: written(sql) }), `${name}: ${sql}`)
  })
  t.test('Calcite parses every call of a function', async (t) => {
    for (const { name, query, model } of functionCases().filter((c) => !c.name.startsWith('json_value'))) {
      const { sql } = compileFor(dremio, query, model)
      await t.resolves(parser.ask({ sql }), `${name}: ${sql}`)
    }
  })
  t.test('Calcite refuses the syntax of other engines', async (t) => {
    for (const sql of [
      'SELECT FROM WHERE',
      'SELECT `a` FROM t',
      'SELECT TOP 10 a FROM t',
      'SELECT a FROM t GROUP BY ALL',
      "SELECT 'a\\'b'",
    ])
      await t.rejects(parser.ask({ sql }), sql)
  })
}
