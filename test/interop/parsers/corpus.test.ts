/**
 * Every statement of the corpus in the dialects whose engine no test can start, parsed by sqlglot; some also by sqlfluff, which is slower
 * and stricter.
 */
import t from 'tap'
import { FURTHER_DIALECTS, readStatements } from '../../corpus/corpus.js'
import { openParsers } from './parsers.js'

/** ALL_SQLFLUFF=1 parses all: each takes a second or more, the deepest a minute. */
const ALL = process.env['ALL_SQLFLUFF'] !== undefined
const SAMPLE = 4
const LONG = 2000
const SQLFLUFF = ['redshift', 'snowflake']

t.setTimeout(900_000)
const parsers = openParsers()
if (typeof parsers === 'string') t.plan(0, parsers)
else {
  t.teardown(parsers.stop)
  for (const dialect of FURTHER_DIALECTS.filter(({ name }) => ['dremio', ...SQLFLUFF].includes(name))) {
    const statements = Object.entries(readStatements(dialect)).filter(([, sql]) => !sql.startsWith('UNSUPPORTED_'))
    t.test(`sqlglot parses the statements of ${dialect.name}`, async (t) => {
      t.ok(statements.length > 90, `${statements.length} statements`)
      for (const [name, sql] of statements) await t.resolves(parsers.ask({ parser: 'sqlglot', dialect: dialect.name, sql }), name)
    })
    if (!SQLFLUFF.includes(dialect.name)) continue
    t.test(`sqlfluff parses statements of ${dialect.name}`, async (t) => {
      const short = statements.filter(([, sql]) => sql.length < LONG)
      const step = Math.floor(short.length / SAMPLE)
      for (const [name, sql] of ALL ? statements : short.filter((_, i) => i % step === 0))
        await t.resolves(parsers.ask({ parser: 'sqlfluff', dialect: dialect.name, sql }), name)
    })
  }
  t.test('both refuse text that is not SQL', async (t) => {
    for (const parser of ['sqlglot', 'sqlfluff'])
      for (const sql of ['SELECT FROM WHERE', 'SELECT a FROM t WHERE (b = 1', 'SELECT 1 1 1 FROM t ORDER'])
        await t.rejects(parsers.ask({ parser, dialect: 'snowflake', sql }), `${parser}: ${sql}`)
  })
}
