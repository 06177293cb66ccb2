/** What a client reads where DuckDB refuses: each sentence from a statement that DuckDB itself refuses. */
import t from 'tap'
import { boundsOf } from './options.js'
import { refuse } from './refusal.js'
import { openSandbox } from './sandbox.js'

const REFUSED: readonly (readonly [sql: string, said: string])[] = [
  ['SELECT x FROM a', "'x' is not a column of the relations in FROM"],
  ['SELECT t.x FROM (SELECT o FROM a) AS t', "'x' is not a column of the relations in FROM"],
  ['SELECT a.x FROM a', "'x' is not a column of the relations in FROM"],
  ['SELECT a.n FROM a JOIN b USING (z)', "'z' is not a column of the relations in FROM"],
  ['SELECT z.x FROM a', "'z' is not a relation of this SELECT"],
  ['SELECT o FROM a JOIN b ON a.n = b.m', "'o' is a column of several relations of this SELECT"],
  ['SELECT a.n FROM a, a', "Two relations are called 'a'"],
  ['SELECT o, n FROM a GROUP BY o', "'n' is neither in GROUP BY nor inside an aggregate of the outer statement"],
  ['SELECT count(*) FROM a HAVING n > 1', "'n' is neither in GROUP BY nor inside an aggregate of the outer statement"],
  ['SELECT sum(o) FROM a', 'SUM does not take a text in the outer statement'],
  ['SELECT t - n FROM a', '- does not take an instant and a number in the outer statement'],
  ['SELECT CAST(o AS BIGINT) FROM a', "The outer statement reads 'x' as a number, and it is none"],
  ["SELECT n IN ('a') FROM a", "The outer statement reads 'a' as a number, and it is none"],
  ["SELECT * FROM a WHERE d = 'abc'", "The outer statement reads 'abc' as a date, and it is none"],
  ["SELECT CAST('2024-13-01' AS DATE)", "The outer statement reads '2024-13-01' as a date, and it is none"],
  ['SELECT make_date(2024, 13, 1)', "The outer statement reads '2024-13-1' as a date, and it is none"],
  ['SELECT CAST(1000 AS DECIMAL(3, 1))', "The outer statement reads '1000' as a number of another size, and it is none"],
  ['SELECT * FROM a WHERE d = n', 'The outer statement uses a number where it has a date'],
  ['SELECT COALESCE(n, o) FROM a', 'The outer statement uses a number where it has a text'],
  ['SELECT GREATEST(d, n) FROM a', 'The outer statement uses a date where it has a number'],
  ['SELECT n FROM a UNION SELECT o, m FROM b', 'The SELECTs of a UNION, INTERSECT or EXCEPT have different numbers of columns'],
  ['SELECT (SELECT v.n FROM (VALUES (1), (2)) v(n))', 'A subquery that is used as a value has more than one row'],
  ['SELECT n FROM a WHERE sum(n) > 1', 'WHERE of the outer statement contains aggregates'],
  ['SELECT n FROM a WHERE rank() OVER () > 1', 'WHERE of the outer statement contains window functions'],
  ['SELECT sum(sum(n)) FROM a', 'An aggregate of the outer statement contains another'],
  ['SELECT n FROM a ORDER BY 5', 'ORDER BY names a position that the SELECT does not have: it has 1'],
  ["SELECT date_trunc('foo', d) FROM a", "'foo' is not a unit of time"],
  [
    'SELECT n * 9223372036854775807 * 10 FROM a',
    'A number of the outer statement is too large, or outside of what its function takes',
  ],
  [
    'SELECT model_query_1.c1 FROM a GROUP BY 1',
    'The outer statement cannot be evaluated: an expression is outside GROUP BY or has a wrong type',
  ],
]

t.test('every refusal says what happened and what to write, and has the text of DuckDB as its cause', async (t) => {
  const sandbox = await openSandbox(boundsOf({}))
  t.teardown(() => sandbox.close())
  const connection = await sandbox.connect()
  await connection.run('CREATE TEMP TABLE a (o VARCHAR, n BIGINT, d DATE, t TIMESTAMPTZ)')
  await connection.run("INSERT INTO a VALUES ('x', 1, '2024-01-01', '2024-01-01 00:00:00+00')")
  await connection.run('CREATE TEMP TABLE b (o VARCHAR, m BIGINT)')
  for (const [sql, said] of REFUSED) {
    const error = await connection
      .run(sql)
      .then(() => new Error(`answered: ${sql}`), String)
      .then((text) => caught(text))
    t.match(error, { code: 'EVALUATION_REFUSED', path: 'sql', message: said }, sql)
    t.match(error.details.hint, /^[A-Z'].*\.$/, sql)
  }
  connection.closeSync()
})

function caught(text: string | Error) {
  try {
    return refuse(text instanceof Error ? text : new Error(text.replace(/^Error: /, '')))
  } catch (error) {
    return error as { readonly details: { readonly hint?: string } }
  }
}
