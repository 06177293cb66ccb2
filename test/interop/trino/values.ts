/** Values that Trino would write differently, truncate or match differently. */
import { FLOAT, JSON_TYPE, STRING, TIME, TIMESTAMP, TIMESTAMP_TZ } from '@grainline/core/vendor'
import { type OpenEngine, type SuiteTest, withEngine } from '../suites.js'

export const valuesOn = (t: SuiteTest, open: OpenEngine): Promise<void> =>
  withEngine(t, open, ({ dialect, load, ask }) => {
    const textsOf = async (sql: string) => (await ask(sql, [{ name: 'text', type: STRING, role: 'field' }])).rows.flat()

    t.test('a pattern has the same meaning as a column and as a literal, also with a backslash before a letter', async (t) => {
      const rows = [
        ['50%', '50\\%', 'fits'],
        ['500', '50\\%', null],
        ['a_b', 'a\\_b', 'fits'],
        ['axb', 'a\\xb', 'fits'],
        ['back\\slash', 'back\\\\sl%', 'fits'],
        ['back\\x', 'back\\\\\\x', 'fits'],
      ] as const
      const values = rows.map(([a, b], i) => `(${i}, '${a}', '${b}')`)
      await load(`CREATE TABLE patterns (id BIGINT, a VARCHAR, b VARCHAR); INSERT INTO patterns VALUES ${values.join(', ')}`)
      const like = (literal: string | undefined, pattern: string) =>
        `CASE WHEN ${dialect.like({ value: 'a', pattern, literal, folded: false, negated: false })} THEN 'fits' END AS text FROM patterns`
      t.same(
        await textsOf(`SELECT ${like(undefined, 'b')} ORDER BY id`),
        rows.map(([, , fits]) => fits),
      )
      for (const [i, [, pattern, fits]] of rows.entries())
        t.same(await textsOf(`SELECT ${like(pattern, `'${pattern}'`)} WHERE id = ${i}`), [fits], pattern)
    })

    t.test('doubles and times have the same text as on other engines', async (t) => {
      const texts = [
        dialect.cast('1.5E0', STRING, FLOAT),
        dialect.cast("TIMESTAMP '2024-02-29 20:00:00'", STRING, TIMESTAMP),
        dialect.cast("TIMESTAMP '2024-02-29 20:00:00.500100'", STRING, TIMESTAMP),
        dialect.cast("TIMESTAMP '2024-02-29 20:00:00.5 Europe/Paris'", STRING, TIMESTAMP_TZ),
        dialect.cast("TIME '20:00:00'", STRING, TIME),
        dialect.cast(dialect.cast(`'{"a": [1]}'`, JSON_TYPE, STRING), STRING, JSON_TYPE),
      ]
      const numbered = texts.map((text, i) => `(${i}, ${text})`).join(', ')
      t.same(await textsOf(`SELECT text FROM (VALUES ${numbered}) AS v(i, text) ORDER BY i`), [
        '1.5',
        '2024-02-29 20:00:00',
        '2024-02-29 20:00:00.5001',
        '2024-02-29 19:00:00.5+00',
        '20:00:00',
        '{"a":[1]}',
      ])
    })

    t.test('numbers of every kind are truncated, and numbers that no decimal can hold are unchanged', async (t) => {
      const cut = (x: string, n: string, kind: 'int' | 'float') => dialect.functions['trunc']!([x, n], [{ kind }])
      const columns = ['a', 'b', 'c'].map((name) => ({ name, type: FLOAT, role: 'field' }) as const)
      const numbers = [cut('0.29E0', '2', 'float'), cut('1E300', '2', 'float'), `CAST(${cut('-199', '-2', 'int')} AS DOUBLE)`]
      const { rows } = await ask(`SELECT ${numbers.map((number, i) => `${number} AS n${i}`).join(', ')}`, columns)
      t.same(rows, [[0.29, 1e300, -100]])
    })
  })
